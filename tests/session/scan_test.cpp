// Scan (ONNX 8 to 25), which import rewrites into Loop: worked out by hand.
#include "import/onnx_writer.hpp"
#include "passes/compiled_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// A running sum: state + element → state, and the element and the sum as scan outputs.
OnnxGraph running_sum(const std::vector<std::string>& dims) {
  OnnxGraph body("body");
  body.input("state", DType::float32, dims).input("element", DType::float32, dims);
  body.node(OnnxNode("Add", {"state", "element"}, {"sum"})).node(OnnxNode("Identity", {"sum"}, {"sum_out"})).node(OnnxNode("Identity", {"element"}, {"element_out"}));
  return body.output("sum").output("sum_out").output("element_out");
}

OnnxNode scan(const OnnxGraph& body, std::vector<std::string> inputs = {"s", "x"}) {
  return OnnxNode("Scan", inputs, {"last", "sums", "elements"}).name("scan").set("body", body).set("num_scan_inputs", 1);
}

/// A model of that node, fed with `s` and `x`.
OnnxGraph model_of(const OnnxNode& node, const std::vector<std::string>& s, const std::vector<std::string>& x) {
  OnnxGraph g;
  g.input("s", DType::float32, s).input("x", DType::float32, x).node(node);
  return g.output("last").output("sums").output("elements");
}

std::string result(const OnnxGraph& g, const std::vector<Tensor>& inputs, int64_t opset = 25) {
  const Compiled compiled = compile_graph(import_onnx(OnnxModel(g).opset(opset)), {});
  return Instance(ModelCase::load(*compiled.model)).shown(inputs);
}

}  // namespace

TEST_CASE("Scan hands its state on and stacks what each iteration gives", "[session][CR-1][CR-9]") {
  for (const char* length : {"3", "T"})
    CHECK(result(model_of(scan(running_sum({"2"})), {"2"}, {length, "2"}), {floats({2}, {0, 10}), floats({3, 2}, {1, 2, 3, 4, 5, 6})}) ==
          "float32[2] 9 22; float32[3, 2] 1 12 4 16 9 22; float32[3, 2] 1 2 3 4 5 6");
}

TEST_CASE("Scan goes backwards, along any axis, and builds its outputs from either end along any axis", "[session][CR-1][CR-9]") {
  // Columns from the last to the first: [3,6], [2,5], [1,4]; sums [3,16], [5,21], [6,25].
  const auto node = scan(running_sum({"2"})).set("scan_input_axes", std::vector<int64_t>{-1}).set("scan_input_directions", std::vector<int64_t>{1})
                        .set("scan_output_axes", std::vector<int64_t>{1, -1}).set("scan_output_directions", std::vector<int64_t>{1, 0});
  for (const char* length : {"3", "T"})
    CHECK(result(model_of(node, {"2"}, {"2", length}), {floats({2}, {0, 10}), floats({2, 3}, {1, 2, 3, 4, 5, 6})}) ==
          "float32[2] 6 25; float32[2, 3] 6 5 3 25 21 16; float32[2, 3] 3 2 1 6 5 4");
}

TEST_CASE("Scan outputs of matrices are stacked along the middle or the last axis", "[session][CR-1][CR-9]") {
  // x[t, i, j] of 3 x 1 x 2: y[i, t, j] and y[i, j, t].
  const auto along = [](int64_t sums, int64_t elements) { return scan(running_sum({"1", "2"})).set("scan_output_axes", std::vector<int64_t>{sums, elements}); };
  const std::vector<Tensor> in{floats({1, 2}, {0, 0}), floats({3, 1, 2}, {1, 2, 3, 4, 5, 6})};
  CHECK(result(model_of(along(1, 2), {"1", "2"}, {"T", "1", "2"}), in) == "float32[1, 2] 9 12; float32[1, 3, 2] 1 2 4 6 9 12; float32[1, 2, 3] 1 3 5 2 4 6");
  CHECK(result(model_of(along(-2, -1), {"1", "2"}, {"T", "1", "2"}), in) == "float32[1, 2] 9 12; float32[1, 3, 2] 1 2 4 6 9 12; float32[1, 2, 3] 1 3 5 2 4 6");
  CHECK(result(model_of(along(-3, 0), {"1", "2"}, {"T", "1", "2"}), in) == "float32[1, 2] 9 12; float32[3, 1, 2] 1 2 4 6 9 12; float32[3, 1, 2] 1 2 3 4 5 6");
}

TEST_CASE("Scan over nothing gives its first state and empty outputs", "[session][CR-1][CR-9]") {
  CHECK(result(model_of(scan(running_sum({})), {}, {"T"}), {floats({}, {5}), floats({0}, {})}) == "float32[] 5; float32[0]; float32[0]");
}

TEST_CASE("the body of a Scan reads values of the graph around it", "[session][CR-1][CR-9]") {
  OnnxGraph body("body");
  body.input("state", DType::float32, {}).input("e", DType::float32, {});
  body.node(OnnxNode("Mul", {"e", "factor"}, {"scaled"})).node(OnnxNode("Add", {"state", "scaled"}, {"sum"})).output("sum");
  OnnxGraph g;
  g.input("s", DType::float32, {}).input("x", DType::float32, {"3"}).input("f", DType::float32, {});
  g.node(OnnxNode("Neg", {"f"}, {"factor"}));
  g.node(OnnxNode("Scan", {"s", "x"}, {"last"}).set("body", body).set("num_scan_inputs", 1)).output("last");
  CHECK(result(g, {floats({}, {1}), floats({3}, {1, 2, 3}), floats({}, {10})}) == "float32[] -59");
}

TEST_CASE("scan inputs of two lengths are refused", "[session][CR-1][CR-10]") {
  OnnxGraph body("body");
  body.input("a", DType::float32, {}).input("b", DType::float32, {}).node(OnnxNode("Add", {"a", "b"}, {"sum"})).output("sum");
  for (const char* second : {"2", "T"}) {
    OnnxGraph g;
    g.input("x", DType::float32, {"3"}).input("y", DType::float32, {second});
    g.node(OnnxNode("Scan", {"x", "y"}, {"sums"}).set("body", body).set("num_scan_inputs", 2)).output("sums");
    CHECK_THROWS_AS(result(g, {floats({3}, {1, 2, 3}), floats({2}, {1, 2})}), Error);
  }
}

TEST_CASE("Scan of opset 8 goes over a batch, each sample up to its length", "[session][CR-1][CR-9]") {
  const auto model = [](bool backwards) {
    auto node = scan(running_sum({}), {"lengths", "s", "x"});
    if (backwards) node.set("directions", std::vector<int64_t>{1});
    OnnxGraph g;
    g.input("lengths", DType::int64, {"2"}).input("s", DType::float32, {"2"}).input("x", DType::float32, {"2", "3"}).node(node);
    return g.output("last").output("sums").output("elements");
  };
  const std::vector<Tensor> in{int64s({2}, {2, 3}), floats({2}, {0, 100}), floats({2, 3}, {1, 2, 3, 10, 20, 30})};
  CHECK(result(model(false), in, 8) == "float32[2] 3 160; float32[2, 3] 1 3 0 110 130 160; float32[2, 3] 1 2 0 10 20 30");
  CHECK(result(model(true), in, 8) == "float32[2] 3 160; float32[2, 3] 2 3 0 130 150 160; float32[2, 3] 2 1 0 30 20 10");
  // Without lengths, all are as long as the longest.
  OnnxGraph g;
  g.input("s", DType::float32, {"B"}).input("x", DType::float32, {"B", "T"}).node(scan(running_sum({}), {"", "s", "x"}));
  g.output("last").output("sums").output("elements");
  CHECK(result(g, {in[1], in[2]}, 8) == "float32[2] 6 160; float32[2, 3] 1 3 6 110 130 160; float32[2, 3] 1 2 3 10 20 30");
}

TEST_CASE("a Scan whose counts do not fit is refused with its name", "[session][CR-1][CR-10]") {
  const auto error = [](const OnnxNode& node) {
    try {
      import_onnx(OnnxModel(model_of(node, {"2"}, {"3", "2"})).opset(25));
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto node = [] { return OnnxNode("Scan", {"s", "x"}, {"last", "sums", "elements"}).name("scan").set("body", running_sum({"2"})); };
  CHECK_THAT(error(node()), Contains("node 'scan' (Scan)") && Contains("num_scan_inputs"));
  CHECK_THAT(error(node().set("num_scan_inputs", 3)), Contains("'num_scan_inputs' is 3"));
  CHECK_THAT(error(node().set("num_scan_inputs", -1)), Contains("'num_scan_inputs' is -1"));
  CHECK_THAT(error(node().set("num_scan_inputs", 1).set("scan_input_axes", std::vector<int64_t>{0, 1})), Contains("'scan_input_axes' has 2 elements, expected 1"));
  for (const int64_t axis : {INT64_MAX, INT64_MIN})
    CHECK_THAT(error(node().set("num_scan_inputs", 1).set("scan_output_axes", std::vector<int64_t>{axis, 0})), Contains("'scan_output_axes' names axis"));
  CHECK_THAT(error(node().set("num_scan_inputs", 1).set("scan_input_directions", std::vector<int64_t>{2})), Contains("direction is 2"));
}

TEST_CASE("a Scan output is not stacked along an axis that it has not", "[session][CR-1][CR-10]") {
  for (const int64_t axis : {2, -3, 7, -7})
    for (const char* length : {"3", "T"}) {
      INFO(axis << ", length " << length);
      const auto node = scan(running_sum({"2"})).set("scan_output_axes", std::vector<int64_t>{axis, 0});
      CHECK_THROWS_AS(result(model_of(node, {"2"}, {length, "2"}), {floats({2}, {0, 10}), floats({3, 2}, {1, 2, 3, 4, 5, 6})}), Error);
    }
}

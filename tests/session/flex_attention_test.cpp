// FlexAttention (ai.onnx.preview 1), which import opens into its operators, and LabelEncoder of ai.onnx.ml 1: by hand.
#include "import/onnx_writer.hpp"
#include "passes/compiled_case.hpp"

#include <limits>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Texts = std::vector<std::string>;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

OnnxNode flex(Texts inputs = {"q", "k", "v"}, Texts outputs = {"y"}) { return OnnxNode("FlexAttention", inputs, outputs, "ai.onnx.preview").name("flex"); }

/// Q and K of zeros but for what a modifier does: all keys count alike. Dims: "2" or a name.
OnnxGraph model_of(const OnnxNode& node, const Texts& q, const Texts& k, const Texts& v, DType dtype = DType::float32) {
  OnnxGraph g;
  g.input("q", dtype, q).input("k", dtype, k).input("v", dtype, v).initializer("outside", floats({}, {2}));
  return g.node(node).output("y");
}

std::unique_ptr<Graph> imported(const OnnxGraph& g) { return import_onnx(OnnxModel(g).opset(26).opset(1, "ai.onnx.preview")); }
std::string result(const OnnxGraph& g, const std::vector<Tensor>& inputs) {
  const Compiled compiled = compile_graph(imported(g), {});
  return Instance(ModelCase::load(*compiled.model)).shown(inputs);
}
std::string refusal(const OnnxGraph& g) {
  try {
    imported(g);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

OnnxGraph modifier(const OnnxNode& node) {
  OnnxGraph g("modifier");
  return g.input("s", DType::float32, {"B", "H", "L", "S"}).node(node).output("t");
}

}  // namespace

TEST_CASE("FlexAttention shares heads of keys among groups of heads of queries", "[session][CR-1][CR-9]") {
  // Four heads of queries, two of keys: values 1 and 3, mean 2, for the first two heads; 10 and 30 for the others.
  const std::vector<Tensor> in{floats({1, 4, 1, 1}, {0, 0, 0, 0}), floats({1, 2, 2, 1}, {1, 2, 3, 4}), floats({1, 2, 2, 1}, {1, 3, 10, 30})};
  CHECK(result(model_of(flex(), {"1", "4", "1", "1"}, {"1", "2", "2", "1"}, {"1", "2", "2", "1"}), in) == "float32[1, 4, 1, 1] 2 2 20 20");
  CHECK(result(model_of(flex(), {"B", "H", "L", "E"}, {"B", "K", "S", "E"}, {"B", "K", "S", "F"}), in) == "float32[1, 4, 1, 1] 2 2 20 20");
  const Texts open{"B", "H", "L", "E"}, other{"C", "K", "S", "D"};
  CHECK_THROWS_AS(result(model_of(flex(), open, other, other), {floats({1, 3, 2, 1}, {0, 0, 0, 0, 0, 0}), in[1], in[2]}), Error);  // 3 heads for 2
}

TEST_CASE("FlexAttention scales scores by the head size or by an attribute", "[session][CR-1][CR-9]") {
  // Scores 0 and c * 4 of head size 4: c = 1/2 by default; all the weight goes to the second value for a large one.
  const std::vector<Tensor> in{floats({1, 1, 1, 4}, {1, 1, 1, 1}), floats({1, 1, 2, 4}, {0, 0, 0, 0, 1, 1, 1, 1}), floats({1, 1, 2, 1}, {0, 1})};
  const Texts q{"1", "1", "1", "E"}, k{"1", "1", "2", "E"}, v{"1", "1", "2", "1"};
  CHECK_THAT(result(model_of(flex(), q, k, v), in), Contains("0.880797"));  // 1 / (1 + exp(-2))
  CHECK_THAT(result(model_of(flex().set("scale", 0.25F), q, k, v), in), Contains("0.731058") || Contains("0.731059"));  // 1 / (1 + exp(-1))
  CHECK(result(model_of(flex().set("scale", 100.0F), q, k, v), in) == "float32[1, 1, 1, 1] 1");
}

TEST_CASE("FlexAttention's subgraphs change scores and probabilities, with values from outside", "[session][CR-1][CR-9]") {
  const std::vector<Tensor> in{floats({1, 1, 1, 1}, {0}), floats({1, 1, 2, 1}, {0, 0}), floats({1, 1, 2, 1}, {1, 3})};
  const Texts q{"1", "1", "1", "1"}, k{"1", "1", "2", "1"};
  OnnxGraph mask("mask");  // its names are those of the model around too
  mask.input("x", DType::float32, {"B", "H", "L", "S"}).initializer("k", floats({2}, {0, -infinity})).node(OnnxNode("Add", {"x", "k"}, {"q"})).output("q");
  CHECK(result(model_of(flex().set("score_mod", mask), q, k, k), in) == "float32[1, 1, 1, 1] 1");
  const OnnxGraph twice = modifier(OnnxNode("Mul", {"s", "outside"}, {"t"}));
  CHECK(result(model_of(flex().set("prob_mod", twice), q, k, k), in) == "float32[1, 1, 1, 1] 4");
  CHECK(result(model_of(flex().set("score_mod", mask).set("prob_mod", twice), q, k, k), in) == "float32[1, 1, 1, 1] 2");

  OnnxGraph branch("branch"), chosen("chosen");  // a subgraph inside reads the scores
  branch.node(OnnxNode("Mul", {"s", "outside"}, {"r"})).output("r");
  chosen.input("s", DType::float32, {"B", "H", "L", "S"}).node(OnnxNode("ReduceMax", {"s"}, {"m"}).set("keepdims", 0)).node(OnnxNode("Greater", {"m", "outside"}, {"c"}));
  OnnxGraph as_is("as_is");
  as_is.node(OnnxNode("Identity", {"s"}, {"r"})).output("r");
  chosen.node(OnnxNode("If", {"c"}, {"t"}).set("then_branch", as_is).set("else_branch", branch)).output("t");
  CHECK(result(model_of(flex().set("prob_mod", chosen), q, k, k), in) == "float32[1, 1, 1, 1] 4");
}

TEST_CASE("FlexAttention that is none is refused", "[session][CR-1][CR-10]") {
  const Texts d{"1", "1", "1", "1"};
  OnnxGraph two = modifier(OnnxNode("Identity", {"s"}, {"t"}));
  two.input("more", DType::float32, {});
  CHECK_THAT(refusal(model_of(flex().set("score_mod", two), d, d, d)), Contains("its score_mod has 2 inputs and 1 outputs, expected 1 of each"));
  CHECK_THAT(refusal(model_of(flex({"q", "k"}), d, d, d)), Contains("has 2 inputs, expected 3"));
  CHECK_THAT(refusal(model_of(flex(), {"1", "1", "1"}, d, d)), Contains("input 0 has rank 3, expected rank 4"));
  CHECK_THAT(refusal(model_of(flex().set("softmax_precision", 7), d, d, d)), Contains("attribute 'softmax_precision' is 7"));
  CHECK_THAT(refusal(model_of(flex().set("alpha", 7), d, d, d)), Contains("attribute 'alpha' is not one"));
  CHECK_THAT(refusal(model_of(flex(), d, d, d, DType::int32)), Contains("input 0 (Q) is int32"));
}

TEST_CASE("LabelEncoder of ai.onnx.ml 1 maps labels to their places, or places to labels", "[session][CR-1][CR-9]") {
  const auto of = [](DType dtype, const Tensor& x, int64_t opset) {
    OnnxGraph g;
    g.input("x", dtype, {"N"}).node(OnnxNode("LabelEncoder", {"x"}, {"y"}, "ai.onnx.ml").set("classes_strings", Texts{"a", "b", "a"})).output("y");
    const Compiled compiled = compile_graph(import_onnx(OnnxModel(g).opset(26).opset(opset, "ai.onnx.ml")), {});
    return Instance(ModelCase::load(*compiled.model)).run({x})[0];
  };
  CHECK(of(DType::string, Tensor::strings({3}, {"b", "a", "c"}), 1) == int64s({3}, {1, 0, -1}));
  CHECK(of(DType::int64, int64s({2}, {2, 3}), 1) == Tensor::strings({2}, {"a", "_Unused"}));
  CHECK_THROWS_WITH(of(DType::int64, int64s({1}, {0}), 6), Contains("opset 6 of ai.onnx.ml is not supported, expected 1 to 5"));
}

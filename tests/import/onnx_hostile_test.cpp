#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

std::string small_model() {
  OnnxGraph then_graph("t"), else_graph("e"), g("net");
  then_graph.node(OnnxNode("Add", {"r", "w"}, {"s"})).output("s");
  else_graph.initializer("k", Tensor::from<float>(DType::float32, {2}, std::vector<float>{1, 2})).output("k");
  g.input("x", DType::float32, {"N", "2"}).input("c", DType::boolean, {});
  g.initializer(tensor_header("w", 1, {2}).packed<float>(4, {1, 2})).initializer(tensor_header("i", 7, {3}).packed_integers(7, {0, -1, 1 << 20}));
  g.node(OnnxNode("f", {"x"}, {"r"}, "local")).node(OnnxNode("If", {"c"}, {"y"}).set("then_branch", then_graph).set("else_branch", else_graph));
  g.node(OnnxNode("Transpose", {"y"}, {"z"}).set("perm", std::vector<int64_t>{1, 0})).output("z").output("i");
  OnnxFunction f("local", "f", {"a"}, {"b"});
  f.node(OnnxNode("Clip", {"a"}, {"b"}).set("max", 6.0f)).opset(9);
  return OnnxModel(g).opset(13).opset(1, "local").function(f).bytes();
}

/// True when the bytes import or are refused by an Error; anything else ends the test program.
bool survives(const std::string& bytes) {
  try {
    import_onnx(bytes);
  } catch (const Error&) {
  }
  return true;
}

}  // namespace

TEST_CASE("every prefix of a model imports or is refused", "[import][CR-10]") {
  const std::string model = small_model();
  REQUIRE_NOTHROW(import_onnx(model));
  for (size_t size = 0; size < model.size(); ++size) REQUIRE(survives(model.substr(0, size)));
}

TEST_CASE("every changed byte of a model imports or is refused", "[import][CR-10]") {
  const std::string model = small_model();
  for (size_t at = 0; at < model.size(); ++at)
    for (const unsigned char value : {0x00, 0x01, 0x7f, 0x80, 0xff, static_cast<int>(static_cast<unsigned char>(model[at]) ^ 0x02), static_cast<int>(static_cast<unsigned char>(model[at]) ^ 0x10)}) {
      std::string changed = model;
      changed[at] = static_cast<char>(value);
      REQUIRE(survives(changed));
    }
}

TEST_CASE("malformed protobuf is refused with its place", "[import][CR-10]") {
  const auto error = [](const std::string& bytes) {
    try {
      import_onnx(bytes);
      return std::string();
    } catch (const Error& e) {
      CHECK(e.code() == ErrorCode::invalid_model);
      return std::string(e.what());
    }
  };
  CHECK_THAT(error("not a model at all"), Contains("not a valid ONNX file"));
  CHECK_THAT(error(""), Contains("has no graph"));
  CHECK_THAT(error(ProtoBytes().integer(7, 1).str()), Contains("ModelProto field 7") && Contains("wire type 0 where bytes is expected") && Contains("offset 1"));
  // A length of 2^32 + 2 must not be taken for 2.
  std::string huge = "\x3a";
  ProtoBytes length;
  length.varint((uint64_t{1} << 32) + 2);
  CHECK_THAT(error(huge + length.str() + "ab"), Contains("a length of 4294967298 bytes where 2 are left"));
  CHECK_THAT(error(std::string("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12)), Contains("not a valid ONNX file"));
}

TEST_CASE("deeply nested subgraphs are refused", "[import][CR-10]") {
  OnnxGraph g("leaf");
  g.node(OnnxNode("Relu", {"x"}, {"y"})).output("y");
  for (int i = 0; i < 100; ++i) {
    OnnxGraph outer;
    outer.node(OnnxNode("If", {"c"}, {"y"}).set("then_branch", g).set("else_branch", OnnxGraph("e").node(OnnxNode("Neg", {"x"}, {"y"})).output("y"))).output("y");
    g = outer;
  }
  g.input("x", DType::float32, {"2"}).input("c", DType::boolean, {});
  CHECK_THAT(import_error(OnnxModel(g).opset(13)), Contains("nested more than 64 deep"));
}

TEST_CASE("captures passed on through many levels are limited", "[import][CR-10]") {
  OnnxGraph g("leaf");
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("v" + std::to_string(i));
  g.node(OnnxNode("Sum", names, {"y"})).output("y");
  for (int i = 0; i < 60; ++i) {
    OnnxGraph outer;
    outer.node(OnnxNode("If", {"c"}, {"y"}).set("then_branch", g).set("else_branch", OnnxGraph("e").node(OnnxNode("Neg", {"x"}, {"y"})).output("y"))).output("y");
    g = outer;
  }
  g.input("x", DType::float32, {"2"}).input("c", DType::boolean, {}).node(OnnxNode("Split", {"x"}, names));
  CHECK_THAT(import_error(OnnxModel(g).opset(13)), Contains("unfolds into far more than its file holds"));
}

TEST_CASE("absurd ranks and millions of empty nodes are refused", "[import][CR-10]") {
  CHECK_THAT(import_error(OnnxModel(OnnxGraph().initializer(tensor_header("w", 1, std::vector<int64_t>(300, 1))).output("w")).opset(13)), Contains("more than 255 dims"));
  std::string nodes;
  for (int i = 0; i < 1'000'000; ++i) nodes += std::string("\x0a\x00", 2);
  const std::string model = ProtoBytes().bytes(7, nodes).message(8, ProtoBytes().integer(2, 13)).str();
  CHECK_THROWS_WITH(import_onnx(model), Contains("and 9950 more"));
}

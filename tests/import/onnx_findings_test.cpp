#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

TEST_CASE("all findings of a model come in one error", "[import][CR-1]") {
  OnnxGraph g("net"), sub("sub");
  sub.node(OnnxNode("Frobnicate", {"x"}, {"f"}).name("inside")).output("f");
  g.input("x", DType::float32, {"2"}).input("c", DType::boolean, {});
  g.initializer("w", Tensor::scalar(1)).initializer("w", Tensor::scalar(2));
  g.node(OnnxNode("Unknown", {"x"}, {"a"}, "my.domain").name("n1"));
  g.node(OnnxNode("Relu", {"nowhere"}, {"b"}).name("n2"));
  g.node(OnnxNode("Relu", {"x"}, {"b"}).name("n3"));
  g.node(OnnxNode("LeakyRelu", {"x"}, {"d"}).name("n4").set("alpha", "big").set("gamma", 1));
  g.node(OnnxNode("Add", {"x"}, {"e"}).name("n5"));
  g.node(OnnxNode("Cast", {"x"}, {"h"}).name("n6"));
  g.node(OnnxNode("Transpose", {"x"}, {"i"}).name("n7").attribute(OnnxNode::start("perm", 13)));
  g.node(OnnxNode("If", {"c"}, {"j"}).name("n8").set("then_branch", sub));
  g.node(OnnxNode("Constant", {}, {"k"}).name("n9").set("value_int", 1).set("value_float", 1.0f));
  g.node(OnnxNode("Constant", {}, {"l"}).name("n10").attribute(OnnxNode::start("sparse_value", 11)));
  g.node(OnnxNode("Relu", {"x"}, {"m"}).name("n11").refer("alpha", "alpha", 1));
  g.node(OnnxNode("Relu", {"x"}, {"n"}).name("n12").set("a", 1).set("a", 1)).output("missing").output("b");
  const std::string error = import_error(OnnxModel(g).opset(13).opset(3, "my.domain"));
  CHECK_THAT(error, Contains("initializer 'w': is defined twice in graph 'net'"));
  CHECK_THAT(error, Contains("node 'n1' (my.domain::Unknown): op 'Unknown' of domain 'my.domain' (version 3) is not known"));
  CHECK_THAT(error, Contains("node 'n2' (Relu): reads 'nowhere'"));
  CHECK_THAT(error, Contains("node 'n3' (Relu): defines 'b'"));
  CHECK_THAT(error, Contains("node 'n4' (LeakyRelu): attribute 'alpha' is of kind string, expected float"));
  CHECK_THAT(error, Contains("node 'n4' (LeakyRelu): attribute 'gamma' is not one of this op's"));
  CHECK_THAT(error, Contains("node 'n5' (Add): has 1 inputs, expected 2"));
  CHECK_THAT(error, Contains("node 'n6' (Cast): attribute 'to' (int) is missing"));
  CHECK_THAT(error, Contains("node 'n7' (Transpose): attribute 'perm' is the type of a value"));
  CHECK_THAT(error, Contains("node 'n8' (If): attribute 'else_branch' (graph) is missing"));
  CHECK_THAT(error, Contains("node 'inside' (Frobnicate): op 'Frobnicate' of domain 'ai.onnx' (version 13)"));
  CHECK_THAT(error, Contains("node 'n9' (Constant): has 2 attributes"));
  CHECK_THAT(error, Contains("node 'n10' (Constant): attribute 'sparse_value' is a sparse tensor"));
  CHECK_THAT(error, Contains("node 'n11' (Relu): attribute 'alpha' refers to 'alpha'"));
  CHECK_THAT(error, Contains("node 'n12' (Relu): attribute 'a' is given twice"));
  CHECK_THAT(error, Contains("the outputs of graph 'net': reads 'missing'"));
}

TEST_CASE("cycles are reported with their nodes", "[import][CR-1]") {
  OnnxGraph g;
  g.input("x", DType::float32, {"2"}).node(OnnxNode("Add", {"x", "c"}, {"a"}).name("first")).node(OnnxNode("Relu", {"a"}, {"b"}).name("second"));
  g.node(OnnxNode("Neg", {"b"}, {"c"}).name("third")).node(OnnxNode("Neg", {"c"}, {"d"}).name("after")).output("d");
  const std::string error = import_error(OnnxModel(g).opset(13));
  CHECK_THAT(error, Contains("has a cycle") && Contains("'first'") && Contains("'second'") && Contains("'third'") && !Contains("'after'"));

  OnnxGraph sub("s"), own;
  sub.node(OnnxNode("Relu", {"y"}, {"r"})).output("r");
  own.input("c", DType::boolean, {}).node(OnnxNode("If", {"c"}, {"y"}).name("self").set("then_branch", sub).set("else_branch", sub)).output("y");
  CHECK_THAT(import_error(OnnxModel(own).opset(13)), Contains("has a cycle: 'self' → 'self'"));
}

TEST_CASE("opsets outside 1 to 28 are refused, unused foreign ones are ignored", "[import][CR-1]") {
  const OnnxGraph g = OnnxGraph().input("x", DType::float32, {"2"}).node(OnnxNode("Relu", {"x"}, {"y"})).output("y");
  CHECK_THAT(import_error(OnnxModel(g).opset(0)), Contains("opset 0 of ai.onnx is not supported, expected 1 to 28"));
  CHECK_THAT(import_error(OnnxModel(g).opset(29)), Contains("opset 29"));
  CHECK_THAT(import_error(OnnxModel(g)), Contains("names no version"));
  CHECK(import_error(OnnxModel(g).opset(7)).empty());
  CHECK(import_error(OnnxModel(g).opset(28, "ai.onnx")).empty());
  CHECK(import_error(OnnxModel(g).opset(13).opset(99, "com.example").opset(3, "ai.onnx.ml")).empty());
}

TEST_CASE("inputs that are no typed tensors are refused", "[import][CR-1]") {
  OnnxGraph g;
  g.value(11, "s", ProtoBytes().message(4, ProtoBytes())).value(11, "t", ProtoBytes()).value(11, "u", ProtoBytes().message(1, ProtoBytes().integer(1, 77)));
  g.output("s");
  const std::string error = import_error(OnnxModel(g).opset(13));
  CHECK_THAT(error, Contains("input 's': is a sequence") && Contains("input 't': has no type") && Contains("input 'u': has element type 77"));
}

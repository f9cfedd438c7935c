// Models that ask for too much or contradict themselves, one by one: small files, so all must end within seconds and
// without memory (outcome.hpp checks both), with a message that names the node.
#include "hostile/outcome.hpp"
#include "hostile/small_models.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Ints = std::vector<int64_t>;

namespace {

std::string refusal(const OnnxGraph& g, int64_t opset = 17) { return compile_and_run(OnnxModel(g).opset(opset).bytes()).refusal; }
OnnxGraph graph() { return OnnxGraph("g"); }
Tensor ints(Ints values) { return Tensor::ints(values); }
OnnxNode named(const char* op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) { return OnnxNode(op, inputs, outputs).name("the_node"); }

constexpr int64_t huge = int64_t{1} << 40;

}  // namespace

TEST_CASE("a tiny model that asks for a huge constant does not get it", "[hostile][CR-10]") {
  // Public case 33: 152 bytes, 287 MB at load; a dim of 17592186044800 aborted.
  for (const Ints& dims : {Ints{71'800'000}, Ints{17592186044800}, Ints{huge, huge}, Ints{INT64_MAX, 2}, Ints{huge, huge, huge}}) {
    INFO(dims_to_string(dims));
    const auto model = OnnxModel(graph().initializer("dims", ints(dims)).node(named("ConstantOfShape", {"dims"}, {"y"})).output("y")).opset(9);
    CHECK(model.bytes().size() < 200);
    CHECK_THAT(compile_and_run(model.bytes()).refusal, Contains("the_node"));
  }
}

TEST_CASE("many small demands do not add up to a large one", "[hostile][CR-10]") {
  // Public case 34: each of the 400 constants of 1 MiB would be within the limit for one.
  OnnxGraph g = graph();
  g.initializer("dims", ints({1 << 18}));
  for (int i = 0; i < 400; ++i) {
    const std::string name = "c" + std::to_string(i);
    g.node(OnnxNode("ConstantOfShape", {"dims"}, {name}).set("value", Tensor::from<float>(DType::float32, {1}, std::span<const float>(std::vector<float>{static_cast<float>(i)})))).output(name);
  }
  CHECK_THAT(refusal(g), Contains("limit"));
}

TEST_CASE("shapes whose products pass 64 bits are refused wherever they come from", "[hostile][CR-10]") {
  // Public cases 35 and 118.
  OnnxGraph expand = graph(), tile = graph(), range = graph(), resize = graph(), conv = graph(), pad = graph();
  expand.input("x", DType::float32, {"1", "N"}).initializer("to", ints({huge, huge})).node(named("Expand", {"x", "to"}, {"y"})).output("y");
  tile.input("x", DType::float32, {"N", "2"}).initializer("to", ints({INT64_MAX, INT64_MAX})).node(named("Tile", {"x", "to"}, {"y"})).output("y");
  range.initializer("a", Tensor::scalar(INT64_MIN)).initializer("b", Tensor::scalar(INT64_MAX)).initializer("c", Tensor::scalar(1));
  range.node(named("Range", {"a", "b", "c"}, {"y"})).output("y");
  resize.input("x", DType::float32, {"A", "B", "H", "W"}).initializer("s", Tensor::from<float>(DType::float32, {4}, std::span<const float>(std::vector<float>{1, 1, 1e18f, 1e18f})));
  resize.node(named("Resize", {"x", "", "s"}, {"y"})).output("y");
  conv.input("x", DType::float32, {"1", "1", "H", "W"}).initializer("w", ramp({1, 1, 1, 1})).node(named("Conv", {"x", "w"}, {"y"}).set("pads", Ints(4, INT32_MAX))).output("y");
  pad.input("x", DType::float32, {"N", "2"}).initializer("p", ints({INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX})).node(named("Pad", {"x", "p"}, {"y"})).output("y");
  for (const auto& [what, g] : {std::pair("Expand", &expand), {"Tile", &tile}, {"Range", &range}, {"Resize", &resize}, {"Conv", &conv}, {"Pad", &pad}}) {
    INFO(what);
    CHECK_THAT(refusal(*g), Contains("the_node"));
  }
}

TEST_CASE("a size of 0 makes no product too large", "[hostile][CR-10]") {
  OnnxGraph g = graph();
  g.initializer(tensor_header("none", 1, {0, huge, huge}).bytes(9, "")).initializer("dims", ints({0, huge, huge})).node(OnnxNode("ConstantOfShape", {"dims"}, {"c"}));
  g.node(OnnxNode("Add", {"c", "none"}, {"s"})).node(OnnxNode("Transpose", {"s"}, {"t"})).node(OnnxNode("Concat", {"t", "t"}, {"y"}).set("axis", 2)).output("y");
  CHECK(refusal(g) == "");
  // The sizes after the 0 are still added to each other.
  OnnxGraph sum = graph();
  sum.initializer(tensor_header("a", 1, {0, INT64_MAX}).bytes(9, "")).node(named("Concat", {"a", "a"}, {"y"}).set("axis", 1)).output("y");
  CHECK_NOTHROW(refusal(sum));
}

TEST_CASE("no kernel counts through the axes of a tensor without elements", "[hostile][CR-10]") {
  // Found by fuzzing: Softmax went through 2^40 rows of no elements.
  for (const char* op : {"Softmax", "LogSoftmax", "Hardmax", "Relu", "CumSum", "Transpose", "LayerNormalization"}) {
    INFO(op);
    OnnxGraph g = graph();
    g.initializer("dims", ints({huge, 0})).initializer("axis", Tensor::scalar(0)).initializer(tensor_header("gain", 1, {0}).bytes(9, ""));
    g.node(OnnxNode("ConstantOfShape", {"dims"}, {"x"}));
    std::vector<std::string> inputs{"x"};
    if (std::string(op) == "CumSum") inputs.push_back("axis");
    if (std::string(op) == "LayerNormalization") inputs.push_back("gain");
    g.node(OnnxNode(op, inputs, {"y"})).output("y");
    CHECK(refusal(g) == "");
  }
}

TEST_CASE("a gigantic trip count ends with a refusal, or when the run is cancelled", "[hostile][CR-10]") {
  const auto loop = [](bool scans, const char* body_op) {
    OnnxGraph body("body"), g("g");
    body.input("i", DType::int64, {}).input("go", DType::boolean, {}).input("v", DType::float32, {""});
    body.node(OnnxNode("Identity", {"go"}, {"on"})).output("on");
    body.node(std::string(body_op) == "Concat" ? OnnxNode("Concat", {"v", "v"}, {"next"}).set("axis", 0) : OnnxNode(body_op, {"v"}, {"next"})).output("next");
    if (scans) body.node(OnnxNode("Neg", {"next"}, {"scan"})).output("scan");
    g.input("x", DType::float32, {"3"}).initializer("trips", Tensor::scalar(INT64_MAX - 1));
    g.node(named("Loop", {"trips", "", "x"}, scans ? std::vector<std::string>{"y", "s"} : std::vector<std::string>{"y"}).set("body", body)).output("y");
    return scans ? g.output("s") : g;
  };
  CHECK_THAT(refusal(loop(true, "Relu")), Contains("the_node"));     // more scan output than fits
  CHECK_THAT(refusal(loop(false, "Concat")), Contains("limit") && Contains("Concat"));  // grows without end
  CHECK_THAT(refusal(loop(false, "Relu")), Contains("cancelled"));   // would run for ever; limited_run cancels it
}

TEST_CASE("an unrolled loop is cancelled while it instantiates", "[hostile][CR-10]") {
  // No iteration has a task: range(i, i + 1) is known before the run.
  OnnxGraph body("body"), g("g");
  body.input("i", DType::int64, {}).input("go", DType::boolean, {}).input("v", DType::int64, {""});
  body.node(OnnxNode("Identity", {"go"}, {"on"})).node(OnnxNode("Add", {"i", "one"}, {"j"})).node(OnnxNode("Range", {"i", "j", "one"}, {"r"})).output("on").output("r");
  g.input("x", DType::int64, {"1"}).initializer("trips", Tensor::scalar(INT64_MAX - 1)).initializer("one", Tensor::scalar(1));
  g.node(named("Loop", {"trips", "", "x"}, {"y"}).set("body", body)).output("y");
  CHECK_THAT(refusal(g), Contains("cancelled"));
}

TEST_CASE("folding does not take minutes because a file says so", "[hostile][CR-10]") {
  // 362 x 362 floats are within the fold limit, their product takes 47 million steps: 2000 of them are 10^11.
  OnnxGraph g = graph();
  g.initializer("dims", ints({362, 362})).node(OnnxNode("ConstantOfShape", {"dims"}, {"p0"}));
  for (int i = 0; i < 2000; ++i) g.node(OnnxNode("MatMul", {"p0", "p" + std::to_string(i)}, {"p" + std::to_string(i + 1)}));
  g.output("p2000");
  CHECK_NOTHROW(refusal(g));
}

TEST_CASE("models that contradict themselves are refused with node and tensor", "[hostile][CR-10]") {
  // Public cases 113, 114 and 117: what other runtimes found with fuzzers; messages with names instead of codes.
  const auto base = [] { return graph().input("x", DType::float32, {"2", "3"}).input("i", DType::int64, {"2"}); };
  struct Case {
    const char* what;
    OnnxNode node;
    const char* says;
  };
  for (const Case& c : {Case{"missing tensor", named("Relu", {"nowhere"}, {"y"}), "nowhere"},
                        Case{"cycle", named("Add", {"x", "y"}, {"y"}), "the_node"},
                        Case{"no inputs", named("Add", {}, {"y"}), "the_node"},
                        Case{"absent required input", named("MatMul", {"x", ""}, {"y"}), "the_node"},
                        Case{"too many inputs", named("Relu", {"x", "x"}, {"y"}), "the_node"},
                        Case{"too many outputs", named("Relu", {"x"}, {"y", "z"}), "the_node"},
                        Case{"dtypes that differ", named("Add", {"x", "i"}, {"y"}), "int64"},
                        Case{"a dtype that the op does not take", named("Relu", {"s"}, {"y"}), "the_node"},
                        Case{"dims that do not fit", named("MatMul", {"x", "x"}, {"y"}), "the_node"},
                        Case{"a rank that does not fit", named("Conv", {"x", "x"}, {"y"}), "the_node"},
                        Case{"an unknown attribute", named("Relu", {"x"}, {"y"}).set("colour", 3), "colour"},
                        Case{"an attribute of another kind", named("Concat", {"x", "x"}, {"y"}).set("axis", "one"), "axis"},
                        Case{"a required attribute that is not there", named("Concat", {"x", "x"}, {"y"}), "axis"},
                        Case{"an op that does not exist", named("Reluu", {"x"}, {"y"}), "Reluu"},
                        Case{"a name that is given twice", named("Relu", {"x"}, {"x"}), "x"},
                        Case{"If without branches", named("If", {"c"}, {"y"}), "the_node"},
                        Case{"an axis out of range", named("Softmax", {"x"}, {"y"}).set("axis", 9), "the_node"}}) {
    INFO(c.what);
    CHECK_THAT(refusal(base().initializer("s", Tensor::strings({1}, {"a"})).input("c", DType::boolean, {}).node(c.node).output("y"), 13), Contains(c.says));
  }
}

TEST_CASE("initialisers that do not fit their shape are refused by name", "[hostile][CR-10]") {
  const auto with = [](const ProtoBytes& tensor) { return refusal(graph().initializer(tensor).node(OnnxNode("Identity", {"the_tensor"}, {"y"})).output("y")); };
  const std::string name = "the_tensor";
  CHECK_THAT(with(tensor_header(name, 1, {4}).bytes(9, "short")), Contains(name));
  CHECK_THAT(with(tensor_header(name, 1, {4}).packed<float>(4, {1, 2, 3})), Contains(name));
  CHECK_THAT(with(tensor_header(name, 1, {huge, huge}).bytes(9, "abcd")), Contains(name));
  CHECK_THAT(with(tensor_header(name, 1, {huge}).bytes(9, "abcd")), Contains(name));
  CHECK_THAT(with(tensor_header(name, 1, {-4}).bytes(9, "abcd")), Contains(name));
  CHECK_THAT(with(tensor_header(name, 99, {1}).bytes(9, "abcd")), Contains(name));
  CHECK_THAT(with(tensor_header(name, 7, {4}).packed_integers(7, {1, 2})), Contains(name));
}

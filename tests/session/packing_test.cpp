// A program's own op and kernel whose constant is stored in a layout of its own, through the whole compile.
#include "executor/model_case.hpp"
#include "ge/session/compile.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// Weigh(x[n], w[n]) = x * w. The kernel wants a constant w from last to first.
std::string seen_packing;
std::vector<float> seen_content;

Tensor reverse(const Tensor& plain) {
  std::vector<float> values;
  for (int64_t i = plain.count(); i-- > 0;) values.push_back(plain.at<float>(i));
  return Tensor::from<float>(DType::float32, plain.dims(), values);
}
std::string_view packing_of_weigh(const KernelQuery&, size_t input) { return input == 1 ? "test_reversed" : ""; }

struct WeighArgs {
  const float* x = nullptr;
  const float* w = nullptr;
  float* y = nullptr;
  int64_t count = 0;
  bool reversed = false;
};
Status run_weigh(const void* raw, uint32_t) noexcept {
  const auto& a = *static_cast<const WeighArgs*>(raw);
  for (int64_t i = 0; i < a.count; ++i) a.y[i] = a.x[i] * a.w[a.reversed ? a.count - 1 - i : i];
  return Status::ok;
}
void prepare_weigh(const KernelSite& site, TaskBuilder& tasks) {
  seen_packing = site.inputs[1].packing;
  seen_content.clear();
  for (int64_t i = 0; i < site.inputs[1].count && site.inputs[1].content != nullptr; ++i) {
    float value = 0;
    std::memcpy(&value, site.inputs[1].content + i * 4, 4);
    seen_content.push_back(value);
  }
  WeighArgs args;
  args.count = site.inputs[0].count;
  args.reversed = site.inputs[1].packing == "test_reversed";
  tasks.append(run_weigh, args).input(&WeighArgs::x, 0).input(&WeighArgs::w, 1).output(&WeighArgs::y, 0);
}
void infer_weigh(InferContext& context) {
  context.require(equal(context.dim(0, 0), context.dim(1, 0)), "x and w have equally many elements");
  context.set_output(0, context.dtype(0), context.shape(0));
}

REGISTER_OP("test", "Weigh", 1, "x * w", OpSchema().in("x", dtype_set(DType::float32)).in("w", dtype_set(DType::float32)).out("y", dtype_set(DType::float32)).infer(infer_weigh));
REGISTER_CPU_KERNEL("reference", "test", "Weigh", "", "x * w", {.packing = packing_of_weigh, .prepare = prepare_weigh});
REGISTER_PACKING("test_reversed", "last element first", reverse);

OutputRef weigh(GraphBuild& b, OutputRef x, OutputRef w) {
  NodeSpec spec;
  spec.op = "Weigh", spec.domain = "test", spec.inputs = {x, w}, spec.outputs = {"y" + std::to_string(b.graph.node_count())};
  return {b.graph.add_node(std::move(spec)), 0};
}

std::string run(GeModel model, const std::vector<Tensor>& inputs) { return Instance(ModelCase::load(model)).shown(inputs); }

}  // namespace

TEST_CASE("a packed constant reaches the kernel's prepare and its tasks", "[session][SX-18][CR-4]") {
  auto graph = std::make_unique<Graph>("packed");
  GraphBuild b(*graph);
  const OutputRef x = b.input("x", {3}), w = b.constant(floats({3}, {10, 20, 30}));
  b.outputs({weigh(b, x, w)});
  const Compiled compiled = compile_graph(std::move(graph));
  REQUIRE(compiled.model);
  CHECK(run(*compiled.model, {floats({3}, {1, 2, 3})}) == "float32[3] 10 40 90");
  CHECK(seen_packing == "test_reversed");
  CHECK(seen_content == std::vector<float>{30, 20, 10});
}

TEST_CASE("without packing hooks, and for what is no constant, the kernel gets plain tensors", "[session][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {3}), w = c.constant(floats({3}, {10, 20, 30}));
  c.outputs({weigh(c, x, w)});
  CHECK(run(c.build(), {floats({3}, {1, 2, 3})}) == "float32[3] 10 40 90");
  CHECK(seen_packing == "");
  CHECK(seen_content == std::vector<float>{10, 20, 30});

  auto graph = std::make_unique<Graph>("inputs");
  GraphBuild b(*graph);
  const OutputRef a = b.input("a", {2}), v = b.input("v", {2});
  b.outputs({weigh(b, a, v)});
  const Compiled compiled = compile_graph(std::move(graph));
  CHECK(run(*compiled.model, {floats({2}, {1, 2}), floats({2}, {5, 6})}) == "float32[2] 5 12");
  CHECK(seen_packing == "");
  CHECK(seen_content.empty());
}

TEST_CASE("a constant that is packed for one reader stays plain for another, also inside a body", "[session][SX-18][CR-4]") {
  auto graph = std::make_unique<Graph>("both");
  GraphBuild b(*graph);
  const OutputRef x = b.input("x", {3}), w = b.constant(floats({3}, {10, 20, 30}));
  const OutputRef y = b.loop(b.constant(Tensor::scalar(2)), {}, {x}, {w}, [](GraphBuild& body, std::vector<OutputRef> in) {
    return std::vector<OutputRef>{in[1], weigh(body, weigh(body, in[2], in[3]), body.constant(floats({3}, {1, 2, 3})))};
  });
  b.outputs({weigh(b, x, w), b.op("Add", {w, x}), y});
  const Compiled compiled = compile_graph(std::move(graph));
  CHECK(run(*compiled.model, {floats({3}, {1, 1, 1})}) == "float32[3] 10 20 30; float32[3] 11 21 31; float32[3] 100 1600 8100");
}

TEST_CASE("a packed constant that its reader does not know is refused, whatever reads it", "[session][CR-4][CR-10]") {
  // Found by fuzzing: eight packed bytes were read as the elements that the dims promise.
  const auto refused = [](const char* op, size_t packed_input) {
    ModelCase m;
    const OutputRef x = m.input("x", {"N", 2});
    const OutputRef constant = std::string(op) == "Reshape" ? m.ints({-1, 2, 1, 1}) : m.filled({2}, 1.0f);
    m.outputs({m.op(op, std::string(op) == "Identity" ? std::vector{constant} : std::vector{x, constant})});
    Packing packing;
    packing.choose = [&](const Graph& graph, NodeId node, size_t input) { return graph.node(node).op() == op && input == packed_input ? std::string("nobody's") : std::string(); };
    packing.apply = [](const std::string&, const Tensor&) { return Tensor::zeros(DType::uint8, {8}); };
    Instance instance(ModelCase::load(m.build(packing)));
    return instance.refusal({tensor<float>(DType::float32, {2, 2}, {1, 2, 3, 4})});
  };
  CHECK_THAT(refused("Add", 1), Contains("nobody's"));
  CHECK_THAT(refused("Identity", 0), Contains("nobody's"));
  CHECK_THAT(refused("Reshape", 1), Contains("packed"));
}

// Everything of an op in one file: what it is (schema), how it runs (kernel), where it comes from (pass).
//
//   ScaleShift(x[.., C], scale[C], shift[C])  =  x * scale + shift, along the last axis
//
// Nobody calls anything of this file: the REGISTER lines at its end put the three into the registries before main. A
// program has the op when this file is among its sources, and needs no linker flag for it.
#include "ge/kernels/kernel.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/pass.hpp"

namespace {

using namespace ge;

// 1. The schema: inputs, outputs, and how the output's type follows from the inputs'. The same function serves the
//    compiler, where dims are expressions over symbols such as N, and the executor, where they are numbers.

void infer_scale_shift(InferContext& context) {
  if (context.has_rank(0)) {
    if (context.rank(0) == 0) context.fail("x is a scalar, expected at least one axis");
    const Expr channels = context.shape(0).back();
    for (size_t i : {1, 2}) {
      if (!context.has_rank(i)) continue;
      if (context.rank(i) != 1) context.fail("input " + std::to_string(i) + " has rank " + std::to_string(context.rank(i)) + ", expected 1");
      // Known to be wrong: an error now. Not known: a condition that every run checks.
      context.require(equal(context.dim(i, 0), channels), "input " + std::to_string(i) + " has as many elements as the last axis of x");
    }
  }
  context.set_output(0, context.input(0));
}

// 2. The kernel: prepare() is called once per set of input sizes and appends tasks; a task is a plain function over a
//    block of arguments. Pointers in the block are bound by name and filled in by the executor.

struct ScaleShiftArgs {
  const float* x = nullptr;
  const float* scale = nullptr;
  const float* shift = nullptr;
  float* y = nullptr;
  int64_t rows = 0, channels = 0;
};

Status scale_shift(const void* block, uint32_t) noexcept {
  const auto& args = *static_cast<const ScaleShiftArgs*>(block);
  for (int64_t row = 0; row < args.rows; ++row)
    for (int64_t c = 0; c < args.channels; ++c) {
      const int64_t i = row * args.channels + c;
      args.y[i] = args.x[i] * args.scale[c] + args.shift[c];
    }
  return Status::ok;
}

bool supports_scale_shift(const KernelQuery& query) { return query.inputs[0] == DType::float32; }

void prepare_scale_shift(const KernelSite& site, TaskBuilder& builder) {
  const int64_t channels = site.inputs[1].count;
  const int64_t rows = channels == 0 ? 0 : site.inputs[0].count / channels;
  builder.append(scale_shift, ScaleShiftArgs{.rows = rows, .channels = channels})
      .input(&ScaleShiftArgs::x, 0)
      .input(&ScaleShiftArgs::scale, 1)
      .input(&ScaleShiftArgs::shift, 2)
      .output(&ScaleShiftArgs::y, 0);
  builder.may_overwrite(0, 0);  // each element of x is read before that of y is written
}

// 3. The pass: finds Add(Mul(x, scale), shift) and says what to read instead. It changes nothing itself: the runner
//    applies the patch, counts it, infers and verifies again.

/// Whether `vector` has one axis, as long as the last one of `x`.
bool is_vector_of_channels(const Graph& graph, OutputRef vector, OutputRef x) {
  const TensorType &v = graph.type(vector), &t = graph.type(x);
  return v.has_rank() && t.has_rank() && v.rank() == 1 && t.rank() >= 1 && v.shape->front() == t.shape->back();
}

/// Splits the inputs of a Mul or Add into (x, vector), whichever side the vector stands on; nulls when neither fits.
std::pair<OutputRef, OutputRef> with_vector(const Graph& graph, const Node& node) {
  const OutputRef a = node.inputs()[0], b = node.inputs()[1];
  if (is_vector_of_channels(graph, b, a)) return {a, b};
  if (is_vector_of_channels(graph, a, b)) return {b, a};
  return {};
}

bool has_control_edges(const Graph& graph, const Node& node) {
  return !node.control_inputs().empty() || !graph.control_users(node.id()).empty();
}

Patch fuse_scale_shift(Graph& graph, PassContext&) {
  Patch patch;
  const size_t count = graph.node_count();  // nodes that this pass adds lie behind
  for (uint32_t id = 0; id < count; ++id) {
    const Node& add = graph.node(NodeId{id});
    if (add.dead() || !add.is("Add") || graph.type(add.output()).dtype != DType::float32 || has_control_edges(graph, add)) continue;
    const auto [product, shift] = with_vector(graph, add);
    if (!product || !graph.node(product.node).is("Mul") || graph.user_count(product.node) != 1) continue;
    if (has_control_edges(graph, graph.node(product.node))) continue;
    const auto [x, scale] = with_vector(graph, graph.node(product.node));
    if (!x) continue;

    NodeSpec fused;
    fused.domain = "example", fused.op = "ScaleShift", fused.name = add.name() + "_fused";
    fused.inputs = {x, scale, shift};
    fused.outputs = {graph.tensor_name(add.output()) + "_fused"};
    const OutputRef old = add.output();  // add_node may move the nodes: no reference is used after it
    const NodeId mul = product.node, fused_id = graph.add_node(std::move(fused));
    patch.replace(old, {fused_id, 0});
    patch.remove(old.node);
    patch.remove(mul);
  }
  return patch;
}

}  // namespace

REGISTER_OP("example", "ScaleShift", 1, "x * scale + shift along the last axis",
            OpSchema().in("x", dtypes::floats, "T").in("scale", dtypes::floats, "T").in("shift", dtypes::floats, "T").out("y", dtypes::floats, "T").infer(infer_scale_shift));
REGISTER_CPU_KERNEL("reference", "example", "ScaleShift", "", "x * scale + shift", {.supports = supports_scale_shift, .prepare = prepare_scale_shift});
REGISTER_PASS("fuse_scale_shift", 60, "Add(Mul(x, scale), shift) is one ScaleShift", fuse_scale_shift);

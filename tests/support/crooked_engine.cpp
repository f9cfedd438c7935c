// An engine and a pass that are wrong on purpose: what bisecting has to find.
#include "ge/kernels/kernel.hpp"
#include "ge/passes/pass.hpp"

#include <algorithm>

namespace ge::testing {
namespace {

struct CrookedArgs {
  const float* a = nullptr;
  const float* b = nullptr;
  float* y = nullptr;
  int64_t count = 0;
};

/// a + b, but 0.01 too much in the last element.
Status run_add(const void* raw, uint32_t) noexcept {
  const auto& args = *static_cast<const CrookedArgs*>(raw);
  for (int64_t i = 0; i < args.count; ++i) args.y[i] = args.a[i] + args.b[i] + (i + 1 == args.count ? 0.01f : 0.0f);
  return Status::ok;
}
void prepare_add(const KernelSite& site, TaskBuilder& tasks) {
  if (!std::equal(site.inputs[0].dims.begin(), site.inputs[0].dims.end(), site.inputs[1].dims.begin(), site.inputs[1].dims.end()))
    throw Error(ErrorCode::unsupported, "the crooked Add takes inputs of the same dims only");
  CrookedArgs args;
  args.count = site.outputs[0].count;
  tasks.append(run_add, args).input(&CrookedArgs::a, 0).input(&CrookedArgs::b, 1).output(&CrookedArgs::y, 0);
}

/// -a, but all wrong where the output lies over the input: it reads a[0] after it has written y[0].
Status run_neg(const void* raw, uint32_t) noexcept {
  const auto& args = *static_cast<const CrookedArgs*>(raw);
  if (args.count > 0) args.y[0] = -args.a[0];
  for (int64_t i = 1; i < args.count; ++i) args.y[i] = -args.a[i] + (args.a[0] == args.y[0] ? 1.0f : 0.0f);
  return Status::ok;
}
void prepare_neg(const KernelSite& site, TaskBuilder& tasks) {
  CrookedArgs args;
  args.count = site.outputs[0].count;
  tasks.append(run_neg, args).input(&CrookedArgs::a, 0).output(&CrookedArgs::y, 0);
  tasks.may_overwrite(0, 0);
}

bool is_float(const KernelQuery& query) { return query.outputs[0] == DType::float32; }

/// Abs(x) → x, which is wrong for negative x.
Patch drop_abs(Graph& graph, PassContext&) {
  Patch patch;
  for (const Node& node : graph.nodes()) {
    if (node.dead() || !node.is("Abs")) continue;
    patch.replace(node.output(), node.inputs()[0]);
    patch.remove(node.id());
  }
  return patch;
}

}  // namespace

REGISTER_ENGINE("crooked", 1000, "wrong on purpose");
REGISTER_CPU_KERNEL("crooked", "", "Add", "", "0.01 too much in the last element", {.supports = is_float, .prepare = prepare_add});
REGISTER_CPU_KERNEL("crooked", "", "Neg", "", "wrong over its input", {.supports = is_float, .prepare = prepare_neg});
REGISTER_PASS("crooked_abs", 15, "drops Abs", drop_abs);

}  // namespace ge::testing

// Equal, Less, Greater, LessOrEqual, GreaterOrEqual. Comparisons with NaN are false.
#include "ge/kernels/reference/broadcast.hpp"

namespace ge::reference {
namespace {

struct Equal {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a == b; }
};
struct Less {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a < b; }
};
struct Greater {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a > b; }
};
struct LessOrEqual {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a <= b; }
};
struct GreaterOrEqual {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a >= b; }
};

constexpr BinaryOp equal = numeric_op<Equal>, less = numeric_op<Less>, greater = numeric_op<Greater>;
constexpr BinaryOp less_or_equal = numeric_op<LessOrEqual>, greater_or_equal = numeric_op<GreaterOrEqual>;

struct StringEqualArgs {
  const StringRef* a = nullptr;
  const StringRef* b = nullptr;
  uint8_t* y = nullptr;
  LoopNest<2> nest;
};
Status run_string_equal(const void* args, uint32_t) noexcept {
  const auto& e = *static_cast<const StringEqualArgs*>(args);
  const int32_t inner = e.nest.rank - 1;
  return for_each_run(e.nest, 0, e.nest.count(), [&](int64_t number, const int64_t* offsets, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      e.y[number + i] = e.a[offsets[0] + i * e.nest.step[0][inner]].view() == e.b[offsets[1] + i * e.nest.step[1][inner]].view();
    return Status::ok;
  });
}

/// ONNX Equal-19 also compares strings.
void prepare_equal(const KernelSite& site, TaskBuilder& builder) {
  if (site.inputs[0].dtype != DType::string) return append_broadcast(site, builder, equal);
  const Dims to = make_dims(site.outputs[0].dims);
  StringEqualArgs args;
  args.nest.set_dims(to);
  for (int k = 0; k < 2; ++k) args.nest.set_steps(k, broadcast_strides(make_dims(site.inputs[static_cast<size_t>(k)].dims), to));
  args.nest.coalesce();
  builder.append(run_string_equal, args).input(&StringEqualArgs::a, 0).input(&StringEqualArgs::b, 1).output(&StringEqualArgs::y, 0);
}

constexpr SupportsFn numeric = all_take<dtypes::numeric>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Equal", "", "a == b", {.supports = all_take<convertible | dtypes::string>, .prepare = prepare_equal});
REGISTER_CPU_KERNEL("reference", "", "Less", "", "a < b", {.supports = numeric, .prepare = prepare_broadcast<less>});
REGISTER_CPU_KERNEL("reference", "", "Greater", "", "a > b", {.supports = numeric, .prepare = prepare_broadcast<greater>});
REGISTER_CPU_KERNEL("reference", "", "LessOrEqual", "", "a <= b", {.supports = numeric, .prepare = prepare_broadcast<less_or_equal>});
REGISTER_CPU_KERNEL("reference", "", "GreaterOrEqual", "", "a >= b", {.supports = numeric, .prepare = prepare_broadcast<greater_or_equal>});

}  // namespace ge::reference

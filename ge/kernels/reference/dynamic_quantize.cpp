// DynamicQuantizeLinear (ONNX 11): scale and zero point from the range of x with 0 in it, then QuantizeLinear to uint8.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/redirect.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ge::reference {
namespace {

struct RangeArgs {
  const float* x = nullptr;
  float* scale = nullptr;
  uint8_t* zero_point = nullptr;
  int64_t count = 0;
};
/// All in float32, as the operator's function does. Where every x is 0, the formula's scale of 0 would divide 0 by 0: the
/// range counts as 1 then, as in ONNX's reference evaluator. NaN is no part of the range.
Status run_range(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const RangeArgs*>(args);
  float low = 0, high = 0;
  for (int64_t i = 0; i < a.count; ++i) {
    if (a.x[i] < low) low = a.x[i];
    if (a.x[i] > high) high = a.x[i];
  }
  const float scale = (high == low ? 1.0f : high - low) / 255.0f;
  const float zero_point = std::nearbyint(std::clamp(0.0f - low / scale, 0.0f, 255.0f));
  *a.scale = scale;
  *a.zero_point = std::isnan(zero_point) ? uint8_t{0} : static_cast<uint8_t>(zero_point);
  return Status::ok;
}

struct ScaleArgs {
  const float* x = nullptr;
  const float* scale = nullptr;
  const uint8_t* zero_point = nullptr;
  uint8_t* y = nullptr;
  int64_t count = 0;
  uint32_t chunks = 1;
};
Status run_scale(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const ScaleArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  for (int64_t i = range.first; i < range.last; ++i) {
    const float rounded = std::nearbyint(a.x[i] / *a.scale) + static_cast<float>(*a.zero_point);
    a.y[i] = rounded > 0 ? static_cast<uint8_t>(std::min(rounded, 255.0f)) : uint8_t{0};  // NaN: 0
  }
  return Status::ok;
}

void prepare_dynamic_quantize(const KernelSite& site, TaskBuilder& builder) {
  const int64_t count = site.inputs[0].count;
  builder.append(run_range, RangeArgs{nullptr, nullptr, nullptr, count});
  const Slot scale = site.has_output(1) ? output_slot(1) : new_workspace(builder, DType::float32, 1);
  const Slot zero_point = site.has_output(2) ? output_slot(2) : new_workspace(builder, DType::uint8, 1);
  bind(builder, offsetof(RangeArgs, x), input_slot(0));
  bind(builder, offsetof(RangeArgs, scale), scale);
  bind(builder, offsetof(RangeArgs, zero_point), zero_point);
  if (!site.has_output(0) || count == 0) return;
  const uint32_t chunks = chunks_for(count * 4);
  builder.append(run_scale, ScaleArgs{nullptr, nullptr, nullptr, nullptr, count, chunks}, chunks);
  bind(builder, offsetof(ScaleArgs, x), input_slot(0));
  bind(builder, offsetof(ScaleArgs, scale), scale);
  bind(builder, offsetof(ScaleArgs, zero_point), zero_point);
  bind(builder, offsetof(ScaleArgs, y), output_slot(0));
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "DynamicQuantizeLinear", "", "x as uint8 with the scale its range needs", {.prepare = prepare_dynamic_quantize});

}  // namespace ge::reference

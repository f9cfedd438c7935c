// QuantizeLinear (ONNX 28): y = saturate(round(x / scale) + zero point); DequantizeLinear (28): (x - zero point) * scale.
#include "ge/kernels/reference/packed.hpp"
#include "ge/kernels/reference/scale_layout.hpp"

#include <algorithm>
#include <cmath>

namespace ge::reference {
namespace {

struct QuantizeArgs {
  const void* x = nullptr;
  const void* scale = nullptr;
  const void* zero_point = nullptr;  ///< null: 0
  void* y = nullptr;
  LoadDoubles load_x = nullptr, load_scale = nullptr, load_zero_point = nullptr;
  StoreDoubles store = nullptr;
  RoundDoubles round = nullptr;      ///< to the precision of the division
  ScaleLayout layout;
  IntegerRange range{};              ///< of an integer output
  DType float_type = DType::undefined;  ///< of an output of small floats
  bool saturate = true;
  int64_t count = 0;
  uint32_t chunks = 1;
};

/// x / scale in the precision asked for.
void divide(const QuantizeArgs& a, int64_t first, int64_t count, double* quotient) {
  double scale[block_size];
  a.load_x(a.x, first, count, 1, quotient);
  a.layout.load(a.load_scale, a.scale, first, count, scale);
  a.round(quotient, count);
  a.round(scale, count);
  for (int64_t j = 0; j < count; ++j) quotient[j] /= scale[j];  // by 0: infinite, or NaN, as in floating point
  a.round(quotient, count);
}

Status run_quantize(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const QuantizeArgs*>(args);
  const Range range = whole_byte_range(a.count, a.chunks, chunk);
  double block[block_size], zero_point[block_size] = {};
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = std::min(block_size, range.last - i);
    divide(a, i, n, block);
    if (a.zero_point != nullptr) a.layout.load(a.load_zero_point, a.zero_point, i, n, zero_point);
    if (a.float_type == DType::undefined) {
      for (int64_t j = 0; j < n; ++j) {
        const double rounded = std::nearbyint(block[j]) + zero_point[j];
        block[j] = rounded > a.range.low ? std::min(rounded, a.range.high) : a.range.low;  // NaN: the lowest
      }
      a.store(a.y, i, n, 1, block);
      continue;
    }
    for (int64_t j = 0; j < n; ++j) block[j] += zero_point[j];
    if (a.saturate) {
      a.store(a.y, i, n, 1, block);
    } else {
      uint8_t* y = static_cast<uint8_t*>(a.y) + i;
      for (int64_t j = 0; j < n; ++j) y[j] = small_float_code(a.float_type, block[j], {.saturate = false});
    }
  }
  return Status::ok;
}

/// What the division is rounded to: attribute precision, else the scale's type, or x's where that is no float to round to.
DType division_type(const KernelSite& site) {
  if (const int64_t asked = site.attributes.get_int("precision", 0); asked != 0) return dtype_from_onnx(asked).value_or(DType::undefined);
  const DType scale = site.inputs[1].dtype;
  return contains(dtypes::floats, scale) ? scale : site.inputs[0].dtype;
}

void prepare_quantize(const KernelSite& site, TaskBuilder& builder) {
  const DType to = site.outputs[0].dtype;
  QuantizeArgs args;
  args.load_x = double_loader(site.inputs[0].dtype);
  args.load_scale = double_loader(site.inputs[1].dtype);
  args.store = double_storer(to);
  args.round = rounder(division_type(site));
  args.layout = scale_layout(site);
  if (is_float(to)) args.float_type = to;
  else args.range = integer_range(to);
  // Floats of 4 and 6 bits have nothing but to saturate.
  args.saturate = site.attributes.get_int("saturate", 1) != 0 || !contains(dtypes::float8, to);
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(args.count * 8);
  if (site.has_input(2)) args.load_zero_point = double_loader(site.inputs[2].dtype);
  using Args = QuantizeArgs;
  auto task = builder.append(run_quantize, args, args.chunks).input(&Args::x, 0).input(&Args::scale, 1).output(&Args::y, 0);
  if (site.has_input(2)) task.input(&Args::zero_point, 2);
}

struct DequantizeArgs {
  const void* x = nullptr;
  const void* scale = nullptr;
  const void* zero_point = nullptr;  ///< null: 0
  void* y = nullptr;
  LoadDoubles load_x = nullptr, load_scale = nullptr;
  StoreDoubles store = nullptr;
  ScaleLayout layout;
  int64_t count = 0;
  uint32_t chunks = 1;
};

/// The difference is exact; the product is rounded to a double, then to the output's type.
Status run_dequantize(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const DequantizeArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  double block[block_size], other[block_size];
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = std::min(block_size, range.last - i);
    a.load_x(a.x, i, n, 1, block);
    if (a.zero_point != nullptr) {
      a.layout.load(a.load_x, a.zero_point, i, n, other);
      for (int64_t j = 0; j < n; ++j) block[j] -= other[j];
    }
    a.layout.load(a.load_scale, a.scale, i, n, other);
    for (int64_t j = 0; j < n; ++j) block[j] *= other[j];
    a.store(a.y, i, n, 1, block);
  }
  return Status::ok;
}

void prepare_dequantize(const KernelSite& site, TaskBuilder& builder) {
  DequantizeArgs args;
  args.load_x = double_loader(site.inputs[0].dtype);
  args.load_scale = double_loader(site.inputs[1].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.layout = scale_layout(site);
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(args.count * 4);
  using Args = DequantizeArgs;
  auto task = builder.append(run_dequantize, args, args.chunks).input(&Args::x, 0).input(&Args::scale, 1).output(&Args::y, 0);
  if (site.has_input(2)) task.input(&Args::zero_point, 2);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "QuantizeLinear", "", "x / scale + zero point as a small type", {.prepare = prepare_quantize});
REGISTER_CPU_KERNEL("reference", "", "DequantizeLinear", "", "(x - zero point) * scale", {.prepare = prepare_dequantize});

}  // namespace ge::reference

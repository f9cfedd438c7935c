#include "ge/kernels/reference/scale_layout.hpp"

#include "ge/base/tensor.hpp"

#include <algorithm>
#include <cmath>

namespace ge::reference {
namespace {

void as_they_are(double*, int64_t) noexcept {}
void to_float32(double* values, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<double>(static_cast<float>(values[i]));
}
void to_float16(double* values, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<double>(half_to_float(double_to_half(values[i])));
}
void to_bfloat16(double* values, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<double>(bfloat16_to_float(double_to_bfloat16(values[i])));
}

}  // namespace

void ScaleLayout::load(LoadDoubles loader, const void* scales, int64_t first, int64_t count, double* out) const {
  for (int64_t i = 0; i < count;) {
    const int64_t element = first + i, row = element / inner, column = element % inner;
    const int64_t run = std::min(count - i, kind == Kind::single ? count : inner - column);
    if (kind == Kind::single) loader(scales, 0, run, 0, out + i);
    else if (kind == Kind::axis) loader(scales, row % size, run, 0, out + i);
    else loader(scales, (row / size * blocks + row % size / block) * inner + column, run, 1, out + i);
    i += run;
  }
}

ScaleLayout scale_layout(const KernelSite& site) {
  const Dims x = make_dims(site.inputs[0].dims), scale = make_dims(site.inputs[1].dims);
  ScaleLayout layout;
  if (site.inputs[1].count == 1 && (scale.rank < 2 || scale.rank != x.rank)) return layout;
  const auto refuse = [&] {
    throw Error(ErrorCode::invalid_model, "the scale has dims " + dims_to_string(site.inputs[1].dims) + ", which do not fit " + dims_to_string(site.inputs[0].dims) +
                                              ": expected one element, one for each place of the axis, or one for each block of places");
  };
  const int32_t axis = x.rank == 1 ? 0 : normal_axis(site.attributes.get_int("axis", 1), x.rank);
  layout.size = x.size[axis];
  layout.inner = count_of(x, axis + 1, x.rank);
  if (scale.rank == 1 && scale.size[0] == layout.size) {
    layout.kind = ScaleLayout::Kind::axis;
    return layout;
  }
  layout.block = site.attributes.get_int("block_size", 0);
  if (site.inputs[1].count == 1 && layout.block == 0) return layout;
  if (scale.rank != x.rank || layout.block < 1) refuse();
  layout.kind = ScaleLayout::Kind::block;
  layout.blocks = layout.size / layout.block + (layout.size % layout.block != 0);
  for (int32_t i = 0; i < x.rank; ++i)
    if (scale.size[i] != (i == axis ? layout.blocks : x.size[i])) refuse();
  return layout;
}

RoundDoubles rounder(DType dtype) {
  switch (dtype) {
    case DType::float32: return to_float32;
    case DType::float16: return to_float16;
    case DType::bfloat16: return to_bfloat16;
    default: return as_they_are;
  }
}

IntegerRange integer_range(DType dtype) {
  const auto bits = static_cast<int>(bits_of(dtype));
  if (is_signed_int(dtype)) return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
  return {0, std::ldexp(1.0, bits) - 1};
}

}  // namespace ge::reference

// Resize (19): floor(dim * scale) from scales, or the sizes themselves, on the listed axes (all by default).
//
// ONNX stores scales as float32 and rounds dim * scale to float32 before it rounds down: 2/3 or 0.1 are meant but not
// representable. A scale that is the float32 of a fraction p/q with a small q, for which that product gives
// floor(dim * p / q), is taken as the fraction, for symbols and for constants alike, so that a dim does not depend on when
// it is computed. Any other scale needs a constant dim and then follows the float32 product.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

#include <cmath>

namespace ge {
namespace {

constexpr size_t roi_input = 1, scales_input = 2, sizes_input = 3;

struct Fraction {
  int64_t p, q;
};
int64_t float_product(int64_t dim, float scale) { return static_cast<int64_t>(std::floor(static_cast<float>(dim) * scale)); }

/// Whether the float32 product agrees with the fraction. The two can only part where dim * p / q is whole and the product
/// falls just short of it, so multiples of q tell; dims up to 2^16 are tried.
bool agrees(Fraction f, float scale) {
  if ((f.q & (f.q - 1)) == 0) return true;  // exact in float32
  for (int64_t dim = f.q; dim <= 65536; dim += f.q)
    if (float_product(dim, scale) != dim / f.q * f.p) return false;
  return true;
}

std::optional<Fraction> small_fraction(float scale) {
  if (!(scale > 0) || scale > 1024) return std::nullopt;
  for (int64_t q = 1; q <= 64; ++q) {
    const auto p = static_cast<int64_t>(std::llround(static_cast<double>(scale) * static_cast<double>(q)));
    if (p == 0 || static_cast<float>(static_cast<double>(p) / static_cast<double>(q)) != scale) continue;
    return agrees({p, q}, scale) ? std::optional(Fraction{p, q}) : std::nullopt;
  }
  return std::nullopt;
}

Expr scaled(InferContext& context, Expr dim, float scale) {
  if (const auto fraction = small_fraction(scale)) return floor_div(dim * fraction->p, fraction->q);
  if (!dim.is_constant()) return context.unknown_dim();
  const float product = static_cast<float>(dim.value()) * scale;
  if (!(product < 0x1p62f)) context.fail("dim " + to_string(dim) + " times scale " + std::to_string(scale) + " is too large for a dim");
  return context.constant(float_product(dim.value(), scale));
}

/// Whether an optional input is really there: older models pass an empty tensor for "absent".
bool given(const InferContext& context, size_t i) {
  return context.has_input(i) && !(context.has_rank(i) && known_length(context, i) == size_t{0});
}

/// How much of each listed axis the region of interest covers: 1 unless tf_crop_and_resize. Empty: not known.
std::vector<float> region_extents(InferContext& context, size_t count) {
  if (context.attributes().get_string("coordinate_transformation_mode", "half_pixel") != "tf_crop_and_resize" || !given(context, roi_input))
    return std::vector<float>(count, 1.0f);
  const Tensor* roi = context.content(roi_input);
  const auto values = roi ? roi->to_doubles() : std::nullopt;
  if (!values) return {};
  if (values->size() != 2 * count)
    context.fail("roi has " + std::to_string(values->size()) + " values, expected " + std::to_string(2 * count) +
                 ", a start and an end for each resized axis");
  std::vector<float> extents;
  for (size_t i = 0; i < count; ++i) extents.push_back(static_cast<float>((*values)[count + i] - (*values)[i]));
  return extents;
}

void resize_by_scales(InferContext& context, Shape& out, const std::vector<size_t>& axes) {
  const Tensor* content = context.content(scales_input);
  const auto scales = content ? content->to_doubles() : std::nullopt;
  const std::vector<float> extents = region_extents(context, axes.size());
  if (const auto count = scales ? std::optional(scales->size()) : known_length(context, scales_input); count && *count != axes.size())
    context.fail("scales has " + std::to_string(*count) + " values, expected " + std::to_string(axes.size()) + ", one for each resized axis");
  for (size_t i = 0; i < axes.size(); ++i) {
    Expr& dim = out[axes[i]];
    if (!scales || extents.empty()) {
      dim = context.unknown_dim();
      continue;
    }
    const auto scale = static_cast<float>((*scales)[i]);
    if (!(scale > 0) || !std::isfinite(scale))
      context.fail("scales has the value " + std::to_string(scale) + ", expected a finite number above 0");
    dim = scaled(context, dim, extents[i] * scale);
  }
}

/// keep_aspect_ratio_policy not_larger (not_smaller): one scale for all axes, the smallest (largest) of size / dim; each
/// dim becomes round(scale * dim), halves up. The scale stays a fraction size[s] / dim[s], so the result is exact.
void keep_aspect_ratio(InferContext& context, Shape& out, const std::vector<size_t>& axes, const std::vector<Expr>& sizes, bool smallest) {
  Expr size = sizes[0], dim = out[axes[0]];
  for (size_t i = 1; i < axes.size(); ++i) {
    const Expr d = out[axes[i]];
    const Expr better = smallest ? less(sizes[i] * dim, size * d) : greater(sizes[i] * dim, size * d);
    size = select(better, sizes[i], size);
    dim = select(better, d, dim);
  }
  context.require(greater(dim, 0), "a dim to keep the aspect ratio of is 0, expected at least 1");
  for (size_t axis : axes) out[axis] = floor_div(2 * size * out[axis] + dim, 2 * dim);
}

void resize_by_sizes(InferContext& context, Shape& out, const std::vector<size_t>& axes) {
  const std::string policy = context.attributes().get_string("keep_aspect_ratio_policy", "stretch");
  require_one_of(context, "keep_aspect_ratio_policy", policy, {"stretch", "not_larger", "not_smaller"});
  if (const auto count = known_length(context, sizes_input); count && *count != axes.size())
    context.fail("sizes has " + std::to_string(*count) + " values, expected " + std::to_string(axes.size()) + ", one for each resized axis");
  const std::vector<Expr>* sizes = context.values(sizes_input);
  if (sizes == nullptr) {
    for (size_t axis : axes) out[axis] = context.unknown_dim();
    return;
  }
  for (Expr size : *sizes) as_dim(context, size, "a value of sizes");
  if (policy != "stretch" && !axes.empty()) return keep_aspect_ratio(context, out, axes, *sizes, policy == "not_larger");
  for (size_t i = 0; i < axes.size(); ++i) out[axes[i]] = (*sizes)[i];
}

void infer_resize(InferContext& context) {
  bool by_scales = given(context, scales_input), by_sizes = given(context, sizes_input);
  if (by_scales && by_sizes) {
    // Before opset 13 scales had to be passed, empty beside sizes: one of an open length is taken for the empty one.
    if (!context.has_rank(scales_input) || !context.has_rank(sizes_input)) {
      context.content(scales_input), context.content(sizes_input);
      return context.has_rank(0) ? context.set_output(0, context.dtype(0), context.unknown_shape(context.rank(0)))
                                 : context.set_output_unknown_rank(0, context.dtype(0));
    }
    const size_t open = !known_length(context, scales_input) ? scales_input : sizes_input;
    if (!known_length(context, open)) {
      context.require(equal(context.dim(open, 0), 0), "both of scales and sizes are given, expected exactly one of them");
      (open == scales_input ? by_scales : by_sizes) = false;
    }
  }
  if (by_scales == by_sizes)
    context.fail(std::string(by_sizes ? "both" : "neither") + " of scales and sizes are given, expected exactly one of them");
  if (!context.has_rank(0)) {
    context.content(by_scales ? scales_input : sizes_input);
    return context.set_output_unknown_rank(0, context.dtype(0));
  }
  Shape out = context.shape(0);
  std::vector<int64_t> listed = context.attributes().get_ints("axes");
  if (!context.attributes().has("axes"))
    for (size_t d = 0; d < out.size(); ++d) listed.push_back(static_cast<int64_t>(d));
  const std::vector<size_t> axes = normal_axes(context, listed, out.size());
  if (by_scales)
    resize_by_scales(context, out, axes);
  else
    resize_by_sizes(context, out, axes);
  context.set_output(0, context.dtype(0), std::move(out));
}

REGISTER_OP("", "Resize", 19, "a grid sampled at another size",
            OpSchema()
                .in("X", onnx_types::classic, "T1")
                .optional_in("roi", dtypes::float_ieee)
                .optional_in("scales", dtype_set(DType::float32))
                .optional_in("sizes", onnx_types::int64)
                .out("Y", onnx_types::classic, "T1")
                .attribute("antialias", int64_t{0})
                .optional_attribute("axes", std::vector<int64_t>{})
                .attribute("coordinate_transformation_mode", std::string("half_pixel"))
                .attribute("cubic_coeff_a", -0.75f)
                .attribute("exclude_outside", int64_t{0})
                .attribute("extrapolation_value", 0.0f)
                .attribute("keep_aspect_ratio_policy", std::string("stretch"))
                .attribute("mode", std::string("nearest"))
                .attribute("nearest_mode", std::string("round_prefer_floor"))
                .content(1)
                .content(2)
                .content(3)
                .infer(infer_resize));

}  // namespace
}  // namespace ge

// DeformConv (22): X[n, c, d1, …, dr], W[m, c/group, k1, …, kr], offset[n, offset_group * taps * r, o1, …], B[m],
// mask[n, offset_group * taps, o1, …] → Y[n, m, o1, …].
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/window_shapes.hpp"

namespace ge {
namespace {

/// The kernel's spatial dims, from W or from the attribute; both, where known, agree.
Shape deform_kernel(InferContext& context, size_t spatial) {
  Shape kernel = kernel_attribute(context);
  if (!kernel.empty() && kernel.size() != spatial)
    context.fail("attribute 'kernel_shape' has " + std::to_string(kernel.size()) + " values, expected " + std::to_string(spatial));
  if (!context.has_rank(1)) return kernel.empty() ? context.unknown_shape(spatial) : kernel;
  const Shape& w = context.shape(1);
  for (size_t i = 0; i < kernel.size(); ++i)
    require_equal(context, w[i + 2], kernel[i], [&] { return "dim " + std::to_string(i + 2) + " of W" + to_string(w); });
  return kernel.empty() ? Shape(w.begin() + 2, w.end()) : kernel;
}

void check_channels(InferContext& context, int64_t group, int64_t offset_group) {
  if (context.has_rank(0))
    require_equal(context, floor_mod(context.dim(0, 1), offset_group), context.constant(0),
                  [&] { return "the remainder of " + to_string(context.dim(0, 1)) + " channels by offset_group " + std::to_string(offset_group); });
  if (!context.has_rank(1)) return;
  const Expr out = context.dim(1, 0);
  require_equal(context, floor_mod(out, group), context.constant(0),
                [&] { return "the remainder of " + to_string(out) + " output channels by group " + std::to_string(group); });
  if (context.has_rank(0))
    require_equal(context, context.dim(0, 1), context.dim(1, 1) * group, [&] {
      return "the channel count of X" + to_string(context.shape(0)) + " for W" + to_string(context.shape(1)) + " and group " + std::to_string(group);
    });
  if (context.has_input(3) && context.has_rank(3)) require_equal(context, context.dim(3, 0), out, "the dim of input 3 (B)");
}

/// offset and mask have one map of the output's size for each of `maps`.
void check_maps(InferContext& context, size_t input, std::string_view name, Expr maps, const Shape& out) {
  if (!context.has_input(input)) return;
  require_rank(context, input, out.size(), out.size(), name);
  if (!context.has_rank(input)) return;
  for (size_t d = 0; d < out.size(); ++d)
    if (const Expr expected = d == 1 ? maps : out[d])
      require_equal(context, context.dim(input, d), expected, [&] { return "dim " + std::to_string(d) + " of " + std::string(name); });
}

int64_t positive(const InferContext& context, std::string_view name) {
  const int64_t value = context.attributes().get_int(name, 1);
  if (value < 1) context.fail("attribute '" + std::string(name) + "' is " + std::to_string(value) + ", expected at least 1");
  return value;
}

void infer_deform_conv(InferContext& context) {
  const int64_t group = positive(context, "group"), offset_group = positive(context, "offset_group");
  std::optional<size_t> rank;
  for (size_t i : {0, 1, 2}) {
    require_rank(context, i, 3, SIZE_MAX, "an input");
    if (!rank && context.has_rank(i)) rank = context.rank(i);
  }
  require_rank(context, 3, 1, 1, "B");
  if (!rank) return context.set_output_unknown_rank(0, context.dtype(0));
  for (size_t i : {0, 1, 2}) require_rank(context, i, *rank, *rank, i == 0 ? "X" : i == 1 ? "W" : "offset");
  check_channels(context, group, offset_group);
  const Windows windows = read_windows(context, deform_kernel(context, *rank - 2));
  Shape out(*rank);
  if (context.has_rank(1)) out[1] = context.dim(1, 0);
  if (context.has_rank(0)) {
    out[0] = context.dim(0, 0);
    for (size_t i = 2; i < *rank; ++i) out[i] = window_count(context, windows, i - 2, context.dim(0, i), false);
  }
  Expr maps = context.constant(offset_group);
  for (const Expr size : windows.kernel) maps = maps * size;
  check_maps(context, 2, "offset", maps * static_cast<int64_t>(*rank - 2), out);
  check_maps(context, 4, "mask", maps, out);
  context.set_output(0, context.dtype(0), with_unknowns(context, std::move(out)));
}

REGISTER_OP("", "DeformConv", 22, "convolution whose taps are shifted by given offsets",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .in("W", dtypes::floats, "T")
                .in("offset", dtypes::floats, "T")
                .optional_in("B", dtypes::floats, "T")
                .optional_in("mask", dtypes::floats, "T")
                .out("Y", dtypes::floats, "T")
                .optional_attribute("dilations", std::vector<int64_t>{})
                .attribute("group", int64_t{1})
                .optional_attribute("kernel_shape", std::vector<int64_t>{})
                .attribute("offset_group", int64_t{1})
                .optional_attribute("pads", std::vector<int64_t>{})
                .optional_attribute("strides", std::vector<int64_t>{})
                .infer(infer_deform_conv));

}  // namespace
}  // namespace ge

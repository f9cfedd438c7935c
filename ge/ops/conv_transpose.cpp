// ConvTranspose (22): X[n, c, d1, …], W[c, m/group, k1, …], B[m] → Y[n, m, o1, …].
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/window_shapes.hpp"

namespace ge {
namespace {

/// Attribute output_shape: the spatial dims (some exporters write all dims; the last ones count).
std::vector<int64_t> stated_output(const InferContext& context, size_t rank) {
  std::vector<int64_t> dims = context.attributes().get_ints("output_shape");
  if (dims.size() == rank + 2) dims.erase(dims.begin(), dims.begin() + 2);
  if (!dims.empty() && dims.size() != rank)
    context.fail("attribute 'output_shape' has " + std::to_string(dims.size()) + " values, expected " + std::to_string(rank));
  return dims;
}

/// Channels agree between X, W and B, as far as their ranks are known.
void check_channels(InferContext& context, int64_t group) {
  if (!context.has_rank(1)) return;
  const Shape& w = context.shape(1);
  require_equal(context, floor_mod(w[0], group), context.constant(0),
                [&] { return "the remainder of " + to_string(w[0]) + " input channels by group " + std::to_string(group); });
  if (context.has_rank(0))
    require_equal(context, context.dim(0, 1), w[0],
                  [&] { return "the channel count of X" + to_string(context.shape(0)) + " for W" + to_string(w); });
  if (context.has_input(2) && context.has_rank(2)) require_equal(context, context.dim(2, 0), w[1] * group, "the dim of input 2 (B)");
}

/// The kernel's spatial dims, from the attribute or from W; both, where known, agree.
Shape kernel_of(InferContext& context, size_t spatial) {
  Shape kernel = kernel_attribute(context);
  const bool stated = !kernel.empty();
  if (stated && kernel.size() != spatial)
    context.fail("attribute 'kernel_shape' has " + std::to_string(kernel.size()) + " values, expected " + std::to_string(spatial));
  if (!context.has_rank(1)) return stated ? kernel : context.unknown_shape(spatial);
  const Shape& w = context.shape(1);
  if (!stated) return Shape(w.begin() + 2, w.end());
  for (size_t i = 0; i < spatial; ++i)
    require_equal(context, w[i + 2], kernel[i], [&] { return "dim " + std::to_string(i + 2) + " of W" + to_string(w); });
  return kernel;
}

/// (in - 1) * stride + output_padding + kernel extent - pads; in * stride for SAME_*.
Expr output_dim(const Windows& windows, size_t axis, Expr in, int64_t output_padding) {
  const int64_t stride = windows.strides[axis];
  if (windows.auto_pad == AutoPad::same_upper || windows.auto_pad == AutoPad::same_lower) return in * stride;
  return (in - 1) * stride + output_padding + windows.extent(axis) - (windows.pad_begins[axis] + windows.pad_ends[axis]);
}

void infer_conv_transpose(InferContext& context) {
  require_rank(context, 0, 3, SIZE_MAX, "X");
  require_rank(context, 1, 3, SIZE_MAX, "W");
  require_rank(context, 2, 1, 1, "B");
  const int64_t group = context.attributes().get_int("group", 1);
  if (group < 1) context.fail("attribute 'group' is " + std::to_string(group) + ", expected at least 1");
  if (!context.has_rank(0) && !context.has_rank(1)) return context.set_output_unknown_rank(0, context.dtype(0));
  const size_t rank = context.has_rank(0) ? context.rank(0) : context.rank(1), spatial = rank - 2;
  require_rank(context, 1, rank, rank, "W");
  check_channels(context, group);

  const Windows windows = read_windows(context, kernel_of(context, spatial));
  const std::vector<int64_t> output_padding = spatial_ints(context, "output_padding", spatial, 0, 0);
  const std::vector<int64_t> stated = stated_output(context, spatial);
  Shape out(rank);
  if (context.has_rank(0)) out[0] = context.dim(0, 0);
  if (context.has_rank(1)) out[1] = context.dim(1, 1) * group;
  for (size_t i = 0; i < spatial; ++i) {
    Expr& dim = out[i + 2];
    if (!stated.empty())
      dim = context.constant(stated[i]);
    else if (context.has_rank(0))
      dim = output_dim(windows, i, context.dim(0, i + 2), output_padding[i]);
    if (dim) as_dim(context, dim, [&] { return "the output dim at axis " + std::to_string(i + 2); });
  }
  context.set_output(0, context.dtype(0), with_unknowns(context, std::move(out)));
}

REGISTER_OP("", "ConvTranspose", 22, "transposed convolution",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .in("W", dtypes::floats, "T")
                .optional_in("B", dtypes::floats, "T")
                .out("Y", dtypes::floats, "T")
                .attribute("auto_pad", std::string("NOTSET"))
                .optional_attribute("dilations", std::vector<int64_t>{})
                .attribute("group", int64_t{1})
                .optional_attribute("kernel_shape", std::vector<int64_t>{})
                .optional_attribute("output_padding", std::vector<int64_t>{})
                .optional_attribute("output_shape", std::vector<int64_t>{})
                .optional_attribute("pads", std::vector<int64_t>{})
                .optional_attribute("strides", std::vector<int64_t>{})
                .infer(infer_conv_transpose));

}  // namespace
}  // namespace ge

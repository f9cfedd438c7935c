// Conv (22): X[n, c, d1, …], W[m, c/group, k1, …], B[m] → Y[n, m, o1, …].
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/product_shapes.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/window_shapes.hpp"

namespace ge {
namespace {

/// The kernel's spatial dims, from the attribute or from W; both, where known, agree. nullopt when the rank is open.
std::optional<Shape> kernel_of(InferContext& context, ConvolutionInputs in) {
  Shape kernel = kernel_attribute(context);
  if (context.has_rank(in.w)) {
    const Shape& w = context.shape(in.w);
    const Shape spatial(w.begin() + 2, w.end());
    if (kernel.empty()) return spatial;
    if (kernel.size() != spatial.size())
      context.fail("attribute 'kernel_shape' has " + std::to_string(kernel.size()) + " values, expected " + std::to_string(spatial.size()) +
                   " for W" + to_string(w));
    for (size_t i = 0; i < kernel.size(); ++i)
      require_equal(context, spatial[i], kernel[i], [&] { return "dim " + std::to_string(i + 2) + " of W" + to_string(w); });
  }
  if (!kernel.empty()) return kernel;
  return context.has_rank(in.x) ? std::optional(context.unknown_shape(context.rank(in.x) - 2)) : std::nullopt;
}

}  // namespace

void infer_convolution(InferContext& context, ConvolutionInputs in, DType dtype) {
  require_rank(context, in.x, 3, SIZE_MAX, "X");
  require_rank(context, in.w, 3, SIZE_MAX, "W");
  require_rank(context, in.bias, 1, 1, "B");
  const int64_t group = context.attributes().get_int("group", 1);
  if (group < 1) context.fail("attribute 'group' is " + std::to_string(group) + ", expected at least 1");
  const auto kernel = kernel_of(context, in);
  if (!kernel) return context.set_output_unknown_rank(0, dtype);
  require_rank(context, in.x, kernel->size() + 2, kernel->size() + 2, "X");
  const Windows windows = read_windows(context, *kernel);

  Shape out(kernel->size() + 2);
  if (context.has_rank(in.w)) {
    out[1] = context.dim(in.w, 0);
    require_equal(context, floor_mod(out[1], group), context.constant(0),
                  [&] { return "the remainder of " + to_string(out[1]) + " output channels by group " + std::to_string(group); });
  } else if (context.has_input(in.bias) && context.has_rank(in.bias)) {
    out[1] = context.dim(in.bias, 0);
  }
  if (context.has_input(in.bias) && context.has_rank(in.bias)) require_equal(context, context.dim(in.bias, 0), out[1], [&] { return "the dim of input " + std::to_string(in.bias) + " (B)"; });
  if (context.has_rank(in.x)) {
    const Shape& x = context.shape(in.x);
    out[0] = x[0];
    if (context.has_rank(in.w))
      require_equal(context, x[1], context.dim(in.w, 1) * group, [&] {
        return "the channel count of X" + to_string(x) + " for W" + to_string(context.shape(in.w)) + " and group " + std::to_string(group);
      });
    for (size_t i = 0; i < kernel->size(); ++i) out[i + 2] = window_count(context, windows, i, x[i + 2], false);
  }
  context.set_output(0, dtype, with_unknowns(context, std::move(out)));
}

namespace {

void infer_conv(InferContext& context) { infer_convolution(context, {0, 1, 2}, context.dtype(0)); }

REGISTER_OP("", "Conv", 22, "convolution",
            OpSchema()
                .in("X", dtypes::floats, "T")
                .in("W", dtypes::floats, "T")
                .optional_in("B", dtypes::floats, "T")
                .out("Y", dtypes::floats, "T")
                .attribute("auto_pad", std::string("NOTSET"))
                .optional_attribute("dilations", std::vector<int64_t>{})
                .attribute("group", int64_t{1})
                .optional_attribute("kernel_shape", std::vector<int64_t>{})
                .optional_attribute("pads", std::vector<int64_t>{})
                .optional_attribute("strides", std::vector<int64_t>{})
                .infer(infer_conv));

}  // namespace
}  // namespace ge

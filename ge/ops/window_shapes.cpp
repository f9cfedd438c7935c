#include "ge/ops/window_shapes.hpp"

#include "ge/ops/infer_checks.hpp"

namespace ge {
namespace {

std::vector<int64_t> checked_ints(const InferContext& context, std::string_view name, size_t count, int64_t otherwise, int64_t least) {
  std::vector<int64_t> values = context.attributes().get_ints(name, std::vector<int64_t>(count, otherwise));
  if (values.size() != count)
    context.fail("attribute '" + std::string(name) + "' has " + std::to_string(values.size()) + " values, expected " + std::to_string(count));
  for (int64_t value : values)
    if (value < least || value > INT32_MAX)
      context.fail("attribute '" + std::string(name) + "' has the value " + std::to_string(value) + ", expected at least " +
                   std::to_string(least) + " and less than 2^31");
  return values;
}

AutoPad auto_pad_of(const InferContext& context) {
  const std::string text = context.attributes().get_string("auto_pad", "NOTSET");
  require_one_of(context, "auto_pad", text, {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"});
  return text == "NOTSET"       ? AutoPad::notset
         : text == "VALID"      ? AutoPad::valid
         : text == "SAME_UPPER" ? AutoPad::same_upper
                                : AutoPad::same_lower;
}

}  // namespace

std::vector<int64_t> spatial_ints(const InferContext& context, std::string_view name, size_t rank, int64_t otherwise, int64_t least) {
  return checked_ints(context, name, rank, otherwise, least);
}

Shape kernel_attribute(const InferContext& context) {
  if (!context.attributes().has("kernel_shape")) return {};
  const size_t rank = context.attributes().get_ints("kernel_shape").size();
  return constant_shape(context.symbols(), checked_ints(context, "kernel_shape", rank, 1, 1));
}

Windows read_windows(const InferContext& context, Shape kernel) {
  const size_t rank = kernel.size();
  Windows windows{std::move(kernel), spatial_ints(context, "strides", rank, 1, 1), spatial_ints(context, "dilations", rank, 1, 1),
                  std::vector<int64_t>(rank, 0), std::vector<int64_t>(rank, 0), auto_pad_of(context)};
  if (windows.auto_pad != AutoPad::notset) return windows;
  const std::vector<int64_t> pads = checked_ints(context, "pads", 2 * rank, 0, 0);
  const auto middle = pads.begin() + static_cast<ptrdiff_t>(rank);
  windows.pad_begins.assign(pads.begin(), middle);
  windows.pad_ends.assign(middle, pads.end());
  return windows;
}

Expr window_count(InferContext& context, const Windows& windows, size_t axis, Expr in, bool ceil_mode) {
  const int64_t stride = windows.strides[axis];
  if (windows.auto_pad == AutoPad::same_upper || windows.auto_pad == AutoPad::same_lower) return ceil_div(in, stride);
  const Expr padded = in + (windows.pad_begins[axis] + windows.pad_ends[axis]);
  const Expr extent = windows.extent(axis);
  context.require(greater_equal(padded, extent), [&] {
    return "spatial axis " + std::to_string(axis) + " has " + to_string(padded) + " elements with padding, expected at least the " +
           to_string(extent) + " of the dilated kernel";
  });
  // VALID rounds down in both modes: ceil((in - extent + 1) / stride) is floor((in - extent) / stride) + 1.
  if (!ceil_mode || windows.auto_pad == AutoPad::valid) return floor_div(padded - extent, stride) + 1;
  // Rounded up, and no window begins behind the input: windows begin at 0, stride, … counted from the padding's start.
  return ceil_div(min_of(padded - extent + stride, in + windows.pad_begins[axis]), stride);
}

}  // namespace ge

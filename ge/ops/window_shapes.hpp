#pragma once
#include "ge/ops/infer_context.hpp"

#include <vector>

/// Windows that slide over the spatial axes of X[n, c, d1, …, dr]: convolutions and pools (ONNX Conv 22, MaxPool 22, …).
namespace ge {

enum class AutoPad : uint8_t { notset, valid, same_upper, same_lower };

struct Windows {
  Shape kernel;  ///< by spatial axis, as are all below
  std::vector<int64_t> strides, dilations;
  std::vector<int64_t> pad_begins, pad_ends;  ///< all 0 unless auto_pad is NOTSET
  AutoPad auto_pad;

  size_t rank() const { return kernel.size(); }
  /// (kernel - 1) * dilation + 1
  Expr extent(size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
};

/// Attribute `name` as one int for each of `rank` spatial axes; `otherwise` for each when absent. Fails for another
/// count or a value below `least`.
std::vector<int64_t> spatial_ints(const InferContext& context, std::string_view name, size_t rank, int64_t otherwise, int64_t least);

/// Attribute kernel_shape as dims; empty when absent.
Shape kernel_attribute(const InferContext& context);

/// Reads strides, dilations, pads and auto_pad for windows of that kernel.
Windows read_windows(const InferContext& context, Shape kernel);

/// How many windows fit along `axis` of size `in`, at least one; `ceil_mode` counts one that begins inside the input or
/// the padding before it but ends outside.
Expr window_count(InferContext& context, const Windows& windows, size_t axis, Expr in, bool ceil_mode);

}  // namespace ge

#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/resize_axis.hpp"

#include <vector>

namespace ge::reference {

/// What every output position reads, along each axis: output position p of axis i reads taps
/// first[start[i] + p] .. first[start[i] + p + 1]; a tap's position is in elements of the input tensor.
struct ResizeTable {
  int32_t rank = 0;
  int64_t output[max_rank] = {};
  int64_t start[max_rank] = {};
  bool last_is_identity = false;  ///< along the last axis output p is input p
  std::vector<ResizeTap> taps;
  std::vector<int64_t> first;

  int64_t rows() const {
    int64_t rows = 1;
    for (int32_t i = 0; i + 1 < rank; ++i) rows *= output[i];
    return rows;
  }
};

/// The axes of a Resize-19 node, from scales or sizes, roi and the output's dims.
std::vector<ResizeAxis> read_resize_axes(const KernelSite& site, const ResizeRule& rule);
/// Neighbouring axes that stay as they are count as one.
ResizeTable make_resize_table(const ResizeRule& rule, const std::vector<ResizeAxis>& axes);

void append_resize_nearest(const KernelSite& site, const ResizeTable& table, TaskBuilder& builder);
/// `component`: the dtype that is computed with, a part of a complex number or the element's own.
void append_resize_interpolate(const KernelSite& site, const ResizeTable& table, DType component, int64_t input_row, TaskBuilder& builder);

}  // namespace ge::reference

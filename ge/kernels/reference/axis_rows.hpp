#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

#include <algorithm>

namespace ge::reference {

/// Arguments of a kernel that turns each row along one axis of x[outer, n, inner] into a row of y.
struct AxisRows {
  const void* x = nullptr;
  void* y = nullptr;
  LoadDoubles load = nullptr;
  StoreDoubles store = nullptr;
  int64_t outer = 1, n = 1, inner = 1;
  uint32_t chunks = 1;

  /// The rows of one chunk.
  Range rows_of(uint32_t chunk) const { return chunk_range(outer * inner, chunks, chunk); }
  /// Index of a row's first element; the others follow at distance `inner`.
  int64_t base_of(int64_t row) const { return row / inner * n * inner + row % inner; }
};

/// The rows of input 0 along attribute "axis" (-1 by default); a scalar counts as one row of one element.
/// `work_per_element` in units of chunks_for().
inline AxisRows axis_rows(const KernelSite& site, int64_t work_per_element) {
  const Dims dims = make_dims(site.inputs[0].dims);
  AxisRows rows;
  if (dims.rank > 0) {
    const int32_t axis = normal_axis(site.attributes.get_int("axis", -1), dims.rank);
    rows.outer = count_of(dims, 0, axis);
    rows.n = dims.size[axis];
    rows.inner = count_of(dims, axis + 1, dims.rank);
  }
  rows.load = double_loader(site.inputs[0].dtype);
  rows.store = double_storer(site.outputs[0].dtype);
  const int64_t count = rows.outer * rows.inner;
  rows.chunks = std::min(chunks_for(count * rows.n * work_per_element), static_cast<uint32_t>(std::clamp<int64_t>(count, 1, 64)));
  return rows;
}

}  // namespace ge::reference

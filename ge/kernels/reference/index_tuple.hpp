#pragma once
#include "ge/kernels/reference/dims.hpp"

namespace ge::reference {

/// The index counted from the front (negative ones count from the end), or -1 when it is out of range.
inline int64_t index_from_front(int64_t index, int64_t size) {
  if (index < 0) index += size;
  return index >= 0 && index < size ? index : -1;
}

/// The axes that index tuples address, and how far apart their elements are.
struct TupleAxes {
  int32_t length = 0;
  int64_t size[max_rank] = {}, step[max_rank] = {};

  /// Axes [first, first + length) of a dense tensor.
  static TupleAxes of(const Dims& dims, int32_t first, int32_t length) {
    TupleAxes axes;
    axes.length = length;
    const Strides strides = row_major(dims);
    for (int32_t i = 0; i < length; ++i) {
      axes.size[i] = dims.size[first + i];
      axes.step[i] = strides.step[first + i];
    }
    return axes;
  }
  /// Offset in elements of the slice that the tuple names, or -1 when an index is out of range.
  int64_t offset(const int64_t* tuple) const {
    int64_t sum = 0;
    for (int32_t i = 0; i < length; ++i) {
      const int64_t index = index_from_front(tuple[i], size[i]);
      if (index < 0) return -1;
      sum += index * step[i];
    }
    return sum;
  }
};

}  // namespace ge::reference

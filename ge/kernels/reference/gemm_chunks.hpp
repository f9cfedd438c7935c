#pragma once
#include "ge/kernels/reference/dims.hpp"

#include <algorithm>

namespace ge::reference {

/// Chunks of a task of `units` equal parts (tiles, rows, sequences) that take `each` nanoseconds: never more than there
/// are parts. The product is taken in double because sizes from a hostile model may not fit an integer.
inline uint32_t chunks_for_units(int64_t units, double each) {
  const double work = std::clamp(static_cast<double>(units) * each, 0.0, 1e12);
  return static_cast<uint32_t>(std::clamp<int64_t>(units, 1, chunks_for(static_cast<int64_t>(work))));
}

}  // namespace ge::reference

#pragma once
#include "ge/kernels/reference/dims.hpp"

#include <cmath>
#include <cstdint>

namespace ge::reference {

/// `value` rounded toward zero, within low..high; `low` for NaN. A plain cast of a value out of range is undefined.
inline int64_t to_index(double value, int64_t low, int64_t high) {
  if (value >= static_cast<double>(high)) return high;
  return value > static_cast<double>(low) ? static_cast<int64_t>(value) : low;
}

/// A position along one axis that a sample reads, and its weight; -1: outside of the image, where 0 is read.
struct SampleTap {
  int64_t position;
  double weight;
};

/// The whole position `value` of an axis of `size`, or -1.
inline int64_t inside(double value, int64_t size) { return value >= 0 && value <= static_cast<double>(size - 1) ? static_cast<int64_t>(value) : -1; }

/// Calls `visit(offset, weight)` for each combination of taps, one of `per_axis` for each of `rank` axes (taps of an axis lie
/// together); those outside along any axis are left out. `step` is by axis.
template <class Visit>
void for_each_sample(const SampleTap* taps, int32_t per_axis, int32_t rank, const int64_t* step, Visit&& visit) {
  int32_t at[max_rank] = {};
  while (true) {
    int64_t offset = 0;
    double weight = 1;
    bool in_image = true;
    for (int32_t i = 0; i < rank && in_image; ++i) {
      const SampleTap& tap = taps[i * per_axis + at[i]];
      in_image = tap.position >= 0;
      offset += tap.position * step[i];
      weight *= tap.weight;
    }
    if (in_image) visit(offset, weight);
    int32_t i = rank - 1;
    for (; i >= 0 && ++at[i] == per_axis; --i) at[i] = 0;
    if (i < 0) return;
  }
}

/// The two neighbours of coordinate `x`, 0 outside of the image. NaN and infinities lie outside.
inline void linear_taps(double x, int64_t size, SampleTap* taps) {
  const double low = std::floor(x);
  taps[0] = {inside(low, size), 1 - (x - low)};
  taps[1] = {inside(low + 1, size), x - low};
}

}  // namespace ge::reference

#pragma once
#include "ge/kernels/reference/element.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ge::reference {

/// How weighted sums become elements: a float dtype takes them as they are, an integer one what exact weights would give,
/// truncated, within the dtype's range.
struct StoredRange {
  bool integer = false;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();

  static StoredRange of(DType dtype) {
    StoredRange range;
    range.integer = is_int(dtype);
    const int bits = static_cast<int>(bits_of(dtype));
    if (range.integer && bits < 64) {
      range.low = is_signed_int(dtype) ? -std::ldexp(1.0, bits - 1) : 0;
      range.high = std::ldexp(1.0, bits - (is_signed_int(dtype) ? 1 : 0)) - 1;
    } else if (dtype == DType::uint64) {
      range.low = 0;
    }
    return range;
  }
  void settle(double* values, int64_t count) const {
    if (!integer) return;
    for (int64_t j = 0; j < count; ++j) {
      const double whole = std::nearbyint(values[j]);
      const double value = std::fabs(values[j] - whole) <= 1e-9 * std::max(1.0, std::fabs(whole)) ? whole : std::trunc(values[j]);
      values[j] = std::clamp(value, low, high);
    }
  }
};

}  // namespace ge::reference

#pragma once
#include "ge/base/value.hpp"

#include <string>

namespace ge {

struct Tolerance {
  double relative = 1e-3, absolute = 1e-5;
};

/// How two tensors differ.
struct TensorDifference {
  bool types_differ = false;           ///< in dtype or dims; then nothing else is known
  int64_t count = 0;                   ///< elements that differ by more than the tolerance
  int64_t first = -1, last = -1;       ///< the first and the last of them
  double absolute = 0, relative = 0;   ///< largest errors of all elements; floats and complex numbers only

  explicit operator bool() const { return types_differ || count > 0; }
};

/// Dtype and dims equal; floats and complex parts |got - expected| <= absolute + relative * |expected|, NaN equal to NaN
/// and an infinity to itself; everything else exactly.
GE_API TensorDifference compare_tensors(const Tensor& got, const Tensor& expected, Tolerance tolerance);

/// What differs, for people: how many elements, the first one with both values, the largest errors; "" when they agree.
GE_API std::string describe_difference(const Tensor& got, const Tensor& expected, Tolerance tolerance);

/// The same for sequences and optionals: kind, presence, number of tensors, then the first element that differs.
GE_API std::string describe_difference(const Value& got, const Value& expected, Tolerance tolerance);

}  // namespace ge

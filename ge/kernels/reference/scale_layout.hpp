#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

namespace ge::reference {

/// Which scale (and zero point) each element of x[outer, size, inner] has, as QuantizeLinear (28) tells by shapes:
///  - one for all;
///  - one for each place of an axis: scale[size];
///  - one for each block of places: scale[outer, blocks, inner].
struct ScaleLayout {
  enum class Kind : uint8_t { single, axis, block };
  Kind kind = Kind::single;
  int64_t size = 1, inner = 1, block = 1, blocks = 1;

  /// Loads the scales of elements [first, first + count), as numbers.
  void load(LoadDoubles loader, const void* scales, int64_t first, int64_t count, double* out) const;
};

/// The layout that the dims of input 1 and attributes axis and block_size ask for. Throws Error(invalid_model) where they
/// do not fit input 0.
ScaleLayout scale_layout(const KernelSite& site);

/// A number as the nearest one of a float dtype (float64: as it is), as a number again.
using RoundDoubles = void (*)(double* values, int64_t count) noexcept;
RoundDoubles rounder(DType dtype);

/// The smallest and largest number of an integer dtype of up to 32 bits.
struct IntegerRange {
  double low, high;
};
IntegerRange integer_range(DType dtype);

}  // namespace ge::reference

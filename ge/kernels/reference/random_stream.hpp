#pragma once
#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/philox.hpp"

namespace ge::reference {

/// Where a random op's numbers come from; part of its argument block. docs/decisions/0009-random-numbers.md.
struct RandomSource {
  uint64_t key = 0;     ///< the seed's bits, or, without a seed, drawn from the machine when the op was prepared
  bool seeded = false;
};
/// By attribute "seed" (a float, of Dropout an int). Throws Error(unsupported) when there is none and the machine gives no
/// random bits.
RandomSource random_source(const KernelSite& site);

/// The numbers of one run of one chunk: element i of the tensor gets the same ones however the tensor is cut into chunks.
class RandomStream {
 public:
  /// With a seed the same numbers each time, else others each time. Thread-safe, waits for nobody.
  explicit RandomStream(const RandomSource& source) noexcept;

  /// Uniform in [0, 1), in steps of 2^-53.
  double uniform(int64_t i) const noexcept { return fraction(words(i), 0); }
  /// Normal of mean 0 and deviation 1, by Box and Muller's method ("A note on the generation of random normal deviates",
  /// 1958).
  double normal(int64_t i) const noexcept;

 private:
  std::array<uint32_t, 4> words(int64_t i) const noexcept;
  static double fraction(const std::array<uint32_t, 4>& words, size_t first) noexcept {
    const uint64_t bits = (uint64_t{words[first]} << 32 | words[first + 1]) >> 11;
    return static_cast<double>(bits) * 0x1p-53;
  }
  uint64_t key_;
  uint64_t ticket_ = 0;  ///< tells runs without a seed apart
};

}  // namespace ge::reference

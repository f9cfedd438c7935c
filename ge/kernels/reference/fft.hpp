#pragma once
#include "ge/kernels/reference/dims.hpp"

#include <complex>

namespace ge::reference {

using Complex = std::complex<double>;
/// Complex numbers as pairs of doubles, which the standard says they are.
inline double* pairs(Complex* numbers) { return reinterpret_cast<double*>(numbers); }
inline const double* pairs(const Complex* numbers) { return reinterpret_cast<const double*>(numbers); }

/// The discrete Fourier transform of any length n, out[k] = sum over j of in[j] * exp(-2 pi i j k / n), in double. Cooley
/// and Tukey's algorithm over the prime factors of n ("An algorithm for the machine calculation of complex Fourier
/// series", 1965): n times the sum of the factors steps, so n * n for a prime.
/// The inverse transform is the same with real and imaginary parts swapped in all of `in` and `out`, and divided by n.
class Fft {
 public:
  /// Complex numbers of scratch memory that one length needs.
  static int64_t scratch_count(int64_t n) { return 2 * n; }
  /// Fills `scratch`; one thread at a time uses it.
  Fft(Complex* scratch, int64_t n) noexcept;
  /// `in` and `out` have n elements each and do not overlap.
  void operator()(const Complex* in, Complex* out) const noexcept;

 private:
  void part(const Complex* in, int64_t stride, Complex* out, int64_t n) const noexcept;
  void combine(Complex* out, int64_t factor, int64_t m) const noexcept;

  const Complex* turns_;  ///< exp(-2 pi i k / n) for k in 0..n-1
  Complex* column_;       ///< one element of each of the parts being combined
  int64_t n_;
};

/// Chunks of a task of `rows` transforms of length n, each chunk with `numbers` complex numbers of scratch for each of the
/// n; and the bytes of all that. Throws Error(unsupported) for lengths beyond 2^40.
struct FftChunks {
  FftChunks(int64_t rows, int64_t n, int64_t numbers);
  uint32_t chunks;
  int64_t scratch_bytes;
};

}  // namespace ge::reference

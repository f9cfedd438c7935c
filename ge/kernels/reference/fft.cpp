// The Fourier transform behind DFT (ONNX 20) and STFT (ONNX 17).
#include "ge/kernels/reference/fft.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace ge::reference {
namespace {

int64_t smallest_factor(int64_t n) {
  for (int64_t p = 2; p <= n / p; ++p)
    if (n % p == 0) return p;
  return n;
}

/// Without what C++'s own product does for infinities.
Complex product(Complex a, Complex b) { return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()}; }

}  // namespace

Fft::Fft(Complex* scratch, int64_t n) noexcept : turns_(scratch), column_(scratch + n), n_(n) {
  for (int64_t k = 0; k < n; ++k) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    scratch[k] = {std::cos(angle), std::sin(angle)};
  }
}

void Fft::operator()(const Complex* in, Complex* out) const noexcept {
  if (n_ > 0) part(in, 1, out, n_);
}

/// The transform of the n elements at distance `stride`; stride * n is n_. Those whose number leaves the rest j when
/// divided by the smallest factor are transformed alone first, to out[j * m ...].
void Fft::part(const Complex* in, int64_t stride, Complex* out, int64_t n) const noexcept {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  const int64_t factor = smallest_factor(n), m = n / factor;
  for (int64_t j = 0; j < factor; ++j) part(in + j * stride, stride * factor, out + j * m, m);
  combine(out, factor, m);
}

void Fft::combine(Complex* out, int64_t factor, int64_t m) const noexcept {
  const int64_t step = n_ / (factor * m), across = n_ / factor;  // of turns_: 1 / n of a turn, and 1 / factor
  for (int64_t k = 0; k < m; ++k) {
    for (int64_t j = 0; j < factor; ++j) column_[j] = product(out[j * m + k], turns_[j * k * step]);
    for (int64_t q = 0; q < factor; ++q) {
      Complex sum = 0;
      for (int64_t j = 0, turn = 0; j < factor; ++j) {
        sum += product(column_[j], turns_[turn]);
        turn += q * across;
        if (turn >= n_) turn -= n_;
      }
      out[q * m + k] = sum;
    }
  }
}

FftChunks::FftChunks(int64_t rows, int64_t n, int64_t numbers) {
  if (n > int64_t{1} << 40) throw Error(ErrorCode::unsupported, "a transform of length " + std::to_string(n) + ", expected at most 2^40");
  const int64_t each = std::max<int64_t>(n, 1) * numbers * static_cast<int64_t>(sizeof(Complex));
  const int64_t by_memory = std::max<int64_t>((int64_t{16} << 20) / each, 1);  // 16 MiB, unless one chunk needs more
  const int64_t work = times(rows, 32 * std::max<int64_t>(n, 1));
  chunks = static_cast<uint32_t>(std::clamp<int64_t>(std::min(rows, by_memory), 1, chunks_for(work)));
  scratch_bytes = each * chunks;
}

}  // namespace ge::reference

// DFT (ONNX 20): the Fourier transform along an axis of a tensor whose last dim holds real and imaginary parts.
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/fft.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

/// x[outer, in_n, inner, in_parts] to y[outer, out_n, inner, out_parts] by transforms of length n.
struct DftArgs {
  const void* x = nullptr;
  void* y = nullptr;
  Complex* scratch = nullptr;
  LoadDoubles load = nullptr;
  StoreDoubles store = nullptr;
  int64_t outer = 1, inner = 1, in_n = 0, out_n = 0, n = 0, in_parts = 2, out_parts = 2;
  bool inverse = false, half_given = false;  ///< half_given: x is the first half of a spectrum of real values
  uint32_t chunks = 1;
};

constexpr int64_t numbers_each = 4;  // of scratch for each of the n: in, out and Fft's own two

/// The row's elements, cut off or filled up with zeros to n of them.
void load_row(const DftArgs& a, int64_t row, Complex* in) noexcept {
  const int64_t given = std::min(a.half_given ? a.n / 2 + 1 : a.n, a.in_n);
  const int64_t first = (row / a.inner * a.in_n * a.inner + row % a.inner) * a.in_parts;
  std::fill_n(in, a.n, Complex(0));
  for (int64_t j = 0; j < given; ++j) a.load(a.x, first + j * a.inner * a.in_parts, a.in_parts, 1, pairs(in + j));
  if (!a.half_given) return;
  // The other half is the mirror image, conjugated. What is left of the imaginary parts of elements that are their own
  // mirror image goes to the imaginary part of the result, which nobody stores.
  for (int64_t j = a.n / 2 + 1; j < a.n; ++j) in[j] = std::conj(in[a.n - j]);
}

void store_row(const DftArgs& a, int64_t row, const Complex* out) noexcept {
  const int64_t first = (row / a.inner * a.out_n * a.inner + row % a.inner) * a.out_parts;
  const double scale = a.inverse && a.n > 0 ? 1.0 / static_cast<double>(a.n) : 1.0;
  for (int64_t k = 0; k < a.out_n; ++k) {
    Complex value = k < a.n ? out[k] : Complex(0);
    if (a.inverse) value = {value.imag() * scale, value.real() * scale};
    a.store(a.y, first + k * a.inner * a.out_parts, a.out_parts, 1, pairs(&value));
  }
}

Status run_dft(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const DftArgs*>(args);
  Complex* const in = a.scratch + numbers_each * std::max<int64_t>(a.n, 1) * chunk;
  Complex* const out = in + a.n;
  const Fft fft(out + a.n, a.n);
  const Range rows = chunk_range(a.outer * a.inner, a.chunks, chunk);
  for (int64_t row = rows.first; row < rows.last; ++row) {
    load_row(a, row, in);
    if (a.inverse)
      for (int64_t j = 0; j < a.n; ++j) in[j] = {in[j].imag(), in[j].real()};
    fft(in, out);
    store_row(a, row, out);
  }
  return Status::ok;
}

void prepare_dft(const KernelSite& site, TaskBuilder& builder) {
  const Dims dims = make_dims(site.inputs[0].dims), result = make_dims(site.outputs[0].dims);
  const int32_t axis = normal_axis(site.has_input(2) ? site.input_ints(2).at(0) : -2, dims.rank);
  DftArgs args;
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.outer = count_of(dims, 0, axis);
  args.inner = count_of(dims, axis + 1, dims.rank - 1);
  args.in_n = dims.size[axis];
  args.out_n = result.size[axis];
  args.in_parts = dims.size[dims.rank - 1];
  args.out_parts = result.size[dims.rank - 1];
  args.inverse = site.attributes.get_int("inverse", 0) != 0;
  args.half_given = args.inverse && site.attributes.get_int("onesided", 0) != 0;
  args.n = args.half_given ? args.out_n : site.has_input(1) ? site.input_ints(1).at(0) : args.in_n;
  const FftChunks split(args.outer * args.inner, args.n, numbers_each);
  args.chunks = split.chunks;
  builder.append(run_dft, args, args.chunks).input(&DftArgs::x, 0).output(&DftArgs::y, 0).workspace(&DftArgs::scratch, split.scratch_bytes);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "DFT", "", "by prime factors", {.supports = takes<dtypes::floats>, .prepare = prepare_dft});

}  // namespace ge::reference

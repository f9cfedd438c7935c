// STFT (ONNX 17): Fourier transforms of frames cut from a signal at equal steps, each weighted by a window.
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/fft.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

/// signal[batch, length, parts] to y[batch, frames, bins, 2].
struct StftArgs {
  const void* signal = nullptr;
  const void* window = nullptr;  ///< null: ones
  void* y = nullptr;
  Complex* scratch = nullptr;
  LoadDoubles load = nullptr;
  StoreDoubles store = nullptr;
  int64_t batch = 1, length = 0, parts = 1, frames = 1, bins = 1, step = 1, n = 1;
  uint32_t chunks = 1;
};

constexpr int64_t numbers_each = 4;  // of scratch for each of the n: in, out and Fft's own two

Status run_stft(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const StftArgs*>(args);
  Complex* const in = a.scratch + numbers_each * a.n * chunk;
  Complex* const out = in + a.n;
  const Fft fft(out + a.n, a.n);
  const Range rows = chunk_range(a.batch * a.frames, a.chunks, chunk);
  for (int64_t row = rows.first; row < rows.last; ++row) {
    const int64_t first = row / a.frames * a.length + row % a.frames * a.step;
    for (int64_t j = 0; j < a.n; ++j) {
      Complex sample = 0;
      double weight = 1;
      a.load(a.signal, (first + j) * a.parts, a.parts, 1, pairs(&sample));
      if (a.window != nullptr) a.load(a.window, j, 1, 1, &weight);
      in[j] = sample * weight;
    }
    fft(in, out);
    a.store(a.y, row * a.bins * 2, a.bins * 2, 1, pairs(out));
  }
  return Status::ok;
}

void prepare_stft(const KernelSite& site, TaskBuilder& builder) {
  const auto signal = site.inputs[0].dims, result = site.outputs[0].dims;
  StftArgs args;
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.batch = signal[0], args.length = signal[1], args.parts = signal[2];
  args.frames = result[1], args.bins = result[2];
  args.step = site.input_ints(1).at(0);
  args.n = site.has_input(3) ? site.input_ints(3).at(0) : site.has_input(2) ? site.inputs[2].dims[0] : args.length;
  const FftChunks split(args.batch * args.frames, args.n, numbers_each);
  args.chunks = split.chunks;
  auto task = builder.append(run_stft, args, args.chunks).input(&StftArgs::signal, 0).output(&StftArgs::y, 0);
  task.workspace(&StftArgs::scratch, split.scratch_bytes);
  if (site.has_input(2)) task.input(&StftArgs::window, 2);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "STFT", "", "frame by frame", {.supports = takes<dtypes::floats>, .prepare = prepare_stft});

}  // namespace ge::reference

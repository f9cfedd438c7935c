// LRN (ONNX 13), x[n, channels, inner]:
//   y = x / (bias + alpha / size * sum of x² over channels c - floor((size - 1) / 2) to c + ceil((size - 1) / 2))^beta
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cmath>

namespace ge::reference {
namespace {

struct LrnArgs {
  const void* x = nullptr;
  void* y = nullptr;
  LoadDoubles load = nullptr;
  StoreDoubles store = nullptr;
  double factor = 0, beta = 0, bias = 0;  ///< factor = alpha / size
  int64_t images = 1, channels = 1, inner = 1;
  int64_t before = 0, after = 0;          ///< neighbours that count, besides the channel itself
  uint32_t chunks = 1;
};

Status run_lrn(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const LrnArgs*>(args);
  const Range images = chunk_range(a.images, a.chunks, chunk);
  double block[block_size], squares[block_size];
  for (int64_t image = images.first; image < images.last; ++image) {
    const int64_t c = image % a.channels, first_image = image - c;
    const int64_t first = std::max<int64_t>(c - a.before, 0), last = std::min(c + a.after, a.channels - 1);
    for (int64_t i = 0; i < a.inner; i += block_size) {
      const int64_t count = std::min(block_size, a.inner - i);
      std::fill_n(squares, count, 0.0);
      for (int64_t other = first; other <= last; ++other) {
        a.load(a.x, (first_image + other) * a.inner + i, count, 1, block);
        for (int64_t j = 0; j < count; ++j) squares[j] += block[j] * block[j];
      }
      a.load(a.x, image * a.inner + i, count, 1, block);
      for (int64_t j = 0; j < count; ++j) block[j] /= std::pow(a.bias + a.factor * squares[j], a.beta);
      a.store(a.y, image * a.inner + i, count, 1, block);
    }
  }
  return Status::ok;
}

void prepare_lrn(const KernelSite& site, TaskBuilder& builder) {
  const int64_t size = site.attributes.need_int("size");
  if (size < 1) throw Error(ErrorCode::invalid_model, "LRN: attribute 'size' is " + std::to_string(size) + ", expected at least 1");
  const Dims dims = make_dims(site.inputs[0].dims);
  if (site.outputs[0].count == 0) return;
  LrnArgs args;
  args.load = double_loader(site.inputs[0].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.factor = static_cast<double>(site.attributes.get_float("alpha", 1e-4f)) / static_cast<double>(size);
  args.beta = static_cast<double>(site.attributes.get_float("beta", 0.75f));
  args.bias = static_cast<double>(site.attributes.get_float("bias", 1.0f));
  args.channels = dims.size[1];
  args.images = count_of(dims, 0, 2);
  args.inner = count_of(dims, 2, dims.rank);
  args.before = std::min((size - 1) / 2, args.channels);
  args.after = std::min(size - 1 - (size - 1) / 2, args.channels);
  args.chunks = std::min(chunks_for(site.inputs[0].count * 50), static_cast<uint32_t>(std::clamp<int64_t>(args.images, 1, 64)));
  builder.append(run_lrn, args, args.chunks).input(&LrnArgs::x, 0).output(&LrnArgs::y, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "LRN", "", "divided by a power of the squares of neighbouring channels", {.supports = takes<dtypes::floats>, .prepare = prepare_lrn});

}  // namespace ge::reference

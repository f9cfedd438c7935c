// InstanceNormalization (ONNX 22): each channel of each image, x[image, each], to mean 0 and variance 1 (divided by the
// number of elements), then scaled and moved by its channel's scale and bias.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cmath>

namespace ge::reference {
namespace {

struct InstanceNormArgs {
  const void* x = nullptr;
  const void* scale = nullptr;
  const void* bias = nullptr;
  void* y = nullptr;
  LoadDoubles load = nullptr, load_scale = nullptr, load_bias = nullptr;
  StoreDoubles store = nullptr;
  double epsilon = 0;
  int64_t images = 1, channels = 1, each = 1;
  uint32_t chunks = 1;
};

template <class Term>
double mean_over_image(const InstanceNormArgs& a, int64_t image, Term term) {
  double block[block_size], sum = 0;
  for (int64_t i = 0; i < a.each; i += block_size) {
    const int64_t count = std::min(block_size, a.each - i);
    a.load(a.x, image * a.each + i, count, 1, block);
    for (int64_t j = 0; j < count; ++j) sum += term(block[j]);
  }
  return sum / static_cast<double>(a.each);
}

Status run_instance_normalization(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const InstanceNormArgs*>(args);
  const Range images = chunk_range(a.images, a.chunks, chunk);
  double block[block_size];
  for (int64_t image = images.first; image < images.last; ++image) {
    const double mean = mean_over_image(a, image, [](double x) { return x; });
    const double variance = mean_over_image(a, image, [&](double x) { return (x - mean) * (x - mean); });
    double scale, bias;
    a.load_scale(a.scale, image % a.channels, 1, 1, &scale);
    a.load_bias(a.bias, image % a.channels, 1, 1, &bias);
    const double factor = scale / std::sqrt(variance + a.epsilon);
    for (int64_t i = 0; i < a.each; i += block_size) {
      const int64_t count = std::min(block_size, a.each - i);
      a.load(a.x, image * a.each + i, count, 1, block);
      for (int64_t j = 0; j < count; ++j) block[j] = (block[j] - mean) * factor + bias;
      a.store(a.y, image * a.each + i, count, 1, block);
    }
  }
  return Status::ok;
}

void prepare_instance_normalization(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const Dims dims = make_dims(site.inputs[0].dims);
  InstanceNormArgs args;
  args.load = double_loader(site.inputs[0].dtype);
  args.load_scale = double_loader(site.inputs[1].dtype);
  args.load_bias = double_loader(site.inputs[2].dtype);
  args.store = double_storer(site.outputs[0].dtype);
  args.epsilon = static_cast<double>(site.attributes.get_float("epsilon", 1e-5f));
  args.channels = dims.size[1];
  args.images = count_of(dims, 0, 2);
  args.each = count_of(dims, 2, dims.rank);
  args.chunks = std::min(chunks_for(site.inputs[0].count * 3), static_cast<uint32_t>(std::clamp<int64_t>(args.images, 1, 64)));
  using Args = InstanceNormArgs;
  builder.append(run_instance_normalization, args, args.chunks).input(&Args::x, 0).input(&Args::scale, 1).input(&Args::bias, 2).output(&Args::y, 0);
  builder.may_overwrite(0, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "InstanceNormalization", "", "per image and channel to mean 0 and variance 1, then scale and bias",
                    {.supports = all_take<dtypes::floats>, .prepare = prepare_instance_normalization});

}  // namespace ge::reference

// BatchNormalization: x[n, c, inner] scaled and moved per channel (ONNX BatchNormalization-15).
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cmath>

namespace ge::reference {
namespace {

struct BatchNormArgs {
  const void* x = nullptr;
  const void* scale = nullptr;
  const void* bias = nullptr;
  const void* mean = nullptr;
  const void* variance = nullptr;
  void* y = nullptr;
  void* running_mean = nullptr;
  void* running_variance = nullptr;
  LoadDoubles load_x = nullptr, load_scale = nullptr, load_statistic = nullptr;
  StoreDoubles store_y = nullptr, store_statistic = nullptr;
  double epsilon = 0, momentum = 0;
  int64_t n = 1, c = 1, inner = 1;
  uint32_t chunks = 1;
};

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias for image `n` of channel `c`.
void normalize(const BatchNormArgs& a, int64_t n, int64_t c, double mean, double variance) {
  double scale, bias, block[block_size];
  a.load_scale(a.scale, c, 1, 1, &scale);
  a.load_scale(a.bias, c, 1, 1, &bias);
  const double factor = scale / std::sqrt(variance + a.epsilon);
  const int64_t first = (n * a.c + c) * a.inner;
  for (int64_t i = 0; i < a.inner; i += block_size) {
    const int64_t count = std::min(block_size, a.inner - i);
    a.load_x(a.x, first + i, count, 1, block);
    for (int64_t j = 0; j < count; ++j) block[j] = (block[j] - mean) * factor + bias;
    a.store_y(a.y, first + i, count, 1, block);
  }
}

Status run_inference(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const BatchNormArgs*>(args);
  const Range images = chunk_range(a.n * a.c, a.chunks, chunk);
  for (int64_t image = images.first; image < images.last; ++image) {
    double mean, variance;
    a.load_statistic(a.mean, image % a.c, 1, 1, &mean);
    a.load_statistic(a.variance, image % a.c, 1, 1, &variance);
    normalize(a, image / a.c, image % a.c, mean, variance);
  }
  return Status::ok;
}

/// training_mode = 1: the statistics are the batch's own (the variance divides by the number of elements), and the
/// running ones move towards them: running * momentum + current * (1 - momentum).
Status run_training(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const BatchNormArgs*>(args);
  const Range channels = chunk_range(a.c, a.chunks, chunk);
  double block[block_size];
  for (int64_t c = channels.first; c < channels.last; ++c) {
    const auto sum_over_channel = [&](auto term) {
      double sum = 0;
      for (int64_t n = 0; n < a.n; ++n)
        for (int64_t i = 0; i < a.inner; i += block_size) {
          const int64_t count = std::min(block_size, a.inner - i);
          a.load_x(a.x, (n * a.c + c) * a.inner + i, count, 1, block);
          for (int64_t j = 0; j < count; ++j) sum += term(block[j]);
        }
      return sum / static_cast<double>(a.n * a.inner);
    };
    const double mean = sum_over_channel([](double x) { return x; });
    const double variance = sum_over_channel([&](double x) { return (x - mean) * (x - mean); });
    const auto move = [&](const void* old, void* running, double current) {
      if (running == nullptr) return;
      double value;
      a.load_statistic(old, c, 1, 1, &value);
      value = value * a.momentum + current * (1 - a.momentum);
      a.store_statistic(running, c, 1, 1, &value);
    };
    move(a.mean, a.running_mean, mean);
    move(a.variance, a.running_variance, variance);
    for (int64_t n = 0; n < a.n; ++n) normalize(a, n, c, mean, variance);
  }
  return Status::ok;
}

void prepare_batch_normalization(const KernelSite& site, TaskBuilder& builder) {
  const Dims dims = make_dims(site.inputs[0].dims);
  const bool training = site.attributes.get_int("training_mode", 0) != 0;
  BatchNormArgs args;
  args.load_x = double_loader(site.inputs[0].dtype);
  args.load_scale = double_loader(site.inputs[1].dtype);
  args.load_statistic = double_loader(site.inputs[3].dtype);
  args.store_y = double_storer(site.outputs[0].dtype);
  args.store_statistic = double_storer(site.inputs[3].dtype);
  args.epsilon = static_cast<double>(site.attributes.get_float("epsilon", 1e-5f));
  args.momentum = static_cast<double>(site.attributes.get_float("momentum", 0.9f));
  // One axis: images of one element and one channel.
  args.n = dims.rank > 0 ? dims.size[0] : 1;
  args.c = dims.rank > 1 ? dims.size[1] : 1;
  args.inner = dims.rank > 2 ? count_of(dims, 2, dims.rank) : 1;
  const int64_t parts = training ? args.c : args.n * args.c;
  args.chunks = std::min(chunks_for(site.inputs[0].count * 2), static_cast<uint32_t>(std::clamp<int64_t>(parts, 1, 64)));
  using Args = BatchNormArgs;
  auto task = builder.append(training ? run_training : run_inference, args, args.chunks);
  task.input(&Args::x, 0).input(&Args::scale, 1).input(&Args::bias, 2).input(&Args::mean, 3).input(&Args::variance, 4).output(&Args::y, 0);
  if (training && site.has_output(1)) task.output(&Args::running_mean, 1);
  if (training && site.has_output(2)) task.output(&Args::running_variance, 2);
  builder.may_overwrite(0, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "BatchNormalization", "", "per channel to mean 0 and variance 1, then scale and bias",
                    {.supports = all_take<dtypes::floats>, .prepare = prepare_batch_normalization});

}  // namespace ge::reference

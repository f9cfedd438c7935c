// Dropout (ONNX 22): elements set to 0 at random while training, and the others scaled up; else the same tensor.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/random_stream.hpp"

#include <algorithm>
#include <cstring>

namespace ge::reference {
namespace {

struct DropoutArgs {
  const void* x = nullptr;
  const void* ratio = nullptr;        ///< null: 0.5
  const uint8_t* training = nullptr;  ///< null: false
  void* y = nullptr;                  ///< null: is the input
  uint8_t* mask = nullptr;            ///< null: not wanted
  RandomSource source;
  LoadDoubles load = nullptr, load_ratio = nullptr;
  StoreDoubles store = nullptr;
  int64_t count = 0, bytes_each = 0;
  uint32_t chunks = 1;
};

void keep_all(const DropoutArgs& a, Range range) noexcept {
  const auto bytes = static_cast<size_t>((range.last - range.first) * a.bytes_each);
  const int64_t first = range.first * a.bytes_each;
  if (a.y != nullptr && a.y != a.x && bytes > 0) std::memcpy(static_cast<std::byte*>(a.y) + first, static_cast<const std::byte*>(a.x) + first, bytes);
  if (a.mask != nullptr && bytes > 0) std::memset(a.mask + range.first, 1, static_cast<size_t>(range.last - range.first));
}

Status run_dropout(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const DropoutArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  double ratio = 0.5;
  if (a.ratio != nullptr) a.load_ratio(a.ratio, 0, 1, 1, &ratio);
  if (a.training == nullptr || *a.training == 0 || ratio == 0) return keep_all(a, range), Status::ok;
  if (!(ratio > 0 && ratio < 1)) return Status::invalid_value;
  const RandomStream stream(a.source);
  const double scale = 1 / (1 - ratio);
  double block[block_size];
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = std::min(block_size, range.last - i);
    a.load(a.x, i, n, 1, block);
    for (int64_t j = 0; j < n; ++j) {
      const bool kept = stream.uniform(i + j) >= ratio;
      block[j] *= kept ? scale : 0;  // a NaN stays one, as the formula has it
      if (a.mask != nullptr) a.mask[i + j] = kept;
    }
    a.store(a.y, i, n, 1, block);
  }
  return Status::ok;
}

/// Is it known before the run that nothing is dropped?
bool never_drops(const KernelSite& site) {
  return !site.has_input(2) || (site.inputs[2].content != nullptr && site.inputs[2].count == 1 && site.inputs[2].content[0] == std::byte{0});
}

void prepare_dropout(const KernelSite& site, TaskBuilder& builder) {
  const bool same = never_drops(site);
  if (same) builder.alias(0, 0);
  if (same && !site.has_output(1)) return;
  DropoutArgs args;
  args.count = site.inputs[0].count;
  args.bytes_each = element_size(site.inputs[0].dtype);
  args.chunks = chunks_for(times(args.count, same ? 1 : 32));
  if (!same) {
    args.source = random_source(site);
    args.load = double_loader(site.inputs[0].dtype);
    args.store = double_storer(site.inputs[0].dtype);
  }
  const bool reads_ratio = !same && site.has_input(1);
  if (reads_ratio) args.load_ratio = double_loader(site.inputs[1].dtype);
  auto task = builder.append(run_dropout, args, args.chunks);
  if (site.has_output(1)) task.output(&DropoutArgs::mask, 1);
  if (same) return;
  task.input(&DropoutArgs::x, 0).input(&DropoutArgs::training, 2).output(&DropoutArgs::y, 0);
  if (reads_ratio) task.input(&DropoutArgs::ratio, 1);
  builder.may_overwrite(0, 0);
}

/// Without a third input any dtype; else those that can be computed with.
bool drops(const KernelQuery& query) {
  const auto present = [&](size_t i) { return i < query.inputs.size() && query.inputs[i] != DType::undefined; };
  return present(0) && (!present(2) || (double_loader(query.inputs[0]) != nullptr && (!present(1) || double_loader(query.inputs[1]) != nullptr)));
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Dropout", "", "elements dropped at random while training", {.supports = drops, .prepare = prepare_dropout});

}  // namespace ge::reference

// ArrayFeatureExtractor (ai.onnx.ml 1): elements picked along the last axis. Indices count from 0; there are no negative ones.
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/element.hpp"

namespace ge::reference {
namespace {

/// x[rows, width], indices[n] -> z[rows, n].
struct ExtractArgs {
  const std::byte* x = nullptr;
  const int64_t* indices = nullptr;
  std::byte* z = nullptr;
  CopyElements copy = nullptr;
  int64_t element_size = 1, rows = 1, width = 1, n = 0;
  uint32_t chunks = 1;
};

Status run_extract(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const ExtractArgs*>(args);
  const Range range = chunk_range(a.rows * a.n, a.chunks, chunk);
  for (int64_t i = range.first; i < range.last; ++i) {
    const int64_t index = a.indices[i % a.n];
    if (index < 0 || index >= a.width) return Status::index_out_of_range;
    a.copy(a.z + i * a.element_size, 1, a.x + (i / a.n * a.width + index) * a.element_size, 1, 1);
  }
  return Status::ok;
}

void prepare_extract(const KernelSite& site, TaskBuilder& builder) {
  const Dims x = make_dims(site.inputs[0].dims);
  ExtractArgs args;
  args.element_size = element_size(site.inputs[0].dtype);
  args.copy = copier(args.element_size);
  args.width = x.size[x.rank - 1];
  args.n = site.inputs[1].count;
  args.rows = args.n == 0 ? 0 : site.outputs[0].count / args.n;
  args.chunks = chunks_for(times(site.outputs[0].count, 4));
  builder.append(run_extract, args, args.chunks).input(&ExtractArgs::x, 0).input(&ExtractArgs::indices, 1).output(&ExtractArgs::z, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "ai.onnx.ml", "ArrayFeatureExtractor", "", "elements picked along the last axis", {.prepare = prepare_extract});

}  // namespace ge::reference

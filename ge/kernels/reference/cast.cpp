// Cast and CastLike (ONNX Cast-28). The rules of conversion are those of element.hpp: numbers go through the 64-bit type
// of their kind, so each is rounded once.
#include "ge/kernels/reference/cast.hpp"

#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

template <class T>
struct CastArgs {
  const void* x = nullptr;
  void* y = nullptr;
  LoadBlock<T> load = nullptr;
  StoreBlock<T> store = nullptr;
  int64_t count = 0;
  uint32_t chunks = 1;
};

template <class T>
Status run_cast(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const CastArgs<T>*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  T block[block_size];
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = std::min(block_size, range.last - i);
    a.load(a.x, i, n, 1, block);
    a.store(a.y, i, n, 1, block);
  }
  return Status::ok;
}

template <class T>
void append_cast(const KernelSite& site, TaskBuilder& builder) {
  const DType from = site.inputs[0].dtype, to = site.outputs[0].dtype;
  CastArgs<T> args{nullptr, nullptr, loader<T>(from), storer<T>(to), site.outputs[0].count, chunks_for(site.outputs[0].count * 2)};
  builder.append(run_cast<T>, args, args.chunks).input(&CastArgs<T>::x, 0).output(&CastArgs<T>::y, 0);
  if (bits_of(from) == bits_of(to)) builder.may_overwrite(0, 0);
}

void prepare_cast(const KernelSite& site, TaskBuilder& builder) {
  const DType from = site.inputs[0].dtype, to = site.outputs[0].dtype;
  if (from == to) builder.alias(0, 0);
  else if (from == DType::string || to == DType::string) append_string_cast(site, builder);
  else if (is_float(from)) append_cast<double>(site, builder);
  else if (from == DType::uint64) append_cast<uint64_t>(site, builder);
  else append_cast<int64_t>(site, builder);
}

bool supports_cast(const KernelQuery& query) {
  constexpr DTypeSet known = convertible | dtypes::string;
  return !query.inputs.empty() && !query.outputs.empty() && contains(known, query.inputs[0]) && contains(known, query.outputs[0]);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Cast", "", "the same values in another type", {.supports = supports_cast, .prepare = prepare_cast});
REGISTER_CPU_KERNEL("reference", "", "CastLike", "", "the same values in the type of another tensor", {.supports = supports_cast, .prepare = prepare_cast});

}  // namespace ge::reference

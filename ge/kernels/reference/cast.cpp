// Cast (ONNX 28), CastLike (25) and BitCast (26). The rules of conversion are those of element.hpp and small_float.hpp:
// numbers go through the 64-bit type of their kind, so each is rounded once.
#include "ge/kernels/reference/cast.hpp"

#include "ge/kernels/reference/convert.hpp"
#include "ge/kernels/reference/packed.hpp"
#include "ge/kernels/reference/redirect.hpp"

#include <algorithm>
#include <cstddef>

namespace ge::reference {
namespace {

template <class T>
struct CastArgs {
  const void* x = nullptr;
  void* y = nullptr;
  LoadBlock<T> load = nullptr;
  StoreBlock<T> store = nullptr;  ///< null: to `small`, with `rounding`
  int64_t count = 0;
  uint32_t chunks = 1;
  DType small = DType::undefined;
  SmallRounding rounding;
};

template <class T>
Status run_cast(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const CastArgs<T>*>(args);
  const Range range = whole_byte_range(a.count, a.chunks, chunk);
  T block[block_size];
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = std::min(block_size, range.last - i);
    a.load(a.x, i, n, 1, block);
    if (a.store != nullptr) {
      a.store(a.y, i, n, 1, block);
    } else {
      uint8_t* y = static_cast<uint8_t*>(a.y) + i;
      for (int64_t j = 0; j < n; ++j) y[j] = small_float_code(a.small, widen_to_odd(block[j]), a.rounding);
    }
  }
  return Status::ok;
}

SmallRounding rounding_of(const Attributes& attributes) {
  SmallRounding rounding;
  rounding.saturate = attributes.get_int("saturate", 1) != 0;
  const std::string mode = attributes.get_string("round_mode", "up");
  rounding.scale = mode == "down" ? ScaleRounding::down : mode == "nearest" ? ScaleRounding::nearest : ScaleRounding::up;
  return rounding;
}

template <class T>
void append_cast(const KernelSite& site, TaskBuilder& builder, CastEnd from, CastEnd to) {
  CastArgs<T> args{nullptr, nullptr, loader<T>(from.dtype), nullptr, site.outputs[0].count, chunks_for(site.outputs[0].count * 2), DType::undefined, {}};
  if (contains(dtypes::float8 | dtype_bit(DType::float8e8m0), to.dtype)) args.small = to.dtype, args.rounding = rounding_of(site.attributes);
  else args.store = storer<T>(to.dtype);
  builder.append(run_cast<T>, args, args.chunks);
  bind(builder, offsetof(CastArgs<T>, x), from.slot);
  bind(builder, offsetof(CastArgs<T>, y), to.slot);
}

void prepare_cast(const KernelSite& site, TaskBuilder& builder) {
  const DType from = site.inputs[0].dtype, to = site.outputs[0].dtype;
  if (from == to) return builder.alias(0, 0);
  if (from == DType::string || to == DType::string) return append_string_cast(site, builder);
  append_number_cast(site, builder, {from, input_slot(0)}, {to, output_slot(0)});
  if (bits_of(from) == bits_of(to)) builder.may_overwrite(0, 0);
}

bool supports_cast(const KernelQuery& query) {
  constexpr DTypeSet known = convertible | small_types | dtypes::string;
  return !query.inputs.empty() && !query.outputs.empty() && contains(known, query.inputs[0]) && contains(known, query.outputs[0]);
}

void prepare_bit_cast(const KernelSite&, TaskBuilder& builder) { builder.alias(0, 0); }
bool supports_bit_cast(const KernelQuery& query) {
  return !query.inputs.empty() && !query.outputs.empty() && bits_of(query.inputs[0]) == bits_of(query.outputs[0]);
}

}  // namespace

void append_number_cast(const KernelSite& site, TaskBuilder& builder, CastEnd from, CastEnd to) {
  if (is_float(from.dtype)) append_cast<double>(site, builder, from, to);
  else if (from.dtype == DType::uint64) append_cast<uint64_t>(site, builder, from, to);
  else append_cast<int64_t>(site, builder, from, to);
}

REGISTER_CPU_KERNEL("reference", "", "Cast", "", "the same values in another type", {.supports = supports_cast, .prepare = prepare_cast});
REGISTER_CPU_KERNEL("reference", "", "CastLike", "", "the same values in the type of another tensor", {.supports = supports_cast, .prepare = prepare_cast});
REGISTER_CPU_KERNEL("reference", "", "BitCast", "", "the same bits as another type", {.supports = supports_bit_cast, .prepare = prepare_bit_cast});

}  // namespace ge::reference

// ConstantOfShape, Range, EyeLike: outputs that are made, not read.
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/packed.hpp"

#include <algorithm>
#include <cstring>

namespace ge::reference {
namespace {

struct FillArgs {
  std::byte* y = nullptr;
  CopyElements copy = nullptr;
  int64_t element_size = 1, count = 0;
  uint32_t chunks = 1;
  std::byte value[16] = {};
};
Status run_fill(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const FillArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  if (range.first < range.last) a.copy(a.y + range.first * a.element_size, 1, a.value, 0, range.last - range.first);
  return Status::ok;
}
/// The same with as many elements in one byte as go into it, and zeros where the last byte ends.
struct PackedFillArgs {
  uint8_t* y = nullptr;
  int64_t size = 0;
  uint8_t byte = 0, last_byte = 0;
};
Status run_packed_fill(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const PackedFillArgs*>(args);
  if (a.size == 0) return Status::ok;
  std::memset(a.y, a.byte, static_cast<size_t>(a.size));
  a.y[a.size - 1] = a.last_byte;
  return Status::ok;
}
void append_packed_fill(const SiteTensor& out, uint8_t code, TaskBuilder& builder) {
  const unsigned width = bits_of(out.dtype), per_byte = 8 / width;
  PackedFillArgs args;
  args.size = *bytes_for(out.dtype, out.count);
  unsigned byte = 0;
  for (unsigned i = 0; i < per_byte; ++i) byte |= (code & ((1u << width) - 1)) << (i * width);
  const auto in_last = static_cast<unsigned>(out.count % per_byte);
  args.byte = static_cast<uint8_t>(byte);
  args.last_byte = static_cast<uint8_t>(in_last == 0 ? byte : byte & ((1u << (in_last * width)) - 1));
  builder.append(run_packed_fill, args).output(&PackedFillArgs::y, 0);
}

/// ONNX ConstantOfShape-25: every element is `value`'s one element (float32 0 without it).
void prepare_constant_of_shape(const KernelSite& site, TaskBuilder& builder) {
  FillArgs args;
  if (const Tensor* value = site.attributes.get_tensor("value")) {
    if (value->dtype() != site.outputs[0].dtype || value->count() != 1)
      throw Error(ErrorCode::invalid_model, "ConstantOfShape: attribute value must have one element of type " + std::string(to_string(site.outputs[0].dtype)) +
                                                ", found " + std::string(to_string(value->dtype())) + dims_to_string(value->dims()));
    std::memcpy(args.value, value->bytes().data(), value->bytes().size());
  }
  if (contains(dtypes::packed, site.outputs[0].dtype)) return append_packed_fill(site.outputs[0], std::to_integer<uint8_t>(args.value[0]), builder);
  args.element_size = element_size(site.outputs[0].dtype);
  args.copy = copier(args.element_size);
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(args.count * args.element_size / 8);
  builder.append(run_fill, args, args.chunks).output(&FillArgs::y, 0);
}

template <class T>
struct RangeArgs {
  const void* start = nullptr;
  const void* delta = nullptr;
  void* y = nullptr;
  LoadBlock<T> load = nullptr;
  StoreBlock<T> store = nullptr;
  int64_t count = 0;
  uint32_t chunks = 1;
};
/// ONNX Range-27: start + i * delta, in double for floats (more than stash_type asks for), wrapping for integers.
template <class T>
Status run_range(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const RangeArgs<T>*>(args);
  T start, delta, block[block_size];
  a.load(a.start, 0, 1, 1, &start);
  a.load(a.delta, 0, 1, 1, &delta);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = std::min(block_size, range.last - i);
    for (int64_t j = 0; j < n; ++j) block[j] = start + static_cast<T>(i + j) * delta;
    a.store(a.y, i, n, 1, block);
  }
  return Status::ok;
}
template <class T>
void append_range(const KernelSite& site, TaskBuilder& builder) {
  using Args = RangeArgs<T>;
  Args args;
  args.load = loader<T>(site.inputs[0].dtype);
  args.store = storer<T>(site.outputs[0].dtype);
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(args.count);
  builder.append(run_range<T>, args, args.chunks).input(&Args::start, 0).input(&Args::delta, 2).output(&Args::y, 0);
}
void prepare_range(const KernelSite& site, TaskBuilder& builder) {
  if (is_float(site.inputs[0].dtype)) append_range<double>(site, builder);
  else append_range<uint64_t>(site, builder);
}

struct EyeArgs {
  void* y = nullptr;
  StoreInt64s store = nullptr;
  int64_t rows = 0, columns = 0, k = 0;
};
/// ONNX EyeLike-22: ones where column - row == k.
Status run_eye(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const EyeArgs*>(args);
  int64_t block[block_size];
  for (int64_t i = 0; i < a.rows * a.columns; i += block_size) {
    const int64_t n = std::min(block_size, a.rows * a.columns - i);
    for (int64_t j = 0; j < n; ++j) block[j] = (i + j) % a.columns - (i + j) / a.columns == a.k;
    a.store(a.y, i, n, 1, block);
  }
  return Status::ok;
}
void prepare_eye_like(const KernelSite& site, TaskBuilder& builder) {
  const std::span<const int64_t> dims = site.outputs[0].dims;
  if (dims.size() != 2) throw Error(ErrorCode::invalid_model, "EyeLike: the input is " + dims_to_string(dims) + ", expected two axes");
  builder.append(run_eye, EyeArgs{nullptr, int64_storer(site.outputs[0].dtype), dims[0], dims[1], site.attributes.get_int("k", 0)}).output(&EyeArgs::y, 0);
}
bool writes_convertible(const KernelQuery& query) { return !query.outputs.empty() && contains(convertible, query.outputs[0]); }

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "ConstantOfShape", "", "one value everywhere", {.prepare = prepare_constant_of_shape});
REGISTER_CPU_KERNEL("reference", "", "Range", "", "start + i delta", {.supports = takes<dtypes::numeric>, .prepare = prepare_range});
REGISTER_CPU_KERNEL("reference", "", "EyeLike", "", "ones on a diagonal", {.supports = writes_convertible, .prepare = prepare_eye_like});

}  // namespace ge::reference

#include "ge/kernels/reference/packed.hpp"

#include "ge/kernels/reference/convert.hpp"
#include "ge/kernels/reference/redirect.hpp"

#include <algorithm>
#include <cstddef>

namespace ge::reference {
namespace {

constexpr unsigned width_of(DType dtype) { return contains(dtype_set(DType::int2, DType::uint2), dtype) ? 2 : 4; }

template <DType D>
uint8_t code_at(const void* base, int64_t i) {
  constexpr unsigned width = width_of(D), per_byte = 8 / width;
  const unsigned byte = static_cast<const uint8_t*>(base)[i / per_byte];
  return static_cast<uint8_t>((byte >> (static_cast<unsigned>(i % per_byte) * width)) & ((1u << width) - 1));
}

template <DType D, class T>
T from_code(uint8_t code) {
  constexpr unsigned unused = 8 - width_of(D);
  if constexpr (D == DType::float4e2m1) return convert<T>(SmallFloat<D>{code});
  else if constexpr (is_signed_int(D)) return convert<T>(static_cast<int8_t>(static_cast<int8_t>(code << unused) >> unused));
  else return convert<T>(code);
}
template <DType D, class T>
uint8_t to_code(T value) {
  if constexpr (D == DType::float4e2m1) return convert<SmallFloat<D>>(value).code;
  else return convert<uint8_t>(value) & ((1u << width_of(D)) - 1);  // wraps to the width
}

template <DType D, class T>
void load_packed(const void* base, int64_t first, int64_t count, int64_t stride, T* out) noexcept {
  for (int64_t i = 0; i < count; ++i) out[i] = from_code<D, T>(code_at<D>(base, first + i * stride));
}
template <DType D, class T>
void store_packed(void* base, int64_t first, int64_t count, int64_t, const T* in) noexcept {
  constexpr int64_t width = width_of(D), per_byte = 8 / width;
  uint8_t* to = static_cast<uint8_t*>(base) + first / per_byte;
  for (int64_t i = 0; i < count; ++to) {
    unsigned byte = 0;
    for (int64_t at = 0; at < 8 && i < count; at += width) byte |= static_cast<unsigned>(to_code<D>(in[i++])) << at;
    *to = static_cast<uint8_t>(byte);
  }
}

template <class Result, class With>
Result by_packed_form(DType dtype, With with) {
  switch (dtype) {
    case DType::int4: return with.template operator()<DType::int4>();
    case DType::uint4: return with.template operator()<DType::uint4>();
    case DType::int2: return with.template operator()<DType::int2>();
    case DType::uint2: return with.template operator()<DType::uint2>();
    case DType::float4e2m1: return with.template operator()<DType::float4e2m1>();
    default: return Result{};
  }
}

/// One byte an element to packed elements, or back.
struct RepackArgs {
  const void* from = nullptr;
  void* to = nullptr;
  LoadUint64s load = nullptr;
  StoreUint64s store = nullptr;
  int64_t count = 0;
  uint32_t chunks = 1;
};
Status run_repack(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const RepackArgs*>(args);
  const Range range = whole_byte_range(a.count, a.chunks, chunk);
  uint64_t block[block_size];
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = range.last - i < block_size ? range.last - i : block_size;
    a.load(a.from, i, n, 1, block);
    a.store(a.to, i, n, 1, block);
  }
  return Status::ok;
}

/// The unsigned integer type of the same width: its elements are the codes.
DType codes_of(DType dtype) { return bits_of(dtype) == 2 ? DType::uint2 : DType::uint4; }

void append_repack(TaskBuilder& builder, int64_t count, DType from, DType to, Slot read, Slot written) {
  RepackArgs args{nullptr, nullptr, uint64_loader(from), uint64_storer(to), count, chunks_for(count * 2)};
  builder.append(run_repack, args, args.chunks);
  bind(builder, offsetof(RepackArgs, from), read);
  bind(builder, offsetof(RepackArgs, to), written);
}

/// The same tensor with one byte an element.
SiteTensor with_whole_bytes(SiteTensor tensor) {
  tensor.dtype = DType::uint8;
  tensor.content = nullptr;
  return tensor;
}
bool is_packed(const SiteTensor& tensor) { return tensor.present && contains(dtypes::packed, tensor.dtype); }

}  // namespace

template <class T>
LoadBlock<T> packed_loader(DType dtype) {
  return by_packed_form<LoadBlock<T>>(dtype, []<DType D>() -> LoadBlock<T> { return load_packed<D, T>; });
}
template <class T>
StoreBlock<T> packed_storer(DType dtype) {
  return by_packed_form<StoreBlock<T>>(dtype, []<DType D>() -> StoreBlock<T> { return store_packed<D, T>; });
}

template LoadBlock<double> packed_loader(DType);
template LoadBlock<float> packed_loader(DType);
template LoadBlock<int64_t> packed_loader(DType);
template LoadBlock<uint64_t> packed_loader(DType);
template StoreBlock<double> packed_storer(DType);
template StoreBlock<float> packed_storer(DType);
template StoreBlock<int64_t> packed_storer(DType);
template StoreBlock<uint64_t> packed_storer(DType);

void prepare_unpacked(const KernelSite& site, TaskBuilder& builder, PrepareFn prepare) {
  std::vector<SiteTensor> inputs(site.inputs.begin(), site.inputs.end()), outputs(site.outputs.begin(), site.outputs.end());
  if (std::none_of(inputs.begin(), inputs.end(), is_packed) && std::none_of(outputs.begin(), outputs.end(), is_packed)) return prepare(site, builder);
  Redirection to;
  for (size_t i = 0; i < inputs.size(); ++i) {
    to.inputs.push_back(input_slot(i));
    if (!is_packed(inputs[i])) continue;
    to.inputs[i] = new_workspace(builder, DType::uint8, inputs[i].count);
    append_repack(builder, inputs[i].count, codes_of(inputs[i].dtype), DType::uint8, input_slot(i), to.inputs[i]);
    inputs[i] = with_whole_bytes(inputs[i]);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    to.outputs.push_back(output_slot(i));
    if (!is_packed(outputs[i])) continue;
    to.outputs[i] = new_workspace(builder, DType::uint8, outputs[i].count);
    outputs[i] = with_whole_bytes(outputs[i]);
  }
  prepare_redirected({site.domain, site.op, site.node, site.attributes, inputs, outputs, site.target}, builder, prepare, to);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (is_packed(site.outputs[i])) append_repack(builder, outputs[i].count, DType::uint8, codes_of(site.outputs[i].dtype), to.outputs[i], output_slot(i));
}

}  // namespace ge::reference

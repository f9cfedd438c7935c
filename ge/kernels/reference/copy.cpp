#include "ge/kernels/reference/copy.hpp"

#include "ge/kernels/reference/element.hpp"

#include <cstring>

namespace ge::reference {
namespace {

struct Sixteen {
  uint64_t low, high;
};

template <class T>
void copy_elements(std::byte* to, int64_t to_step, const std::byte* from, int64_t from_step, int64_t count) noexcept {
  const T* source = reinterpret_cast<const T*>(from);
  T* target = reinterpret_cast<T*>(to);
  if (to_step == 1 && from_step == 1) {
    if (count > 0) std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
  } else {
    for (int64_t i = 0; i < count; ++i) std::memcpy(target + i * to_step, source + i * from_step, sizeof(T));
  }
}

struct CopyArgs {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  CopyElements copy = nullptr;
  int64_t to_first = 0, from_first = 0, element_size = 1, count = 0;
  uint32_t chunks = 1;
  CopyNest nest;
};

Status run_copy(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const CopyArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  const int32_t inner = a.nest.rank - 1;
  return for_each_run(a.nest, range.first, range.last, [&](int64_t, const int64_t* offsets, int64_t count) {
    a.copy(a.to + (a.to_first + offsets[0]) * a.element_size, a.nest.step[0][inner],
           a.from + (a.from_first + offsets[1]) * a.element_size, a.nest.step[1][inner], count);
    return Status::ok;
  });
}

}  // namespace

CopyElements copier(int64_t element_size) {
  switch (element_size) {
    case 1: return copy_elements<uint8_t>;
    case 2: return copy_elements<uint16_t>;
    case 4: return copy_elements<uint32_t>;
    case 8: return copy_elements<uint64_t>;
    case 16: return copy_elements<Sixteen>;
    default: throw Error(ErrorCode::unsupported, "the reference engine does not move elements of " + std::to_string(element_size) + " bytes");
  }
}

void append_copy(TaskBuilder& builder, DType dtype, CopyNest nest, int64_t to_first, int64_t from_first, CopyEnds ends) {
  CopyArgs args;
  args.nest = nest;
  args.nest.coalesce();
  args.count = args.nest.count();
  if (args.count == 0) return;
  args.element_size = element_size(dtype);
  args.copy = copier(args.element_size);
  args.to_first = to_first;
  args.from_first = from_first;
  args.chunks = chunks_for(args.count * args.element_size / 8);
  builder.append(run_copy, args, args.chunks).input(&CopyArgs::from, ends.input).output(&CopyArgs::to, ends.output);
}

void append_copy(TaskBuilder& builder, DType dtype, const Dims& dims, const Layout& from, const Layout& to, CopyEnds ends) {
  CopyNest nest;
  nest.set_dims(dims);
  nest.set_steps(0, to.strides);
  nest.set_steps(1, from.strides);
  append_copy(builder, dtype, nest, to.first, from.first, ends);
}

bool in_one_piece(const Dims& dims, const Strides& strides) {
  const Strides own = row_major(dims);
  for (int32_t i = 0; i < dims.rank; ++i)
    if (dims.size[i] != 1 && strides.step[i] != own.step[i]) return false;
  return true;
}

}  // namespace ge::reference

// TensorScatter (ONNX 24): present[B,…,M,…] is past_cache with update[B,…,S,…] written over it along an axis, sample b from
// write_indices[b] on; in circular mode round the end.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

#include <cstring>

namespace ge::reference {
namespace {

struct TensorScatterArgs {
  const std::byte* past = nullptr;
  const std::byte* update = nullptr;
  const int64_t* write = nullptr;  ///< null: all from 0
  std::byte* present = nullptr;
  int64_t size_bytes = 0, bits = 8;
  int64_t samples = 1, rows_each = 1;  ///< rows[M, inner] of each sample
  int64_t room = 0, length = 0, inner = 1;
  bool circular = false;
};

/// Moves elements of less than a byte, the first in the lowest bits.
void move_bits(std::byte* to, int64_t first_to, const std::byte* from, int64_t first_from, int64_t count, int64_t bits) noexcept {
  const int64_t each = 8 / bits;
  const auto mask = static_cast<unsigned>((1 << bits) - 1);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t f = first_from + i, t = first_to + i;
    const unsigned value = (std::to_integer<unsigned>(from[f / each]) >> (f % each * bits)) & mask;
    const auto shift = static_cast<unsigned>(t % each * bits);
    to[t / each] = static_cast<std::byte>((std::to_integer<unsigned>(to[t / each]) & ~(mask << shift)) | (value << shift));
  }
}

void move(const TensorScatterArgs& a, int64_t to, int64_t from) noexcept {
  const int64_t size = a.bits / 8;
  if (size == 0) return move_bits(a.present, to, a.update, from, a.inner, a.bits);
  std::memcpy(a.present + to * size, a.update + from * size, static_cast<size_t>(a.inner * size));
}

/// In one chunk.
Status run_tensor_scatter(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const TensorScatterArgs*>(args);
  if (a.size_bytes > 0 && a.present != a.past) std::memcpy(a.present, a.past, static_cast<size_t>(a.size_bytes));
  if (a.size_bytes == 0 || a.length == 0) return Status::ok;
  for (int64_t sample = 0; sample < a.samples; ++sample) {
    int64_t first = a.write == nullptr ? 0 : a.write[sample];
    if (a.circular)
      first = (first % a.room + a.room) % a.room;
    else if (first < 0 || first > a.room - a.length)
      return Status::index_out_of_range;
    for (int64_t row = sample * a.rows_each; row < (sample + 1) * a.rows_each; ++row)
      for (int64_t i = 0, at = first; i < a.length; ++i, ++at) {
        if (at == a.room) at = 0;
        move(a, (row * a.room + at) * a.inner, (row * a.length + i) * a.inner);
      }
  }
  return Status::ok;
}

void prepare_tensor_scatter(const KernelSite& site, TaskBuilder& builder) {
  const Dims cache = make_dims(site.inputs[0].dims), update = make_dims(site.inputs[1].dims);
  const int32_t axis = normal_axis(site.attributes.get_int("axis", -2), cache.rank);
  for (int32_t i = 0; i < cache.rank; ++i)
    if (update.rank != cache.rank || axis == 0 || (i == axis ? update.size[i] > cache.size[i] : update.size[i] != cache.size[i]))
      throw Error(ErrorCode::invalid_argument, "TensorScatter: update of dims " + dims_to_string(site.inputs[1].dims) + " does not fit a cache of dims " +
                                                   dims_to_string(site.inputs[0].dims) + " along axis " + std::to_string(axis));
  if (site.has_input(2) && site.inputs[2].count != cache.size[0])
    throw Error(ErrorCode::invalid_argument, "TensorScatter: there are " + std::to_string(site.inputs[2].count) + " write indices for " + std::to_string(cache.size[0]) + " samples");
  TensorScatterArgs args;
  args.bits = bits_of(site.inputs[0].dtype);
  args.size_bytes = *bytes_for(site.inputs[0].dtype, site.inputs[0].count);
  args.samples = cache.size[0];
  args.rows_each = count_of(cache, 1, axis);
  args.room = cache.size[axis];
  args.length = update.size[axis];
  args.inner = count_of(cache, axis + 1, cache.rank);
  args.circular = site.attributes.get_string("mode", "linear") == "circular";
  using Args = TensorScatterArgs;
  auto task = builder.append(run_tensor_scatter, args).input(&Args::past, 0).input(&Args::update, 1).output(&Args::present, 0);
  if (site.has_input(2)) task.input(&Args::write, 2);
  builder.may_overwrite(0, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "TensorScatter", "", "a cache with new entries written in", {.prepare = prepare_tensor_scatter});

}  // namespace ge::reference

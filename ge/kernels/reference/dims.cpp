#include "ge/kernels/reference/dims.hpp"

#include <algorithm>

namespace ge::reference {

Dims make_dims(std::span<const int64_t> dims) {
  if (dims.size() > max_rank)
    throw Error(ErrorCode::unsupported, "a tensor has " + std::to_string(dims.size()) + " axes, expected at most " + std::to_string(max_rank));
  Dims out;
  out.rank = static_cast<int32_t>(dims.size());
  std::copy(dims.begin(), dims.end(), out.size);
  return out;
}

int64_t count_of(const Dims& dims, int32_t first, int32_t last) {
  int64_t count = 1;
  for (int32_t i = first; i < last; ++i) count = times(count, dims.size[i]);
  return count;
}

Strides row_major(const Dims& dims) {
  Strides strides;
  int64_t step = 1;
  for (int32_t i = dims.rank; i-- > 0;) {
    strides.step[i] = step;
    step = times(step, dims.size[i]);
  }
  return strides;
}

Strides broadcast_strides(const Dims& from, const Dims& to) {
  const Strides own = row_major(from);
  const int32_t shift = to.rank - from.rank;
  bool fits = shift >= 0;
  Strides strides;
  for (int32_t i = 0; i < from.rank && fits; ++i) {
    const int64_t have = from.size[i], want = to.size[i + shift];
    fits = have == want || have == 1;
    strides.step[i + shift] = have == 1 ? 0 : own.step[i];
  }
  if (!fits)
    throw Error(ErrorCode::invalid_argument, "dims " + dims_to_string({from.size, static_cast<size_t>(from.rank)}) + " do not stretch to " +
                                                 dims_to_string({to.size, static_cast<size_t>(to.rank)}) + ": each must be 1 or equal");
  return strides;
}

int32_t normal_axis(int64_t axis, int32_t rank) {
  if (axis < -rank || axis >= rank)
    throw Error(ErrorCode::invalid_argument, "axis " + std::to_string(axis) + " is out of range for a tensor with " + std::to_string(rank) + " axes");
  return static_cast<int32_t>(axis < 0 ? axis + rank : axis);
}

uint32_t chunks_for(int64_t work) {
  // A chunk of some 16 microseconds outweighs what starting it costs; 64 chunks keep any machine busy.
  return static_cast<uint32_t>(std::clamp<int64_t>(work / 16384, 1, 64));
}

}  // namespace ge::reference

#pragma once
#include "ge/kernels/reference/window.hpp"

namespace ge::reference {

/// Input position that tap `tap` of output `o` reads along an axis; -1 in the padding (Conv-22, DeformConv-22).
inline int64_t read_position(const WindowAxis& axis, int64_t o, int64_t tap) {
  const int64_t at = axis.position(o, tap);
  return at >= 0 && at < axis.input ? at : -1;
}
/// The window whose tap `tap` writes position `p` of the larger image along an axis: windows are counted by `input` here, the
/// image by `output`; -1 where there is none (ConvTranspose-22, Col2Im-18).
inline int64_t writing_position(const WindowAxis& axis, int64_t p, int64_t tap) {
  const int64_t at = p + axis.pad_begin - tap * axis.dilation;
  return at >= 0 && at % axis.stride == 0 && at / axis.stride < axis.input ? at / axis.stride : -1;
}

/// Position number `number` of a box with the outputs of `nest`, by axis.
inline void output_position(const WindowNest& nest, int64_t number, int64_t* at) {
  for (int32_t i = nest.rank; i-- > 0; number /= nest.axis[i].output) at[i] = number % nest.axis[i].output;
}

/// Calls `visit(tap number, input position number)` for each tap of output position `at` for which `position(axis, at, tap)`
/// is not -1 along any axis; any number of axes.
template <class Position, class Visit>
void for_each_window_tap(const WindowNest& nest, const int64_t* at, Position position, Visit&& visit) {
  int64_t tap[max_rank] = {};
  while (true) {
    int64_t number = 0, from = 0;
    int32_t i = 0;
    for (; i < nest.rank; ++i) {
      const int64_t place = position(nest.axis[i], at[i], tap[i]);
      if (place < 0) break;
      number = number * nest.axis[i].kernel + tap[i];
      from = from * nest.axis[i].input + place;
    }
    if (i == nest.rank)
      visit(number, from);
    else
      for (int32_t j = i + 1; j < nest.rank; ++j) tap[j] = nest.axis[j].kernel - 1;  // no tap behind this one fits either
    for (i = nest.rank - 1; i >= 0 && ++tap[i] == nest.axis[i].kernel; --i) tap[i] = 0;
    if (i < 0) return;
  }
}

}  // namespace ge::reference

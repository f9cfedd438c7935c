#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/window.hpp"

namespace ge::reference {

/// What the pools share: x[planes, d1, …, dr] -> y[planes, o1, …, or], a window per axis. The part of an argument block that
/// holds no pointers.
struct PoolShape {
  LoadDoubles load;
  StoreDoubles store;
  WindowNest window;  ///< at least one axis
  int64_t rows;       ///< rows of the output: planes and all axes but the last
  uint32_t chunks;

  int32_t outer() const { return window.rank - 1; }
  const WindowAxis& last_axis() const { return window.axis[window.rank - 1]; }
  int64_t plane_size() const {
    int64_t size = 1;
    for (int32_t i = 0; i < window.rank; ++i) size = times(size, window.axis[i].input);
    return size;
  }
};

/// Reads kernel_shape, strides, dilations, pads and auto_pad (MaxPool-22, AveragePool-22, LpPool-22).
inline PoolShape make_pool_shape(const KernelSite& site) {
  const auto x = site.inputs[0].dims, y = site.outputs[0].dims;
  PoolShape shape{};
  shape.load = double_loader(site.inputs[0].dtype);
  shape.store = double_storer(site.outputs[0].dtype);
  shape.window = read_padded_nest(site.attributes, x.subspan(2), y.subspan(2), site.attributes.get_ints("kernel_shape"));
  if (shape.window.rank == 0) shape.window.rank = 1;  // an image of no axes is one element
  shape.rows = y[0] * y[1];
  for (int32_t i = 0; i < shape.outer(); ++i) shape.rows *= shape.window.axis[i].output;
  double taps = 1;
  for (int32_t i = 0; i < shape.window.rank; ++i) taps *= static_cast<double>(shape.window.axis[i].kernel);
  shape.chunks = chunks_for_units(shape.rows, static_cast<double>(shape.last_axis().output) * (taps + 1));
  return shape;
}

/// A piece of an output row.
struct PoolPiece {
  int64_t plane;
  int64_t at[max_rank];  ///< position of its first output along each axis
  int64_t count;         ///< at most block_size
  int64_t first;         ///< number of its first output in the output tensor
};

/// Calls `compute(piece)` for each piece of the chunk's rows.
template <class Compute>
void for_each_piece(const PoolShape& shape, uint32_t chunk, Compute&& compute) {
  const int64_t length = shape.last_axis().output;
  const auto [first, last] = chunk_range(shape.rows, shape.chunks, chunk);
  for (int64_t row = first; row < last; ++row)
    for (int64_t start = 0; start < length; start += block_size) {
      PoolPiece piece;
      int64_t rest = row;
      for (int32_t i = shape.outer(); i-- > 0; rest /= shape.window.axis[i].output) piece.at[i] = rest % shape.window.axis[i].output;
      piece.plane = rest;
      piece.at[shape.outer()] = start;
      piece.count = std::min(block_size, length - start);
      piece.first = row * length + start;
      compute(static_cast<const PoolPiece&>(piece));
    }
}

/// One row of taps: those of the last axis, at the input positions `position` of the others. Calls
/// `take(j, count, values, position)` for each tap inside the image.
template <class Take>
void for_each_tap_of_row(const PoolShape& shape, const void* input, const PoolPiece& piece, int64_t* position, Take& take) {
  const int32_t outer = shape.outer();
  const WindowAxis& x = shape.last_axis();
  const int64_t start = piece.at[outer];
  int64_t row = piece.plane;
  for (int32_t i = 0; i < outer; ++i) row = row * shape.window.axis[i].input + position[i];
  double values[block_size];
  for (int64_t kx = x.taps_within(start + piece.count - 1, 0, x.input).first; kx < x.kernel; ++kx) {
    const Range inside = x.outputs_inside(kx);
    const int64_t low = std::max(inside.first, start), count = std::min(inside.last, start + piece.count) - low;
    if (count <= 0) {
      // The next tap that is inside belongs to the last output that still lies before the image, if there is one.
      const int64_t before = std::min(inside.first, start + piece.count) - 1;
      if (before < start) break;
      kx = x.taps_within(before, 0, x.input).first - 1;
      continue;
    }
    position[outer] = x.position(low, kx);
    shape.load(input, row * x.input + position[outer], count, x.stride, values);
    take(low - start, count, static_cast<const double*>(values), static_cast<const int64_t*>(position));
  }
}

/// Calls `take(j, count, values, position)` for each tap inside the image, in order of positions: outputs
/// j .. j + count - 1 of the piece read `values`; position[axis] is where the first of them lies in its plane, the others
/// follow along the last axis at distances of the stride. Taps in the padding cost nothing, however large the window is.
template <class Take>
void for_each_tap(const PoolShape& shape, const void* input, const PoolPiece& piece, Take&& take) {
  const int32_t outer = shape.outer();
  Range taps[max_rank];
  int64_t tap[max_rank], position[max_rank];
  for (int32_t i = 0; i < outer; ++i) {
    taps[i] = shape.window.axis[i].taps_within(piece.at[i], 0, shape.window.axis[i].input);
    if (taps[i].first >= taps[i].last) return;
    tap[i] = taps[i].first;
  }
  while (true) {
    for (int32_t i = 0; i < outer; ++i) position[i] = shape.window.axis[i].position(piece.at[i], tap[i]);
    for_each_tap_of_row(shape, input, piece, position, take);
    int32_t i = outer - 1;
    for (; i >= 0 && ++tap[i] == taps[i].last; --i) tap[i] = taps[i].first;
    if (i < 0) return;
  }
}

}  // namespace ge::reference

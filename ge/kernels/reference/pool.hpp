#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/window.hpp"

namespace ge::reference {

/// What the pools share: x[planes, z, y, x] -> y[planes, z, y, x], a window per axis. The part of an argument block that
/// holds no pointers.
struct PoolShape {
  LoadDoubles load;
  StoreDoubles store;
  Window window;
  int64_t rows;  ///< rows of the output: planes * z * y
  uint32_t chunks;
};

/// Reads kernel_shape, strides, dilations, pads and auto_pad (MaxPool-22, AveragePool-22, LpPool-22).
inline PoolShape make_pool_shape(const KernelSite& site) {
  const auto x = site.inputs[0].dims, y = site.outputs[0].dims;
  PoolShape shape{};
  shape.load = double_loader(site.inputs[0].dtype);
  shape.store = double_storer(site.outputs[0].dtype);
  shape.window = read_padded_window(site.attributes, x.subspan(2), y.subspan(2), site.attributes.get_ints("kernel_shape"));
  const auto& [wz, wy, wx] = shape.window;
  shape.rows = y[0] * y[1] * wz.output * wy.output;
  const double taps = static_cast<double>(wz.kernel) * static_cast<double>(wy.kernel) * static_cast<double>(wx.kernel);
  shape.chunks = chunks_for_units(shape.rows, static_cast<double>(wx.output) * (taps + 1));
  return shape;
}

/// A piece of an output row.
struct PoolPiece {
  int64_t plane, z, y, x;  ///< of its first output
  int64_t count;           ///< at most block_size
  int64_t first;           ///< number of its first output in the output tensor
};

/// Calls `compute(piece)` for each piece of the chunk's rows.
template <class Compute>
void for_each_piece(const PoolShape& shape, uint32_t chunk, Compute&& compute) {
  const auto& [z, y, x] = shape.window;
  const auto [first, last] = chunk_range(shape.rows, shape.chunks, chunk);
  for (int64_t row = first; row < last; ++row)
    for (int64_t start = 0; start < x.output; start += block_size)
      compute(PoolPiece{row / (y.output * z.output), row / y.output % z.output, row % y.output, start, std::min(block_size, x.output - start),
                        row * x.output + start});
}

/// Calls `take(j, count, values, position)` for each tap inside the image, in order of positions: outputs
/// j .. j + count - 1 of the piece read `values`; position[3] is where the first of them lies in its plane, the others
/// follow at distances of the stride. Taps in the padding cost nothing, however large the window is.
template <class Take>
void for_each_tap(const PoolShape& shape, const void* input, const PoolPiece& piece, Take&& take) {
  const auto& [z, y, x] = shape.window;
  const Range tz = z.taps_within(piece.z, 0, z.input), ty = y.taps_within(piece.y, 0, y.input);
  double values[block_size];
  for (int64_t kz = tz.first; kz < tz.last; ++kz)
    for (int64_t ky = ty.first; ky < ty.last; ++ky)
      for (int64_t kx = x.taps_within(piece.x + piece.count - 1, 0, x.input).first; kx < x.kernel; ++kx) {
        const Range inside = x.outputs_inside(kx);
        const int64_t low = std::max(inside.first, piece.x), count = std::min(inside.last, piece.x + piece.count) - low;
        if (count <= 0) {
          // The next tap that is inside belongs to the last output that still lies before the image, if there is one.
          const int64_t before = std::min(inside.first, piece.x + piece.count) - 1;
          if (before < piece.x) break;
          kx = x.taps_within(before, 0, x.input).first - 1;
          continue;
        }
        const int64_t position[max_spatial] = {z.position(piece.z, kz), y.position(piece.y, ky), x.position(low, kx)};
        const int64_t at = ((piece.plane * z.input + position[0]) * y.input + position[1]) * x.input + position[2];
        shape.load(input, at, count, x.stride, values);
        take(low - piece.x, count, static_cast<const double*>(values), position);
      }
}

}  // namespace ge::reference

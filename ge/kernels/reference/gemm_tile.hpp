#pragma once
#include <algorithm>
#include <cstdint>

namespace ge::reference {

// The product that MatMul, Gemm, Conv and ConvTranspose are made of, one tile of the result at a time:
//   sum[rows, columns] = a[rows, depth] * b[depth, columns]
// Operands are brought into small dense arrays by the caller's loaders (which convert, transpose, pad, gather), so that
// the loop that counts runs over contiguous numbers in cache. Each element is the sum over k = 0, 1, 2, … in this order,
// wherever it lies in the tile: a value never depends on its position (CR-9).

inline constexpr int64_t tile_rows = 32, tile_columns = 32, tile_depth = 64;

/// Working memory of one tile: 40 KiB, lives on the stack of the chunk that computes it.
template <class T>
struct ProductTile {
  alignas(64) T a[tile_rows * tile_depth];     ///< a[row][k]
  alignas(64) T b[tile_depth * tile_columns];  ///< b[k][column]
  alignas(64) T sum[tile_rows * tile_columns]; ///< sum[row][column]
};

/// sum[Rows, 4] += a[Rows, depth] * b[depth, 4], with the sums in registers.
template <int Rows, class T>
inline void add_products(const T* a, const T* b, int64_t depth, T* sum) {
  constexpr int width = 4;
  T part[Rows][width];
  for (int r = 0; r < Rows; ++r)
    for (int j = 0; j < width; ++j) part[r][j] = sum[r * tile_columns + j];
  for (int64_t k = 0; k < depth; ++k)
    for (int r = 0; r < Rows; ++r) {
      const T left = a[r * tile_depth + k];
      for (int j = 0; j < width; ++j) part[r][j] += left * b[k * tile_columns + j];
    }
  for (int r = 0; r < Rows; ++r)
    for (int j = 0; j < width; ++j) sum[r * tile_columns + j] = part[r][j];
}

/// Computes tile.sum. `load_a(k, count, a)` writes a[row][0..count) for all rows, `load_b(k, count, b)` writes
/// b[0..count)[column] for all columns; both for depth positions k .. k + count. rows <= tile_rows,
/// columns <= tile_columns.
template <class T, class LoadA, class LoadB>
void product_tile(ProductTile<T>& tile, int64_t rows, int64_t columns, int64_t depth, LoadA&& load_a, LoadB&& load_b) {
  std::fill_n(tile.sum, rows * tile_columns, T{});
  const int64_t padded = (columns + 3) / 4 * 4;
  for (int64_t k = 0; k < depth; k += tile_depth) {
    const int64_t count = std::min(tile_depth, depth - k);
    load_a(k, count, tile.a);
    load_b(k, count, tile.b);
    if (padded != columns)
      for (int64_t i = 0; i < count; ++i) std::fill(tile.b + i * tile_columns + columns, tile.b + i * tile_columns + padded, T{});
    for (int64_t column = 0; column < columns; column += 4) {
      int64_t row = 0;
      for (; row + 4 <= rows; row += 4)
        add_products<4>(tile.a + row * tile_depth, tile.b + column, count, tile.sum + row * tile_columns + column);
      for (; row < rows; ++row)
        add_products<1>(tile.a + row * tile_depth, tile.b + column, count, tile.sum + row * tile_columns + column);
    }
  }
}

}  // namespace ge::reference

#include "ge/kernels/reference/gemm.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/gemm_tile.hpp"

#include <cmath>

namespace ge::reference {
namespace {

template <class T>
struct ProductArgs {
  const void *a, *b, *c;
  void* y;
  LoadBlock<T> load;
  StoreBlock<T> store;
  MatrixProduct product;
  int64_t row_tiles, column_tiles, tiles;  ///< tiles: of all batches
  MatrixSteps y_steps;
  T alpha, beta;
  bool plain;  ///< y is the product itself
  uint32_t chunks;
};

template <class T>
void store_tile(const ProductArgs<T>& args, ProductTile<T>& tile, int64_t batch, int64_t row, int64_t column, int64_t rows, int64_t columns) {
  const MatrixProduct& p = args.product;
  for (int64_t r = 0; r < rows; ++r) {
    T* sum = tile.sum + r * tile_columns;
    if (!args.plain) {
      for (int64_t j = 0; j < columns; ++j) sum[j] *= args.alpha;
      if (p.has_c) {
        T c[tile_columns];
        args.load(args.c, (row + r) * p.c.row + column * p.c.column, columns, p.c.column, c);
        for (int64_t j = 0; j < columns; ++j) sum[j] += args.beta * c[j];
      }
    }
    const int64_t first = batch * p.rows * p.columns + (row + r) * args.y_steps.row + column * args.y_steps.column;
    args.store(args.y, first, columns, args.y_steps.column, sum);
  }
}

template <class T>
Status run_product(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const ProductArgs<T>*>(block);
  const MatrixProduct& p = args.product;
  const auto [first, last] = chunk_range(args.tiles, args.chunks, chunk);
  ProductTile<T> tile;
  for (int64_t n = first; n < last; ++n) {
    const int64_t column = n % args.column_tiles * tile_columns;
    const int64_t row = n / args.column_tiles % args.row_tiles * tile_rows;
    const int64_t batch = n / (args.column_tiles * args.row_tiles);
    const int64_t rows = std::min(tile_rows, p.rows - row), columns = std::min(tile_columns, p.columns - column);
    int64_t a_start = row * p.a.row, b_start = column * p.b.column;
    for (int64_t rest = batch, i = p.batches.rank; i-- > 0; rest /= p.batches.size[i]) {
      a_start += rest % p.batches.size[i] * p.batches.step[0][i];
      b_start += rest % p.batches.size[i] * p.batches.step[1][i];
    }
    product_tile(
        tile, rows, columns, p.depth,
        [&](int64_t k, int64_t count, T* a) {
          for (int64_t r = 0; r < rows; ++r) args.load(args.a, a_start + r * p.a.row + k * p.a.column, count, p.a.column, a + r * tile_depth);
        },
        [&](int64_t k, int64_t count, T* b) {
          for (int64_t i = 0; i < count; ++i) args.load(args.b, b_start + (k + i) * p.b.row, columns, p.b.column, b + i * tile_columns);
        });
    store_tile(args, tile, batch, row, column, rows, columns);
  }
  return Status::ok;
}

template <class T>
void append_typed(TaskBuilder& builder, const MatrixProduct& p, MatrixSteps y_steps, bool swapped, LoadBlock<T> load, StoreBlock<T> store) {
  ProductArgs<T> args{};
  args.load = load;
  args.store = store;
  args.product = p;
  args.y_steps = y_steps;
  args.row_tiles = (p.rows + tile_rows - 1) / tile_rows;
  args.column_tiles = (p.columns + tile_columns - 1) / tile_columns;
  args.tiles = p.batches.count() * args.row_tiles * args.column_tiles;
  if constexpr (std::is_same_v<T, double>) {
    args.alpha = p.alpha;
    args.beta = p.beta;
  } else {  // whole numbers here; negative ones wrap
    args.alpha = static_cast<T>(static_cast<int64_t>(p.alpha));
    args.beta = static_cast<T>(static_cast<int64_t>(p.beta));
  }
  args.plain = p.alpha == 1 && !p.has_c;
  // About a quarter of a nanosecond per multiplication; loading costs more than that for few rows.
  const double elements = static_cast<double>(std::min(p.rows, tile_rows) * std::min(p.columns, tile_columns));
  args.chunks = chunks_for_units(args.tiles, elements * static_cast<double>(p.depth + 8) / 4 + 64);
  auto task = builder.append(run_product<T>, args, args.chunks);
  task.input(&ProductArgs<T>::a, swapped ? 1 : 0).input(&ProductArgs<T>::b, swapped ? 0 : 1).output(&ProductArgs<T>::y, 0);
  if (p.has_c) task.input(&ProductArgs<T>::c, 2);
}

}  // namespace

void append_product(TaskBuilder& builder, MatrixProduct p) {
  if (p.rows == 0 || p.columns == 0 || p.batches.count() == 0) return;  // no elements
  MatrixSteps y_steps{p.columns, 1};
  // One column fills tiles badly: compute the transposed product, y^T = b^T a^T.
  const bool swapped = p.columns == 1 && p.rows > 1;
  if (swapped) {
    std::swap(p.rows, p.columns);
    const MatrixSteps a = p.a;
    p.a = {p.b.column, p.b.row};
    p.b = {a.column, a.row};
    std::swap(p.c.row, p.c.column);
    y_steps = {1, 1};
    for (int32_t i = 0; i < p.batches.rank; ++i) std::swap(p.batches.step[0][i], p.batches.step[1][i]);
  }
  // Integers wrap in 64 bits (what is stored are the low bits, whatever the width). Gemm with a fractional alpha or
  // beta on integers computes in double and truncates.
  const bool whole = std::floor(p.alpha) == p.alpha && std::floor(p.beta) == p.beta && std::fabs(p.alpha) < 0x1p62 && std::fabs(p.beta) < 0x1p62;
  if (is_int(p.dtype) && whole)
    append_typed<uint64_t>(builder, p, y_steps, swapped, uint64_loader(p.dtype), uint64_storer(p.dtype));
  else
    append_typed<double>(builder, p, y_steps, swapped, double_loader(p.dtype), double_storer(p.dtype));
}

}  // namespace ge::reference

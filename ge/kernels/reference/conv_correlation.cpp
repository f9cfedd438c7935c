#include "ge/kernels/reference/conv_correlation.hpp"

namespace ge::reference {
namespace {

/// Mixed-radix number over three axes, the last one fastest.
struct Counter {
  int64_t at[max_spatial];
  Counter(int64_t number, int64_t n1, int64_t n2) : at{number / (n1 * n2), number / n2 % n1, number % n2} {}
  void next(int64_t n1, int64_t n2) {
    if (++at[2] < n2) return;
    at[2] = 0;
    if (++at[1] < n1) return;
    at[1] = 0, ++at[0];
  }
  void next_row(int64_t n1) {
    at[2] = 0;
    if (++at[1] < n1) return;
    at[1] = 0, ++at[0];
  }
};

/// a[row][k] for `rows` rows, k -> (channel, taps).
void load_weights(const Correlation& c, const CorrelationOperands& operands, int64_t start, int64_t rows, int64_t first, int64_t count, double* a) {
  const int64_t taps = c.taps(), n1 = c.window[1].kernel, n2 = c.window[2].kernel;
  const bool dense = c.w_tap[2] == 1 && c.w_tap[1] == n2 && c.w_tap[0] == n1 * n2 && c.w_channel == taps;
  if (dense || taps == 1) {
    const int64_t step = taps == 1 ? c.w_channel : 1;
    for (int64_t r = 0; r < rows; ++r) operands.load(operands.w, start + r * c.w_row + first * step, count, step, a + r * tile_depth);
    return;
  }
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < count;) {
      const int64_t channel = (first + i) / taps;
      const Counter tap((first + i) % taps, n1, n2);
      const int64_t run = std::min(count - i, n2 - tap.at[2]);
      const int64_t from = start + r * c.w_row + channel * c.w_channel + tap.at[0] * c.w_tap[0] + tap.at[1] * c.w_tap[1] + tap.at[2] * c.w_tap[2];
      operands.load(operands.w, from, run, c.w_tap[2], a + r * tile_depth + i);
      i += run;
    }
  }
}

/// b[i][j]: what tap `first + i` of output position `column + j` reads; runs along the last axis.
void load_patches(const Correlation& c, const CorrelationOperands& operands, int64_t start, int64_t column, int64_t columns, int64_t first,
                  int64_t count, double* b) {
  const auto& [z, y, x] = c.window;
  const int64_t taps = c.taps(), image = c.image_size();
  int64_t channel = start + first / taps * image;
  Counter tap(first % taps, y.kernel, x.kernel);
  const Counter origin(column, y.output, x.output);
  for (int64_t i = 0; i < count; ++i, b += tile_columns) {
    const Range inside = x.outputs_inside(tap.at[2]);
    const int64_t shift = x.position(0, tap.at[2]);
    Counter out = origin;
    for (int64_t j = 0; j < columns; out.next_row(y.output)) {
      const int64_t run = std::min(columns - j, x.output - out.at[2]);
      const int64_t iz = z.position(out.at[0], tap.at[0]), iy = y.position(out.at[1], tap.at[1]);
      double* to = b + j;
      j += run;
      if (iz < 0 || iz >= z.input || iy < 0 || iy >= y.input) {
        std::fill_n(to, run, 0.0);
        continue;
      }
      const int64_t low = std::clamp(inside.first - out.at[2], int64_t{0}, run), high = std::clamp(inside.last - out.at[2], low, run);
      std::fill_n(to, low, 0.0);
      if (low < high)
        operands.load(operands.x, channel + (iz * y.input + iy) * x.input + (out.at[2] + low) * x.stride + shift, high - low, x.stride, to + low);
      std::fill(to + high, to + run, 0.0);
    }
    tap.next(y.kernel, x.kernel);
    if (tap.at[0] == z.kernel) tap.at[0] = 0, channel += image;
  }
}

}  // namespace

void correlate_tile(const Correlation& c, const CorrelationOperands& operands, const CorrelationStarts& starts, int64_t row, int64_t column,
                    ProductTile<double>& tile) noexcept {
  const auto& [z, y, x] = c.window;
  const int64_t rows = std::min(tile_rows, c.rows - row), columns = std::min(tile_columns, c.positions() - column);
  product_tile(
      tile, rows, columns, c.channels * c.taps(),
      [&](int64_t k, int64_t count, double* a) { load_weights(c, operands, starts.w + row * c.w_row, rows, k, count, a); },
      [&](int64_t k, int64_t count, double* b) { load_patches(c, operands, starts.x, column, columns, k, count, b); });
  // Rows of outputs that lie one after another are stored as one.
  const bool dense = c.y_step[2] == 1 && c.y_step[1] == x.output && c.y_step[0] == x.output * y.output;
  for (int64_t r = 0; r < rows; ++r) {
    double* sum = tile.sum + r * tile_columns;
    if (operands.bias != nullptr) {
      double bias;
      operands.load(operands.bias, starts.bias + row + r, 1, 1, &bias);
      for (int64_t j = 0; j < columns; ++j) sum[j] += bias;
    }
    const int64_t to = starts.y + (row + r) * c.y_row;
    if (dense) {
      operands.store(operands.y, to + column, columns, 1, sum);
      continue;
    }
    Counter out(column, y.output, x.output);
    for (int64_t j = 0; j < columns; out.next_row(y.output)) {
      const int64_t run = std::min(columns - j, x.output - out.at[2]);
      operands.store(operands.y, to + out.at[0] * c.y_step[0] + out.at[1] * c.y_step[1] + out.at[2] * c.y_step[2], run, c.y_step[2], sum + j);
      j += run;
    }
  }
}

}  // namespace ge::reference

#pragma once
#include "ge/kernels/kernel.hpp"

#include <cstdint>
#include <span>

namespace ge::reference {

/// Dims as plain data, for argument blocks.
struct Dims {
  int32_t rank = 0;
  int64_t size[max_rank] = {};
};

/// Steps per axis, in elements.
struct Strides {
  int64_t step[max_rank] = {};
};

/// Throws Error(unsupported) for more than max_rank axes.
Dims make_dims(std::span<const int64_t> dims);
/// Product of the dims in [first, last); the tables are checked, so it fits.
int64_t count_of(const Dims& dims, int32_t first, int32_t last);
inline int64_t count_of(const Dims& dims) { return count_of(dims, 0, dims.rank); }
/// a * b, wrapping around: of a tensor without elements the other axes may multiply to anything, and nothing is addressed
/// by the result. All other products were checked when the tensor's bytes were counted.
inline int64_t times(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }

/// Steps of a dense row-major tensor.
Strides row_major(const Dims& dims);
/// Steps, one per axis of `to`, that read a dense tensor of `from` as if it had been stretched to `to` (ONNX
/// "Broadcasting": axes aligned at the last one; 0 along stretched axes). Throws Error(invalid_argument) if it cannot.
Strides broadcast_strides(const Dims& from, const Dims& to);
/// `axis` counted from the front. Throws Error(invalid_argument) when it is outside -rank..rank-1.
int32_t normal_axis(int64_t axis, int32_t rank);

/// A box of elements in row-major order, and where each of N operands has them: operand k's element is at
/// sum(index[i] * step[k][i]).
template <int N, int Rank = static_cast<int>(max_rank)>
struct LoopNest {
  int32_t rank = 0;
  int64_t size[Rank] = {};
  int64_t step[N][Rank] = {};

  int64_t count() const {
    int64_t product = 1;
    for (int32_t i = 0; i < rank; ++i) product = times(product, size[i]);
    return product;
  }
  void set_dims(const Dims& dims) {
    rank = dims.rank;
    for (int32_t i = 0; i < rank; ++i) size[i] = dims.size[i];
  }
  void set_steps(int operand, const Strides& strides) {
    for (int32_t i = 0; i < rank; ++i) step[operand][i] = strides.step[i];
  }
  /// Drops axes of one element and joins neighbours that every operand walks as one. The order of elements stays.
  /// Afterwards the rank is at least 1.
  void coalesce() {
    int32_t kept = 0;
    for (int32_t i = 0; i < rank; ++i) {
      if (size[i] == 1) continue;
      bool joins = kept > 0;
      for (int k = 0; k < N && joins; ++k) joins = step[k][kept - 1] == times(step[k][i], size[i]);
      const int32_t to = joins ? kept - 1 : kept++;
      size[to] = joins ? times(size[to], size[i]) : size[i];
      for (int k = 0; k < N; ++k) step[k][to] = step[k][i];
    }
    if (kept == 0) {
      size[kept++] = 1;
      for (int k = 0; k < N; ++k) step[k][0] = 0;
    }
    rank = kept;
  }
};

/// Visits elements [first, last) of the nest (numbers in row-major order) as runs along the last axis:
/// `visit(number, offsets, count)` gets the first element's number and its N offsets and returns a Status. Stops at
/// the first that is not ok. The nest's rank is at least 1.
template <int N, int Rank, class Visit>
Status for_each_run(const LoopNest<N, Rank>& nest, int64_t first, int64_t last, Visit&& visit) {
  if (first >= last) return Status::ok;
  const int32_t inner = nest.rank - 1;
  int64_t index[Rank];
  int64_t offset[N] = {};
  for (int64_t rest = first, i = inner; i >= 0; --i) {
    index[i] = rest % nest.size[i];
    rest /= nest.size[i];
    for (int k = 0; k < N; ++k) offset[k] += index[i] * nest.step[k][i];
  }
  while (first < last) {
    const int64_t in_row = nest.size[inner] - index[inner];
    const int64_t run = in_row < last - first ? in_row : last - first;
    if (const Status status = visit(first, static_cast<const int64_t*>(offset), run); status != Status::ok) return status;
    first += run;
    if (first == last) break;
    // The run ended its row: go back to the row's start and count up the outer axes.
    for (int k = 0; k < N; ++k) offset[k] -= index[inner] * nest.step[k][inner];
    index[inner] = 0;
    for (int32_t i = inner - 1; i >= 0; --i) {
      for (int k = 0; k < N; ++k) offset[k] += nest.step[k][i];
      if (++index[i] < nest.size[i]) break;
      for (int k = 0; k < N; ++k) offset[k] -= nest.size[i] * nest.step[k][i];
      index[i] = 0;
    }
  }
  return Status::ok;
}

/// How many chunks a task of `work` elementary steps (about a nanosecond each) gets. Depends on shapes alone.
uint32_t chunks_for(int64_t work);

struct Range {
  int64_t first, last;
};
/// Part `chunk` of 0..n-1 cut into `chunks` nearly equal parts (the first n % chunks have one more).
inline Range chunk_range(int64_t n, uint32_t chunks, uint32_t chunk) {
  const int64_t each = n / chunks, more = n % chunks;
  const int64_t first = each * chunk + (chunk < more ? chunk : more);
  return {first, first + each + (chunk < more ? 1 : 0)};
}

/// Elements that kernels load, compute and store at a time.
inline constexpr int64_t block_size = 512;

}  // namespace ge::reference

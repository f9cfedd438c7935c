#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/resize.hpp"
#include "ge/kernels/reference/stored_range.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

// y[p0, p1, ...] = sum over taps t0 of p0, t1 of p1, … of weight(t0) * weight(t1) * … * x[t0, t1, …], row by row: for
// each combination of taps of the outer axes an input row is read, weighed along the last axis and added.

struct InterpolateArgs {
  const void* x;
  void* y;
  const ResizeTap* taps;
  const int64_t* first;
  double* scratch;  ///< per chunk: an input row, then an output row; not used where the last axis stays as it is
  LoadDoubles load;
  StoreDoubles store;
  int32_t rank;
  bool last_is_identity;
  int64_t output[max_rank], start[max_rank];
  int64_t input_row, pieces, units;  ///< pieces: of an output row
  double outside;                    ///< extrapolation_value
  StoredRange range;
  uint32_t chunks;
};

/// Calls `visit(offset, weight)` for each combination of taps of the outer axes of output row `row`. False: outside.
template <class Visit>
bool for_each_input_row(const InterpolateArgs& args, int64_t row, Visit&& visit) {
  const int32_t outer = args.rank - 1;
  int64_t first[max_rank], last[max_rank], at[max_rank];
  for (int32_t i = outer - 1; i >= 0; --i) {
    const int64_t* range = args.first + args.start[i] + row % args.output[i];
    row /= args.output[i];
    first[i] = at[i] = range[0], last[i] = range[1];
    if (first[i] == last[i]) return false;
  }
  while (true) {
    int64_t offset = 0;
    double weight = 1;
    for (int32_t i = 0; i < outer; ++i) offset += args.taps[at[i]].position, weight *= args.taps[at[i]].weight;
    visit(offset, weight);
    int32_t i = outer - 1;
    for (; i >= 0 && ++at[i] == last[i]; --i) at[i] = first[i];
    if (i < 0) return true;
  }
}

/// A row, or a piece of one, along a last axis that stays as it is.
void interpolate_piece(const InterpolateArgs& args, int64_t row, int64_t start) {
  const int64_t length = args.output[args.rank - 1], count = std::min(block_size, length - start);
  double values[block_size], sum[block_size];
  std::fill_n(sum, count, 0.0);
  const bool inside = for_each_input_row(args, row, [&](int64_t offset, double weight) {
    args.load(args.x, offset + start, count, 1, values);
    for (int64_t j = 0; j < count; ++j) sum[j] += weight * values[j];
  });
  if (!inside) std::fill_n(sum, count, args.outside);
  args.range.settle(sum, count);
  args.store(args.y, row * length + start, count, 1, sum);
}

void interpolate_row(const InterpolateArgs& args, int64_t row, double* values, double* sum) {
  const int64_t length = args.output[args.rank - 1];
  const int64_t* first = args.first + args.start[args.rank - 1];
  std::fill_n(sum, length, 0.0);
  const bool inside = for_each_input_row(args, row, [&](int64_t offset, double weight) {
    args.load(args.x, offset, args.input_row, 1, values);
    for (int64_t j = 0; j < length; ++j) {
      double part = 0;
      for (int64_t t = first[j]; t < first[j + 1]; ++t) part += args.taps[t].weight * values[args.taps[t].position];
      sum[j] += weight * part;
    }
  });
  for (int64_t j = 0; j < length; ++j)
    if (!inside || first[j] == first[j + 1]) sum[j] = args.outside;
  args.range.settle(sum, length);
  args.store(args.y, row * length, length, 1, sum);
}

Status run_interpolate(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const InterpolateArgs*>(block);
  const auto [first, last] = chunk_range(args.units, args.chunks, chunk);
  for (int64_t n = first; n < last; ++n) {
    if (args.last_is_identity) {
      interpolate_piece(args, n / args.pieces, n % args.pieces * block_size);
    } else {
      double* values = args.scratch + chunk * (args.input_row + args.output[args.rank - 1]);
      interpolate_row(args, n, values, values + args.input_row);
    }
  }
  return Status::ok;
}

}  // namespace

void append_resize_interpolate(const KernelSite& site, const ResizeTable& table, DType component, int64_t input_row, TaskBuilder& builder) {
  InterpolateArgs args{};
  args.load = double_loader(component);
  args.store = double_storer(component);
  args.rank = table.rank;
  args.last_is_identity = table.last_is_identity;
  std::copy_n(table.output, max_rank, args.output);
  std::copy_n(table.start, max_rank, args.start);
  const int64_t length = table.output[table.rank - 1];
  args.input_row = table.last_is_identity ? 0 : input_row;
  args.pieces = table.last_is_identity ? (length + block_size - 1) / block_size : 1;
  args.units = table.rows() * args.pieces;
  args.outside = static_cast<double>(site.attributes.get_float("extrapolation_value", 0));
  args.range = StoredRange::of(component);
  const double taps_each = static_cast<double>(table.taps.size()) / static_cast<double>(table.first.size());
  args.chunks = chunks_for_units(args.units, static_cast<double>(site.outputs[0].count) / static_cast<double>(args.units) * (taps_each + 1) * 4);
  auto task = builder.append(run_interpolate, args, args.chunks);
  task.input(&InterpolateArgs::x, 0)
      .output(&InterpolateArgs::y, 0)
      .constant(&InterpolateArgs::taps, std::as_bytes(std::span(table.taps)))
      .constant(&InterpolateArgs::first, std::as_bytes(std::span(table.first)));
  if (!args.last_is_identity)
    task.workspace(&InterpolateArgs::scratch, args.chunks * (input_row + length) * static_cast<int64_t>(sizeof(double)));
}

}  // namespace ge::reference

#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/pool.hpp"

#include <limits>

namespace ge::reference {
namespace {

struct MaxPoolArgs {
  const void* x;
  void* y;
  int64_t* indices;
  PoolShape shape;
  double lowest;            ///< what a window without any element gives
  bool column_major;        ///< storage_order 1: indices count along the first spatial axis first
};

// NaN wins, and stays: it is not below anything.
bool exceeds(double value, double best) { return value > best || (value != value && best == best); }

void take_values(const MaxPoolArgs& args, const PoolPiece& piece, double* best) {
  std::fill_n(best, piece.count, args.lowest);
  for_each_tap(args.shape, args.x, piece, [&](int64_t first, int64_t count, const double* values, const int64_t*) {
    for (int64_t j = 0; j < count; ++j) best[first + j] = exceeds(values[j], best[first + j]) ? values[j] : best[first + j];
  });
}

/// Also where each maximum is: the first of equals (MaxPool-22: a number in the flat input, padding not counted).
void take_values_and_indices(const MaxPoolArgs& args, const PoolPiece& piece, double* best) {
  const WindowNest& window = args.shape.window;
  const int64_t plane = piece.plane * args.shape.plane_size();
  int64_t step[max_rank];  // of a number along each axis
  for (int32_t n = 0, distance_axis = 0; n < window.rank; ++n) {
    const int32_t i = args.column_major ? n : window.rank - 1 - n;
    step[i] = n == 0 ? 1 : step[distance_axis] * window.axis[distance_axis].input;
    distance_axis = i;
  }
  const int64_t next = args.shape.last_axis().stride * step[window.rank - 1];
  int64_t* indices = args.indices + piece.first;
  std::fill_n(best, piece.count, args.lowest);
  std::fill_n(indices, piece.count, int64_t{-1});
  for_each_tap(args.shape, args.x, piece, [&](int64_t first, int64_t count, const double* values, const int64_t* position) {
    int64_t at = plane;
    for (int32_t i = 0; i < window.rank; ++i) at += position[i] * step[i];
    for (int64_t j = 0; j < count; ++j)
      if (indices[first + j] < 0 || exceeds(values[j], best[first + j])) {
        best[first + j] = values[j];
        indices[first + j] = at + j * next;
      }
  });
  // A window without any element has no place: say the plane's first.
  for (int64_t j = 0; j < piece.count; ++j)
    if (indices[j] < 0) indices[j] = plane;
}

Status run_max_pool(const void* block, uint32_t chunk) noexcept {
  const auto& args = *static_cast<const MaxPoolArgs*>(block);
  for_each_piece(args.shape, chunk, [&](const PoolPiece& piece) {
    double best[block_size];
    args.indices == nullptr ? take_values(args, piece, best) : take_values_and_indices(args, piece, best);
    args.shape.store(args.y, piece.first, piece.count, 1, best);
  });
  return Status::ok;
}

constexpr DTypeSet max_pool_dtypes = dtypes::floats | dtype_set(DType::int8, DType::uint8);
bool supports_max_pool(const KernelQuery& query) { return contains(max_pool_dtypes, query.inputs[0]); }

/// MaxPool-22.
void prepare_max_pool(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  MaxPoolArgs args{};
  args.shape = make_pool_shape(site);
  const DType dtype = site.inputs[0].dtype;
  args.lowest = dtype == DType::uint8 ? 0 : dtype == DType::int8 ? -128 : -std::numeric_limits<double>::infinity();
  args.column_major = site.attributes.get_int("storage_order", 0) != 0;
  auto task = builder.append(run_max_pool, args, args.shape.chunks);
  task.input(&MaxPoolArgs::x, 0).output(&MaxPoolArgs::y, 0);
  if (site.has_output(1)) task.output(&MaxPoolArgs::indices, 1);
}

REGISTER_CPU_KERNEL("reference", "", "MaxPool", "", "largest element of each window, and where it is", {.supports = supports_max_pool, .prepare = prepare_max_pool});

}  // namespace
}  // namespace ge::reference

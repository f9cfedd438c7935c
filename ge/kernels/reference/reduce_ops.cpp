// The ops Reduce* (ONNX, newest opset). Over no elements: Sum, L1, L2 and SumSquare give 0, Prod 1, Max the smallest and
// Min the largest value of the dtype, LogSum and LogSumExp minus infinity; Mean is undefined there (NaN or 0).
#include "ge/kernels/reference/broadcast.hpp"
#include "ge/kernels/reference/reduce.hpp"

#include <cmath>
#include <limits>

namespace ge::reference {
namespace {

// What an element adds to the sum.
struct Itself {
  template <class T>
  static T of(T x) { return x; }
};
struct Magnitude {
  template <class T>
  static T of(T x) { return std::is_unsigned_v<T> || x >= 0 ? x : wrapping_sub(T{0}, x); }
};
struct Square {
  template <class T>
  static T of(T x) { return wrapping_mul(x, x); }
};

template <class Term, class T>
void sum_step(T* state, const T* block, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) state[0] = wrapping_add(state[0], Term::template of<T>(block[i]));
}
template <class T>
void product_step(T* state, const T* block, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) state[0] = wrapping_mul(state[0], block[i]);
}
/// The first NaN stays.
template <class T>
void max_step(T* state, const T* block, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i)
    if (block[i] > state[0] || block[i] != block[i]) state[0] = state[0] != state[0] ? state[0] : block[i];
}
template <class T>
void min_step(T* state, const T* block, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i)
    if (block[i] < state[0] || block[i] != block[i]) state[0] = state[0] != state[0] ? state[0] : block[i];
}
/// state = {m, s}: the sum so far is s * e^m, with m the largest element, so that nothing overflows.
void log_sum_exp_step(double* state, const double* block, int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) {
    if (block[i] > state[0]) {
      state[1] = state[1] * std::exp(state[0] - block[i]) + 1;
      state[0] = block[i];
    } else if (std::isnan(block[i]) || state[0] != -std::numeric_limits<double>::infinity()) {
      // Equal infinities add e^0.
      state[1] += block[i] == state[0] ? 1 : std::exp(block[i] - state[0]);
    }
  }
}

template <class T>
T first_of(const T* state, int64_t) noexcept { return state[0]; }
template <class T>
T mean_of(const T* state, int64_t count) noexcept {
  // The mean of nothing is not defined for integers; 0 keeps the division from trapping.
  if constexpr (std::is_integral_v<T>) return count == 0 ? 0 : state[0] / static_cast<T>(count);
  else return state[0] / static_cast<double>(count);
}
template <class T>
T root_of(const T* state, int64_t) noexcept { return static_cast<T>(std::sqrt(static_cast<double>(state[0]))); }
double log_of(const double* state, int64_t) noexcept { return std::log(state[0]); }
double log_sum_exp_of(const double* state, int64_t) noexcept {
  return std::isinf(state[0]) && !std::isnan(state[1]) ? state[0] : state[0] + std::log(state[1]);
}

template <class T>
constexpr T lowest(DType dtype) {
  if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
  else if (!is_signed_int(dtype)) return 0;
  else return static_cast<T>(uint64_t{0} - (uint64_t{1} << (bits_of(dtype) - 1)));
}
template <class T>
T highest(DType dtype) {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
  else if (dtype == DType::boolean) return 1;
  else return static_cast<T>(~uint64_t{0} >> (64 - bits_of(dtype) + (is_signed_int(dtype) ? 1 : 0)));
}

/// Calls `append.template operator()<T>()` with the type that reductions of the dtype compute in.
template <class Append>
void in_compute_type(DType dtype, Append append) {
  if (is_float(dtype)) append.template operator()<double>();
  else if (dtype == DType::uint64) append.template operator()<uint64_t>();
  else append.template operator()<int64_t>();
}

template <class Term>
void prepare_sum(const KernelSite& site, TaskBuilder& builder) {
  in_compute_type(site.inputs[0].dtype, [&]<class T>() { append_reduction<T>(site, builder, {sum_step<Term, T>, first_of<T>, {}}); });
}
void prepare_mean(const KernelSite& site, TaskBuilder& builder) {
  in_compute_type(site.inputs[0].dtype, [&]<class T>() { append_reduction<T>(site, builder, {sum_step<Itself, T>, mean_of<T>, {}}); });
}
void prepare_l2(const KernelSite& site, TaskBuilder& builder) {
  in_compute_type(site.inputs[0].dtype, [&]<class T>() { append_reduction<T>(site, builder, {sum_step<Square, T>, root_of<T>, {}}); });
}
void prepare_prod(const KernelSite& site, TaskBuilder& builder) {
  in_compute_type(site.inputs[0].dtype, [&]<class T>() { append_reduction<T>(site, builder, {product_step<T>, first_of<T>, {1}}); });
}
void prepare_max(const KernelSite& site, TaskBuilder& builder) {
  const DType dtype = site.inputs[0].dtype;
  in_compute_type(dtype, [&]<class T>() { append_reduction<T>(site, builder, {max_step<T>, first_of<T>, {lowest<T>(dtype)}}); });
}
void prepare_min(const KernelSite& site, TaskBuilder& builder) {
  const DType dtype = site.inputs[0].dtype;
  in_compute_type(dtype, [&]<class T>() { append_reduction<T>(site, builder, {min_step<T>, first_of<T>, {highest<T>(dtype)}}); });
}
// Of integers (opsets 1 to 27) too: the logarithm is cut off towards zero, as a conversion does.
void prepare_log_sum(const KernelSite& site, TaskBuilder& builder) {
  append_reduction<double>(site, builder, {sum_step<Itself, double>, log_of, {}});
}
void prepare_log_sum_exp(const KernelSite& site, TaskBuilder& builder) {
  append_reduction<double>(site, builder, {log_sum_exp_step, log_sum_exp_of, {-std::numeric_limits<double>::infinity(), 0}});
}

constexpr SupportsFn numeric = takes<dtypes::numeric>;
constexpr SupportsFn numeric_or_bool = takes<convertible>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "ReduceSum", "", "sum", {.supports = numeric, .prepare = prepare_sum<Itself>});
REGISTER_CPU_KERNEL("reference", "", "ReduceMean", "", "mean", {.supports = numeric, .prepare = prepare_mean});
REGISTER_CPU_KERNEL("reference", "", "ReduceMax", "", "largest element", {.supports = numeric_or_bool, .prepare = prepare_max});
REGISTER_CPU_KERNEL("reference", "", "ReduceMin", "", "smallest element", {.supports = numeric_or_bool, .prepare = prepare_min});
REGISTER_CPU_KERNEL("reference", "", "ReduceProd", "", "product", {.supports = numeric, .prepare = prepare_prod});
REGISTER_CPU_KERNEL("reference", "", "ReduceL1", "", "sum of magnitudes", {.supports = numeric, .prepare = prepare_sum<Magnitude>});
REGISTER_CPU_KERNEL("reference", "", "ReduceL2", "", "root of the sum of squares", {.supports = numeric, .prepare = prepare_l2});
REGISTER_CPU_KERNEL("reference", "", "ReduceSumSquare", "", "sum of squares", {.supports = numeric, .prepare = prepare_sum<Square>});
REGISTER_CPU_KERNEL("reference", "", "ReduceLogSum", "", "logarithm of the sum", {.supports = numeric, .prepare = prepare_log_sum});
REGISTER_CPU_KERNEL("reference", "", "ReduceLogSumExp", "", "logarithm of the sum of e^x", {.supports = numeric, .prepare = prepare_log_sum_exp});

}  // namespace ge::reference

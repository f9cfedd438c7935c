#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

namespace ge::reference {

// Ops of one input, element by element. An op is a function of one double (all float dtypes: computed in double, rounded
// once) and, where ONNX allows integers, a function of one int64_t (wraps when stored).

/// What an op's function may depend on besides the element.
struct UnaryParams {
  double alpha = 0, beta = 0;
  int64_t flag = 0;
  bool is_unsigned = false;  ///< the dtype is an unsigned integer: int64_t values are its bits
};
using UnaryDouble = double (*)(double, const UnaryParams&);
using UnaryInt = int64_t (*)(int64_t, const UnaryParams&);
using ReadParams = UnaryParams (*)(const Attributes&);

template <class T>
using UnaryBlock = void (*)(const T* x, T* y, int64_t count, const UnaryParams& params) noexcept;

/// Appends the task; `on_ints` null: the op takes no integers.
void append_unary(const KernelSite& site, TaskBuilder& builder, UnaryBlock<double> on_doubles, UnaryBlock<int64_t> on_ints,
                  UnaryParams params);

template <auto F, class T>
void unary_block(const T* x, T* y, int64_t count, const UnaryParams& params) noexcept {
  for (int64_t i = 0; i < count; ++i) y[i] = F(x[i], params);
}
inline UnaryParams no_params(const Attributes&) { return {}; }

/// prepare() of an op on floats.
template <UnaryDouble F, ReadParams Read = no_params>
void prepare_unary(const KernelSite& site, TaskBuilder& builder) {
  append_unary(site, builder, unary_block<F, double>, nullptr, Read(site.attributes));
}
/// prepare() of an op on floats and integers.
template <UnaryDouble F, UnaryInt G, ReadParams Read = no_params>
void prepare_unary_numeric(const KernelSite& site, TaskBuilder& builder) {
  append_unary(site, builder, unary_block<F, double>, unary_block<G, int64_t>, Read(site.attributes));
}

}  // namespace ge::reference

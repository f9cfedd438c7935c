#pragma once
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <type_traits>

namespace ge::reference {

// Ops of two or more inputs with numpy broadcasting (ONNX "Broadcasting", multidirectional). An op is a struct with
//   template <class T> static T of(T a, T b, const BinaryParams&)
// computed in double (floats), int64_t (integers up to 64 bits and bool) or uint64_t (uint64), and rounded or wrapped
// once when stored. Comparisons return 0 or 1 in the type compared.

struct BinaryParams {
  int64_t flag = 0;
  uint32_t bits = 64;              ///< of the first operand's dtype
  bool first_unsigned = false;     ///< the operand's dtype is an unsigned integer
  bool second_unsigned = false;
};

template <class T>
using BinaryBlock = Status (*)(const T* a, const T* b, T* out, int64_t count, const BinaryParams& params) noexcept;

/// An op in the types it can be computed in; null where it cannot.
struct BinaryOp {
  BinaryBlock<double> on_doubles = nullptr;
  BinaryBlock<int64_t> on_ints = nullptr;
  BinaryBlock<uint64_t> on_uint64s = nullptr;
};

/// Does `Op` refuse an integer divisor of zero?
template <class Op>
concept Divides = requires { requires Op::divides; };

template <class Op, class T>
Status binary_block(const T* a, const T* b, T* out, int64_t count, const BinaryParams& params) noexcept {
  if constexpr (Divides<Op> && std::is_integral_v<T>) {
    for (int64_t i = 0; i < count; ++i)
      if (b[i] == 0) return Status::division_by_zero;
  }
  for (int64_t i = 0; i < count; ++i) out[i] = Op::template of<T>(a[i], b[i], params);
  return Status::ok;
}
template <class Op>
constexpr BinaryOp numeric_op = {binary_block<Op, double>, binary_block<Op, int64_t>, binary_block<Op, uint64_t>};
template <class Op>
constexpr BinaryOp float_op = {binary_block<Op, double>, nullptr, nullptr};
template <class Op>
constexpr BinaryOp integer_op = {nullptr, binary_block<Op, int64_t>, binary_block<Op, uint64_t>};

/// Appends tasks for op(…op(op(x0, x1), x2)…) over all inputs; with one input a copy. `divisor`: what a float result is
/// divided by before it is stored (Mean). `compute` says which type is computed in (by default: the first input's).
void append_broadcast(const KernelSite& site, TaskBuilder& builder, const BinaryOp& op, int64_t flag = 0, double divisor = 1,
                      DType compute = DType::undefined);

template <const BinaryOp& Op>
void prepare_broadcast(const KernelSite& site, TaskBuilder& builder) {
  append_broadcast(site, builder, Op);
}

// Integer arithmetic that wraps.
template <class T>
T wrapping_add(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a + b;
  else return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <class T>
T wrapping_sub(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a - b;
  else return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
template <class T>
T wrapping_mul(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a * b;
  else return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

}  // namespace ge::reference

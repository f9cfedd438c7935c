// Add, Sub, Mul, Div, Mod, Pow, PRelu.
#include "ge/kernels/reference/broadcast.hpp"

#include <cmath>

namespace ge::reference {
namespace {

struct Add {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return wrapping_add(a, b); }
};
struct Sub {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return wrapping_sub(a, b); }
};
struct Mul {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return wrapping_mul(a, b); }
};

/// ONNX Div-14: integers truncate toward zero; the smallest integer by -1 wraps (the processor would trap).
struct Div {
  static constexpr bool divides = true;
  template <class T>
  static T of(T a, T b, const BinaryParams&) {
    if constexpr (std::is_same_v<T, int64_t>) {
      if (b == -1) return wrapping_sub<T>(0, a);
    }
    return a / b;
  }
};

/// ONNX Mod-28, fmod = 1: the quotient is truncated, the result has the sign of the dividend.
struct TruncatedMod {
  static constexpr bool divides = true;
  template <class T>
  static T of(T a, T b, const BinaryParams&) {
    if constexpr (std::is_floating_point_v<T>) return std::fmod(a, b);
    else if constexpr (std::is_signed_v<T>) return b == -1 ? 0 : a % b;
    else return a % b;
  }
};
/// ONNX Mod-28, fmod = 0: the quotient is rounded down, the result has the sign of the divisor, also when it is 0.
struct FlooredMod {
  static constexpr bool divides = true;
  template <class T>
  static T of(T a, T b, const BinaryParams& params) {
    const T rest = TruncatedMod::of(a, b, params);
    if constexpr (std::is_floating_point_v<T>) {
      if (rest == 0) return std::copysign(T{0}, b);
      return std::signbit(rest) != std::signbit(b) && !std::isnan(rest) ? rest + b : rest;
    } else {
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
  }
};

/// ONNX Pow-15. Integer powers wrap; a negative exponent truncates 1 / a^n, so only 1 and -1 give more than 0.
struct Pow {
  template <class T>
  static T of(T a, T b, const BinaryParams& params) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::pow(a, b);
    } else {
      if (b < 0 && !params.second_unsigned) {
        if (a == 1) return 1;
        if (a == -1 && !params.first_unsigned) return b % 2 == 0 ? 1 : -1;
        return 0;
      }
      uint64_t power = 1, base = static_cast<uint64_t>(a);
      for (auto left = static_cast<uint64_t>(b); left != 0; left >>= 1) {
        if (left & 1) power *= base;
        base *= base;
      }
      return static_cast<T>(power);
    }
  }
};
/// 0 to a negative integer power is a division by zero.
Status integer_pow(const int64_t* a, const int64_t* b, int64_t* out, int64_t count, const BinaryParams& params) noexcept {
  for (int64_t i = 0; i < count; ++i)
    if (a[i] == 0 && b[i] < 0 && !params.second_unsigned) return Status::division_by_zero;
  return binary_block<Pow, int64_t>(a, b, out, count, params);
}

struct PRelu {
  template <class T>
  static T of(T x, T slope, const BinaryParams&) { return x < 0 ? wrapping_mul(x, slope) : x; }
};

constexpr BinaryOp add = numeric_op<Add>, sub = numeric_op<Sub>, mul = numeric_op<Mul>, divide = numeric_op<Div>;
constexpr BinaryOp truncated_mod = numeric_op<TruncatedMod>, floored_mod = numeric_op<FlooredMod>, prelu = numeric_op<PRelu>;
// uint64 bases go as int64: products wrap to the same bits, and exponents keep their sign.
constexpr BinaryOp pow = {binary_block<Pow, double>, integer_pow, nullptr};

void prepare_mod(const KernelSite& site, TaskBuilder& builder) {
  append_broadcast(site, builder, site.attributes.get_int("fmod", 0) != 0 ? truncated_mod : floored_mod);
}

void prepare_pow(const KernelSite& site, TaskBuilder& builder) {
  const bool floating = is_float(site.inputs[0].dtype) || is_float(site.inputs[1].dtype);
  append_broadcast(site, builder, pow, 0, 1, floating ? DType::float64 : DType::int64);
}

constexpr SupportsFn numeric = all_take<dtypes::numeric>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Add", "", "a + b", {.supports = numeric, .prepare = prepare_broadcast<add>});
REGISTER_CPU_KERNEL("reference", "", "Sub", "", "a - b", {.supports = numeric, .prepare = prepare_broadcast<sub>});
REGISTER_CPU_KERNEL("reference", "", "Mul", "", "a * b", {.supports = numeric, .prepare = prepare_broadcast<mul>});
REGISTER_CPU_KERNEL("reference", "", "Div", "", "a / b, integers toward zero", {.supports = numeric, .prepare = prepare_broadcast<divide>});
REGISTER_CPU_KERNEL("reference", "", "Mod", "", "remainder of a / b", {.supports = numeric, .prepare = prepare_mod});
REGISTER_CPU_KERNEL("reference", "", "Pow", "", "a to the power b", {.supports = numeric, .prepare = prepare_pow});
REGISTER_CPU_KERNEL("reference", "", "PRelu", "", "x, or slope x below 0", {.supports = numeric, .prepare = prepare_broadcast<prelu>});

}  // namespace ge::reference

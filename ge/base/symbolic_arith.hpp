#pragma once
// Internal: the arithmetic that evaluate() and evaluate_postfix() share, so that both agree to the bit.
// Intermediate values are 128 bits wide: a canonical sum may pass through values that the sum as written
// did not, and must not fail for it. Only a final result has to fit int64_t.

#include <cstdint>
#include <optional>

namespace ge::detail {

__extension__ typedef __int128 Int128;

inline constexpr Int128 kSmallestInt128 = static_cast<Int128>(1) << 127;

inline bool fits_int64(Int128 v) { return v >= INT64_MIN && v <= INT64_MAX; }

/// Rounded down; b != 0 and not (a minimal and b == -1).
inline Int128 floor_quotient(Int128 a, Int128 b) {
  const Int128 q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}
inline Int128 floor_remainder(Int128 a, Int128 b) {
  const Int128 r = a % b;
  return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}

/// A value, or why there is none. `huge` is a product beyond 128 bits: not zero, otherwise unknown; times
/// zero it is zero again, so the order of factors cannot lose a value.
struct Value {
  enum class State : uint8_t { known, huge, absent };
  Int128 number = 0;
  State state = State::absent;

  bool known() const { return state == State::known; }
  std::optional<int64_t> narrow() const {
    return known() && fits_int64(number) ? std::optional(static_cast<int64_t>(number)) : std::nullopt;
  }
};

inline Value known_value(Int128 v) { return {v, Value::State::known}; }

inline Value add_values(const Value& a, const Value& b) {
  Value sum;
  if (a.known() && b.known() && !__builtin_add_overflow(a.number, b.number, &sum.number))
    sum.state = Value::State::known;
  return sum;
}

inline Value mul_values(const Value& a, const Value& b) {
  using State = Value::State;
  if (a.state == State::absent || b.state == State::absent) return {};
  if ((a.known() && a.number == 0) || (b.known() && b.number == 0)) return known_value(0);
  Int128 product;
  if (!a.known() || !b.known() || __builtin_mul_overflow(a.number, b.number, &product)) return {0, State::huge};
  // A symmetric range: were -2^127 known, the order of the factors would decide whether there is a value.
  return product == kSmallestInt128 ? Value{0, State::huge} : known_value(product);
}

inline Value floordiv_values(const Value& a, const Value& b) {
  if (!a.known() || !b.known() || b.number == 0) return {};
  if (b.number == -1) return mul_values(a, b);
  return known_value(floor_quotient(a.number, b.number));
}

inline Value ceildiv_values(const Value& a, const Value& b) {
  if (!a.known() || !b.known() || b.number == 0) return {};
  if (b.number == -1) return mul_values(a, b);
  const Int128 q = floor_quotient(a.number, b.number);
  return known_value(a.number % b.number == 0 ? q : q + 1);
}

inline Value mod_values(const Value& a, const Value& b) {
  if (!a.known() || !b.known() || b.number == 0) return {};
  return known_value(b.number == -1 ? 0 : floor_remainder(a.number, b.number));
}

/// op(a, b) on two known numbers; absent otherwise.
template <class Op>
Value combine_known(const Value& a, const Value& b, Op op) {
  return a.known() && b.known() ? known_value(static_cast<Int128>(op(a.number, b.number))) : Value{};
}

inline Value not_value(const Value& a) { return a.known() ? known_value(a.number == 0) : Value{}; }

inline Value select_values(const Value& cond, const Value& then, const Value& otherwise) {
  if (!cond.known()) return {};
  return cond.number != 0 ? then : otherwise;
}

}  // namespace ge::detail

// Symbolic integers: symbols, canonical forms, bounds, printing and evaluation, rule by rule.

#include "ge/base/symbolic.hpp"

#include "ge/base/error.hpp"
#include "support/catch.hpp"

#include <functional>
#include <unordered_set>

using namespace ge;

namespace {

/// Symbols of dims (from 0 on) and of any integer.
struct Fixture {
  SymbolTable table;
  Expr n = table.symbol("N"), h = table.symbol("H"), w = table.symbol("W");
  Expr x = table.symbol("X", {INT64_MIN, INT64_MAX}), y = table.symbol("Y", {INT64_MIN, INT64_MAX});
  Expr flag = table.symbol("flag", {0, 1});
  Expr k(int64_t v) { return table.constant(v); }
};

std::optional<int64_t> value_with_all(Expr e, int64_t v) {
  return evaluate(e, [v](uint32_t) { return std::optional<int64_t>(v); });
}

ErrorCode code_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

}  // namespace

TEST_CASE("symbols are distinct, numbered in order and found by name", "[base][CR-2]") {
  SymbolTable table;
  const Expr n = table.symbol("N"), again = table.symbol("N", {1, 8}), third = table.symbol("N");
  CHECK(n != again);
  CHECK(n.symbol_name() == "N");
  CHECK(again.symbol_name() == "N_1");
  CHECK(third.symbol_name() == "N_2");
  CHECK(table.symbol("").symbol_name() == "s");
  CHECK(table.symbol("N_1").symbol_name() == "N_1_1");
  CHECK(again.symbol_id() == 1);
  CHECK(table.symbol_by_id(1) == again);
  CHECK(table.symbol_count() == 5);
  CHECK(table.find_symbol("N_1") == again);
  CHECK_FALSE(table.find_symbol("M"));
  CHECK(again.bounds() == Bounds{1, 8});
  CHECK(n.bounds() == Bounds{0, INT64_MAX});
  CHECK(&n.table() == &table);
}

TEST_CASE("two symbols of equal bounds are never made one", "[base][CR-2]") {
  SymbolTable table;
  const Expr a = table.symbol("A", {4, 4}), b = table.symbol("B", {4, 4});
  CHECK(a != b);
  CHECK(a + 1 != b + 1);
  CHECK_FALSE((a - b).is_constant());
  CHECK(min_of(a, b) == min_of(b, a));
}

TEST_CASE("wrong operands are errors that name the argument", "[base][CR-2]") {
  Fixture f;
  SymbolTable other;
  const Expr foreign = other.symbol("F");
  CHECK(code_of([&] { (void)(f.n + foreign); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { (void)(f.n * Expr()); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { (void)floor_div(Expr(), f.n); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { (void)logical_not(Expr()); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { (void)(Expr() + 1); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { (void)substitute(f.n, [&](uint32_t) { return foreign; }); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { (void)f.table.symbol("E", {2, 1}); }) == ErrorCode::invalid_argument);
  CHECK(code_of([&] { (void)f.table.symbol_by_id(99); }) == ErrorCode::invalid_argument);
}

TEST_CASE("equal sums and products are one node", "[base][CR-2]") {
  Fixture f;
  CHECK((f.n + f.h) - f.h == f.n);
  CHECK(2 * f.n - f.n == f.n);
  CHECK(f.n - f.n == f.k(0));
  CHECK((f.n + f.h) + f.w == f.w + (f.h + f.n));
  CHECK(3 * (f.n + 2) == 6 + f.n * 3);
  CHECK((f.n * f.h) * f.w == f.n * (f.w * f.h));
  CHECK((2 * f.n) * (3 * f.h) == 6 * (f.h * f.n));
  CHECK((2 * f.h + 2) * f.w == 2 * ((f.h + 1) * f.w));
  CHECK(f.n * 0 == f.k(0));
  CHECK(f.n * 1 == f.n);
  CHECK(-(-f.n) == f.n);
  CHECK(f.n * f.h != f.n + f.h);
}

TEST_CASE("quotients and remainders take out what divides", "[base][CR-2]") {
  Fixture f;
  CHECK(floor_div(f.x, 1) == f.x);
  CHECK(floor_div(4 * f.x, 4) == f.x);
  CHECK(floor_div(4 * f.x + 3, 4) == f.x);
  CHECK(floor_div(4 * f.x + 8 * f.y, 2) == 2 * f.x + 4 * f.y);
  CHECK(floor_div(6 * f.x, 4) == floor_div(3 * f.x, 2));
  CHECK(floor_div(f.w - 3, 2) + 1 == floor_div(f.w - 1, 2));
  CHECK(floor_div(f.x, -3) == floor_div(-f.x, 3));
  CHECK(floor_div(floor_div(f.x, 2), 3) == floor_div(f.x, 6));
  CHECK(floor_div(floor_div(f.x + 1, 2) + 1, 2) == floor_div(f.x + 3, 4));
  CHECK(ceil_div(f.x, 2) == floor_div(f.x + 1, 2));
  CHECK(ceil_div(4 * f.x + 1, 4) == f.x + 1);
  CHECK(floor_mod(4 * f.x + 7, 4) == f.k(3));
  CHECK(floor_mod(floor_mod(f.x, 6), 3) == floor_mod(f.x, 3));
  CHECK(floor_mod(f.flag, 2) == f.flag);
  CHECK(floor_mod(6 * f.x + 1, 4) == 2 * floor_mod(f.x, 2) + 1);
  CHECK(floor_mod(f.x, 1) == f.k(0));
  CHECK(floor_div(f.k(-7), 2) == f.k(-4));
  CHECK(ceil_div(f.k(-7), 2) == f.k(-3));
  CHECK(floor_mod(f.k(-7), 2) == f.k(1));
  CHECK(floor_mod(f.k(7), -2) == f.k(-1));
}

TEST_CASE("quotients by expressions cancel common factors", "[base][CR-2]") {
  Fixture f;
  CHECK(floor_div(f.n * f.h * f.w, f.h * f.w) == f.n);
  CHECK(floor_div(4 * f.n * f.h, 2 * f.h) == 2 * f.n);
  CHECK(floor_div(f.n * f.h + f.h, f.h) == f.n + 1);
  CHECK(floor_div(2 * f.h + 2, f.h + 1) == f.k(2));
  CHECK(floor_div(f.n * f.h, 2 * f.h) == floor_div(f.n, 2));
  CHECK(ceil_div(f.n * f.h, f.h) == f.n);
  CHECK(floor_mod(f.n * f.h, f.h) == f.k(0));
  CHECK(floor_mod(f.n * f.h + f.w, f.h) == floor_mod(f.w, f.h));
  CHECK(ceil_div(f.n, f.h).kind() == ExprKind::ceildiv);
}

TEST_CASE("min and max drop operands that bounds decide", "[base][CR-2]") {
  Fixture f;
  CHECK(min_of(f.n, f.n) == f.n);
  CHECK(min_of(f.n, f.n + 1) == f.n);
  CHECK(max_of(f.n, -1) == f.n);
  CHECK(max_of(f.flag, 1) == f.k(1));
  CHECK(min_of(min_of(f.n, f.h), f.w) == min_of(f.w, min_of(f.h, f.n)));
  CHECK(max_of(min_of(f.n, f.h), f.n) == f.n);
  CHECK(min_of(f.n, 8).bounds() == Bounds{0, 8});
  CHECK(less_equal(min_of(f.n, 8), f.n) == f.k(1));
}

TEST_CASE("comparisons have one form and are decided by bounds", "[base][CR-2]") {
  Fixture f;
  CHECK(less(f.n, f.n + 1) == f.k(1));
  CHECK(less(f.n, 0) == f.k(0));
  CHECK(equal(f.n, f.n) == f.k(1));
  CHECK(equal(f.n + 1, 0) == f.k(0));
  CHECK(equal(2 * f.n, 2 * f.h) == equal(f.h, f.n));
  CHECK(equal(2 * f.x, 7) == f.k(0));
  CHECK(equal(f.x - f.y, 0) == equal(f.y, f.x));
  CHECK(less(f.x, 5) == less_equal(f.x, 4));
  CHECK(less_equal(2 * f.x, 5) == less_equal(f.x, 2));
  CHECK(greater(f.x, f.y) == less(f.y, f.x));
  CHECK(greater(f.n, 0) == not_equal(f.n, 0));
  CHECK(less_equal(f.n, 0) == equal(f.n, 0));
  CHECK(equal(f.flag, 1) == f.flag);
  CHECK(not_equal(f.flag, 1) == logical_not(f.flag));
  CHECK(logical_not(less(f.x, f.y)) == less_equal(f.y, f.x));
}

TEST_CASE("logic absorbs constants, repetitions and contradictions", "[base][CR-2]") {
  Fixture f;
  const Expr a = less(f.x, 3), b = equal(f.y, 2);
  CHECK(logical_and(a, f.k(1)) == a);
  CHECK(logical_and(a, f.k(0)) == f.k(0));
  CHECK(logical_or(a, f.k(7)) == f.k(1));
  CHECK(logical_or(a, f.k(0)) == a);
  CHECK(logical_and(a, a) == a);
  CHECK(logical_and(a, b) == logical_and(b, a));
  CHECK(logical_and(a, logical_not(a)) == f.k(0));
  CHECK(logical_or(b, logical_not(b)) == f.k(1));
  CHECK(logical_not(logical_not(f.flag)) == f.flag);
  CHECK(logical_not(logical_and(a, b)) == logical_or(logical_not(a), logical_not(b)));
  CHECK(logical_not(f.x) == equal(f.x, 0));
  CHECK(logical_and(f.x, f.k(1)) == not_equal(f.x, 0));
}

TEST_CASE("select with a known condition or equal arms is one arm", "[base][CR-2]") {
  Fixture f;
  const Expr cond = less(f.x, f.y);
  CHECK(select(f.k(3), f.n, f.h) == f.n);
  CHECK(select(f.k(0), f.n, f.h) == f.h);
  CHECK(select(cond, f.n, f.n) == f.n);
  CHECK(select(cond, 1, 0) == cond);
  CHECK(select(cond, 0, 1) == logical_not(cond));
  CHECK(select(not_equal(f.x, 1), f.n, f.h) == select(equal(f.x, 1), f.h, f.n));
  CHECK(select(cond, select(cond, f.n, f.h), f.w) == select(cond, f.n, f.w));
  CHECK(select(equal(f.x, f.y), f.y, f.x) == f.x);
  CHECK(select(cond, f.flag, f.k(5)).bounds() == Bounds{0, 5});
}

TEST_CASE("broadcast picks the dim that is not one", "[base][CR-2]") {
  Fixture f;
  const Expr wide = f.table.symbol("wide", {2, 64});
  CHECK(broadcast(f.n, f.n) == f.n);
  CHECK(broadcast(f.n, 1) == f.n);
  CHECK(broadcast(1, f.n) == f.n);
  CHECK(broadcast(f.n, 7) == f.k(7));
  CHECK(broadcast(f.n, 0) == f.k(0));
  CHECK(broadcast(wide, f.n) == wide);
  CHECK(broadcast(wide, 8) == f.k(8));
  CHECK(broadcast(f.n, f.h) == select(equal(f.n, 1), f.h, f.n));
  CHECK(broadcast(f.h, f.n) == broadcast(f.n, f.h));
  CHECK(broadcast(broadcast(f.n, f.h), f.h) == broadcast(f.n, f.h));
}

TEST_CASE("results outside int64 are kept unfolded and have no value", "[base][CR-2]") {
  Fixture f;
  const Expr beyond = f.k(INT64_MAX) + 1;
  CHECK_FALSE(beyond.is_constant());
  CHECK_FALSE(value_with_all(beyond, 0));
  CHECK_FALSE((f.k(INT64_MIN) * -1).is_constant());
  CHECK_FALSE(value_with_all(-f.k(INT64_MIN), 0));
  CHECK_FALSE(value_with_all(floor_div(f.k(INT64_MIN), -1), 0));
  CHECK_FALSE(value_with_all(f.x * f.x, INT64_MAX));
  CHECK(less(f.k(5), beyond) == f.k(1));
  const Expr doubled = (int64_t{1} << 62) * f.x + (int64_t{1} << 62) * f.x;
  CHECK(value_with_all(doubled, -1) == INT64_MIN);
  CHECK_FALSE(value_with_all(doubled, 1));
  CHECK(value_with_all(f.x * 2 - f.x, INT64_MAX) == INT64_MAX);
}

TEST_CASE("division by zero has no value unless a select avoids it", "[base][CR-2]") {
  Fixture f;
  CHECK_FALSE(value_with_all(floor_div(f.x, 0), 3));
  CHECK_FALSE(value_with_all(floor_mod(f.k(3), 0), 3));
  CHECK_FALSE(value_with_all(ceil_div(f.x + 1, f.y), 0));
  CHECK(value_with_all(select(equal(f.y, 0), f.k(9), floor_div(f.x + 1, f.y)), 0) == 9);
  CHECK(value_with_all(select(equal(f.y, 0), f.k(9), floor_div(f.x + 1, f.y)), 2) == 1);
}

TEST_CASE("an unbound symbol matters only where the value needs it", "[base][CR-2]") {
  Fixture f;
  const auto only_n = [&](uint32_t id) { return id == f.n.symbol_id() ? std::optional<int64_t>(3) : std::nullopt; };
  CHECK(evaluate(f.n + 1, only_n) == 4);
  CHECK_FALSE(evaluate(f.n + f.h, only_n));
  CHECK(evaluate(select(equal(f.n, 3), f.n, f.h), only_n) == 3);
}

TEST_CASE("bounds follow the operands and decide conditions", "[base][CR-2]") {
  SymbolTable table;
  const Expr a = table.symbol("A", {1, 10}), b = table.symbol("B", {-4, 3});
  CHECK((2 * a - b).bounds() == Bounds{-1, 24});
  CHECK((a * b).bounds() == Bounds{-40, 30});
  CHECK(floor_div(b, 2).bounds() == Bounds{-2, 1});
  CHECK(floor_div(b, a).bounds() == Bounds{-4, 3});
  CHECK(floor_mod(b, a).bounds() == Bounds{0, 9});
  CHECK((table.symbol("U") + 1).bounds() == Bounds{1, INT64_MAX});
  CHECK(known_true(less(b, a + 3)));
  CHECK(known_false(greater(b, a + 2)));
  CHECK_FALSE(known_true(less(b, a)));
  CHECK_FALSE(known_false(less(b, a)));
  CHECK(known_true(a));
}

TEST_CASE("expressions print in infix form", "[base][CR-2]") {
  Fixture f;
  CHECK(to_string(2 * f.h + 1) == "2*H + 1");
  CHECK(to_string(f.w - f.h - 1) == "W - H - 1");
  CHECK(to_string(floor_div(f.w - 1, 2)) == "floordiv(W + 1, 2) - 1");
  CHECK(to_string((f.h + 1) * f.w) == "W*(H + 1)");
  CHECK(to_string(-3 * f.n) == "-3*N");
  CHECK(to_string(select(equal(f.n, 1), f.h, f.n)) == "select(N == 1, H, N)");
  const Expr taller = less(f.h, f.w), few = less_equal(f.n, 3);
  CHECK(to_string(logical_and(few, taller)) == "H < W and N <= 3");
  CHECK(to_string(logical_not(f.flag) * f.n) == "N*(not flag)");
  CHECK(to_string(2 * f.table.symbol("past + 1")) == "2*`past + 1`");
  CHECK(to_string(Expr()) == "?");
}

TEST_CASE("symbols of an expression are collected once and sorted", "[base][CR-2]") {
  Fixture f;
  std::vector<uint32_t> ids{f.x.symbol_id()};
  collect_symbols(f.w * f.n + floor_div(f.n, f.h), ids);
  CHECK(ids == std::vector<uint32_t>{0, 1, 2, 3});
}

TEST_CASE("substitution rebuilds and simplifies, null keeps a symbol", "[base][CR-2]") {
  Fixture f;
  const Expr e = floor_div(f.n, 2) * f.h;
  CHECK(substitute(e, [&](uint32_t id) { return id == f.n.symbol_id() ? f.w * 2 : Expr(); }) == f.w * f.h);
  CHECK(substitute(e, [](uint32_t) { return Expr(); }) == e);
}

TEST_CASE("deep and shared expressions are walked without recursion or repetition", "[base][CR-2]") {
  Fixture f;
  Expr deep = f.n, shared = f.h;
  for (int i = 0; i < 20000; ++i) deep = min_of(floor_div(deep, f.h) + 1, f.w) + floor_mod(f.w, 3);
  for (int i = 0; i < 100; ++i) shared = select(less(shared, i), shared + i, floor_div(shared, 2));
  CHECK(value_with_all(deep, 1).has_value());
  CHECK(value_with_all(shared, 40).has_value());
  CHECK(to_string(shared).size() < 70000);
  CHECK(substitute(deep, [&](uint32_t) { return f.k(1); }).is_constant());
  std::unordered_set<Expr> set{deep, shared, deep, Expr()};
  CHECK(set.size() == 3);
}

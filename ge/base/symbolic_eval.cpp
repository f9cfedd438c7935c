// evaluate, substitute, collect_symbols: walks over all nodes of an expression, each visited once.

#include "ge/base/symbolic_internal.hpp"

#include <algorithm>

namespace ge {
namespace detail {

// Users have larger ids than their operands. Taking the largest pending id from a heap therefore sees every
// user of a node before the node, and equal entries come out together: no recursion, no visited set.
std::vector<Expr> reachable(Expr e) {
  std::vector<Expr> pending{e}, order;
  while (!pending.empty()) {
    std::ranges::pop_heap(pending, {}, &Expr::id);
    const Expr next = pending.back();
    pending.pop_back();
    if (!order.empty() && order.back() == next) continue;
    order.push_back(next);
    for (Expr operand : next.operands()) {
      pending.push_back(operand);
      std::ranges::push_heap(pending, {}, &Expr::id);
    }
  }
  std::ranges::reverse(order);
  return order;
}

namespace {

/// Where e is in a list sorted by id.
size_t index_in(const std::vector<Expr>& order, Expr e) {
  return static_cast<size_t>(std::ranges::lower_bound(order, e.id(), {}, &Expr::id) - order.begin());
}

template <class T>
T largest_of(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
T smallest_of(const T& a, const T& b) {
  return b < a ? b : a;
}

Value apply(ExprKind kind, const Value& a, const Value& b) {
  switch (kind) {
    case ExprKind::add: return add_values(a, b);
    case ExprKind::mul: return mul_values(a, b);
    case ExprKind::floordiv: return floordiv_values(a, b);
    case ExprKind::ceildiv: return ceildiv_values(a, b);
    case ExprKind::mod: return mod_values(a, b);
    case ExprKind::min: return combine_known(a, b, smallest_of<Int128>);
    case ExprKind::max: return combine_known(a, b, largest_of<Int128>);
    case ExprKind::eq: return combine_known(a, b, [](Int128 x, Int128 y) { return x == y; });
    case ExprKind::ne: return combine_known(a, b, [](Int128 x, Int128 y) { return x != y; });
    case ExprKind::lt: return combine_known(a, b, [](Int128 x, Int128 y) { return x < y; });
    case ExprKind::le: return combine_known(a, b, [](Int128 x, Int128 y) { return x <= y; });
    case ExprKind::logical_and: return combine_known(a, b, [](Int128 x, Int128 y) { return x != 0 && y != 0; });
    case ExprKind::logical_or: return combine_known(a, b, [](Int128 x, Int128 y) { return x != 0 || y != 0; });
    default: return {};
  }
}

Value value_of_leaf(Expr e, const SymbolCallback<std::optional<int64_t>>& value_of) {
  if (e.is_constant()) return known_value(e.value());
  const std::optional<int64_t> bound = value_of(e.symbol_id());
  return bound ? known_value(*bound) : Value{};
}

/// A select whose side without a value is not chosen still has one: values are computed for both sides, and
/// absence spreads only through what uses it.
template <class ValueOf>
Value value_of_node(Expr e, ValueOf value_of) {
  const auto operands = e.operands();
  if (e.kind() == ExprKind::logical_not) return not_value(value_of(operands[0]));
  if (e.kind() == ExprKind::select)
    return select_values(value_of(operands[0]), value_of(operands[1]), value_of(operands[2]));
  Value all = value_of(operands[0]);
  for (Expr operand : operands.subspan(1)) all = apply(e.kind(), all, value_of(operand));
  return all;
}

Expr fold(std::span<const Expr> operands, Expr (*combine)(Expr, Expr)) {
  Expr all = operands[0];
  for (Expr operand : operands.subspan(1)) all = combine(all, operand);
  return all;
}

Expr rebuild(ExprKind kind, std::span<const Expr> operands) {
  switch (kind) {
    case ExprKind::add: return fold(operands, [](Expr a, Expr b) { return a + b; });
    case ExprKind::mul: return fold(operands, [](Expr a, Expr b) { return a * b; });
    case ExprKind::floordiv: return floor_div(operands[0], operands[1]);
    case ExprKind::ceildiv: return ceil_div(operands[0], operands[1]);
    case ExprKind::mod: return floor_mod(operands[0], operands[1]);
    case ExprKind::min: return fold(operands, min_of);
    case ExprKind::max: return fold(operands, max_of);
    case ExprKind::eq: return equal(operands[0], operands[1]);
    case ExprKind::ne: return not_equal(operands[0], operands[1]);
    case ExprKind::lt: return less(operands[0], operands[1]);
    case ExprKind::le: return less_equal(operands[0], operands[1]);
    case ExprKind::logical_and: return fold(operands, logical_and);
    case ExprKind::logical_or: return fold(operands, logical_or);
    case ExprKind::logical_not: return logical_not(operands[0]);
    case ExprKind::select: return select(operands[0], operands[1], operands[2]);
    case ExprKind::constant:
    case ExprKind::symbol: break;
  }
  return {};
}

}  // namespace
}  // namespace detail

std::optional<int64_t> evaluate(Expr expr, detail::SymbolCallback<std::optional<int64_t>> value_of) {
  detail::check_operand(expr);
  if (expr.operands().empty()) return detail::value_of_leaf(expr, value_of).narrow();
  const std::vector<Expr> order = detail::reachable(expr);
  std::vector<detail::Value> values;
  values.reserve(order.size());
  for (Expr e : order) {
    const auto computed = [&](Expr operand) { return values[detail::index_in(order, operand)]; };
    values.push_back(e.operands().empty() ? detail::value_of_leaf(e, value_of) : detail::value_of_node(e, computed));
  }
  return values.back().narrow();
}

Expr substitute(Expr expr, detail::SymbolCallback<Expr> replacement) {
  detail::check_operand(expr);
  const std::vector<Expr> order = detail::reachable(expr);
  std::vector<Expr> replaced, operands;
  replaced.reserve(order.size());
  for (Expr e : order) {
    Expr result = e.is_symbol() ? replacement(e.symbol_id()) : Expr();
    operands.clear();
    for (Expr operand : e.operands()) operands.push_back(replaced[detail::index_in(order, operand)]);
    if (!std::ranges::equal(operands, e.operands())) result = detail::rebuild(e.kind(), operands);
    replaced.push_back(result ? result : e);
  }
  detail::check_operands(expr, replaced.back());
  return replaced.back();
}

void collect_symbols(Expr expr, std::vector<uint32_t>& into) {
  detail::check_operand(expr);
  for (Expr e : detail::reachable(expr))
    if (e.is_symbol()) into.push_back(e.symbol_id());
  std::ranges::sort(into);
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

}  // namespace ge

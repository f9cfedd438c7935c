// and, or, not, select, broadcast.
//
// `not` is pushed to the leaves: comparisons turn around, and/or swap. Operands of and/or are sorted,
// without duplicates, and an operand beside its own negation decides the result.

#include "ge/base/symbolic_internal.hpp"

#include <algorithm>

namespace ge {
namespace detail {
namespace {

constexpr ExprKind opposite(ExprKind kind) {
  return kind == ExprKind::logical_and ? ExprKind::logical_or : ExprKind::logical_and;
}
bool is_and_or(Expr e) { return e.kind() == ExprKind::logical_and || e.kind() == ExprKind::logical_or; }

/// 1 where e is non-zero, else 0.
Expr truth(Expr e) { return e.bounds() == Bounds{0, 1} ? e : not_equal(e, 0); }

/// Adds e to the sorted operands of an and (or an or). Returns false when that decides the result: it then
/// is the absorbing constant.
bool add_condition(std::vector<Expr>& operands, Expr e, ExprKind kind) {
  const bool neutral = kind == ExprKind::logical_and;
  if (e.is_constant()) return (e.value() != 0) == neutral;
  const auto at = std::ranges::lower_bound(operands, e.id(), {}, &Expr::id);
  if (at != operands.end() && *at == e) return true;
  operands.insert(at, e);
  return is_and_or(e) || !std::ranges::binary_search(operands, logical_not(e).id(), {}, &Expr::id);
}

Expr junction(ExprKind kind, std::span<const Expr> conditions) {
  SymbolTable& table = conditions.front().table();
  std::vector<Expr> operands;
  for (Expr condition : conditions) {
    const Expr e = truth(condition);
    const std::span<const Expr> parts = e.kind() == kind ? e.operands() : std::span(&e, 1);
    for (Expr part : parts)
      if (!add_condition(operands, part, kind)) return table.constant(kind == ExprKind::logical_or);
  }
  if (operands.empty()) return table.constant(kind == ExprKind::logical_and);
  return operands.size() == 1 ? operands[0] : intern(kind, operands);
}

Expr junction(ExprKind kind, Expr a, Expr b) {
  check_operands(a, b);
  const Expr conditions[] = {a, b};
  return junction(kind, conditions);
}

Expr negate_junction(Expr e) {
  std::vector<Expr> negated;
  for (Expr operand : e.operands()) negated.push_back(logical_not(operand));
  return junction(opposite(e.kind()), negated);
}

/// An arm that tests the same condition again is what that condition chooses.
Expr arm_under(Expr cond, Expr arm, size_t chosen) {
  return arm.kind() == ExprKind::select && arm.operands()[0] == cond ? arm.operands()[chosen] : arm;
}

/// `a == b ? a : b`, in any order, is the other side alone.
bool chooses_between_equals(Expr cond, Expr then, Expr otherwise) {
  if (cond.kind() != ExprKind::eq) return false;
  const Expr a = cond.operands()[0], b = cond.operands()[1];
  return (then == a && otherwise == b) || (then == b && otherwise == a);
}

bool excludes_one(Expr e) { return e.bounds().lo > 1 || e.bounds().hi < 1; }

/// Whether `wide` is a broadcast that already takes in `part`.
bool is_broadcast_of(Expr wide, Expr part) {
  if (wide.kind() != ExprKind::select) return false;
  const auto arms = wide.operands();
  return (part == arms[1] || part == arms[2]) && arms[0] == equal(arms[2], 1);
}

}  // namespace
}  // namespace detail

Expr logical_and(Expr a, Expr b) { return detail::junction(ExprKind::logical_and, a, b); }
Expr logical_or(Expr a, Expr b) { return detail::junction(ExprKind::logical_or, a, b); }

Expr logical_not(Expr a) {
  detail::check_operand(a);
  if (a.is_constant()) return a.table().constant(a.value() == 0);
  const auto operands = a.operands();
  switch (a.kind()) {
    case ExprKind::eq: return not_equal(operands[0], operands[1]);
    case ExprKind::ne: return equal(operands[0], operands[1]);
    case ExprKind::lt: return less_equal(operands[1], operands[0]);
    case ExprKind::le: return less_equal(operands[1] + 1, operands[0]);
    case ExprKind::logical_and:
    case ExprKind::logical_or: return detail::negate_junction(a);
    case ExprKind::logical_not: return operands[0];
    default: break;
  }
  const Expr condition = detail::truth(a);
  return condition == a ? detail::intern(ExprKind::logical_not, {&a, 1}) : logical_not(condition);
}

Expr select(Expr cond, Expr then, Expr otherwise) {
  detail::check_operands(cond, then);
  detail::check_operands(cond, otherwise);
  const Expr test = detail::truth(cond);
  if (test.is_constant()) return test.value() != 0 ? then : otherwise;
  if (test.kind() == ExprKind::ne || test.kind() == ExprKind::logical_not)
    return select(logical_not(test), otherwise, then);
  then = detail::arm_under(test, then, 1);
  otherwise = detail::arm_under(test, otherwise, 2);
  if (then == otherwise) return then;
  if (detail::chooses_between_equals(test, then, otherwise)) return otherwise;
  if (then.is_constant(1) && otherwise.is_constant(0)) return test;
  if (then.is_constant(0) && otherwise.is_constant(1)) return logical_not(test);
  const Expr operands[] = {test, then, otherwise};
  return detail::intern(ExprKind::select, operands);
}

Expr broadcast(Expr a, Expr b) {
  detail::check_operands(a, b);
  if (b.id() < a.id()) std::swap(a, b);
  if (a == b || b.is_constant(1)) return a;
  if (a.is_constant(1) || b.is_constant()) return b;
  if (detail::excludes_one(a) || detail::is_broadcast_of(a, b)) return a;
  if (detail::excludes_one(b)) return b;
  if (detail::is_broadcast_of(b, a)) return b;
  return select(equal(a, 1), b, a);
}

bool known_true(Expr cond) {
  detail::check_operand(cond);
  return cond.bounds().lo > 0 || cond.bounds().hi < 0;
}

bool known_false(Expr cond) {
  detail::check_operand(cond);
  return cond.bounds() == Bounds{0, 0};
}

}  // namespace ge

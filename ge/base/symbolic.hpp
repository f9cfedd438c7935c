#pragma once
// Symbolic integers: what a tensor's dims and small integer values are made of.
//
// An Expr is an integer expression over symbols, built by the operators below. Expressions are
// simplified while they are built and hash-consed: two expressions with the same canonical form are
// the same node, so `==` is one pointer comparison. Distinct symbols are never made one.
//
// Meaning: an expression stands for a mathematical integer. Its value is absent (nullopt) where a
// symbol is unbound, a reached divisor is zero, or a result is not representable; simplification may
// give a value where the written form had none, and never changes a value that exists.
//
// Threads: creating expressions changes the SymbolTable and must be serialised per table (operators
// create, and so do substitute and broadcast). Reading finished expressions is safe from any thread.
// Errors: a null operand or operands of two tables raise Error(invalid_argument).

#include "ge/base/export.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ge {

class Expr;
class SymbolTable;

/// Inclusive range of an integer. INT64_MIN as `lo` and INT64_MAX as `hi` mean "unbounded".
struct Bounds {
  int64_t lo = INT64_MIN;
  int64_t hi = INT64_MAX;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// add: two or more terms, sorted, the constant last. mul: constant times one operand, or two or more
/// non-constant factors, sorted. min, max, logical_and, logical_or: two or more operands, sorted.
/// ceildiv appears only with a divisor that is no constant, 0 and INT64_MIN aside (else it becomes floordiv).
enum class ExprKind : uint8_t {
  constant,
  symbol,
  add,
  mul,
  floordiv,
  ceildiv,
  mod,
  min,
  max,
  eq,
  ne,
  lt,
  le,
  logical_and,
  logical_or,
  logical_not,
  select
};

/// Whether the operands may change places.
constexpr bool commutes(ExprKind kind) {
  switch (kind) {
    case ExprKind::add:
    case ExprKind::mul:
    case ExprKind::min:
    case ExprKind::max:
    case ExprKind::eq:
    case ExprKind::ne:
    case ExprKind::logical_and:
    case ExprKind::logical_or: return true;
    default: return false;
  }
}

namespace detail {

struct ExprNode {
  SymbolTable* table;
  const Expr* operands;
  int64_t value;  // of a constant; the id of a symbol
  Bounds bounds;
  uint32_t id;
  uint32_t operand_count;
  ExprKind kind;
  bool opaque;  // a sum or product kept as written, because combining it would leave int64_t
};

struct TableAccess;

/// Borrows a callable `Result(uint32_t symbol_id)` for the duration of one call.
template <class Result>
class SymbolCallback {
 public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::remove_cvref_t<F>, SymbolCallback>>>
  SymbolCallback(F&& f)  // NOLINT(google-explicit-constructor): lambdas convert at the call
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* callable, uint32_t id) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(callable))(id);
        }) {}
  Result operator()(uint32_t symbol_id) const { return call_(callable_, symbol_id); }

 private:
  void* callable_;
  Result (*call_)(void*, uint32_t);
};

}  // namespace detail

/// One expression: a pointer to a node that its SymbolTable owns. Default-constructed it is null and
/// stands for "absent"; every accessor except `bool` and `==` needs a non-null Expr.
class GE_API Expr {
 public:
  Expr() = default;
  explicit operator bool() const { return node_ != nullptr; }

  ExprKind kind() const { return node().kind; }
  bool is_constant() const { return kind() == ExprKind::constant; }
  bool is_constant(int64_t v) const { return is_constant() && node().value == v; }
  /// The constant's value; only when is_constant().
  int64_t value() const { return assert(is_constant()), node().value; }

  bool is_symbol() const { return kind() == ExprKind::symbol; }
  /// 0-based, in order of creation within the table; only when is_symbol().
  uint32_t symbol_id() const { return assert(is_symbol()), static_cast<uint32_t>(node().value); }
  std::string_view symbol_name() const;

  /// Holds every value that the expression takes while its symbols stay within theirs.
  Bounds bounds() const { return node().bounds; }
  std::span<const Expr> operands() const { return {node().operands, node().operand_count}; }
  /// Order of creation within the table; operands have smaller ids than what uses them.
  uint32_t id() const { return node().id; }
  SymbolTable& table() const;

  friend bool operator==(Expr a, Expr b) { return a.node_ == b.node_; }

 private:
  friend struct detail::TableAccess;
  explicit Expr(const detail::ExprNode* node) : node_(node) {}
  const detail::ExprNode& node() const { return assert(node_), *node_; }

  const detail::ExprNode* node_ = nullptr;
};

/// Owns symbols and expression nodes; an Expr is valid as long as its table.
class GE_API SymbolTable {
 public:
  SymbolTable();
  ~SymbolTable();
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;

  Expr constant(int64_t value);
  /// A new symbol, distinct from all others. A taken name gets the first free suffix ("N" → "N_1"), an
  /// empty name becomes "s". Raises Error(invalid_argument) when bounds.lo > bounds.hi.
  Expr symbol(std::string_view name, Bounds bounds = {0, INT64_MAX});
  /// The symbol of exactly that (possibly suffixed) name, or null.
  Expr find_symbol(std::string_view name) const;
  uint32_t symbol_count() const;
  /// Raises Error(invalid_argument) when there is no such id.
  Expr symbol_by_id(uint32_t id) const;
  size_t node_count() const;

 private:
  friend struct detail::TableAccess;
  struct State;
  std::unique_ptr<State> state_;
};

GE_API Expr operator+(Expr a, Expr b);
GE_API Expr operator-(Expr a, Expr b);
GE_API Expr operator*(Expr a, Expr b);
GE_API Expr operator-(Expr a);
/// Quotients rounded down and up; by zero there is no value.
GE_API Expr floor_div(Expr a, Expr b);
GE_API Expr ceil_div(Expr a, Expr b);
/// a - b * floor_div(a, b): the result has the divisor's sign, as in Python.
GE_API Expr floor_mod(Expr a, Expr b);
GE_API Expr min_of(Expr a, Expr b);
GE_API Expr max_of(Expr a, Expr b);

/// Comparisons give 1 or 0. The logical functions take any integer, non-zero being true, give 1 or 0,
/// and have a value only where all operands have one.
GE_API Expr equal(Expr a, Expr b);
GE_API Expr not_equal(Expr a, Expr b);
GE_API Expr less(Expr a, Expr b);
GE_API Expr less_equal(Expr a, Expr b);
inline Expr greater(Expr a, Expr b) { return less(b, a); }
inline Expr greater_equal(Expr a, Expr b) { return less_equal(b, a); }
GE_API Expr logical_and(Expr a, Expr b);
GE_API Expr logical_or(Expr a, Expr b);
GE_API Expr logical_not(Expr a);
/// `then` where cond is non-zero, else `otherwise`; the side not chosen may have no value.
GE_API Expr select(Expr cond, Expr then, Expr otherwise);

/// The dim that results from broadcasting a against b, taking for granted that they are broadcastable
/// (equal, or one of them is 1). Does not depend on the order of a and b.
GE_API Expr broadcast(Expr a, Expr b);

inline Expr operator+(Expr a, int64_t b) { return a + a.table().constant(b); }
inline Expr operator+(int64_t a, Expr b) { return b.table().constant(a) + b; }
inline Expr operator-(Expr a, int64_t b) { return a - a.table().constant(b); }
inline Expr operator-(int64_t a, Expr b) { return b.table().constant(a) - b; }
inline Expr operator*(Expr a, int64_t b) { return a * a.table().constant(b); }
inline Expr operator*(int64_t a, Expr b) { return b.table().constant(a) * b; }
inline Expr floor_div(Expr a, int64_t b) { return floor_div(a, a.table().constant(b)); }
inline Expr floor_div(int64_t a, Expr b) { return floor_div(b.table().constant(a), b); }
inline Expr ceil_div(Expr a, int64_t b) { return ceil_div(a, a.table().constant(b)); }
inline Expr ceil_div(int64_t a, Expr b) { return ceil_div(b.table().constant(a), b); }
inline Expr floor_mod(Expr a, int64_t b) { return floor_mod(a, a.table().constant(b)); }
inline Expr floor_mod(int64_t a, Expr b) { return floor_mod(b.table().constant(a), b); }
inline Expr min_of(Expr a, int64_t b) { return min_of(a, a.table().constant(b)); }
inline Expr min_of(int64_t a, Expr b) { return min_of(b.table().constant(a), b); }
inline Expr max_of(Expr a, int64_t b) { return max_of(a, a.table().constant(b)); }
inline Expr max_of(int64_t a, Expr b) { return max_of(b.table().constant(a), b); }
inline Expr equal(Expr a, int64_t b) { return equal(a, a.table().constant(b)); }
inline Expr equal(int64_t a, Expr b) { return equal(b, a); }
inline Expr not_equal(Expr a, int64_t b) { return not_equal(a, a.table().constant(b)); }
inline Expr not_equal(int64_t a, Expr b) { return not_equal(b, a); }
inline Expr less(Expr a, int64_t b) { return less(a, a.table().constant(b)); }
inline Expr less(int64_t a, Expr b) { return less(b.table().constant(a), b); }
inline Expr less_equal(Expr a, int64_t b) { return less_equal(a, a.table().constant(b)); }
inline Expr less_equal(int64_t a, Expr b) { return less_equal(b.table().constant(a), b); }
inline Expr greater(Expr a, int64_t b) { return less(b, a); }
inline Expr greater(int64_t a, Expr b) { return less(b, a); }
inline Expr greater_equal(Expr a, int64_t b) { return less_equal(b, a); }
inline Expr greater_equal(int64_t a, Expr b) { return less_equal(b, a); }
inline Expr select(Expr cond, int64_t then, Expr otherwise) {
  return select(cond, cond.table().constant(then), otherwise);
}
inline Expr select(Expr cond, Expr then, int64_t otherwise) {
  return select(cond, then, cond.table().constant(otherwise));
}
inline Expr select(Expr cond, int64_t then, int64_t otherwise) {
  return select(cond, cond.table().constant(then), otherwise);
}
inline Expr broadcast(Expr a, int64_t b) { return broadcast(a, a.table().constant(b)); }
inline Expr broadcast(int64_t a, Expr b) { return broadcast(b.table().constant(a), b); }
inline Expr& operator+=(Expr& a, Expr b) { return a = a + b; }
inline Expr& operator-=(Expr& a, Expr b) { return a = a - b; }
inline Expr& operator*=(Expr& a, Expr b) { return a = a * b; }

/// The expression with each symbol replaced by what the callback returns for its id (called once per
/// symbol; null keeps the symbol), simplified again. Replacements belong to the same table.
GE_API Expr substitute(Expr expr, detail::SymbolCallback<Expr> replacement);

/// Adds the ids of the expression's symbols; `into` is left sorted and without duplicates.
GE_API void collect_symbols(Expr expr, std::vector<uint32_t>& into);

/// Readable infix form: "2*H + 1", "floordiv(W + 1, 2)", "select(N == 1, M, N)", "A <= 3 and B < C". Names
/// that are no identifiers stand in backquotes. Null gives "?". Text beyond 64 KiB ends in "...".
GE_API std::string to_string(Expr expr);

/// The value under an assignment of the symbols (callback: `std::optional<int64_t>(uint32_t symbol_id)`),
/// or nullopt: unbound symbol, division by zero, or a result outside int64_t. Intermediate results are
/// exact. Does not check that symbols are within their bounds. Safe from any thread.
GE_API std::optional<int64_t> evaluate(Expr expr, detail::SymbolCallback<std::optional<int64_t>> value_of);

/// Whether the condition is non-zero (zero) for all values of its symbols, as far as simplification and
/// bounds show. Both are false when it depends or cannot be decided.
GE_API bool known_true(Expr cond);
GE_API bool known_false(Expr cond);

}  // namespace ge

template <>
struct std::hash<ge::Expr> {
  size_t operator()(ge::Expr e) const noexcept { return e ? e.id() + size_t{1} : 0; }
};

// The compile side of postfix code: from an Expr to words.
//
// 1. Count how often each node is used and estimate how deep a stack it needs (Sethi and Ullman's
//    numbering: of commuting operands the one that needs most goes first).
// 2. Write operands, then the operation. A node used again is stored in a local slot after its first
//    computation and loaded from then on; the slot is free again after its last use. Without a free slot
//    the node is written out again.

#include "ge/base/error.hpp"
#include "ge/base/postfix.hpp"
#include "ge/base/symbolic_internal.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace ge {
namespace {

constexpr size_t kLongestCode = size_t{1} << 20;

PostfixOp op_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::constant: return PostfixOp::push_constant;
    case ExprKind::symbol: return PostfixOp::push_symbol;
    case ExprKind::add: return PostfixOp::add;
    case ExprKind::mul: return PostfixOp::mul;
    case ExprKind::floordiv: return PostfixOp::floordiv;
    case ExprKind::ceildiv: return PostfixOp::ceildiv;
    case ExprKind::mod: return PostfixOp::mod;
    case ExprKind::min: return PostfixOp::min;
    case ExprKind::max: return PostfixOp::max;
    case ExprKind::eq: return PostfixOp::eq;
    case ExprKind::ne: return PostfixOp::ne;
    case ExprKind::lt: return PostfixOp::lt;
    case ExprKind::le: return PostfixOp::le;
    case ExprKind::logical_and: return PostfixOp::logical_and;
    case ExprKind::logical_or: return PostfixOp::logical_or;
    case ExprKind::logical_not: return PostfixOp::logical_not;
    case ExprKind::select: return PostfixOp::select;
  }
  throw Error(ErrorCode::internal, "an expression of unknown kind");
}

class Compiler {
 public:
  explicit Compiler(Expr root) {
    for (Expr e : detail::reachable(root)) plan(e);
    pending_.push_back({root, Step::compute});
  }

  std::vector<int64_t> run() {
    while (!pending_.empty()) {
      const Item item = pending_.back();
      pending_.pop_back();
      switch (item.step) {
        case Step::compute: compute(item.expr); break;
        case Step::apply: apply(item.expr); break;
        case Step::keep: keep(item.expr); break;
      }
      if (code_.size() > kLongestCode)
        throw Error(ErrorCode::unsupported, "a dim expression is too large: more than 2^20 words of postfix code");
    }
    return std::move(code_);
  }

 private:
  enum class Step { compute, apply, keep };
  struct Item {
    Expr expr;
    Step step;
  };
  struct Plan {
    uint32_t uses_left = 0;  // edges from users not yet written; not exact once a node is written twice
    uint32_t depth = 1;      // stack values needed if no part were loaded from a slot: decides the order only
    int slot = -1;
  };

  void apply(Expr e) {
    code_.push_back(static_cast<int64_t>(op_of(e.kind())));
    depth_ -= e.kind() == ExprKind::select ? 2 : e.kind() == ExprKind::logical_not ? 0 : 1;
  }
  void push(PostfixOp op, int64_t immediate) {
    code_.insert(code_.end(), {static_cast<int64_t>(op), immediate});
    if (++depth_ > kPostfixMaxDepth)
      throw Error(ErrorCode::unsupported, "a dim expression is nested too deeply: its postfix code needs more than " +
                                              std::to_string(kPostfixMaxDepth) + " stack values");
  }

  std::vector<Expr> in_order(Expr e) const {
    std::vector<Expr> operands(e.operands().begin(), e.operands().end());
    if (commutes(e.kind()))
      std::ranges::stable_sort(operands, std::ranges::greater{}, [this](Expr o) { return plans_.at(o).depth; });
    return operands;
  }

  // Folding leaves one value behind per binary step; only not and select take their operands at once.
  void plan(Expr e) {
    Plan& own = plans_[e];
    uint32_t held = 0;
    for (Expr operand : in_order(e)) {
      Plan& of_operand = plans_.at(operand);
      ++of_operand.uses_left;
      own.depth = std::max(own.depth, held + of_operand.depth);
      held = e.kind() == ExprKind::select ? held + 1 : 1;
    }
  }

  void compute(Expr e) {
    Plan& own = plans_.at(e);
    if (e.is_constant()) return push(PostfixOp::push_constant, e.value());
    if (e.is_symbol()) return push(PostfixOp::push_symbol, e.symbol_id());
    if (own.uses_left > 0) --own.uses_left;
    if (own.slot >= 0) {
      push(PostfixOp::load, own.slot);
      if (own.uses_left == 0) release(own);
      return;
    }
    if (own.uses_left > 0) pending_.push_back({e, Step::keep});
    push_steps(e);
  }

  void push_steps(Expr e) {
    const std::vector<Expr> operands = in_order(e);
    const bool folds = operands.size() > 2 && e.kind() != ExprKind::select;
    if (!folds) pending_.push_back({e, Step::apply});
    for (size_t i = operands.size(); i-- > 0;) {
      if (folds && i > 0) pending_.push_back({e, Step::apply});
      pending_.push_back({operands[i], Step::compute});
    }
  }

  void keep(Expr e) {
    Plan& own = plans_.at(e);
    const int slot = std::countr_one(taken_);
    if (own.slot >= 0 || own.uses_left == 0 || slot >= static_cast<int>(kPostfixMaxLocals)) return;
    taken_ |= uint64_t{1} << slot;
    own.slot = slot;
    code_.insert(code_.end(), {static_cast<int64_t>(PostfixOp::store), slot});
  }

  void release(Plan& plan) {
    taken_ &= ~(uint64_t{1} << plan.slot);
    plan.slot = -1;
  }

  static_assert(kPostfixMaxLocals == 64, "taken_ has one bit per slot");
  std::unordered_map<Expr, Plan> plans_;
  std::vector<Item> pending_;
  std::vector<int64_t> code_;
  uint64_t taken_ = 0;  // slots in use
  size_t depth_ = 0;    // of the stack, after the code so far
};

}  // namespace

void compile_postfix(Expr expr, std::vector<int64_t>& code) {
  detail::check_operand(expr);
  const std::vector<int64_t> words = Compiler(expr).run();
  code.insert(code.end(), words.begin(), words.end());
}

}  // namespace ge

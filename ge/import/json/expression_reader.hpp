#pragma once
#include "ge/base/shape.hpp"
#include "ge/import/json/memory_budget.hpp"

#include <string_view>
#include <vector>

namespace ge::json {

/// Reads what ExpressionWriter writes, and what people write like it. Grammar, loosest first: or, and, not, comparison
/// (== != < <= > >=), + and -, *, then numbers, symbols (in backquotes where they are no identifiers), "$3" for a
/// definition, parentheses, and floordiv, ceildiv, mod, min, max, select with arguments in parentheses.
/// Both functions throw Error(invalid_model) that shows the place in the text.
class ExpressionReader {
 public:
  ExpressionReader(SymbolTable& symbols, MemoryBudget& budget) : symbols_(symbols), budget_(budget) {}
  Expr expression(std::string_view text);
  /// "float32[N, 3]", "int64[2]{N, 4}", "float32[?]"
  TensorType type(std::string_view text);
  /// The next "$k".
  void define(Expr e) { definitions_.push_back(e); }
  size_t definitions() const { return definitions_.size(); }

 private:
  class Parser;
  SymbolTable& symbols_;
  MemoryBudget& budget_;
  std::vector<Expr> definitions_;
  size_t counted_ = 0;  ///< nodes of the table that the budget knows
};

}  // namespace ge::json

#pragma once
#include "ge/base/shape.hpp"
#include "ge/model/program.hpp"

#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ge {

/// Fills the pools that rows of a Program point to: text, numbers, operands, expressions, symbols. Equal expressions
/// are stored once. Not thread-safe.
class TableWriter {
 public:
  explicit TableWriter(ProgramTables& tables) : tables_(tables) {}

  TextRef text(std::string_view value);
  RowRange operands(const std::vector<uint32_t>& values);
  RowRange numbers(const std::vector<int64_t>& values);
  /// The row of `expr` in `expressions`. An expression too deep for postfix code becomes an open symbol: instantiate
  /// then infers the op anew.
  uint32_t expression(Expr expr);
  RowRange expressions(const std::vector<Expr>& exprs);
  /// The row of a symbol in `symbols`, made (as open) when first asked for.
  uint32_t symbol(Expr symbol);

 private:
  uint32_t add_expression(const std::vector<int64_t>& code);

  ProgramTables& tables_;
  std::map<std::string, TextRef, std::less<>> texts_;
  std::unordered_map<uint32_t, uint32_t> expressions_;  ///< Expr::id → row
  std::unordered_map<uint32_t, uint32_t> symbols_;      ///< symbol id → row
};

}  // namespace ge

#include "ge/build/table_writer.hpp"

#include "ge/base/error.hpp"
#include "ge/base/postfix.hpp"

namespace ge {

template <class T>
static uint32_t size32(const std::vector<T>& table) {
  if (table.size() >= no_index) throw Error(ErrorCode::out_of_memory, "a program table would have more than 2^32 rows");
  return static_cast<uint32_t>(table.size());
}

TextRef TableWriter::text(std::string_view value) {
  if (auto it = texts_.find(value); it != texts_.end()) return it->second;
  const TextRef ref{size32(tables_.text), static_cast<uint32_t>(value.size())};
  tables_.text.insert(tables_.text.end(), value.begin(), value.end());
  return texts_.emplace(std::string(value), ref).first->second;
}

RowRange TableWriter::operands(const std::vector<uint32_t>& values) {
  const RowRange range{size32(tables_.operands), static_cast<uint32_t>(values.size())};
  tables_.operands.insert(tables_.operands.end(), values.begin(), values.end());
  return range;
}

RowRange TableWriter::numbers(const std::vector<int64_t>& values) {
  const RowRange range{size32(tables_.numbers), static_cast<uint32_t>(values.size())};
  tables_.numbers.insert(tables_.numbers.end(), values.begin(), values.end());
  return range;
}

uint32_t TableWriter::symbol(Expr symbol) {
  const auto [it, fresh] = symbols_.try_emplace(symbol.symbol_id(), size32(tables_.symbols));
  if (fresh) {
    SymbolRow row;
    row.name = text(symbol.symbol_name());
    row.lowest = symbol.bounds().lo, row.highest = symbol.bounds().hi;
    tables_.symbols.push_back(row);
  }
  return it->second;
}

uint32_t TableWriter::add_expression(const std::vector<int64_t>& code) {
  const RowRange range{size32(tables_.code), static_cast<uint32_t>(code.size())};
  tables_.code.insert(tables_.code.end(), code.begin(), code.end());
  tables_.expressions.push_back({range});
  return size32(tables_.expressions) - 1;
}

/// Symbol ids of the compiler's table become rows of the program's.
static void rename_symbols(std::vector<int64_t>& code, auto&& row_of) {
  for (size_t i = 0; i < code.size(); ++i) {
    const auto op = static_cast<PostfixOp>(code[i]);
    const bool has_immediate = op == PostfixOp::push_constant || op == PostfixOp::push_symbol || op == PostfixOp::store || op == PostfixOp::load;
    if (!has_immediate) continue;
    ++i;
    if (op == PostfixOp::push_symbol) code[i] = row_of(static_cast<uint32_t>(code[i]));
  }
}

uint32_t TableWriter::expression(Expr expr) {
  if (auto it = expressions_.find(expr.id()); it != expressions_.end()) return it->second;
  std::vector<int64_t> code;
  try {
    compile_postfix(expr, code);
    rename_symbols(code, [&](uint32_t id) { return int64_t{symbol(expr.table().symbol_by_id(id))}; });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    code.clear();
    compile_postfix(expr.table().symbol("deep"), code);
    rename_symbols(code, [&](uint32_t id) { return int64_t{symbol(expr.table().symbol_by_id(id))}; });
  }
  const uint32_t row = add_expression(code);
  expressions_.emplace(expr.id(), row);
  return row;
}

RowRange TableWriter::expressions(const std::vector<Expr>& exprs) {
  std::vector<uint32_t> rows;
  for (Expr expr : exprs) rows.push_back(expr ? expression(expr) : no_index);
  return operands(rows);
}

}  // namespace ge

#pragma once
// The parts of check_program(), each in its own file. Not for use elsewhere.

#include "ge/base/error.hpp"
#include "ge/base/postfix.hpp"
#include "ge/model/program.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ge::checks {

/// A row of a table, for messages.
struct Row {
  std::string_view table;
  size_t index;
};

/// Throws Error(corrupt_file): "table 'ops' row 3: <what>".
[[noreturn]] inline void refuse(Row row, const std::string& what) {
  throw Error(ErrorCode::corrupt_file, "table '" + std::string(row.table) + "' row " + std::to_string(row.index) + ": " + what);
}

/// The value of an expression that is nothing but a constant, which is how every constant is compiled. Other code is not
/// evaluated: many rows may share one long expression.
inline std::optional<int64_t> constant_expression(const Program& program, uint32_t expression) {
  const auto code = program.code_of(expression);
  if (code.size() != 2 || code[0] != static_cast<int64_t>(PostfixOp::push_constant)) return std::nullopt;
  return code[1];
}

/// Every index and range of every row, attribute payloads, expressions.
void check_rows(const Program& program);
/// Places, sizes, dtypes and dims of the constants. Needs check_rows().
void check_constants(const Program& program, uint64_t weights_bytes);
/// Ranges, bodies, and that values are defined once and before they are read. Needs check_rows().
void check_scopes(const Program& program);

}  // namespace ge::checks

#include "ge/executor/walk_ops.hpp"

#include <algorithm>

namespace ge {

const WalkOp* find_walk_op(std::string_view domain, std::string_view op) {
  if (!domain.empty()) return nullptr;
  for (const auto table : {sequence_walk_ops(), optional_walk_ops(), part_walk_ops()})
    if (const auto it = std::ranges::find(table, op, &WalkOp::op); it != table.end()) return &*it;
  return nullptr;
}

ValueState empty_composite(ValueKind kind, DType dtype) {
  ValueState value;
  value.defined = true;
  value.kind = kind;
  value.dtype = dtype;
  return value;
}

}  // namespace ge

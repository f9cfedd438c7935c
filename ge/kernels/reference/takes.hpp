#pragma once
#include "ge/kernels/kernel.hpp"

namespace ge::reference {

// What kernels answer to supports().

/// The first input's dtype is in the set (for ops whose other inputs follow from it or are checked by the schema).
template <DTypeSet Set>
bool takes(const KernelQuery& query) {
  return !query.inputs.empty() && contains(Set, query.inputs[0]);
}
/// Every input's dtype is in the set.
template <DTypeSet Set>
bool all_take(const KernelQuery& query) {
  for (DType dtype : query.inputs)
    if (!contains(Set, dtype)) return false;
  return !query.inputs.empty();
}
/// The first input's elements are whole bytes: what kernels that only move elements need.
inline bool whole_bytes(const KernelQuery& query) { return !query.inputs.empty() && bits_of(query.inputs[0]) >= 8; }
/// The first output's elements are whole bytes.
inline bool writes_whole_bytes(const KernelQuery& query) { return !query.outputs.empty() && bits_of(query.outputs[0]) >= 8; }

}  // namespace ge::reference

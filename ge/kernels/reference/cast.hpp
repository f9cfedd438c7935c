#pragma once
#include "ge/kernels/kernel.hpp"

namespace ge::reference {

/// One end of a cast: where its elements are, and their dtype.
struct CastEnd {
  DType dtype;
  Slot slot;  ///< without its offset
};
/// Appends a task that casts numbers; float8 and float8e8m0 as the node's attributes say.
void append_number_cast(const KernelSite& site, TaskBuilder& builder, CastEnd from, CastEnd to);
/// Cast to and from strings.
void append_string_cast(const KernelSite& site, TaskBuilder& builder);

}  // namespace ge::reference

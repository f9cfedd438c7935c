#pragma once
#include "ge/kernels/kernel.hpp"

#include <span>
#include <string>

namespace ge {

/// What people want to know of a task beside its addresses. Kept only where InstantiateOptions::keep_notes asks for it.
struct TaskNote {
  const Kernel* kernel = nullptr;  ///< null for copies and control flow
  std::string inputs, outputs;     ///< "float32[1, 3, 8, 8], float32[16, 3, 3, 3]"; "-" for one that is absent
};

GE_API TaskNote make_note(const Kernel& kernel, std::span<const SiteTensor> inputs, std::span<const SiteTensor> outputs);

}  // namespace ge

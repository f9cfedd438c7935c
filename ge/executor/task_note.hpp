#pragma once
#include "ge/kernels/kernel.hpp"

#include <string>

namespace ge {

/// What people want to know of a task beside its addresses. Kept only where InstantiateOptions::keep_notes asks for it.
struct TaskNote {
  const Kernel* kernel = nullptr;  ///< null for copies and control flow
  std::string inputs, outputs;     ///< "float32[1, 3, 8, 8], float32[16, 3, 3, 3]"; "-" for one that is absent
};

}  // namespace ge

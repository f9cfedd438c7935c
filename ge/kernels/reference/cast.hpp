#pragma once
#include "ge/kernels/kernel.hpp"

namespace ge::reference {

/// Cast between numbers, and to and from strings: string_cast.cpp has the second half.
void append_string_cast(const KernelSite& site, TaskBuilder& builder);

}  // namespace ge::reference

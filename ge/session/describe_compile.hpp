#pragma once
#include "ge/session/compile.hpp"

namespace ge {

/// The model file's readable section as JSON: inputs, outputs, options, what the passes changed.
std::string describe_compile(const Compiled& compiled, const CompileOptions& options);

}  // namespace ge

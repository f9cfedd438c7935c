#pragma once
#include "ge/executor/loaded_program.hpp"

#include <cstdint>
#include <memory>

namespace ge::fuzz {

/// Bytes for the tensors of one run: few, so that a run under a sanitizer on a busy machine is still short.
inline constexpr int64_t run_memory_bytes = int64_t{64} << 10;

/// Runs a program with zero inputs, once with every open dim 1 and once with 2, 3, 1, 2, …; a run that is not done
/// within a second is cancelled. Throws Error when the program refuses these sizes or fails.
void run_limited(std::shared_ptr<const LoadedProgram> program);

}  // namespace ge::fuzz

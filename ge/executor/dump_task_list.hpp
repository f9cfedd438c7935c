#pragma once
#include "ge/executor/instantiation.hpp"
#include "ge/executor/loaded_program.hpp"

namespace ge {

/// A line per task (kind, node, chunks, addresses), then allocations and memory figures.
GE_API std::string dump_task_list(const Instantiation& plan, const LoadedProgram& program);

}  // namespace ge

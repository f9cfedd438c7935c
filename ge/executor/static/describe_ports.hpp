#pragma once
#include "ge/executor/static/io_binding.hpp"

namespace ge {

/// Names, dtypes and dims of a program's inputs or outputs.
std::vector<PortDescription> describe_ports(const Program& program, std::span<const PortRow> ports);

}  // namespace ge

#pragma once
#include "tools/run_options.hpp"

#include "ge/executor/static/davinci_model.hpp"

#include <vector>

namespace ge::tools {

/// Runs --bisect on made-up inputs, or on each data set of --verify until one shows a difference, and prints what was found.
/// Gives the exit code: 0 without a difference, 1 with one.
int bisect_model(const RunOptions& options, const std::vector<PortDescription>& ports, TaskRunner& runner);

}  // namespace ge::tools

#pragma once
#include "tools/inference.hpp"
#include "tools/run_options.hpp"
#include "tools/statistics.hpp"

namespace ge::tools {

/// Runs every data set in options.verify, prints a line for each, and compares with the outputs that the set holds.
/// Throws Error(run_failed) at the end that lists all mismatches. Adds the runs to `statistics`.
void verify(Inference& inference, const RunOptions& options, RunStatistics& statistics);

}  // namespace ge::tools

#pragma once
#include "tools/data_sets.hpp"
#include "tools/inference.hpp"
#include "tools/run_options.hpp"
#include "tools/statistics.hpp"

namespace ge::tools {

/// Runs every data set in options.verify, prints a line for each, and compares with the outputs that the set holds.
/// Throws Error(run_failed) at the end that lists all mismatches. Adds the runs to `statistics`.
void verify(Inference& inference, const RunOptions& options, RunStatistics& statistics);

/// The inputs that a data set holds, in the model's order. Throws Error(invalid_argument) for one too many or too few.
std::vector<Value> read_set_inputs(const DataSet& set, const std::vector<PortDescription>& ports);

}  // namespace ge::tools

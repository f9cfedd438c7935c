#pragma once
#include "tools/inference.hpp"
#include "tools/run_options.hpp"
#include "tools/statistics.hpp"

namespace ge::tools {

/// Runs each instance once (the first one's time is first_run_ms), once more to count allocations, options.warmup times,
/// and then as often or as long as asked, every instance from a thread of its own. Throws the first Error of any.
void measure(std::vector<Inference>& instances, const std::vector<Value>& inputs, const RunOptions& options, RunStatistics& statistics);

}  // namespace ge::tools

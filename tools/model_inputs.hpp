#pragma once
#include "tools/run_options.hpp"

#include "ge/base/value.hpp"
#include "ge/executor/static/davinci_model.hpp"

#include <vector>

namespace ge::tools {

/// A value for each input of the model: read from its file, else random of the shape that the model or --input_shape
/// gives. Throws Error naming the input and how to give what is missing.
std::vector<Value> make_inputs(const std::vector<PortDescription>& ports, const RunOptions& options);

}  // namespace ge::tools

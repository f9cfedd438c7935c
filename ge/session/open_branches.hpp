#pragma once
#include "ge/session/bisect.hpp"

namespace ge {

/// The same model with the branches that these inputs take in place of its Ifs, those inside branches too; Ifs in the
/// bodies of loops stay. Runs the reference to learn the predicates. Throws Error when that fails.
GraphSource open_branches(const GraphSource& source, const std::vector<Value>& inputs, const BisectOptions& options);

}  // namespace ge

#pragma once
#include "ge/graph/changes.hpp"

namespace ge {

/// Checks a root graph and all subgraphs that live nodes own. Throws one Error(invalid_model) with all findings:
///  - slots name live nodes and existing outputs; Boost edges and slots agree; no cycle;
///  - every op is registered (Data, Const and NetOutput included), required inputs are there, subgraph count fits;
///  - each graph has one NetOutput; Const nodes hold a tensor;
///  - If and Loop: inputs, branches and body fit each other (see ge/ops for the convention);
///  - a subgraph is owned by one live node.
GE_API void verify(const Graph& root);
/// The same for the touched nodes alone, cycles and owners left out (Inference::update finds cycles).
GE_API void verify(const Graph& root, const GraphChanges& changes);

}  // namespace ge

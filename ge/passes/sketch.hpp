#pragma once
#include "ge/graph/graph.hpp"

#include <string>
#include <variant>
#include <vector>

namespace ge {

/// A node that is not in the graph yet: what a pass tries out before it adds it. Inputs are values of the graph or the
/// elements of int64 constants to be made.
struct Sketch {
  using Input = std::variant<OutputRef, std::vector<int64_t>>;
  std::string op;
  Attributes attributes;
  std::vector<Input> inputs;
};

/// Whether inference gives output 0 of that node exactly this shape, dim by dim the same expression. False where the
/// op refuses the inputs.
bool gives_shape(const Graph& graph, const Sketch& sketch, const Shape& shape);

/// Adds the node (and its constants) in place of one that gave `replaced`: with the name of its node and its tensor.
OutputRef add_in_place_of(Graph& graph, OutputRef replaced, Sketch sketch);

}  // namespace ge

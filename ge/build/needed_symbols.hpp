#pragma once
#include "ge/graph/infer.hpp"

#include <vector>

namespace ge {

/// The symbols that instantiate must know: those in a dim, in a condition, in an element that decides a shape or a
/// kernel's preparation (the schema's content inputs), or in a predicate. Elements of integer inputs that reach none of
/// these stay plain data, so that other values of them need no new instantiation. By symbol id.
std::vector<bool> needed_symbols(const Graph& root, const InferResult& inferred);

}  // namespace ge

#pragma once
/// Opt-in: the Boost.Graph inside a ge::Graph, so that any Boost algorithm runs on it. Costs seconds to include.
#include <boost/graph/adjacency_list.hpp>

#include <cstdint>

namespace ge {

enum class EdgeKind : uint8_t { data, control };

/// Edge from output `output` of the source to input slot `input` of the target (both 0 for control edges).
struct EdgeProperty {
  uint32_t output = 0;
  uint32_t input = 0;
  EdgeKind kind = EdgeKind::data;
};

/// Vertex descriptors equal NodeId::value; dead nodes stay as vertices without edges. Parallel edges are normal (x * x).
using BoostAdjacency =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, EdgeProperty>;

class BoostGraph {
 public:
  BoostAdjacency adjacency;
};

}  // namespace ge

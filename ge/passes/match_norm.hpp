#pragma once
#include "ge/passes/match.hpp"

namespace ge {

/// d / sqrt(mean(d²) + epsilon) · gain + bias, written out, the mean being taken over d's last axes: RMSNormalization
/// of d, and LayerNormalization of x where d is x - mean(x).
struct Normalised {
  OutputRef operand;               ///< d
  std::vector<OutputRef> copies;   ///< where d was computed more than once: every value that serves as d
  size_t axis = 0;                 ///< first of the normalised axes
  double epsilon = 0;
  OutputRef result, gain, bias;    ///< gain and bias are none where the formula ends before them
  std::vector<NodeId> nodes;       ///< those of d excluded

  /// Whether the dims of a value are those of the normalised axes; constants may have further axes of size 1 in front.
  bool spans_axes(const Graph& graph, OutputRef value) const;
};

enum class Bias { not_taken, taken };

/// Finds the formula from its root: Sqrt or Pow with exponent ±1/2. The root divides d (Div), or its reciprocal
/// (Reciprocal, 1 / root, Pow -1/2) multiplies d, before or after the gain, or both terms of d. The square is Pow(d, 2) or Mul(d, d).
std::optional<Normalised> find_normalised(const Graph& graph, const Node& root, Bias bias);

/// The inputs and attributes of the composite op: x, gain, and bias where there is one; a gain of ones is made up where
/// there is none. nullopt: that gain's dims are not known, or x and the result differ in type or shape.
std::optional<Recognised> normalisation_of(const Graph& graph, OutputRef x, const Normalised& found, std::vector<NodeId> nodes, std::string op);

/// Whether the reduction is over axes `axis`, …, rank-1, and keeps them.
bool reduces_last_axes(const Graph& graph, const Node& reduction, size_t axis);

}  // namespace ge

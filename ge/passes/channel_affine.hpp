#pragma once
#include "ge/graph/graph.hpp"

#include <optional>
#include <vector>

namespace ge {

/// y = scale[c] * x + shift[c] for each channel c, in double.
struct ChannelAffine {
  std::vector<double> scale, shift;

  explicit ChannelAffine(size_t channels) : scale(channels, 1.0), shift(channels, 0.0) {}
  /// Both have as many channels.
  void then(const ChannelAffine& next);
  bool scales() const;  ///< some scale is not 1
  bool shifts() const;  ///< some shift is not 0
};

/// Where the channels of a value are.
struct ChannelAxis {
  size_t channels;
  size_t from_end;             ///< the axis counted from the last one, which is 0
  std::optional<size_t> rank;  ///< of the value, where it is known
};

/// What `node` does to the value in `slot`, where that is such a map by constants: BatchNormalization for inference,
/// Add, Sub, Mul, and Div by a constant, each broadcast along the channels (or one for all) and to no other shape.
/// nullopt for all other nodes.
std::optional<ChannelAffine> channel_affine(const Graph& graph, const Node& node, size_t slot, const ChannelAxis& axis);

/// The elements of a constant that broadcasts along the channels only, one for each channel; nullopt where it does not.
std::optional<std::vector<double>> along_channels(const Tensor& constant, const ChannelAxis& axis);

}  // namespace ge

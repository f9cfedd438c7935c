#pragma once
#include "ge/base/attributes.hpp"

#include <array>
#include <span>

namespace ge::reference {

/// An activation of RNN-22, GRU-22 or LSTM-22 with its scaling values.
struct RnnActivation {
  enum class Kind : uint8_t { relu, tanh, sigmoid, affine, leaky_relu, thresholded_relu, scaled_tanh, hard_sigmoid, elu, softsign, softplus } kind;
  double alpha = 0, beta = 0;

  double operator()(double x) const noexcept;
};

/// Activations by direction, then in the op's order (LSTM: f, g, h).
using RnnActivations = std::array<std::array<RnnActivation, 3>, 2>;

/// Reads activations, activation_alpha and activation_beta; `defaults` are the names for one direction.
RnnActivations read_rnn_activations(const Attributes& attributes, int64_t directions, std::span<const std::string_view> defaults);

}  // namespace ge::reference

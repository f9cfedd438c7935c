#include "ge/kernels/reference/rnn_activation.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace ge::reference {
namespace {

struct Known {
  std::string_view name;
  RnnActivation by_default;
  bool takes_alpha, takes_beta;
};
using Kind = RnnActivation::Kind;
// Defaults are those of the ONNX ops of the same name; Affine and ScaledTanh are no ops any more: 1 and 0, 1 and 1.
constexpr Known known_activations[] = {
    {"Relu", {Kind::relu, 0, 0}, false, false},
    {"Tanh", {Kind::tanh, 0, 0}, false, false},
    {"Sigmoid", {Kind::sigmoid, 0, 0}, false, false},
    {"Affine", {Kind::affine, 1, 0}, true, true},
    {"LeakyRelu", {Kind::leaky_relu, 0.01, 0}, true, false},
    {"ThresholdedRelu", {Kind::thresholded_relu, 1, 0}, true, false},
    {"ScaledTanh", {Kind::scaled_tanh, 1, 1}, true, true},
    {"HardSigmoid", {Kind::hard_sigmoid, 0.2, 0.5}, true, true},
    {"Elu", {Kind::elu, 1, 0}, true, false},
    {"Softsign", {Kind::softsign, 0, 0}, false, false},
    {"Softplus", {Kind::softplus, 0, 0}, false, false},
};

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char c, char d) { return lower(c) == lower(d); });
}

const Known& find_activation(std::string_view name) {
  for (const Known& known : known_activations)
    if (same_name(known.name, name)) return known;
  std::string text = "activation '" + std::string(name) + "' is not known, expected one of";
  for (const Known& known : known_activations) (text += ' ') += known.name;
  throw Error(ErrorCode::invalid_model, text);
}

}  // namespace

double RnnActivation::operator()(double x) const noexcept {
  switch (kind) {
    case Kind::relu: return x < 0 ? 0 : x;
    case Kind::tanh: return std::tanh(x);
    case Kind::sigmoid: return 1 / (1 + std::exp(-x));
    case Kind::affine: return alpha * x + beta;
    case Kind::leaky_relu: return x < 0 ? alpha * x : x;
    case Kind::thresholded_relu: return x < alpha ? 0 : x;
    case Kind::scaled_tanh: return alpha * std::tanh(beta * x);
    case Kind::hard_sigmoid: return std::isnan(x) ? x : std::clamp(alpha * x + beta, 0.0, 1.0);
    case Kind::elu: return x < 0 ? alpha * std::expm1(x) : x;
    case Kind::softsign: return x / (1 + std::fabs(x));
    case Kind::softplus: return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::fabs(x)));  // no overflow
  }
  return x;
}

RnnActivations read_rnn_activations(const Attributes& attributes, int64_t directions, std::span<const std::string_view> defaults) {
  const std::vector<std::string> names = attributes.get_strings("activations");
  const std::vector<float> alphas = attributes.get_floats("activation_alpha"), betas = attributes.get_floats("activation_beta");
  const size_t expected = static_cast<size_t>(directions) * defaults.size();
  if (!names.empty() && names.size() < expected)
    throw Error(ErrorCode::invalid_model, "activations has " + std::to_string(names.size()) + " names, expected " + std::to_string(expected));
  // Activations that scale take the next value of each list, as long as there are any.
  size_t alpha = 0, beta = 0;
  RnnActivations result{};
  for (size_t i = 0; i < expected; ++i) {
    const Known& known = find_activation(names.empty() ? defaults[i % defaults.size()] : std::string_view(names[i]));
    RnnActivation activation = known.by_default;
    if (known.takes_alpha && alpha < alphas.size()) activation.alpha = static_cast<double>(alphas[alpha++]);
    if (known.takes_beta && beta < betas.size()) activation.beta = static_cast<double>(betas[beta++]);
    result[i / defaults.size()][i % defaults.size()] = activation;
  }
  return result;
}

}  // namespace ge::reference

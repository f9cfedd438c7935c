#include "ge/kernels/reference/resize_axis.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace ge::reference {
namespace {

using Mode = ResizeRule::Mode;
using Coordinates = ResizeRule::Coordinates;
using Nearest = ResizeRule::Nearest;

/// The position of an attribute's value in the list of names that it may have.
uint8_t choice(const Attributes& attributes, std::string_view name, std::span<const std::string_view> names, std::string_view otherwise) {
  const std::string value = attributes.get_string(name, otherwise);
  const auto found = std::find(names.begin(), names.end(), value);
  if (found != names.end()) return static_cast<uint8_t>(found - names.begin());
  std::string text = "attribute " + std::string(name) + " is '" + value + "', expected one of";
  for (std::string_view known : names) (text += ' ') += known;
  throw Error(ErrorCode::invalid_model, text);
}

/// Weight of a sample at distance `d`: the triangle, and Keys' cubic (equation 4 of the paper that Resize-19 names).
double linear_weight(double d) { return std::max(0.0, 1 - std::fabs(d)); }
double cubic_weight(double d, double a) {
  d = std::fabs(d);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  if (d < 2) return ((d - 5) * d + 8) * d * a - 4 * a;
  return 0;
}

int64_t nearest_position(Nearest rule, double x) {
  // Scales come as float32: where 1/3 is meant, x is a little beside the whole or half number that decides.
  const double twice = std::nearbyint(2 * x);
  if (std::fabs(2 * x - twice) <= 4e-7 * std::max(1.0, std::fabs(x))) x = twice / 2;
  switch (rule) {
    case Nearest::round_prefer_floor: return static_cast<int64_t>(std::ceil(x - 0.5));
    case Nearest::round_prefer_ceil: return static_cast<int64_t>(std::floor(x + 0.5));
    case Nearest::floor: return static_cast<int64_t>(std::floor(x));
    case Nearest::ceil: return static_cast<int64_t>(std::ceil(x));
  }
  return 0;
}

}  // namespace

ResizeRule read_resize_rule(const Attributes& attributes) {
  static constexpr std::string_view modes[] = {"nearest", "linear", "cubic"};
  static constexpr std::string_view coordinates[] = {"half_pixel",    "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                                                     "asymmetric",    "tf_half_pixel_for_nn", "tf_crop_and_resize"};
  static constexpr std::string_view nearest[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
  ResizeRule rule;
  rule.mode = Mode{choice(attributes, "mode", modes, "nearest")};
  rule.coordinates = Coordinates{choice(attributes, "coordinate_transformation_mode", coordinates, "half_pixel")};
  rule.nearest = Nearest{choice(attributes, "nearest_mode", nearest, "round_prefer_floor")};
  rule.cubic_a = static_cast<double>(attributes.get_float("cubic_coeff_a", -0.75f));
  rule.exclude_outside = attributes.get_int("exclude_outside", 0) != 0;
  rule.antialias = attributes.get_int("antialias", 0) != 0;
  return rule;
}

double resize_coordinate(const ResizeRule& rule, const ResizeAxis& axis, int64_t at) {
  const auto x = static_cast<double>(at), input = static_cast<double>(axis.input), output = static_cast<double>(axis.output);
  const double half_pixel = (x + 0.5) / axis.scale - 0.5;
  switch (rule.coordinates) {
    case Coordinates::half_pixel: return half_pixel;
    case Coordinates::half_pixel_symmetric: return input / 2 * (1 - output / axis.length) + half_pixel;
    case Coordinates::pytorch_half_pixel: return axis.output > 1 ? half_pixel : 0;
    // ONNX's own node tests take the length before rounding here (resize_downsample_scales_linear_align_corners).
    case Coordinates::align_corners: return axis.output > 1 ? x * (input - 1) / (axis.length - 1) : 0;
    case Coordinates::asymmetric: return x / axis.scale;
    case Coordinates::tf_half_pixel_for_nn: return (x + 0.5) / axis.scale;
    case Coordinates::tf_crop_and_resize:
      if (axis.output > 1) return axis.roi_begin * (input - 1) + x * (axis.roi_end - axis.roi_begin) * (input - 1) / (output - 1);
      return 0.5 * (axis.roi_begin + axis.roi_end) * (input - 1);
  }
  return x;
}

std::vector<ResizeTap> resize_taps(const ResizeRule& rule, const ResizeAxis& axis, int64_t at) {
  if (axis.identity) return {{at, 1.0}};
  const double far = 4 * (static_cast<double>(axis.input) + 4);  // beyond, only the edge is read
  const double x = std::clamp(resize_coordinate(rule, axis, at), -far, far);
  const auto clamped = [&](int64_t position) { return std::clamp(position, int64_t{0}, axis.input - 1); };
  if (rule.coordinates == Coordinates::tf_crop_and_resize && !(x >= 0 && x <= static_cast<double>(axis.input - 1))) return {};
  if (rule.mode == Mode::nearest) return {{clamped(nearest_position(rule.nearest, x)), 1.0}};

  // antialias: shrinking stretches the filter, so that every input position takes part.
  const double narrow = rule.antialias ? std::min(1.0, axis.scale) : 1.0;
  const double reach = (rule.mode == Mode::linear ? 1 : 2) / narrow;
  if (reach > 2 * static_cast<double>(axis.input) + 4)
    throw Error(ErrorCode::unsupported, "scale " + std::to_string(axis.scale) + " shrinks an axis of " + std::to_string(axis.input) +
                                            " to less than one position, which antialias cannot do");
  std::vector<ResizeTap> taps;
  double sum = 0;
  const auto last = static_cast<int64_t>(std::floor(x + reach));
  for (auto position = static_cast<int64_t>(std::ceil(x - reach)); position <= last; ++position) {
    const double d = (static_cast<double>(position) - x) * narrow;
    const double weight = rule.mode == Mode::linear ? linear_weight(d) : cubic_weight(d, rule.cubic_a);
    if (weight == 0 || (rule.exclude_outside && clamped(position) != position)) continue;
    taps.push_back({clamped(position), weight});  // outside of the input its edge is repeated
    sum += weight;
  }
  if (rule.exclude_outside || narrow != 1)
    for (ResizeTap& tap : taps) tap.weight /= sum;
  return taps;
}

}  // namespace ge::reference

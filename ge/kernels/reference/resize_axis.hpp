#pragma once
#include "ge/base/attributes.hpp"

#include <cstdint>
#include <vector>

namespace ge::reference {

/// The attributes of Resize-19 that say how coordinates become weights.
struct ResizeRule {
  enum class Mode : uint8_t { nearest, linear, cubic } mode = Mode::nearest;
  enum class Coordinates : uint8_t {
    half_pixel,
    half_pixel_symmetric,
    pytorch_half_pixel,
    align_corners,
    asymmetric,
    tf_half_pixel_for_nn,  ///< opset 11 and 12 only
    tf_crop_and_resize
  } coordinates = Coordinates::half_pixel;
  enum class Nearest : uint8_t { round_prefer_floor, round_prefer_ceil, floor, ceil } nearest = Nearest::round_prefer_floor;
  double cubic_a = -0.75;
  bool exclude_outside = false, antialias = false;
};

/// Throws Error(invalid_model) on a name that is not one of Resize-19's (or Resize-11's).
ResizeRule read_resize_rule(const Attributes& attributes);

/// One axis: `output` positions made from `input` ones.
struct ResizeAxis {
  int64_t input = 1, output = 1;
  double scale = 1;
  double length = 1;  ///< of the output before it was rounded to a whole number
  double roi_begin = 0, roi_end = 1;
  bool identity = true;
};

/// An input position that an output position reads, and its weight.
struct ResizeTap {
  int64_t position;
  double weight;
};

/// The coordinate in the input of output position `x` (Resize-19, coordinate_transformation_mode).
double resize_coordinate(const ResizeRule& rule, const ResizeAxis& axis, int64_t x);
/// What output position `x` reads: weights sum to 1, none is 0. Nothing where tf_crop_and_resize leaves the input: there
/// the result is extrapolation_value.
std::vector<ResizeTap> resize_taps(const ResizeRule& rule, const ResizeAxis& axis, int64_t x);

}  // namespace ge::reference

#pragma once
#include "ge/base/tensor.hpp"

#include <string>

namespace ge::tools {

struct Tolerance {
  double relative = 1e-3, absolute = 1e-5;
};

/// Compares what a model gave with what was expected: dtype and dims equal; floats and complex parts
/// |got - expected| <= absolute + relative * |expected|, NaN equal to NaN and an infinity to itself; everything else
/// exactly. Gives "" when they agree, else what differs: how many elements, the first one, the largest errors.
std::string describe_difference(const Tensor& got, const Tensor& expected, Tolerance tolerance);

}  // namespace ge::tools

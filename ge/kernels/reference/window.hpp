#pragma once
#include "ge/base/attributes.hpp"
#include "ge/kernels/reference/dims.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace ge::reference {

/// Quotients rounded down and up; b > 0.
constexpr int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
constexpr int64_t ceil_quotient(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

/// How a window slides along one axis of an image (Conv-22, MaxPool-22, AveragePool-22, LpPool-22): output o, tap t
/// reads input position o * stride + t * dilation - pad_begin, which lies in the padding when outside 0..input-1.
struct WindowAxis {
  int64_t input = 1, output = 1;
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t pad_begin = 0, pad_end = 0;

  /// Positions from the first to the last tap.
  int64_t extent() const { return (kernel - 1) * dilation + 1; }
  int64_t position(int64_t o, int64_t tap) const { return o * stride + tap * dilation - pad_begin; }
  /// Outputs whose tap `tap` is inside the input; may be empty.
  Range outputs_inside(int64_t tap) const {
    const int64_t start = position(0, tap);
    const int64_t first = std::clamp(ceil_quotient(-start, stride), int64_t{0}, output);
    return {first, std::clamp(ceil_quotient(input - start, stride), first, output)};
  }
  /// Taps of output `o` at positions in [low, high); may be empty.
  Range taps_within(int64_t o, int64_t low, int64_t high) const {
    const int64_t start = position(o, 0);
    const int64_t first = std::clamp(ceil_quotient(low - start, dilation), int64_t{0}, kernel);
    return {first, std::clamp(ceil_quotient(high - start, dilation), first, kernel)};
  }
};

/// Windows over the spatial axes of an image, up to max_rank of them.
struct WindowNest {
  int32_t rank = 0;
  WindowAxis axis[max_rank] = {};
};

/// Kernels for the common images have loops over three axes; fewer are treated as leading axes of one position.
inline constexpr size_t max_spatial = 3;
using Window = std::array<WindowAxis, max_spatial>;

enum class AutoPad : uint8_t { notset, valid, same_upper, same_lower };

inline AutoPad auto_pad_of(const Attributes& attributes) {
  const std::string name = attributes.get_string("auto_pad", "NOTSET");
  if (name == "NOTSET" || name.empty()) return AutoPad::notset;
  if (name == "VALID") return AutoPad::valid;
  if (name == "SAME_UPPER") return AutoPad::same_upper;
  if (name == "SAME_LOWER") return AutoPad::same_lower;
  throw Error(ErrorCode::invalid_model, "attribute auto_pad is '" + name + "', expected NOTSET, VALID, SAME_UPPER or SAME_LOWER");
}

/// The number of outputs along an axis (its `output` is not read). For SAME, pass pads of 0: ceil(input / stride).
/// ceil_mode keeps a last window that only partly fits, unless it would start in the end padding (MaxPool-22).
inline int64_t window_outputs(const WindowAxis& axis, AutoPad auto_pad, bool ceil_mode) {
  if (auto_pad == AutoPad::same_upper || auto_pad == AutoPad::same_lower) return ceil_quotient(axis.input, axis.stride);
  const int64_t room = axis.input + axis.pad_begin + axis.pad_end - axis.extent();
  if (!ceil_mode) return std::max<int64_t>(0, floor_quotient(room, axis.stride) + 1);
  int64_t outputs = std::max<int64_t>(0, ceil_quotient(room, axis.stride) + 1);
  if (outputs > 0 && (outputs - 1) * axis.stride >= axis.input + axis.pad_begin) --outputs;
  return outputs;
}

/// Splits `total` padding in two: SAME_UPPER puts the odd one at the end, SAME_LOWER at the beginning.
inline void split_padding(WindowAxis& axis, int64_t total, bool odd_at_end) {
  const int64_t smaller = total / 2;
  axis.pad_begin = odd_at_end ? smaller : total - smaller;
  axis.pad_end = total - axis.pad_begin;
}

/// The padding of an axis whose input, output, kernel, stride and dilation are known.
inline void set_same_padding(WindowAxis& axis, AutoPad auto_pad) {
  const int64_t total = std::max<int64_t>(0, (axis.output - 1) * axis.stride + axis.extent() - axis.input);
  split_padding(axis, total, auto_pad == AutoPad::same_upper);
}

/// Reads strides, dilations and pads for images `input` -> `output` (spatial dims only) and a kernel of `kernel` taps
/// per axis. With auto_pad, pads is not read: VALID has none, SAME_* is left to the caller's rule.
inline WindowNest read_window_nest(const Attributes& attributes, std::span<const int64_t> input, std::span<const int64_t> output,
                                   std::span<const int64_t> kernel) {
  const size_t rank = input.size();
  const auto strides = attributes.get_ints("strides"), dilations = attributes.get_ints("dilations"), pads = attributes.get_ints("pads");
  const auto check = [&](const char* what, size_t found, size_t expected) {
    if (found != expected)
      throw Error(ErrorCode::invalid_model, std::string(what) + " has " + std::to_string(found) + " entries, expected " +
                                                std::to_string(expected) + " for " + std::to_string(rank) + " spatial axes");
  };
  if (rank > max_rank)
    throw Error(ErrorCode::unsupported, "an image has " + std::to_string(rank) + " spatial axes, this engine takes up to " + std::to_string(max_rank));
  check("the output", output.size(), rank);
  check("kernel_shape", kernel.size(), rank);
  if (!strides.empty()) check("strides", strides.size(), rank);
  if (!dilations.empty()) check("dilations", dilations.size(), rank);
  const bool padded = !pads.empty() && auto_pad_of(attributes) == AutoPad::notset;
  if (padded) check("pads", pads.size(), 2 * rank);
  WindowNest nest;
  nest.rank = static_cast<int32_t>(rank);
  for (size_t i = 0; i < rank; ++i) {
    WindowAxis& axis = nest.axis[i];
    axis = {input[i], output[i], kernel[i], strides.empty() ? 1 : strides[i], dilations.empty() ? 1 : dilations[i],
            padded ? pads[i] : 0, padded ? pads[rank + i] : 0};
    // The upper limit keeps products of two of these numbers in 64 bits.
    const auto fits = [](int64_t value) { return value >= 1 && value <= INT32_MAX; };
    if (!fits(axis.kernel) || !fits(axis.stride) || !fits(axis.dilation))
      throw Error(ErrorCode::invalid_model, "kernel_shape, strides and dilations must be in 1..2^31-1; spatial axis " + std::to_string(i) + " has " +
                                                std::to_string(axis.kernel) + ", " + std::to_string(axis.stride) + ", " + std::to_string(axis.dilation));
  }
  return nest;
}

/// read_window_nest with the SAME_* rule of Conv and the pools.
inline WindowNest read_padded_nest(const Attributes& attributes, std::span<const int64_t> input, std::span<const int64_t> output,
                                   std::span<const int64_t> kernel) {
  WindowNest nest = read_window_nest(attributes, input, output, kernel);
  if (const AutoPad pad = auto_pad_of(attributes); pad == AutoPad::same_upper || pad == AutoPad::same_lower)
    for (int32_t i = 0; i < nest.rank; ++i) set_same_padding(nest.axis[i], pad);
  return nest;
}

/// A nest of at most three axes as the last ones of three.
inline Window as_window(const WindowNest& nest) {
  Window window;
  std::copy_n(nest.axis, nest.rank, window.end() - nest.rank);
  return window;
}

}  // namespace ge::reference

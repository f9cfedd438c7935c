#pragma once
#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/gemm_tile.hpp"
#include "ge/kernels/reference/window.hpp"

namespace ge::reference {

/// What Conv does to one image and one group, and ConvTranspose to the outputs of one phase:
///   y[row, o] = bias[row] + sum over channel c and tap t of w[row, c, t] * x[c, o * stride + t * dilation - pad]
/// with x 0 outside of the image: the product of the weights as a matrix [rows, channels * taps] and the patches
/// [channels * taps, positions], a tile at a time. Steps are in elements; a window's dilation may be negative here.
struct Correlation {
  Window window;
  int64_t rows = 0, channels = 0;  ///< output and input channels of the group
  int64_t w_row = 0, w_channel = 0, w_tap[max_spatial] = {};
  int64_t y_row = 0, y_step[max_spatial] = {};  ///< y_step: from one output position to the next along each axis

  int64_t taps() const { return window[0].kernel * window[1].kernel * window[2].kernel; }
  int64_t positions() const { return window[0].output * window[1].output * window[2].output; }
  int64_t image_size() const { return window[0].input * window[1].input * window[2].input; }
};

/// Bases of the tensors (bias may be null) and the converters of their dtype.
struct CorrelationOperands {
  const void *x, *w, *bias;
  void* y;
  LoadDoubles load;
  StoreDoubles store;
};

/// First elements of the group's part of each tensor.
struct CorrelationStarts {
  int64_t x = 0, w = 0, bias = 0, y = 0;
};

/// Computes rows [row, row + tile_rows) and positions [column, column + tile_columns), as far as there are.
void correlate_tile(const Correlation& correlation, const CorrelationOperands& operands, const CorrelationStarts& starts,
                    int64_t row, int64_t column, ProductTile<double>& tile) noexcept;

/// Conv of any dtype that sums of doubles are stored as: floats, and int32, whose sums are exact and wrap when stored.
void prepare_conv(const KernelSite& site, TaskBuilder& builder);

}  // namespace ge::reference

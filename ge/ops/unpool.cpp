// What pools and windows took apart, put together: MaxUnpool (22), Col2Im (18).
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/window_shapes.hpp"

namespace ge {
namespace {

/// X[n, c, d1, …] → [n, c, (d1 - 1) * stride + kernel - pads, …], or what output_shape says, which is at least that.
void infer_max_unpool(InferContext& context) {
  const Windows windows = read_windows(context, kernel_attribute(context));
  const size_t rank = windows.rank() + 2;
  require_rank(context, 0, rank, rank, "X");
  require_rank(context, 1, rank, rank, "I");
  Shape out(rank);
  if (context.has_rank(0)) {
    const Shape& x = context.shape(0);
    if (context.has_rank(1))
      for (size_t d = 0; d < rank; ++d) require_equal(context, context.dim(1, d), x[d], [&] { return "dim " + std::to_string(d) + " of I"; });
    out[0] = x[0], out[1] = x[1];
    for (size_t i = 0; i + 2 < rank; ++i) {
      const Expr dim = (x[i + 2] - 1) * windows.strides[i] + windows.kernel[i] - (windows.pad_begins[i] + windows.pad_ends[i]);
      out[i + 2] = as_dim(context, dim, [&] { return "the output dim at axis " + std::to_string(i + 2); });
    }
  }
  if (context.has_input(2)) {
    require_rank(context, 2, 1, 1, "output_shape");
    if (const auto count = known_length(context, 2); count && *count != rank)
      context.fail("output_shape has " + std::to_string(*count) + " values, expected " + std::to_string(rank));
    const std::vector<Expr>* stated = context.values(2);
    for (size_t d = 0; d < rank; ++d) {
      const Expr dim = stated == nullptr ? context.unknown_dim() : as_dim(context, (*stated)[d], "a value of output_shape");
      if (stated != nullptr && out[d])
        context.require(d < 2 ? equal(dim, out[d]) : greater_equal(dim, out[d]), [&] {
          return "output_shape says " + to_string(dim) + " at axis " + std::to_string(d) + ", expected " + (d < 2 ? "" : "at least ") + to_string(out[d]);
        });
      out[d] = dim;
    }
  }
  context.set_output(0, context.dtype(0), with_unknowns(context, std::move(out)));
}

/// input[n, c * taps of a block, blocks] → [n, c, image dims].
void infer_col2im(InferContext& context) {
  require_rank(context, 0, 3, 3, "input");
  require_rank(context, 1, 1, 1, "image_shape");
  require_rank(context, 2, 1, 1, "block_shape");
  const std::vector<Expr>* image = context.values(1);
  const std::vector<Expr>* block = context.values(2);
  const auto count = known_length(context, 1), other = known_length(context, 2);
  if (count && other && *count != *other)
    context.fail("image_shape has " + std::to_string(*count) + " values and block_shape " + std::to_string(*other) + ", expected as many");
  if (!count) return context.set_output_unknown_rank(0, context.dtype(0));
  const size_t rank = *count;
  Shape out(rank + 2);
  for (size_t i = 0; i < rank && image != nullptr; ++i) out[i + 2] = as_dim(context, (*image)[i], "a value of image_shape");
  const Windows windows = read_windows(context, block != nullptr ? Shape(*block) : context.unknown_shape(rank));
  Expr taps = context.constant(1), blocks = taps;
  for (size_t i = 0; i < rank && block != nullptr; ++i) {
    context.require(greater_equal((*block)[i], 1), [&] { return "block_shape has the value " + to_string((*block)[i]) + ", expected at least 1"; });
    taps = taps * (*block)[i];
    if (out[i + 2]) blocks = blocks * window_count(context, windows, i, out[i + 2], false);
  }
  if (context.has_rank(0)) {
    out[0] = context.dim(0, 0);
    if (block != nullptr) {
      const Expr rows = context.dim(0, 1);
      require_equal(context, floor_mod(rows, taps), context.constant(0),
                    [&] { return "the remainder of dim 1 of input" + to_string(context.shape(0)) + " by the " + to_string(taps) + " elements of a block"; });
      out[1] = floor_div(rows, taps);
      if (image != nullptr)
        require_equal(context, context.dim(0, 2), blocks, [&] { return "the number of blocks of input" + to_string(context.shape(0)); });
    }
  }
  context.set_output(0, context.dtype(0), with_unknowns(context, std::move(out)));
}

REGISTER_OP("", "MaxUnpool", 22, "maxima put back where they were, 0 elsewhere",
            OpSchema()
                .in("X", dtypes::floats, "T1")
                .in("I", onnx_types::int64, "T2")
                .optional_in("output_shape", onnx_types::int64, "T2")
                .out("output", dtypes::floats, "T1")
                .required_attribute("kernel_shape", std::vector<int64_t>{})
                .optional_attribute("pads", std::vector<int64_t>{})
                .optional_attribute("strides", std::vector<int64_t>{})
                .content(2)
                .infer(infer_max_unpool));
REGISTER_OP("", "Col2Im", 18, "overlapping blocks added up to an image",
            OpSchema()
                .in("input", onnx_types::classic, "T")
                .in("image_shape", onnx_types::int64)
                .in("block_shape", onnx_types::int64)
                .out("output", onnx_types::classic, "T")
                .optional_attribute("dilations", std::vector<int64_t>{})
                .optional_attribute("pads", std::vector<int64_t>{})
                .optional_attribute("strides", std::vector<int64_t>{})
                .content(1)
                .content(2)
                .infer(infer_col2im));

}  // namespace
}  // namespace ge

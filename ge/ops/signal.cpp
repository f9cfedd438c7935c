// Transforms of signals: DFT (20), STFT (17), MelWeightMatrix (17).
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// The last dim of a signal: 1 for real, 2 for complex elements.
void require_parts(InferContext& context, size_t i, std::string_view name) {
  const Expr parts = context.shape(i).back();
  context.require(logical_or(equal(parts, 1), equal(parts, 2)), [&] {
    return "the last dim of input " + std::to_string(i) + " (" + std::string(name) + ") is " + to_string(parts) + ", expected 1 (real) or 2 (complex)";
  });
}

/// The value of scalar input `i`, at least 1; null where it is not known.
Expr positive_scalar(InferContext& context, size_t i, std::string_view name) {
  const Expr value = scalar_value(context, i, name);
  if (value)
    context.require(greater_equal(value, 1), [&] { return std::string(name) + " is " + to_string(value) + ", expected at least 1"; });
  return value;
}

/// The axis of DFT: any but the last one. nullopt where it is not known.
std::optional<size_t> transformed_axis(InferContext& context, size_t rank) {
  int64_t axis = -2;
  if (context.has_input(2)) {
    const Expr given = scalar_value(context, 2, "axis");
    if (!given || !given.is_constant()) return std::nullopt;
    axis = given.value();
  }
  const size_t found = context.axis(axis, rank);
  if (found + 1 == rank) context.fail("axis " + std::to_string(axis) + " is the last one, which holds real and imaginary parts; expected another");
  return found;
}

void infer_dft(InferContext& context) {
  const bool inverse = flag(context, "inverse", false), onesided = flag(context, "onesided", false), real_result = inverse && onesided;
  require_rank(context, 0, 2, SIZE_MAX, "input");
  Expr length = context.has_input(1) ? positive_scalar(context, 1, "dft_length") : Expr{};
  if (!context.has_rank(0)) {
    if (context.has_input(2)) scalar_value(context, 2, "axis");
    return context.set_output_unknown_rank(0, context.dtype(0));
  }
  Shape out = context.shape(0);
  require_parts(context, 0, "input");
  if (onesided) require_equal(context, out.back(), context.constant(inverse ? 2 : 1), "onesided: the last dim of the input");
  const auto axis = transformed_axis(context, out.size());
  if (!axis) {
    for (Expr& dim : out) dim = context.unknown_dim();
  } else {
    if (!context.has_input(1)) length = real_result ? as_dim(context, (out[*axis] - 1) * 2, "the default of dft_length") : out[*axis];
    if (!length) out[*axis] = context.unknown_dim();
    else out[*axis] = onesided && !inverse ? floor_div(length, 2) + 1 : length;
  }
  out.back() = context.constant(real_result ? 1 : 2);
  context.set_output(0, context.dtype(0), std::move(out));
}

/// The frame length: given, else the window's, else the signal's. Null where it is not known.
Expr frame_length(InferContext& context) {
  const Expr window = context.has_input(2) ? (context.has_rank(2) ? context.dim(2, 0) : Expr{}) : Expr{};
  if (context.has_input(3)) {
    const Expr given = positive_scalar(context, 3, "frame_length");
    if (given && window) require_equal(context, window, given, "the length of input 2 (window)");
    return given;
  }
  if (context.has_input(2)) return window;
  return context.has_rank(0) ? context.dim(0, 1) : Expr{};
}

void infer_stft(InferContext& context) {
  require_rank(context, 0, 3, 3, "signal");
  require_rank(context, 2, 1, 1, "window");
  if (context.has_rank(0)) require_parts(context, 0, "signal");
  const Expr step = positive_scalar(context, 1, "frame_step"), length = frame_length(context);
  Shape out(4);
  if (context.has_rank(0)) out[0] = context.dim(0, 0);
  if (length) {
    context.require(greater_equal(length, 1), [&] { return "the frame length is " + to_string(length) + ", expected at least 1"; });
    out[2] = flag(context, "onesided", true) ? floor_div(length, 2) + 1 : length;
  }
  if (length && step && context.has_rank(0)) {
    const Expr signal = context.dim(0, 1);
    context.require(greater_equal(signal, length), [&] { return "the signal has " + to_string(signal) + " samples, expected at least the " + to_string(length) + " of a frame"; });
    out[1] = floor_div(signal - length, step) + 1;
  }
  out[3] = context.constant(2);
  context.set_output(0, context.dtype(0), with_unknowns(context, std::move(out)));
}

void infer_mel_weight_matrix(InferContext& context) {
  for (size_t i = 0; i < 5; ++i) {
    require_rank(context, i, 0, 1, "a scalar");
    if (context.has_input(i) && context.has_rank(i) && context.rank(i) == 1)
      require_equal(context, context.dim(i, 0), context.constant(1), [&] { return "the dim of input " + std::to_string(i) + ", a scalar,"; });
  }
  const Expr bands = scalar_value(context, 0, "num_mel_bins"), length = scalar_value(context, 1, "dft_length");
  Shape out(2);
  if (length) out[0] = floor_div(as_dim(context, length, "dft_length"), 2) + 1;
  if (bands) out[1] = as_dim(context, bands, "num_mel_bins");
  context.set_output(0, dtype_attribute(context, "output_datatype", DType::float32), with_unknowns(context, std::move(out)));
}

REGISTER_OP("", "DFT", 20, "discrete Fourier transform along an axis, or its inverse",
            OpSchema()
                .in("input", dtypes::floats, "T1")
                .optional_in("dft_length", onnx_types::index)
                .optional_in("axis", onnx_types::int64)
                .out("output", dtypes::floats, "T1")
                .attribute("inverse", int64_t{0})
                .attribute("onesided", int64_t{0})
                .content(1)
                .content(2)
                .infer(infer_dft));
REGISTER_OP("", "STFT", 17, "discrete Fourier transforms of overlapping frames of a signal",
            OpSchema()
                .in("signal", dtypes::floats, "T1")
                .in("frame_step", onnx_types::index, "T2")
                .optional_in("window", dtypes::floats, "T1")
                .optional_in("frame_length", onnx_types::index, "T2")
                .out("output", dtypes::floats, "T1")
                .attribute("onesided", int64_t{1})
                .content(1)
                .content(3)
                .infer(infer_stft));
REGISTER_OP("", "MelWeightMatrix", 17, "weights that gather the bins of a spectrum into mel bands",
            OpSchema()
                .in("num_mel_bins", onnx_types::index, "T1")
                .in("dft_length", onnx_types::index, "T1")
                .in("sample_rate", onnx_types::index, "T1")
                .in("lower_edge_hertz", dtypes::floats, "T2")
                .in("upper_edge_hertz", dtypes::floats, "T2")
                .out("output", dtypes::numeric)
                .attribute("output_datatype", int64_t{1})
                .content(0)
                .content(1)
                .infer(infer_mel_weight_matrix));

}  // namespace
}  // namespace ge

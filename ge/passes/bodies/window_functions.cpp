// HannWindow, HammingWindow, BlackmanWindow (ONNX 17): a0 - a1 cos t + a2 cos 2t at t = 2π i / N for i < size; N is size
// for a periodic window, size - 1 for a symmetric one. Computed in double, then cast.
#include "ge/passes/function_bodies.hpp"

#include <numbers>

namespace ge {
namespace {

std::vector<Term> cosine_window(FunctionBody& body, double a0, double a1, double a2) {
  const Term size = body.cast(body.reshape(body.in(0), {1}), DType::int64);
  const Term i = body.cast(body.count_to(size), DType::float64);
  const Term n = body.cast(size, DType::float64) - (body.integer("periodic") != 0 ? 0.0 : 1.0);
  // A symmetric window of one point is its own middle.
  const Term middle = body.scalar(std::numbers::pi, DType::float64);
  const Term t = body.op("Where", {body.op("Equal", {n, body.scalar(0.0, DType::float64)}), middle, i * (2 * std::numbers::pi) / n});
  Term window = a0 - body.op("Cos", {t}) * a1;
  if (a2 != 0) window = window + body.op("Cos", {t * 2.0}) * a2;
  return {body.cast(window, body.dtype_of("output_datatype"))};
}

std::vector<Term> build_hann(FunctionBody& body) { return cosine_window(body, 0.5, 0.5, 0); }
std::vector<Term> build_hamming(FunctionBody& body) { return cosine_window(body, 25.0 / 46, 21.0 / 46, 0); }
std::vector<Term> build_blackman(FunctionBody& body) { return cosine_window(body, 0.42, 0.5, 0.08); }

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "HannWindow", "0.5 - 0.5 cos t", ge::build_hann);
REGISTER_FUNCTION_BODY("", "HammingWindow", "25/46 - 21/46 cos t", ge::build_hamming);
REGISTER_FUNCTION_BODY("", "BlackmanWindow", "0.42 - 0.5 cos t + 0.08 cos 2t", ge::build_blackman);

// SwiGLU (ONNX 28): Swish(a) · b, Swish being a · sigmoid(alpha · a).
#include "ge/passes/function_bodies.hpp"

namespace ge {
namespace {

std::vector<Term> build_swiglu(FunctionBody& body) {
  return {body.op("Swish", {body.in(0)}, {{"alpha", static_cast<float>(body.real("alpha"))}}) * body.in(1)};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "SwiGLU", "Swish(a) * b", ge::build_swiglu);

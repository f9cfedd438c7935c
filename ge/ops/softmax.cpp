// Ops along one axis that keep the shape: Softmax (13), LogSoftmax (13), Hardmax (13).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_softmax(InferContext& context) {
  infer_like_first(context);
  if (context.has_rank(0)) context.axis(context.attributes().get_int("axis", -1), context.rank(0));
}

OpSchema softmax() {
  return OpSchema().in("input", dtypes::floats, "T").out("output", dtypes::floats, "T").attribute("axis", int64_t{-1}).infer(infer_softmax);
}

REGISTER_OP("", "Softmax", 13, "e^x divided by its sum along an axis", softmax());
REGISTER_OP("", "LogSoftmax", 13, "logarithm of Softmax", softmax());
REGISTER_OP("", "Hardmax", 13, "1 at the first largest element along an axis, else 0", softmax());

}  // namespace
}  // namespace ge

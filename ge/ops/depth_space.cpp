// Blocks of b × b pixels to and from channels: DepthToSpace (28), SpaceToDepth (28), on X[n, c, h, w].
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

int64_t block_size(const InferContext& context) {
  const int64_t block = context.attributes().need_int("blocksize");
  if (block < 1 || block > 32768) context.fail("attribute 'blocksize' is " + std::to_string(block) + ", expected 1 to 32768");
  require_one_of(context, "mode", context.attributes().get_string("mode", "DCR"), {"DCR", "CRD"});
  require_rank(context, 0, 4, 4, "input");
  return block;
}

Expr divided(InferContext& context, size_t axis, int64_t by) {
  const Expr dim = context.dim(0, axis);
  require_equal(context, floor_mod(dim, by), context.constant(0),
                [&] { return "the remainder of " + to_string(dim) + " at axis " + std::to_string(axis) + " by " + std::to_string(by); });
  return floor_div(dim, by);
}

void infer_depth_to_space(InferContext& context) {
  const int64_t b = block_size(context);
  if (!context.has_rank(0)) return context.set_output(0, context.dtype(0), context.unknown_shape(4));
  const Shape& x = context.shape(0);
  context.set_output(0, context.dtype(0), {x[0], divided(context, 1, b * b), x[2] * b, x[3] * b});
}

void infer_space_to_depth(InferContext& context) {
  const int64_t b = block_size(context);
  if (!context.has_rank(0)) return context.set_output(0, context.dtype(0), context.unknown_shape(4));
  const Shape& x = context.shape(0);
  context.set_output(0, context.dtype(0), {x[0], x[1] * (b * b), divided(context, 2, b), divided(context, 3, b)});
}

OpSchema rearrangement(InferFn fn) {
  return OpSchema()
      .in("input", onnx_types::classic, "T")
      .out("output", onnx_types::classic, "T")
      .required_attribute("blocksize", int64_t{})
      .attribute("mode", std::string("DCR"))
      .infer(fn);
}

REGISTER_OP("", "DepthToSpace", 28, "channels to blocks of pixels", rearrangement(infer_depth_to_space));
REGISTER_OP("", "SpaceToDepth", 28, "blocks of pixels to channels", rearrangement(infer_space_to_depth));

}  // namespace
}  // namespace ge

// HannWindow, HammingWindow, BlackmanWindow (ONNX 17): `size` numbers.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

void infer_window(InferContext& context) {
  require_rank(context, 0, 0, 1, "size");
  const Expr size = scalar_value(context, 0, "size");
  const DType dtype = dtype_attribute(context, "output_datatype", DType::float32);
  context.set_output(0, dtype, {size ? as_dim(context, size, "input 0 (size)") : context.unknown_dim()});
}

OpSchema window() {
  return OpSchema()
      .in("size", onnx_types::index)
      .out("output", dtypes::numeric)
      .attribute("output_datatype", int64_t{1})
      .attribute("periodic", int64_t{1})
      .content(0)
      .infer(infer_window);
}

REGISTER_OP("", "HannWindow", 17, "0.5 - 0.5 cos t", window());
REGISTER_OP("", "HammingWindow", 17, "25/46 - 21/46 cos t", window());
REGISTER_OP("", "BlackmanWindow", 17, "0.42 - 0.5 cos t + 0.08 cos 2t", window());

}  // namespace
}  // namespace ge

// Binarizer (ai.onnx.ml 1).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

constexpr DTypeSet feature_types = dtype_set(DType::float32, DType::float64, DType::int64, DType::int32);

REGISTER_OP("ai.onnx.ml", "Binarizer", 1, "1 where x > threshold, else 0",
            OpSchema().in("X", feature_types, "T").out("Y", feature_types, "T").attribute("threshold", 0.0F).infer(infer_like_first));

}  // namespace
}  // namespace ge

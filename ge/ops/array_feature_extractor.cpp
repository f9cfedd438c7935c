// ArrayFeatureExtractor (ai.onnx.ml 1).
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// X[…, F], Y of n indices -> Z[…, n]; a vector X counts as a matrix of one row.
void infer_array_feature_extractor(InferContext& context) {
  if (!context.has_rank(0)) return context.set_output_unknown_rank(0, context.dtype(0));
  if (context.rank(0) == 0) context.fail("input 0 (X) is a scalar, expected rank at least 1");
  Shape out = context.shape(0);
  if (out.size() == 1) out.insert(out.begin(), context.constant(1));
  out.back() = context.has_rank(1) ? product(context.symbols(), context.shape(1), 0, context.rank(1)) : context.unknown_dim();
  context.set_output(0, context.dtype(0), std::move(out));
}

constexpr DTypeSet feature_types = dtype_set(DType::float32, DType::float64, DType::int64, DType::int32, DType::string);

REGISTER_OP("ai.onnx.ml", "ArrayFeatureExtractor", 1, "elements picked along the last axis",
            OpSchema().in("X", feature_types, "T").in("Y", onnx_types::int64).out("Z", feature_types, "T").infer(infer_array_feature_extractor));

}  // namespace
}  // namespace ge

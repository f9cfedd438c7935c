// LabelEncoder (ai.onnx.ml 4).
#include "ge/base/label_mapping.hpp"
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

constexpr DTypeSet label_types = dtype_set(DType::string, DType::int64, DType::float32, DType::int32, DType::int16, DType::float64);

void infer_label_encoder(InferContext& context) {
  const LabelMapping mapping = LabelMapping::read(context.attributes());
  if (mapping.keys.dtype() != context.dtype(0))
    context.fail("input 0 (X) is " + std::string(to_string(context.dtype(0))) + ", but the keys are " + std::string(to_string(mapping.keys.dtype())));
  set_like_first(context, mapping.values.dtype());
}

REGISTER_OP("ai.onnx.ml", "LabelEncoder", 4, "the value that stands beside each element in a list of keys",
            OpSchema()
                .in("X", label_types, "T1")
                .out("Y", label_types, "T2")
                .optional_attribute("keys_strings", std::vector<std::string>{})
                .optional_attribute("keys_int64s", std::vector<int64_t>{})
                .optional_attribute("keys_floats", std::vector<float>{})
                .optional_attribute("keys_tensor", Tensor{})
                .optional_attribute("values_strings", std::vector<std::string>{})
                .optional_attribute("values_int64s", std::vector<int64_t>{})
                .optional_attribute("values_floats", std::vector<float>{})
                .optional_attribute("values_tensor", Tensor{})
                .attribute("default_string", std::string("_Unused"))
                .attribute("default_int64", int64_t{-1})
                .attribute("default_float", -0.0F)
                .optional_attribute("default_tensor", Tensor{})
                .infer(infer_label_encoder));

}  // namespace
}  // namespace ge

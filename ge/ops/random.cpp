// Random numbers: RandomNormal, RandomUniform, RandomNormalLike, RandomUniformLike, Bernoulli, Multinomial (22).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

#include <cmath>

namespace ge {
namespace {

float finite_attribute(const InferContext& context, std::string_view name, float otherwise) {
  const float value = context.attributes().get_float(name, otherwise);
  if (!std::isfinite(value)) context.fail("attribute '" + std::string(name) + "' is " + std::to_string(value) + ", expected a finite number");
  return value;
}

void check_normal(const InferContext& context) {
  finite_attribute(context, "mean", 0);
  const float scale = finite_attribute(context, "scale", 1);
  if (scale < 0) context.fail("attribute 'scale' is " + std::to_string(scale) + ", expected a standard deviation of at least 0");
}
void check_uniform(const InferContext& context) {
  const float low = finite_attribute(context, "low", 0), high = finite_attribute(context, "high", 1);
  if (low > high) context.fail("attribute 'low' is " + std::to_string(low) + ", expected at most 'high', which is " + std::to_string(high));
}

template <void (*Check)(const InferContext&)>
void infer_by_shape(InferContext& context) {
  Check(context);
  Shape out;
  for (int64_t dim : context.attributes().get_ints("shape")) {
    if (dim < 0) context.fail("attribute 'shape' has the value " + std::to_string(dim) + ", expected dims of at least 0");
    out.push_back(context.constant(dim));
  }
  context.set_output(0, dtype_attribute(context, "dtype", DType::float32), std::move(out));
}
template <void (*Check)(const InferContext&)>
void infer_by_input(InferContext& context) {
  Check(context);
  set_like_first(context, dtype_attribute(context, "dtype", context.dtype(0)));
}
void infer_bernoulli(InferContext& context) { set_like_first(context, dtype_attribute(context, "dtype", context.dtype(0))); }

void infer_multinomial(InferContext& context) {
  const int64_t samples = context.attributes().get_int("sample_size", 1);
  if (samples < 0) context.fail("attribute 'sample_size' is " + std::to_string(samples) + ", expected at least 0");
  require_rank(context, 0, 2, 2, "input");
  const Expr batch = context.has_rank(0) ? context.dim(0, 0) : context.unknown_dim();
  context.set_output(0, dtype_attribute(context, "dtype", DType::int32), {batch, context.constant(samples)});
}

OpSchema with_normal(OpSchema schema) { return schema.optional_attribute("seed", float{}).attribute("mean", 0.0f).attribute("scale", 1.0f).nondeterministic(); }
OpSchema with_uniform(OpSchema schema) { return schema.optional_attribute("seed", float{}).attribute("low", 0.0f).attribute("high", 1.0f).nondeterministic(); }
OpSchema by_shape() {
  return OpSchema().out("output", dtypes::floats).required_attribute("shape", std::vector<int64_t>{}).attribute("dtype", int64_t{1});
}
OpSchema by_input() { return OpSchema().in("input", onnx_types::classic).out("output", dtypes::floats).optional_attribute("dtype", int64_t{}); }

REGISTER_OP("", "RandomNormal", 22, "numbers of a normal distribution", with_normal(by_shape()).infer(infer_by_shape<check_normal>));
REGISTER_OP("", "RandomUniform", 22, "numbers of a uniform distribution over [low, high)", with_uniform(by_shape()).infer(infer_by_shape<check_uniform>));
REGISTER_OP("", "RandomNormalLike", 22, "numbers of a normal distribution in x's shape", with_normal(by_input()).infer(infer_by_input<check_normal>));
REGISTER_OP("", "RandomUniformLike", 22, "numbers of a uniform distribution in x's shape", with_uniform(by_input()).infer(infer_by_input<check_uniform>));
REGISTER_OP("", "Bernoulli", 22, "ones with the probabilities given, else zeros",
            OpSchema()
                .in("input", dtypes::floats)
                .out("output", dtypes::numeric | dtypes::boolean)
                .optional_attribute("dtype", int64_t{})
                .optional_attribute("seed", float{})
                .nondeterministic()
                .infer(infer_bernoulli));
REGISTER_OP("", "Multinomial", 22, "class numbers drawn by unnormalised log-probabilities",
            OpSchema()
                .in("input", dtypes::floats)
                .out("output", onnx_types::index)
                .attribute("dtype", int64_t{6})
                .attribute("sample_size", int64_t{1})
                .optional_attribute("seed", float{})
                .nondeterministic()
                .infer(infer_multinomial));

}  // namespace
}  // namespace ge

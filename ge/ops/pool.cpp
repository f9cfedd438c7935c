// Pools over windows (MaxPool, AveragePool, LpPool 22) and over whole axes (GlobalAveragePool, GlobalMaxPool, GlobalLpPool 22).
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/window_shapes.hpp"

namespace ge {
namespace {

void infer_pool(InferContext& context) {
  const Shape kernel = kernel_attribute(context);
  require_rank(context, 0, kernel.size() + 2, kernel.size() + 2, "X");
  const Windows windows = read_windows(context, kernel);
  const bool ceil_mode = flag(context, "ceil_mode", false);
  Shape out;
  if (context.has_rank(0)) {
    const Shape& x = context.shape(0);
    out = {x[0], x[1]};
    for (size_t i = 0; i < kernel.size(); ++i) out.push_back(window_count(context, windows, i, x[i + 2], ceil_mode));
  } else {
    out = context.unknown_shape(kernel.size() + 2);
  }
  context.set_output(1, DType::int64, out);
  context.set_output(0, context.dtype(0), std::move(out));
}

void infer_global_pool(InferContext& context) {
  require_rank(context, 0, 2, SIZE_MAX, "X");
  if (!context.has_rank(0)) return context.set_output_unknown_rank(0, context.dtype(0));
  Shape out = context.shape(0);
  for (size_t i = 2; i < out.size(); ++i) out[i] = context.constant(1);
  context.set_output(0, context.dtype(0), std::move(out));
}

OpSchema pool(DTypeSet types) {
  return OpSchema()
      .in("X", types, "T")
      .out("Y", types, "T")
      .attribute("auto_pad", std::string("NOTSET"))
      .attribute("ceil_mode", int64_t{0})
      .optional_attribute("dilations", std::vector<int64_t>{})
      .required_attribute("kernel_shape", std::vector<int64_t>{})
      .optional_attribute("pads", std::vector<int64_t>{})
      .optional_attribute("strides", std::vector<int64_t>{})
      .infer(infer_pool);
}
OpSchema global_pool() { return OpSchema().in("X", dtypes::floats, "T").out("Y", dtypes::floats, "T").infer(infer_global_pool); }

REGISTER_OP("", "MaxPool", 22, "largest of each window",
            pool(dtypes::floats | dtype_set(DType::int8, DType::uint8))
                .optional_out("Indices", onnx_types::int64)
                .attribute("storage_order", int64_t{0}));
REGISTER_OP("", "AveragePool", 22, "mean of each window", pool(dtypes::floats).attribute("count_include_pad", int64_t{0}));
REGISTER_OP("", "LpPool", 22, "p-norm of each window", pool(dtypes::floats).attribute("p", int64_t{2}));
REGISTER_OP("", "GlobalAveragePool", 22, "mean of each channel", global_pool());
REGISTER_OP("", "GlobalMaxPool", 22, "largest of each channel", global_pool());
REGISTER_OP("", "GlobalLpPool", 22, "p-norm of each channel", global_pool().attribute("p", int64_t{2}));

}  // namespace
}  // namespace ge

// Products of matrices: MatMul (13), Gemm (13).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/product_shapes.hpp"
#include "ge/ops/schema.hpp"

namespace ge {

void infer_matrix_product(InferContext& context, size_t i, size_t j, DType dtype) {
  if (!context.has_rank(i) || !context.has_rank(j)) return context.set_output_unknown_rank(0, dtype);
  require_rank(context, i, 1, SIZE_MAX, "A");
  require_rank(context, j, 1, SIZE_MAX, "B");
  const Shape &a = context.shape(i), &b = context.shape(j);
  const Expr k = b.size() == 1 ? b[0] : b[b.size() - 2];
  require_equal(context, a.back(), k, [&] { return "the last dim of A" + to_string(a) + " for B" + to_string(b); });
  const auto leading = [](const Shape& s) { return Shape(s.begin(), s.end() - std::min<ptrdiff_t>(2, static_cast<ptrdiff_t>(s.size()))); };
  Shape out = context.broadcast(leading(a), leading(b));
  if (a.size() > 1) out.push_back(a[a.size() - 2]);
  if (b.size() > 1) out.push_back(b.back());
  context.set_output(0, dtype, std::move(out));
}

namespace {

void infer_matmul(InferContext& context) { infer_matrix_product(context, 0, 1, context.dtype(0)); }

/// A'[m, k] × B'[k, n] + C, where ' is the transposition that the attributes ask for and C broadcasts to [m, n].
void infer_gemm(InferContext& context) {
  require_rank(context, 0, 2, 2, "A");
  require_rank(context, 1, 2, 2, "B");
  const size_t transposed_a = flag(context, "transA", false), transposed_b = flag(context, "transB", false);
  const Expr m = context.has_rank(0) ? context.dim(0, transposed_a) : context.unknown_dim();
  const Expr n = context.has_rank(1) ? context.dim(1, 1 - transposed_b) : context.unknown_dim();
  if (context.has_rank(0) && context.has_rank(1))
    require_equal(context, context.dim(0, 1 - transposed_a), context.dim(1, transposed_b),
                  [&] { return "the inner dim of A" + to_string(context.shape(0)) + " for B" + to_string(context.shape(1)); });
  if (context.has_input(2) && context.has_rank(2)) require_broadcasts_to(context, context.shape(2), {m, n}, "input 2 (C)");
  context.set_output(0, context.dtype(0), {m, n});
}

REGISTER_OP("", "MatMul", 13, "matrix product over the last two axes",
            OpSchema()
                .in("A", onnx_types::arithmetic, "T")
                .in("B", onnx_types::arithmetic, "T")
                .out("Y", onnx_types::arithmetic, "T")
                .infer(infer_matmul));
REGISTER_OP("", "Gemm", 13, "alpha * A' * B' + beta * C",
            OpSchema()
                .in("A", onnx_types::arithmetic, "T")
                .in("B", onnx_types::arithmetic, "T")
                .optional_in("C", onnx_types::arithmetic, "T")
                .out("Y", onnx_types::arithmetic, "T")
                .attribute("alpha", 1.0f)
                .attribute("beta", 1.0f)
                .attribute("transA", int64_t{0})
                .attribute("transB", int64_t{0})
                .infer(infer_gemm));

}  // namespace
}  // namespace ge

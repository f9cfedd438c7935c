// Einsum (28): output[output term] = sum over the other labels of input1[term1] * input2[term2] * …; Det (22).
#include "ge/base/einsum_equation.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"

#include <algorithm>
#include <map>

namespace ge {
namespace {

/// One label has one size wherever it stands, or 1 (as numpy's einsum and the ellipsis have it).
void infer_einsum(InferContext& context) {
  const EinsumEquation equation = EinsumEquation::read(context.attributes().get_string("equation", ""));
  if (equation.inputs.size() != context.input_count())
    context.fail("the equation has " + std::to_string(equation.inputs.size()) + " terms before '->', expected one for each of the " +
                 std::to_string(context.input_count()) + " inputs");
  std::map<int, Expr> dims;
  size_t ellipsis = 0;
  bool complete = true;
  for (size_t i = 0; i < context.input_count(); ++i) {
    complete = complete && context.has_rank(i);
    if (!context.has_rank(i)) continue;
    const Shape& shape = context.shape(i);
    const std::vector<int> labels = einsum_labels(equation.inputs[i], shape.size());
    ellipsis = std::max(ellipsis, shape.size() - einsum_letters(equation.inputs[i]));
    for (size_t d = 0; d < shape.size(); ++d) {
      Expr& dim = dims[labels[d]];
      dim = dim ? context.broadcast({dim}, {shape[d]})[0] : shape[d];
    }
  }
  const bool open_rank = !complete && equation.output.find('.') != std::string::npos;
  if (open_rank) return context.set_output_unknown_rank(0, context.dtype(0));
  const size_t letters = einsum_letters(equation.output);
  Shape out;
  for (const int label : einsum_labels(equation.output, letters + (letters == equation.output.size() ? 0 : ellipsis)))
    out.push_back(complete && dims.contains(label) ? dims.at(label) : Expr());
  context.set_output(0, context.dtype(0), with_unknowns(context, std::move(out)));
}

void infer_det(InferContext& context) {
  require_rank(context, 0, 2, SIZE_MAX, "X");
  if (!context.has_rank(0)) return context.set_output_unknown_rank(0, context.dtype(0));
  Shape out = context.shape(0);
  require_equal(context, out[out.size() - 1], out[out.size() - 2], [&] { return "the last dim of X" + to_string(context.shape(0)) + ", square matrices,"; });
  out.resize(out.size() - 2);
  context.set_output(0, context.dtype(0), std::move(out));
}

REGISTER_OP("", "Einsum", 28, "sum of products over labelled axes",
            OpSchema()
                .variadic_in("Inputs", dtypes::numeric, "T")
                .out("Output", dtypes::numeric, "T")
                .required_attribute("equation", std::string())
                .infer(infer_einsum));
REGISTER_OP("", "Det", 22, "determinant of each matrix",
            OpSchema().in("X", dtypes::floats, "T").out("Y", dtypes::floats, "T").infer(infer_det));

}  // namespace
}  // namespace ge

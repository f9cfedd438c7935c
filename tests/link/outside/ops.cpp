// ge-ops alone: every schema is there though no symbol of it is used; inference of a library op and of one's own.
#include "check.hpp"

#include "ge/ops/schema.hpp"

using outside::check;

namespace {

void infer_pair_sum(ge::InferContext& context) {
  ge::Shape shape = context.shape(0);
  shape.back() = ge::floor_div(shape.back(), 2);
  context.set_output(0, context.dtype(0), std::move(shape));
}
REGISTER_OP("outside", "PairSum", 1, "sums of neighbours", ge::OpSchema().in("X", ge::dtypes::floats, "T").out("Y", ge::dtypes::floats, "T").infer(infer_pair_sum));

std::string inferred(const char* domain, const char* op, ge::SymbolTable& symbols, const std::vector<ge::TensorType>& types) {
  const ge::OpSchema* schema = ge::find_schema(domain, op);
  if (schema == nullptr) return "no schema";
  const ge::Attributes none;
  std::vector<ge::InferContext::Input> inputs;
  for (const ge::TensorType& type : types) inputs.push_back({&type, nullptr});
  ge::InferContext context(symbols, none, inputs, {true});
  ge::check_and_infer(*schema, context);
  return ge::to_string(context.results()[0]);
}

}  // namespace

int main() {
  ge::SymbolTable symbols;
  const ge::Expr n = symbols.symbol("N");
  const ge::TensorType rows{ge::DType::float32, ge::Shape{n, symbols.constant(8)}, {}}, matrix{ge::DType::float32, ge::Shape{symbols.constant(8), symbols.constant(3)}, {}};
  check(inferred("", "MatMul", symbols, {rows, matrix}) == "float32[N, 3]", "MatMul of [N, 8] and [8, 3] is [N, 3]");
  check(inferred("outside", "PairSum", symbols, {rows}) == "float32[N, 4]", "an op registered here is inferred");
  check(outside::mentions(outside::text_of<ge::Error>([&] { inferred("", "MatMul", symbols, {matrix, matrix}); }), "8"), "a contradiction is an Error");
  outside::count("ops", ge::op_schemas().list().size() - 1);
  return outside::done();
}

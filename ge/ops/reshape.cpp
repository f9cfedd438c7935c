// Reshape (25). An element v of the target shape decides its output dim:
//   v > 0: v      v == 0: the input's dim at that place (with allowzero: 0)      v == -1: what is left of the elements
// A v that depends on symbols becomes a select over the cases that its bounds allow, so the dim is exact in every run.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

#include <algorithm>

namespace ge {
namespace {

bool may_be(Expr v, int64_t number) { return !known_false(equal(v, number)); }

/// Whether `e` is 0 in every run in which `v` is 0, shown by setting v's factors to 0 one at a time.
bool zero_with(Expr e, Expr v) {
  const auto vanishes = [&](Expr factor) {
    if (factor == e) return true;
    if (!factor.is_symbol()) return false;
    const Expr zero = e.table().constant(0);
    return substitute(e, [&](uint32_t id) { return id == factor.symbol_id() ? zero : Expr{}; }).is_constant(0);
  };
  if (v == e) return true;
  if (v.kind() != ExprKind::mul) return vanishes(v);
  for (Expr factor : v.operands())
    if (may_be(factor, 0) && !vanishes(factor)) return false;
  return true;
}

/// The quotient of two products of dims, equal dims taken out of both first.
struct Quotient {
  Expr upper, lower;
};
Quotient cancel(SymbolTable& symbols, Shape upper, Shape lower) {
  for (auto it = upper.begin(); it != upper.end();) {
    const auto same = std::find(lower.begin(), lower.end(), *it);
    if (same == lower.end()) {
      ++it;
      continue;
    }
    lower.erase(same);
    it = upper.erase(it);
  }
  return {product(symbols, upper, 0, upper.size()), product(symbols, lower, 0, lower.size())};
}

/// The same where only the run knows whether a dim stays: 1 in both shapes if it does. Asked of dims that may be 0, since
/// all others give the same quotient either way.
void leave_out_if_kept(const InferContext& context, Shape& in, Shape& stated) {
  const Expr one = context.constant(1);
  for (size_t i = 0; i < std::min(in.size(), stated.size()); ++i) {
    if (!stated[i] || !may_be(in[i], 0)) continue;
    const Expr kept = equal(in[i], stated[i]);
    in[i] = select(kept, one, in[i]);
    stated[i] = select(kept, one, stated[i]);
  }
}

struct Target {
  std::vector<Expr> elements;
  Shape dims;                   ///< all but the inferred one; null there
  std::optional<size_t> inferred;  ///< the place of a certain -1
  bool allow_zero;
};

/// The dim that `v` at place `i` decides if it is not -1. Null: the input's dim is needed and its rank is not known.
Expr stated_dim(InferContext& context, const Target& target, size_t i) {
  const Expr v = target.elements[i];
  if (target.allow_zero || !may_be(v, 0)) return v;
  if (!context.has_rank(0)) return {};
  if (i >= context.rank(0)) {
    context.require(not_equal(v, 0), [&] {
      return "element " + std::to_string(i) + " of the target shape is 0, expected another value: the input of shape " +
             to_string(context.shape(0)) + " has no dim there to copy";
    });
    return v;
  }
  const Expr copied = context.dim(0, i);
  if (v.bounds().lo >= 0 && zero_with(copied, v)) return v;
  return select(equal(v, 0), copied, v);
}

Target read_target(InferContext& context, const std::vector<Expr>& elements) {
  Target target{elements, Shape(elements.size()), std::nullopt, flag(context, "allowzero", false)};
  for (size_t i = 0; i < elements.size(); ++i) {
    context.require(greater_equal(elements[i], -1), [&] {
      return "element " + std::to_string(i) + " of the target shape is " + to_string(elements[i]) + ", expected -1 or more";
    });
    if (!elements[i].is_constant(-1)) continue;
    if (target.inferred)
      context.fail("the target shape has -1 twice (at " + std::to_string(*target.inferred) + " and " + std::to_string(i) +
                   "), expected at most one");
    target.inferred = i;
  }
  for (size_t i = 0; i < elements.size(); ++i)
    if (target.inferred != i) target.dims[i] = stated_dim(context, target, i);
  return target;
}

/// Takes out of both shapes the dims that stay in their place: what is left decides the dim for -1. So an empty batch
/// keeps its other dims ([0, 5] to {0, -1} is [0, 5]), where the plain quotient would be 0 / 0.
void drop_kept_dims(Shape& in, Shape& stated) {
  for (size_t i = std::min(in.size(), stated.size()); i-- > 0;) {
    if (in[i] != stated[i]) continue;
    in.erase(in.begin() + static_cast<ptrdiff_t>(i));
    stated.erase(stated.begin() + static_cast<ptrdiff_t>(i));
  }
}

/// What the other dims leave for place `i`: total / known elements, provided that `certain`.
struct Rest {
  Expr total, known, certain;
};
Rest rest_for(const InferContext& context, const Target& target, Shape stated, size_t i) {
  Shape in = context.shape(0);
  stated[i] = Expr{};
  if (!target.allow_zero && !target.inferred) leave_out_if_kept(context, in, stated);
  if (!target.allow_zero) drop_kept_dims(in, stated);
  std::erase(stated, Expr{});
  const Expr certain = not_equal(product(context.symbols(), stated, 0, stated.size()), 0);
  const auto [total, known] = cancel(context.symbols(), std::move(in), std::move(stated));
  return {total, known, certain};
}
std::string cannot_be_told(const InferContext& context, const Target& target) {
  return "the dim for -1 cannot be told for input shape " + to_string(context.shape(0)) + ": the other dims of the target shape " +
         to_string(target.elements) + " multiply to 0";
}

/// All dims stated but one: fills that one.
void infer_the_rest(InferContext& context, Target& target) {
  const Rest rest = rest_for(context, target, target.dims, *target.inferred);
  context.require(rest.certain, [&] { return cannot_be_told(context, target); });
  context.require(equal(floor_mod(rest.total, rest.known), 0), [&] {
    return "the elements of input shape " + to_string(context.shape(0)) + " do not divide into the target shape " +
           to_string(target.elements) + ": " + to_string(rest.total) + " left, expected a multiple of " + to_string(rest.known);
  });
  target.dims[*target.inferred] = floor_div(rest.total, rest.known);
}

/// No certain -1, but elements that may turn out to be -1: each gets the case "what the others leave".
void add_open_cases(InferContext& context, Target& target) {
  const Shape stated = target.dims;
  Expr open_count = context.constant(0);
  for (size_t i = 0; i < stated.size(); ++i) {
    if (!may_be(target.elements[i], -1)) continue;
    const Expr is_open = equal(target.elements[i], -1);
    const Rest rest = rest_for(context, target, stated, i);
    context.require(logical_or(logical_not(is_open), rest.certain), [&] { return cannot_be_told(context, target); });
    context.require(logical_or(logical_not(is_open), equal(floor_mod(rest.total, select(is_open, rest.known, context.constant(1))), 0)), [&] {
      return "the elements of input shape " + to_string(context.shape(0)) + " do not divide into the target shape " + to_string(target.elements);
    });
    target.dims[i] = select(is_open, floor_div(rest.total, rest.known), stated[i]);
    open_count = open_count + is_open;
  }
  context.require(less_equal(open_count, 1), "the target shape has more than one -1, expected at most one");
}

void infer_reshape(InferContext& context) {
  const DType dtype = context.dtype(0);
  require_rank(context, 1, 1, 1, "shape");
  const std::vector<Expr>* elements = context.values(1);
  if (elements == nullptr) {
    const auto rank = known_length(context, 1);
    if (rank)
      context.set_output(0, dtype, context.unknown_shape(*rank));
    else
      context.set_output_unknown_rank(0, dtype);
    return;
  }
  Target target = read_target(context, *elements);
  if (!context.has_rank(0)) {
    for (size_t i = 0; i < target.dims.size(); ++i)
      if (!target.dims[i] || may_be((*elements)[i], -1)) target.dims[i] = context.unknown_dim();
    return context.set_output(0, dtype, std::move(target.dims));
  }
  if (target.inferred) {
    // A further element that may be -1 would be a second one: it is taken as stated and must not be negative.
    for (size_t i = 0; i < target.dims.size(); ++i)
      if (target.inferred != i) as_dim(context, target.dims[i], "an element of the target shape beside -1");
    infer_the_rest(context, target);
  } else {
    add_open_cases(context, target);
    require_equal(
        context, product(context.symbols(), target.dims, 0, target.dims.size()),
        product(context.symbols(), context.shape(0), 0, context.rank(0)),
        [&] { return "the element count of target shape " + to_string(target.dims) + " for input shape " + to_string(context.shape(0)); });
  }
  context.set_output(0, dtype, std::move(target.dims));
  pass_values(context);
}

REGISTER_OP("", "Reshape", 25, "the same elements in another shape",
            OpSchema()
                .in("data", onnx_types::movable, "T")
                .in("shape", onnx_types::int64)
                .out("reshaped", onnx_types::movable, "T")
                .attribute("allowzero", int64_t{0})
                .content(1)
                .infer(infer_reshape));

}  // namespace
}  // namespace ge

// Concat (13) and Split (18): parts of one axis.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

/// Elements of the inputs one block after the other: all known, or none.
void concat_values(InferContext& context, size_t axis) {
  const auto out = small_output_dims(context, 0);
  if (!out) return;
  std::vector<Expr> result(static_cast<size_t>(*element_count(*out)));
  int64_t offset = 0;
  for (size_t i = 0; i < context.input_count(); ++i) {
    const auto in = valued_input_dims(context, i);
    if (!in) return;
    const std::vector<Expr>& values = *context.values_if_known(i);
    Index at(in->size());
    for (Expr value : values) {
      Index to = at;
      to[axis] += offset;
      result[static_cast<size_t>(flat_position(*out, to))] = value;
      next_index(*in, at);
    }
    offset += (*in)[axis];
  }
  context.set_values(0, std::move(result));
}

void infer_concat(InferContext& context) {
  std::optional<size_t> known;  // an input whose rank is known
  for (size_t i = 0; i < context.input_count(); ++i)
    if (context.has_rank(i)) {
      if (!known) known = i;
      if (context.rank(i) != context.rank(*known))
        context.fail("input " + std::to_string(i) + " has shape " + to_string(context.shape(i)) + ", expected rank " +
                     std::to_string(context.rank(*known)) + " as input " + std::to_string(*known));
    }
  if (!known) return context.set_output_unknown_rank(0, context.dtype(0));
  Shape out = context.shape(*known);
  const size_t axis = context.axis(context.attributes().need_int("axis"), out.size());
  Expr total = context.constant(0);
  for (size_t i = 0; i < context.input_count(); ++i) {
    if (!context.has_rank(i)) {
      total = Expr{};
      continue;
    }
    const Shape& in = context.shape(i);
    if (total) total = total + in[axis];
    for (size_t d = 0; d < out.size(); ++d)
      if (d != axis) {
        if (in[d] != out[d])
          context.require(equal(in[d], out[d]), [&] {
            return "input " + std::to_string(i) + " has shape " + to_string(in) + ", expected " + to_string(out[d]) + " at axis " +
                   std::to_string(d) + " as input " + std::to_string(*known);
          });
        if (in[d].is_constant()) out[d] = in[d];
      }
  }
  out[axis] = total ? total : context.unknown_dim();
  context.set_output(0, context.dtype(0), std::move(out));
  concat_values(context, axis);
}

/// The sizes of the parts; empty when they are not known.
std::vector<Expr> part_sizes(InferContext& context, Expr dim) {
  const auto count = static_cast<int64_t>(context.output_count());
  std::vector<Expr> sizes;
  if (context.has_input(1)) {
    std::vector<Expr> given;
    if (const std::vector<Expr>* symbolic = context.values_if_known(1)) {
      given = *symbolic;
    } else {  // more parts than values that are carried along are numbers all the same
      const auto numbers = context.constant_ints(1);
      if (!numbers) return {};
      for (int64_t number : *numbers) given.push_back(context.constant(number));
    }
    if (static_cast<int64_t>(given.size()) != count)
      context.fail("split has " + std::to_string(given.size()) + " sizes, expected " + std::to_string(count) + ", one for each output");
    Expr sum = context.constant(0);
    for (Expr size : given) sum = sum + sizes.emplace_back(as_dim(context, size, "a size in split"));
    require_equal(context, sum, dim, "the sum of split");
    return sizes;
  }
  const int64_t parts = context.attributes().get_int("num_outputs", count);
  if (parts != count)
    context.fail("attribute 'num_outputs' is " + std::to_string(parts) + ", expected the number of outputs, " + std::to_string(count));
  // Equal parts, the last one smaller where it does not come out even.
  const Expr part = ceil_div(dim, parts);
  sizes.assign(static_cast<size_t>(parts - 1), part);
  const Expr last = count == 1 ? dim : floor_mod(dim, parts) == context.constant(0) ? part : dim - part * (parts - 1);
  sizes.push_back(as_dim(context, last, "the size of the last part"));
  return sizes;
}

void infer_split(InferContext& context) {
  if (!context.has_rank(0)) {
    for (size_t i = 0; i < context.output_count(); ++i) context.set_output_unknown_rank(i, context.dtype(0));
    context.content(1);
    return;
  }
  Shape shape = context.shape(0);
  const size_t axis = context.axis(context.attributes().get_int("axis", 0), shape.size());
  const std::vector<Expr> sizes = part_sizes(context, shape[axis]);
  Expr offset = context.constant(0);
  for (size_t i = 0; i < context.output_count(); ++i) {
    shape[axis] = sizes.empty() ? context.unknown_dim() : sizes[i];
    context.set_output(i, context.dtype(0), shape);
    if (sizes.empty()) continue;
    if (offset.is_constant())
      rearrange_values(context, 0, i, [&](auto at, auto from) {
        for (size_t d = 0; d < at.size(); ++d) from[d] = at[d] + (d == axis ? offset.value() : 0);
      });
    offset = offset + sizes[i];
  }
}

REGISTER_OP("", "Concat", 13, "tensors one after the other along an axis",
            OpSchema()
                .variadic_in("inputs", onnx_types::classic, "T")
                .out("concat_result", onnx_types::classic, "T")
                .required_attribute("axis", int64_t{})
                .infer(infer_concat));
REGISTER_OP("", "Split", 18, "consecutive parts of an axis",
            OpSchema()
                .in("input", onnx_types::classic, "T")
                .optional_in("split", onnx_types::int64)
                .variadic_out("outputs", onnx_types::classic, "T")
                .attribute("axis", int64_t{0})
                .optional_attribute("num_outputs", int64_t{})
                .content(1)
                .infer(infer_split));

}  // namespace
}  // namespace ge

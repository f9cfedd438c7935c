// Gather (13) and GatherElements (13): elements picked by index.
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

/// `indices` as 0..dim-1; nullopt when one is no constant or out of range. (Out of range is an error of the run, not of
/// the model: the node may stand in a branch that is never taken.)
std::optional<std::vector<int64_t>> picked(const InferContext& context, int64_t dim) {
  const std::vector<Expr>* indices = context.values_if_known(1);
  if (indices == nullptr) return std::nullopt;
  std::vector<int64_t> out;
  for (Expr index : *indices) {
    if (!index.is_constant() || index.value() < -dim || index.value() >= dim) return std::nullopt;
    out.push_back(index.value() < 0 ? index.value() + dim : index.value());
  }
  return out;
}

void gather_values(InferContext& context, size_t axis) {
  const auto data = valued_input_dims(context, 0);
  const auto index_dims = valued_input_dims(context, 1);
  const auto rows = data ? picked(context, (*data)[axis]) : std::nullopt;
  if (!rows || !index_dims) return;
  const size_t span = index_dims->size();
  rearrange_values(context, 0, 0, [&](auto at, auto from) {
    for (size_t d = 0; d < axis; ++d) from[d] = at[d];
    from[axis] = (*rows)[static_cast<size_t>(flat_position(*index_dims, at.subspan(axis, span)))];
    for (size_t d = axis + 1; d < from.size(); ++d) from[d] = at[d - 1 + span];
  });
}

/// The output's axes are data[:axis], those of indices, data[axis+1:].
void infer_gather(InferContext& context) {
  if (!context.has_rank(0) || !context.has_rank(1)) return context.set_output_unknown_rank(0, context.dtype(0));
  const Shape& data = context.shape(0);
  const Shape& indices = context.shape(1);
  require_rank(context, 0, 1, SIZE_MAX, "data");
  const size_t axis = context.axis(context.attributes().get_int("axis", 0), data.size());
  Shape out(data.begin(), data.begin() + static_cast<ptrdiff_t>(axis));
  out.insert(out.end(), indices.begin(), indices.end());
  out.insert(out.end(), data.begin() + static_cast<ptrdiff_t>(axis) + 1, data.end());
  context.set_output(0, context.dtype(0), std::move(out));
  gather_values(context, axis);
}

/// The output has the shape of indices, which fits into data on all other axes.
void infer_gather_elements(InferContext& context) {
  require_rank(context, 0, 1, SIZE_MAX, "data");
  if (context.has_rank(0)) require_rank(context, 1, context.rank(0), context.rank(0), "indices");
  if (context.has_rank(0) && context.has_rank(1)) {
    const size_t axis = context.axis(context.attributes().get_int("axis", 0), context.rank(0));
    for (size_t d = 0; d < context.rank(0); ++d) {
      const Expr found = context.dim(1, d), most = context.dim(0, d);
      if (d != axis)
        context.require(less_equal(found, most), [&] {
          return "indices has " + to_string(found) + " at axis " + std::to_string(d) + ", expected at most the " + to_string(most) + " of data";
        });
    }
  }
  if (context.has_rank(1))
    context.set_output(0, context.dtype(0), context.shape(1));
  else if (context.has_rank(0))
    context.set_output(0, context.dtype(0), context.unknown_shape(context.rank(0)));
  else
    context.set_output_unknown_rank(0, context.dtype(0));
}

OpSchema gatherer(InferFn fn) {
  return OpSchema()
      .in("data", onnx_types::classic, "T")
      .in("indices", onnx_types::index)
      .out("output", onnx_types::classic, "T")
      .attribute("axis", int64_t{0})
      .infer(fn);
}

REGISTER_OP("", "Gather", 13, "slices of an axis picked by index", gatherer(infer_gather));
REGISTER_OP("", "GatherElements", 13, "elements along an axis, one picked for each index", gatherer(infer_gather_elements));

}  // namespace
}  // namespace ge

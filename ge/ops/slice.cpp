// Slice (13). With d the dim, s the start and e the end after d was added to negative ones, ONNX clamps
//   step > 0:  s to [0, d], e to [0, d]      step < 0:  s to [0, d-1], e to [-1, d-1]
// and takes ceil((e - s) / step) elements, at least 0. Clamps that cannot change a positive count are left out below, so
// that x[a:] gives d - a and not d - min(a, d).
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

/// Constants that mean "to the very end" (the documentation recommends INT_MAX and INT_MIN for it). No tensor has 2^62
/// elements along an axis, so what lies beyond is the end too, and sums stay far from overflow.
constexpr int64_t beyond_any_dim = int64_t{1} << 62;
bool means_last(Expr v) { return v.is_constant() && (v.value() == INT32_MAX || v.value() >= beyond_any_dim); }
bool means_first(Expr v) {
  return v.is_constant() && (v.value() == INT32_MIN || v.value() == INT32_MIN + 1 || v.value() <= -beyond_any_dim);
}

/// A start or end with the dim added where it is negative; not clamped.
Expr from_front(Expr v, Expr dim) {
  if (v.bounds().lo >= 0) return v;
  if (v.bounds().hi < 0) return v + dim;
  return select(less(v, 0), v + dim, v);
}

Expr forward_count(Expr start, Expr end, Expr dim, int64_t step) {
  if (means_last(start) || means_first(end)) return start.table().constant(0);
  const Expr stop = means_last(end) ? dim : min_of(from_front(end, dim), dim);
  Expr length;
  if (means_first(start))
    length = stop;
  else if (start.bounds().hi < 0)  // stop - max(start + d, 0), written so that x[-k:] gives min(k, d)
    length = min_of(stop - dim - start, stop);
  else
    length = stop - max_of(from_front(start, dim), 0);
  return max_of(ceil_div(length, step), 0);
}

/// The first element that a negative step takes, in [0, d-1] (-1 for an empty axis).
Expr backward_start(Expr start, Expr dim) {
  if (means_last(start) || start.is_constant(-1)) return dim - 1;
  const Expr at_least_0 = means_first(start) ? dim.table().constant(0) : max_of(from_front(start, dim), 0);
  return min_of(at_least_0, dim - 1);
}

Expr backward_count(Expr start, Expr end, Expr dim, int64_t step) {
  if (means_last(end)) return dim.table().constant(0);
  const Expr stop = means_first(end) ? dim.table().constant(-1) : max_of(from_front(end, dim), -1);
  return max_of(ceil_div(backward_start(start, dim) - stop, -step), 0);
}

struct Bound {
  const std::vector<Expr>* starts;
  const std::vector<Expr>* ends;
  std::optional<std::vector<int64_t>> steps;
};

int64_t step_at(const InferContext& context, const std::vector<int64_t>& steps, size_t i) {
  if (steps[i] == 0) context.fail("step 0 is given for entry " + std::to_string(i) + ", expected a step other than 0");
  return std::max(steps[i], -beyond_any_dim);  // -INT64_MIN is no int64
}

void pass_sliced_values(InferContext& context, const std::vector<size_t>& axes, const Bound& bound) {
  const auto in = valued_input_dims(context, 0);
  if (!in || !bound.steps || bound.starts == nullptr) return;
  Index first(in->size(), 0), step(in->size(), 1);
  for (size_t i = 0; i < axes.size(); ++i) {
    const Expr start = (*bound.starts)[i], dim = context.dim(0, axes[i]);
    step[axes[i]] = (*bound.steps)[i];
    Expr from;
    if (step[axes[i]] < 0)
      from = backward_start(start, dim);
    else
      from = means_first(start) ? context.constant(0) : means_last(start) ? dim : max_of(from_front(start, dim), 0);
    if (!from.is_constant()) return;
    first[axes[i]] = from.value();
  }
  rearrange_values(context, 0, 0, [&](auto at, auto from) {
    for (size_t d = 0; d < at.size(); ++d) from[d] = first[d] + step[d] * at[d];
  });
}

/// The axes that are sliced; nullopt when they, or how many they are, is not known.
std::optional<std::vector<size_t>> sliced_axes(InferContext& context, size_t rank) {
  if (context.has_input(3)) {
    const auto given = context.constant_ints(3);
    return given ? std::optional(normal_axes(context, *given, rank)) : std::nullopt;
  }
  auto count = known_length(context, 1);
  if (!count) count = known_length(context, 2);
  if (!count) return std::nullopt;
  if (*count > rank) context.fail("starts has " + std::to_string(*count) + " entries, expected at most the rank " + std::to_string(rank));
  std::vector<size_t> axes(*count);
  for (size_t i = 0; i < *count; ++i) axes[i] = i;
  return axes;
}

void infer_slice(InferContext& context) {
  if (!context.has_rank(0)) {
    for (size_t i : {1, 2, 3, 4}) context.content(i);
    return context.set_output_unknown_rank(0, context.dtype(0));
  }
  const auto axes = sliced_axes(context, context.rank(0));
  Bound bound{context.values(1), context.values(2), std::nullopt};
  if (context.has_input(4))
    bound.steps = context.constant_ints(4);
  else if (axes)
    bound.steps = std::vector<int64_t>(axes->size(), 1);
  if (!axes) return context.set_output(0, context.dtype(0), context.unknown_shape(context.rank(0)));

  for (size_t i : {1, 2, 4})
    if (const auto count = i == 4 && bound.steps ? std::optional(bound.steps->size()) : known_length(context, i);
        count && *count != axes->size())
      context.fail("input " + std::to_string(i) + " has " + std::to_string(*count) + " entries, expected " + std::to_string(axes->size()) +
                   ", one for each sliced axis");
  Shape out = context.shape(0);
  for (size_t i = 0; i < axes->size(); ++i) {
    Expr& dim = out[(*axes)[i]];
    const int64_t step = bound.steps ? step_at(context, *bound.steps, i) : 1;
    if (!bound.steps || bound.starts == nullptr || bound.ends == nullptr)
      dim = context.unknown_dim();
    else
      dim = step > 0 ? forward_count((*bound.starts)[i], (*bound.ends)[i], dim, step)
                     : backward_count((*bound.starts)[i], (*bound.ends)[i], dim, step);
  }
  context.set_output(0, context.dtype(0), std::move(out));
  pass_sliced_values(context, *axes, bound);
}

REGISTER_OP("", "Slice", 13, "every step-th element from start to end along axes",
            OpSchema()
                .in("data", onnx_types::classic, "T")
                .in("starts", onnx_types::index, "Tind")
                .in("ends", onnx_types::index, "Tind")
                .optional_in("axes", onnx_types::index, "Tind")
                .optional_in("steps", onnx_types::index, "Tind")
                .out("output", onnx_types::classic, "T")
                .content(1)
                .content(2)
                .content(3)
                .content(4)
                .infer(infer_slice));

}  // namespace
}  // namespace ge

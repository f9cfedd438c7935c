/// Slice of Slice. With element i of the inner one at s1 + t1 * i of x, element j of the outer one is at
///   s1 + t1 * (s2 + t2 * j)  =  (s1 + t1 * s2) + (t1 * t2) * j
/// of x. Where dims are constants, starts are the positions after ONNX's clamping (Slice 13), and the end follows from
/// the count. Where they are open, starts must be constants from the front and steps positive: then clamping can only
/// leave nothing, on both sides of the equation; the end is the nearer of both, as far as that can be said. This is
/// arithmetic for every dim, so inference need not find the same expression: max(max(N - 2, 0) - 3, 0) is max(N - 5, 0).
#include "ge/passes/facts.hpp"
#include "ge/passes/views.hpp"

#include <algorithm>
#include <map>

namespace ge {
namespace {

using Cuts = std::map<size_t, Cut>;

/// a + b * c; nullopt beyond int64.
std::optional<int64_t> add_product(int64_t a, int64_t b, int64_t c) {
  int64_t product, sum;
  if (__builtin_mul_overflow(b, c, &product) || __builtin_add_overflow(a, product, &sum)) return std::nullopt;
  return sum;
}

/// Where a non-empty cut of an axis of `dim` elements begins.
int64_t first_position(const Cut& cut, int64_t dim) {
  const int64_t from_front = cut.start < 0 ? std::max<int64_t>(cut.start + dim, 0) : cut.start;
  return std::min(from_front, cut.step > 0 ? dim : dim - 1);
}

std::optional<Cut> compose_closed(const Cut& inner, const Cut& outer, int64_t dim, int64_t middle, int64_t count) {
  if (count == 0) return Cut{0, 0, 1};
  const auto step = add_product(0, inner.step, outer.step);
  const auto start = add_product(first_position(inner, dim), inner.step, first_position(outer, middle));
  const auto last = step && start ? add_product(*start, *step, count - 1) : std::nullopt;
  if (!last) return std::nullopt;
  // An end of -1 would mean the last element.
  return Cut{*start, *step > 0 ? *last + 1 : *last == 0 ? INT64_MIN : *last - 1, *step};
}

std::optional<int64_t> nearer_end(const Cut& inner, const Cut& outer) {
  if (beyond_any_dim(outer.end)) return inner.end;
  if (outer.end < 0) {  // counted from the inner end
    if (inner.step != 1 || (inner.end >= 0 && !beyond_any_dim(inner.end))) return std::nullopt;
    return inner.end < 0 ? add_product(inner.end, 1, outer.end) : std::optional(outer.end);
  }
  if (outer.end == 0) return 0;
  const auto end = add_product(inner.start + 1, inner.step, outer.end - 1);
  if (!end || beyond_any_dim(*end) || inner.end < 0) return std::nullopt;
  return beyond_any_dim(inner.end) ? *end : std::min(*end, inner.end);
}

std::optional<Cut> compose_open(const Cut& inner, const Cut& outer) {
  for (const Cut& cut : {inner, outer})
    if (cut.start < 0 || beyond_any_dim(cut.start) || cut.step < 1) return std::nullopt;
  const auto start = add_product(inner.start, inner.step, outer.start), step = add_product(0, inner.step, outer.step);
  const auto end = nearer_end(inner, outer);
  if (!start || !step || !end || beyond_any_dim(*start)) return std::nullopt;
  return Cut{*start, *end, *step};
}

std::optional<Cut> compose(const Cut& inner, const Cut& outer, Expr dim, Expr middle, Expr count) {
  if (dim.is_constant() && middle.is_constant() && count.is_constant()) return compose_closed(inner, outer, dim.value(), middle.value(), count.value());
  return compose_open(inner, outer);
}

/// The cuts of both Slices together; nullopt where one cannot be said.
std::optional<Cuts> compose(const Graph& graph, const Cuts& outer, const Node& inner, const Shape& counts) {
  const auto cuts = read_slice(graph, inner);
  if (!cuts) return std::nullopt;
  const Shape &dims = *graph.type(inner.inputs()[0]).shape, &middle = *graph.type(inner.output()).shape;
  Cuts composed = outer;
  for (const auto& [axis, cut] : *cuts) {
    const auto [place, fresh] = composed.try_emplace(axis, cut);
    if (fresh) continue;
    const auto both = compose(cut, place->second, dims[axis], middle[axis], counts[axis]);
    if (!both) return std::nullopt;
    place->second = *both;
  }
  return composed;
}

Sketch slice(OutputRef source, const Cuts& cuts) {
  std::vector<int64_t> starts, ends, axes, steps;
  for (const auto& [axis, cut] : cuts) {
    starts.push_back(cut.start), ends.push_back(cut.end), steps.push_back(cut.step);
    axes.push_back(static_cast<int64_t>(axis));
  }
  return {"Slice", {}, {source, starts, ends, axes, steps}};
}

}  // namespace

std::optional<std::vector<std::pair<size_t, Cut>>> read_slice(const Graph& graph, const Node& node) {
  const auto ints = [&](size_t slot) { return slot < node.inputs().size() ? known_ints(graph, node.inputs()[slot]) : std::nullopt; };
  const auto absent = [&](size_t slot) { return slot >= node.inputs().size() || !node.inputs()[slot]; };
  const TensorType& type = graph.type(node.inputs()[0]);
  const auto starts = ints(1), ends = ints(2);
  if (!type.has_rank() || !graph.type(node.output()).has_rank() || !starts || !ends || starts->size() != ends->size()) return std::nullopt;
  std::vector<int64_t> axes(starts->size()), steps(starts->size(), 1);
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int64_t>(i);
  if (!absent(3)) {
    const auto given = ints(3);
    if (!given || given->size() != axes.size()) return std::nullopt;
    axes = *given;
  }
  if (!absent(4)) {
    const auto given = ints(4);
    if (!given || given->size() != steps.size()) return std::nullopt;
    steps = *given;
  }
  std::vector<std::pair<size_t, Cut>> cuts;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + static_cast<int64_t>(type.rank()) : axes[i];
    if (steps[i] == INT64_MIN) return std::nullopt;
    cuts.push_back({static_cast<size_t>(axis), {(*starts)[i], (*ends)[i], steps[i]}});
  }
  return cuts;
}

NewSources compose_slices(const Views& views, const Node& node) {
  const auto cuts = read_slice(views.graph, node);
  if (!cuts) return {};
  const Shape& counts = *views.graph.type(node.output()).shape;
  Cuts composed(cuts->begin(), cuts->end());
  OutputRef source = node.inputs()[0];
  int links = 0;
  for (; links < Views::max_links; ++links) {
    const Node* inner = views.producer(source, "Slice");
    const auto both = inner != nullptr ? compose(views.graph, composed, *inner, counts) : std::nullopt;
    if (!both) break;
    composed = *both;
    source = inner->inputs()[0];
  }
  if (links == 0) return {};
  return {{0, add_in_place_of(views.graph, node.output(), slice(source, composed))}};
}

}  // namespace ge

/// Chains that keep the order of elements. Whatever shape such a chain ends in, one view of its start gives the same:
/// where the shape is the same nothing is left, where only axes of size 1 come or go Unsqueeze or Squeeze is, else
/// Reshape. With open dims a Reshape can say only dims that it copies from the same place, and one more.
#include "ge/passes/facts.hpp"
#include "ge/passes/views.hpp"

#include <algorithm>

namespace ge {
namespace {

bool keeps_order(const Graph& graph, const Node& node) {
  if (!graph.type(node.output()).is_tensor()) return false;  // Identity of a sequence
  for (const char* op : {"Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity"})
    if (node.is(op)) return true;
  if (!node.is("Transpose")) return false;
  const auto perm = permutation(graph, node);
  const auto& shape = graph.type(node.inputs()[0]).shape;
  if (!perm || !shape) return false;
  int64_t last = -1;
  for (int64_t axis : *perm) {
    if ((*shape)[static_cast<size_t>(axis)].is_constant(1)) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

/// Where `more` has axes of size 1 that `fewer` lacks; nullopt when that is not all the difference.
std::optional<std::vector<int64_t>> extra_axes(const Shape& fewer, const Shape& more) {
  std::vector<int64_t> axes;
  size_t next = 0;
  for (size_t d = 0; d < more.size(); ++d) {
    if (next < fewer.size() && more[d] == fewer[next]) ++next;
    else if (more[d].is_constant(1)) axes.push_back(static_cast<int64_t>(d));
    else return std::nullopt;
  }
  return next == fewer.size() ? std::optional(std::move(axes)) : std::nullopt;
}

/// What Reshape takes to make `to` of `from`; nullopt when its constants cannot say it.
std::optional<std::vector<int64_t>> reshape_target(const Shape& from, const Shape& to) {
  std::vector<int64_t> target;
  bool inferred = false;
  for (size_t d = 0; d < to.size(); ++d) {
    if (to[d].is_constant() && to[d].value() != 0) target.push_back(to[d].value());
    else if (d < from.size() && to[d] == from[d]) target.push_back(0);
    else if (to[d].is_constant() || inferred) return std::nullopt;
    else inferred = true, target.push_back(-1);
  }
  return target;
}

/// One view of `source` that gives the node's output.
std::optional<Sketch> as_one_view(const Graph& graph, OutputRef source, const Node& node) {
  const auto& from = graph.type(source).shape;
  const Shape& to = *graph.type(node.output()).shape;
  if (!from) return std::nullopt;
  const auto proven = [&](Sketch sketch) { return gives_shape(graph, sketch, to) ? std::optional(std::move(sketch)) : std::nullopt; };
  if (const auto axes = extra_axes(*from, to)) return proven({"Unsqueeze", {}, {source, *axes}});
  if (const auto axes = extra_axes(to, *from)) return proven({"Squeeze", {}, {source, *axes}});
  if (node.is("Reshape"))
    if (auto sketch = proven({"Reshape", node.attributes(), {source, node.inputs()[1]}})) return sketch;
  const auto target = reshape_target(*from, to);
  return target ? proven({"Reshape", {}, {source, *target}}) : std::nullopt;
}

/// For a Transpose with open dims, which Reshape cannot say: the axes of size 1 go, and come where they shall be.
NewSources as_two_views(const Views& views, const Node& node) {
  const OutputRef source = node.inputs()[0];
  const Shape from = *views.graph.type(source).shape, to = *views.graph.type(node.output()).shape;
  Shape large;
  for (Expr dim : from)
    if (!dim.is_constant(1)) large.push_back(dim);
  const auto gone = extra_axes(large, from), come = extra_axes(large, to);
  if (!gone || !come) return {};
  Sketch squeeze{"Squeeze", {}, {source, *gone}};
  if (!gives_shape(views.graph, squeeze, large)) return {};
  const OutputRef result = node.output();
  const OutputRef squeezed = add_in_place_of(views.graph, result, std::move(squeeze));
  return {{0, add_in_place_of(views.graph, result, {"Unsqueeze", {}, {squeezed, *come}})}};
}

}  // namespace

NewSources shorten_reshapes(const Views& views, const Node& node) {
  const Graph& graph = views.graph;
  const OutputRef result = node.output();
  if (!graph.type(result).has_rank() || !keeps_order(graph, node)) return {};
  std::vector<OutputRef> sources{node.inputs()[0]};  // nearest first
  while (sources.size() < Views::max_links) {
    const Node& link = graph.node(sources.back().node);
    if (views.ordered[link.id().value] || !keeps_order(graph, link)) break;
    sources.push_back(link.inputs()[0]);
  }
  for (size_t i = sources.size(); i-- > 0;)
    if (same_shape(graph, sources[i], result)) return {{0, sources[i]}};
  // One step is as short as it gets, but a Transpose moves data.
  for (size_t i = sources.size(); i-- > (node.is("Transpose") ? 0 : 1);)
    if (auto sketch = as_one_view(graph, sources[i], node)) return {{0, add_in_place_of(views.graph, result, std::move(*sketch))}};
  return node.is("Transpose") ? as_two_views(views, node) : NewSources{};
}

}  // namespace ge

/// Output axis i of Transpose(Transpose(x, p), q) is axis q[i] of the inner one, so axis p[q[i]] of x. And Expands one
/// after the other: repeating what is repeated.
#include "ge/passes/views.hpp"

#include <algorithm>
#include <numeric>

namespace ge {

std::optional<std::vector<int64_t>> permutation(const Graph& graph, const Node& transpose) {
  std::vector<int64_t> perm = transpose.attributes().get_ints("perm");
  if (transpose.attributes().has("perm")) {
    for (int64_t& axis : perm)
      if (axis < 0) axis += static_cast<int64_t>(perm.size());
    return perm;
  }
  const TensorType& type = graph.type(transpose.inputs()[0]);
  if (!type.has_rank()) return std::nullopt;
  perm.resize(type.rank());
  std::iota(perm.rbegin(), perm.rend(), int64_t{0});
  return perm;
}

NewSources compose_transposes(const Views& views, const Node& node) {
  auto composed = permutation(views.graph, node);
  OutputRef source = node.inputs()[0];
  int links = 0;
  for (; composed && links < Views::max_links; ++links) {
    const Node* inner = views.producer(source, "Transpose");
    const auto perm = inner != nullptr ? permutation(views.graph, *inner) : std::nullopt;
    if (!perm || perm->size() != composed->size()) break;
    for (int64_t& axis : *composed) axis = (*perm)[static_cast<size_t>(axis)];
    source = inner->inputs()[0];
  }
  if (links == 0) return {};
  if (std::is_sorted(composed->begin(), composed->end())) return {{0, source}};
  Attributes attributes;
  attributes.set("perm", std::move(*composed));
  return {{0, add_in_place_of(views.graph, node.output(), {"Transpose", std::move(attributes), {source}})}};
}

NewSources compose_expands(const Views& views, const Node& node) {
  const Graph& graph = views.graph;
  const auto& shape = graph.type(node.output()).shape;
  if (!shape) return {};
  std::vector<OutputRef> sources{node.inputs()[0]};  // nearest first
  while (sources.size() < Views::max_links) {
    const Node* inner = views.producer(sources.back(), "Expand");
    if (inner == nullptr) break;
    sources.push_back(inner->inputs()[0]);
  }
  for (size_t i = sources.size(); i-- > 1;) {
    Sketch sketch{"Expand", {}, {sources[i], node.inputs()[1]}};
    if (!gives_shape(graph, sketch, *shape)) {
      // A 1 here kept what the inner Expand had repeated: say all of the shape.
      const auto dims = constant_dims(*shape);
      if (!dims) continue;
      sketch.inputs[1] = *dims;
      if (!gives_shape(graph, sketch, *shape)) continue;
    }
    return {{0, add_in_place_of(views.graph, node.output(), std::move(sketch))}};
  }
  return {};
}

}  // namespace ge

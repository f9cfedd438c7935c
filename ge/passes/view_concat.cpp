/// Concat of Concats, and what takes parts of a Concat: positions along the axis are expressions, so a border is found
/// where they are the same expression.
#include "ge/passes/facts.hpp"
#include "ge/passes/views.hpp"

#include <algorithm>
#include <unordered_map>

namespace ge {
namespace {

/// With open dims positions are sums of that many terms.
constexpr size_t max_parts = 64;

/// The axis from the front; nullopt where the rank is needed for that and not known.
std::optional<int64_t> concat_axis(const Graph& graph, const Node& concat) {
  const int64_t axis = concat.attributes().need_int("axis");
  const TensorType& type = graph.type(concat.output());
  if (axis >= 0) return axis;
  return type.has_rank() ? std::optional(axis + static_cast<int64_t>(type.rank())) : std::nullopt;
}

/// The parts of a Concat by where they begin and end along its axis.
class Parts {
 public:
  Parts(const Graph& graph, const Node& concat, size_t axis) : graph_(graph), concat_(concat) {
    const auto inputs = concat.inputs();
    bool open = false;
    for (OutputRef part : inputs) {
      if (!graph.type(part).has_rank()) return;
      open |= !graph.type(part).shape->at(axis).is_constant();
    }
    if (inputs.size() > max_parts && (open || graph.user_count(concat.id()) != 1)) return;
    Expr position = graph.symbols().constant(0);
    for (uint32_t i = 0; i < inputs.size(); ++i) {
      last_at_[position] = i;  // parts without elements come before it
      position = position + graph.type(inputs[i]).shape->at(axis);
      end_at_.try_emplace(position, i + 1);
    }
    total_ = position;
    valid_ = true;
  }
  bool valid() const { return valid_; }
  Expr total() const { return total_; }

  /// [first, end) of the parts from one position to another; nullopt where these are no borders, or there are none.
  std::optional<std::pair<uint32_t, uint32_t>> between(Expr from, Expr to) const {
    const auto first = last_at_.find(from);
    const auto end = end_at_.find(to);
    if (first == last_at_.end() || end == end_at_.end() || first->second >= end->second) return std::nullopt;
    return std::pair(first->second, end->second);
  }
  bool is_one(std::pair<uint32_t, uint32_t> range) const { return range.second - range.first == 1; }
  OutputRef one(std::pair<uint32_t, uint32_t> range) const { return concat_.inputs()[range.first]; }
  Sketch several(std::pair<uint32_t, uint32_t> range) const {
    Sketch sketch{"Concat", concat_.attributes(), {}};
    for (uint32_t i = range.first; i < range.second; ++i) sketch.inputs.emplace_back(concat_.inputs()[i]);
    return sketch;
  }
  /// Whether Concats of parts cost no more than the whole: nobody else reads that.
  bool may_regroup() const { return graph_.user_count(concat_.id()) == 1; }

 private:
  const Graph& graph_;
  const Node& concat_;
  std::unordered_map<Expr, uint32_t> last_at_, end_at_;
  Expr total_;
  bool valid_ = false;
};

/// Start or end of a slice, in elements from the front.
Expr position(Expr total, int64_t bound) {
  if (beyond_any_dim(bound)) return total;
  if (bound < 0) return total + bound;
  return total.is_constant() ? min_of(total, bound) : total.table().constant(bound);
}

}  // namespace

NewSources flatten_concat(const Views& views, const Node& node) {
  const Graph& graph = views.graph;
  const auto axis = concat_axis(graph, node);
  std::vector<Sketch::Input> parts;
  std::vector<OutputRef> open(node.inputs().rbegin(), node.inputs().rend());  // the next one last
  bool found = false;
  while (!open.empty()) {
    const OutputRef part = open.back();
    open.pop_back();
    const Node* inner = views.producer(part, "Concat");
    if (inner == nullptr || graph.user_count(inner->id()) != 1 || !axis || concat_axis(graph, *inner) != axis) {
      parts.emplace_back(part);
      continue;
    }
    found = true;
    open.insert(open.end(), inner->inputs().rbegin(), inner->inputs().rend());
  }
  if (!found) return {};
  Sketch sketch{"Concat", node.attributes(), std::move(parts)};
  return {{0, add_in_place_of(views.graph, node.output(), std::move(sketch))}};
}

NewSources take_concat_part(const Views& views, const Node& node) {
  const Graph& graph = views.graph;
  const Node* concat = views.producer(node.inputs()[0], "Concat");
  const auto cuts = concat != nullptr ? read_slice(graph, node) : std::nullopt;
  if (!cuts || cuts->size() != 1 || concat_axis(graph, *concat) != static_cast<int64_t>((*cuts)[0].first)) return {};
  const auto& [axis, cut] = (*cuts)[0];
  const Parts parts(graph, *concat, axis);
  if (!parts.valid() || cut.step != 1) return {};
  const auto range = parts.between(position(parts.total(), cut.start), position(parts.total(), cut.end));
  const Shape& shape = *graph.type(node.output()).shape;
  if (!range) return {};
  if (parts.is_one(*range)) return graph.type(parts.one(*range)).shape == shape ? NewSources{{0, parts.one(*range)}} : NewSources{};
  if (!parts.may_regroup() || range->second - range->first == concat->inputs().size()) return {};
  Sketch sketch = parts.several(*range);
  if (!gives_shape(graph, sketch, shape)) return {};
  return {{0, add_in_place_of(views.graph, node.output(), std::move(sketch))}};
}

NewSources take_concat_parts(const Views& views, const Node& node) {
  Graph& graph = views.graph;
  const Node* concat = views.producer(node.inputs()[0], "Concat");
  const TensorType* whole = concat != nullptr ? &graph.type(node.inputs()[0]) : nullptr;
  if (concat == nullptr || !whole->has_rank()) return {};
  const int64_t given = node.attributes().get_int("axis", 0), axis = given < 0 ? given + static_cast<int64_t>(whole->rank()) : given;
  if (concat_axis(graph, *concat) != axis || axis < 0) return {};
  const Parts parts(graph, *concat, static_cast<size_t>(axis));
  if (!parts.valid() || node.outputs().size() > std::max(max_parts, concat->inputs().size())) return {};

  std::vector<Expr> borders{graph.symbols().constant(0)};
  for (const NodeOutput& output : node.outputs()) {
    if (!output.type.has_rank()) return {};
    borders.push_back(borders.back() + output.type.shape->at(static_cast<size_t>(axis)));
  }
  NewSources sources;
  std::vector<std::pair<uint32_t, Sketch>> regrouped;
  const std::vector<uint32_t> read = read_outputs(graph, node);
  for (uint32_t i : read) {
    const auto range = parts.between(borders[i], borders[i + 1]);
    if (!range) continue;
    if (!parts.is_one(*range)) {
      Sketch sketch = parts.several(*range);
      if (gives_shape(graph, sketch, *graph.type(node.output(i)).shape)) regrouped.emplace_back(i, std::move(sketch));
    } else if (same_shape(graph, parts.one(*range), node.output(i))) {
      sources.emplace_back(i, parts.one(*range));
    }
  }
  // Concats of some parts beside the Split of the whole would be more work, not less.
  if (!parts.may_regroup() || sources.size() + regrouped.size() < read.size()) return sources;
  const NodeId split = node.id();
  for (auto& [i, sketch] : regrouped) sources.emplace_back(i, add_in_place_of(graph, {split, i}, std::move(sketch)));
  return sources;
}

}  // namespace ge

/// What is left to do at the end of a graph and of the document.
#include "ge/import/json/graph_reader.hpp"

namespace ge::json {

void GraphReader::end_graph() {
  graph();
  join_ahead();
  join_controls();
  set_outputs();
  graph_ = nullptr;
}

/// Values that stand below their readers: nodes that passes made, or a graph in any order.
void GraphReader::join_ahead() {
  Patch patch;
  for (const auto& [at, name, output, line] : ahead_) {
    const Place list = graphs(), outer(list, number_), nodes(outer, "nodes"), node(nodes, line), inputs(node, "inputs"), place(inputs, at.slot);
    const NodeNames::Entry* entry = names_.find(name);
    if (entry == nullptr) findings_.add(place, "there is no node '" + name + "'");
    else if (const OutputRef ref = resolve(place, *entry, output)) patch.rewire(at, ref);
  }
  ahead_.clear();
  if (!findings_.any()) graph_->apply(patch);  // with findings nodes may be missing, and the graph is not used
}

void GraphReader::join_controls() {
  for (const auto& [after, line, position, before] : controls_) {
    const Place list = graphs(), outer(list, number_), nodes(outer, "nodes"), node(nodes, line), key(node, "after"), place(key, position);
    const NodeNames::Entry* entry = names_.find(before);
    if (entry == nullptr) findings_.add(place, "there is no node '" + before + "'");
    else if (entry->graph != graph_) findings_.add(place, "node '" + before + "' stands in another graph");
    else if (!findings_.any()) graph_->add_control_edge(entry->node, after);
  }
  controls_.clear();
}

void GraphReader::set_outputs() {
  const Place list = graphs(), outer(list, number_), place(outer, "outputs");
  if (!graph_->net_output()) return findings_.add(outer, "has no node of op NetOutput, whose inputs are the graph's outputs");
  if (!output_names_) return findings_.add(outer, "has no 'outputs', the names of what its NetOutput reads");
  const std::vector<OutputRef> refs(graph_->outputs().begin(), graph_->outputs().end());
  if (refs.size() != output_names_->size())
    return findings_.add(place, "has " + std::to_string(output_names_->size()) + " names, expected " + std::to_string(refs.size()) + ", one for each input of the NetOutput");
  if (findings_.any()) return;
  for (size_t i = 0; i < refs.size(); ++i)
    if (!refs[i]) return findings_.add(Place(place, i), "the NetOutput's input " + std::to_string(i) + " is null: an output is a value");
  graph_->set_outputs(refs, std::move(*output_names_));
}

/// Every subgraph has one owner, and following the owners leads to the root: what runs over graphs may go from owner to
/// subgraph without end otherwise, or deeper than the program's stack.
void GraphReader::check_owners() {
  constexpr size_t deepest = 64;
  const Place list = graphs();
  for (const auto& [number, owner] : owners_)
    if (number >= graph_count_) findings_.add(Place(list, owner), "a node owns graph " + std::to_string(number) + ", but there are only the graphs 0 to " + std::to_string(graph_count_ - 1));
  for (size_t number = 1; number < graph_count_; ++number) {
    size_t at = number, depth = 0;
    while (at != 0 && depth <= deepest) {
      const auto owner = owners_.find(at);
      if (owner == owners_.end()) break;
      at = owner->second;
      ++depth;
    }
    if (at == 0 && depth <= deepest) continue;
    findings_.add(Place(list, number), depth > deepest ? "subgraphs are nested more than 64 deep, or in a circle" : "belongs to no node, or to one that belongs to none: name it in the 'subgraphs' of its node");
  }
}

std::unique_ptr<Graph> GraphReader::take() {
  const Place document("the document");
  if (!format_ || !version_) findings_.add(document, "is no graph of this form: expected \"format\": \"ge graph\" and \"version\": 1");
  if (graph_count_ == 0) findings_.add(document, "has no graph: 'graphs' is missing or empty");
  check_owners();
  return std::move(root_);
}

}  // namespace ge::json

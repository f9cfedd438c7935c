#include "ge/graph/graph.hpp"

#include "ge/graph/bgl.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace ge {

struct Graph::Names {
  std::unordered_set<std::string> in_use;
  std::unordered_map<std::string, size_t> last_suffix;  ///< by name: so that many equal names stay linear
};

Graph::Graph(std::string name)
    : name_(std::move(name)), root_(this), symbols_(std::make_unique<SymbolTable>()), names_(std::make_unique<Names>()),
      boost_(std::make_unique<BoostGraph>()) {}

Graph::Graph(std::string name, Graph& root, GraphId id)
    : name_(std::move(name)), root_(&root), id_(id), boost_(std::make_unique<BoostGraph>()) {}

Graph::~Graph() = default;

static bool is_there(const Graph& graph, OutputRef ref) {
  return graph.has(ref.node) && !graph.node(ref.node).dead() && ref.index < graph.node(ref.node).outputs().size();
}

std::string Graph::unique_name(std::string name, std::string_view op) {
  auto& in_use = root_->names_->in_use;
  if (name.empty()) name = std::string(op) + "_" + std::to_string(nodes_.size());
  if (in_use.insert(name).second) return name;
  for (size_t& n = root_->names_->last_suffix[name];;) {
    std::string candidate = name + "_" + std::to_string(++n);
    if (in_use.insert(candidate).second) return candidate;
  }
}

NodeId Graph::add_node(NodeSpec spec) {
  for (size_t slot = 0; slot < spec.inputs.size(); ++slot) {
    const OutputRef ref = spec.inputs[slot];
    if (ref && !is_there(*this, ref))
      throw Error(ErrorCode::invalid_argument, "node '" + spec.name + "' (" + spec.op + "): input " + std::to_string(slot) +
                                                   " names output " + std::to_string(ref.index) + " of node " +
                                                   std::to_string(ref.node.value) + ", which graph '" + name_ + "' does not have");
  }
  const NodeId id(static_cast<uint32_t>(nodes_.size()));
  Node node;
  node.id_ = id;
  node.name_ = unique_name(std::move(spec.name), spec.op);
  node.op_ = std::move(spec.op);
  node.domain_ = std::move(spec.domain);
  node.attributes_ = std::move(spec.attributes);
  node.inputs_ = std::move(spec.inputs);
  node.subgraphs_ = std::move(spec.subgraphs);
  node.outputs_.reserve(spec.outputs.size());
  for (std::string& output : spec.outputs) node.outputs_.push_back({std::move(output), {}});
  boost::add_vertex(boost_->adjacency);
  for (uint32_t slot = 0; slot < node.inputs_.size(); ++slot)
    if (const OutputRef ref = node.inputs_[slot])
      boost::add_edge(ref.node.value, id.value, EdgeProperty{ref.index, slot, EdgeKind::data}, boost_->adjacency);
  if (!node.subgraphs_.empty()) owners_.push_back(id);
  touched_.push_back(id);
  if (node.is(op_types::net_output) && !net_output_) net_output_ = id;  // set_outputs names what it reads
  nodes_.push_back(std::move(node));
  return id;
}

OutputRef Graph::add_input(std::string name, TensorType type) {
  NodeSpec spec{.op = std::string(op_types::data), .name = name, .domain = {}, .attributes = {}, .inputs = {}, .outputs = {name}, .subgraphs = {}};
  const NodeId id = add_node(std::move(spec));
  nodes_[id.value].outputs_[0].type = std::move(type);
  inputs_.push_back(id);
  return {id, 0};
}

OutputRef Graph::add_constant(std::string name, Tensor value) {
  NodeSpec spec{.op = std::string(op_types::constant), .name = name, .domain = {}, .attributes = {}, .inputs = {}, .outputs = {name}, .subgraphs = {}};
  TensorType type{value.dtype(), constant_shape(symbols(), value.dims()), std::nullopt};
  if (value.count() <= max_symbolic_values && (value.dtype() == DType::int64 || value.dtype() == DType::int32 || value.dtype() == DType::boolean)) {
    type.values.emplace();
    const auto elements = value.to_ints();
    for (int64_t element : *elements) type.values->push_back(symbols().constant(element));
  }
  spec.attributes.set("value", std::move(value));
  const NodeId id = add_node(std::move(spec));
  nodes_[id.value].outputs_[0].type = std::move(type);
  return {id, 0};
}

void Graph::set_outputs(std::vector<OutputRef> outputs, std::vector<std::string> names) {
  if (outputs.size() != names.size())
    throw Error(ErrorCode::invalid_argument, "set_outputs: " + std::to_string(outputs.size()) + " outputs have " + std::to_string(names.size()) + " names; give each one");
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!is_there(*this, outputs[i]))
      throw Error(ErrorCode::invalid_argument, "set_outputs: '" + names[i] + "' names output " + std::to_string(outputs[i].index) + " of node " +
                                                   std::to_string(outputs[i].node.value) + ", which graph '" + name_ + "' does not have");
  output_names_ = std::move(names);
  if (!net_output_) {
    net_output_ = add_node({.op = std::string(op_types::net_output), .name = name_ + ".NetOutput", .domain = {}, .attributes = {}, .inputs = std::move(outputs), .outputs = {}, .subgraphs = {}});
    return;
  }
  boost::remove_in_edge_if(net_output_.value, [&](auto edge) { return boost_->adjacency[edge].kind == EdgeKind::data; }, boost_->adjacency);
  Node& node = nodes_[net_output_.value];
  touched_.push_back(net_output_);
  node.inputs_ = std::move(outputs);
  for (uint32_t slot = 0; slot < node.inputs_.size(); ++slot)
    boost::add_edge(node.inputs_[slot].node.value, net_output_.value, EdgeProperty{node.inputs_[slot].index, slot, EdgeKind::data}, boost_->adjacency);
}

void Graph::add_control_edge(NodeId before, NodeId after) {
  for (NodeId id : {before, after})
    if (!has(id) || nodes_[id.value].dead_)
      throw Error(ErrorCode::invalid_argument, "add_control_edge: graph '" + name_ + "' has no node " + std::to_string(id.value));
  auto& list = nodes_[after.value].control_inputs_;
  const auto& readers = boost::out_edges(before.value, boost_->adjacency);
  // One of the two may be a hub: look on the shorter side.
  const bool there = list.size() <= user_count(before)
                         ? std::find(list.begin(), list.end(), before) != list.end()
                         : std::any_of(readers.first, readers.second, [&](auto edge) {
                             return boost_->adjacency[edge].kind == EdgeKind::control && boost::target(edge, boost_->adjacency) == after.value;
                           });
  if (there) return;
  list.push_back(before);
  touched_.push_back(after);
  boost::add_edge(before.value, after.value, EdgeProperty{0, 0, EdgeKind::control}, boost_->adjacency);
}

Graph& Graph::add_subgraph(std::string name) {
  auto& all = root_->subgraphs_;
  const GraphId id(static_cast<uint32_t>(all.size()));
  all.push_back(std::unique_ptr<Graph>(new Graph(std::move(name), *root_, id)));
  return *all.back();
}

const Node& Graph::node(NodeId id) const {
  if (!has(id)) throw Error(ErrorCode::internal, "graph '" + name_ + "' has no node " + std::to_string(id.value));
  return nodes_[id.value];
}

std::span<const OutputRef> Graph::outputs() const {
  return net_output_ ? nodes_[net_output_.value].inputs() : std::span<const OutputRef>{};
}

template <class Keep>
static auto collect(const Graph& graph, NodeId id, Keep keep) {
  const BoostAdjacency& adjacency = graph.boost().adjacency;
  graph.node(id);  // throws where there is none
  std::vector<InputRef> found;
  for (auto [edge, end] = boost::out_edges(id.value, adjacency); edge != end; ++edge)
    if (keep(adjacency[*edge])) found.push_back({NodeId(static_cast<uint32_t>(boost::target(*edge, adjacency))), adjacency[*edge].input});
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<InputRef> Graph::users(OutputRef ref) const {
  return collect(*this, ref.node, [&](const EdgeProperty& e) { return e.kind == EdgeKind::data && e.output == ref.index; });
}

std::vector<InputRef> Graph::users(NodeId id) const {
  return collect(*this, id, [](const EdgeProperty& e) { return e.kind == EdgeKind::data; });
}

size_t Graph::user_count(NodeId id) const { return boost::out_degree(node(id).id_.value, boost_->adjacency); }

std::vector<NodeId> Graph::control_users(NodeId id) const {
  std::vector<NodeId> out;
  for (const InputRef& user : collect(*this, id, [](const EdgeProperty& e) { return e.kind == EdgeKind::control; }))
    out.push_back(user.node);
  return out;
}

const Tensor* Graph::constant_value(OutputRef ref) const {
  if (!ref) return nullptr;
  const Node& producer = node(ref.node);
  return producer.is(op_types::constant) ? producer.attributes_.get_tensor("value") : nullptr;
}

Graph& Graph::subgraph(GraphId id) { return const_cast<Graph&>(std::as_const(*this).subgraph(id)); }

std::vector<NodeId> Graph::subgraph_owners() const {
  std::vector<NodeId> live;
  for (NodeId id : owners_)
    if (!nodes_[id.value].dead_) live.push_back(id);
  return live;
}

std::vector<NodeId> Graph::take_touched() {
  std::vector<NodeId> taken;
  taken.swap(touched_);
  std::erase_if(taken, [&](NodeId id) { return nodes_[id.value].dead_; });
  std::sort(taken.begin(), taken.end());
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
  return taken;
}

const Graph& Graph::subgraph(GraphId id) const {
  if (id.value >= root_->subgraphs_.size()) throw Error(ErrorCode::internal, "no subgraph " + std::to_string(id.value) + " in graph '" + root_->name_ + "'");
  return *root_->subgraphs_[id.value];
}

void Graph::set_type(OutputRef ref, TensorType type) { nodes_.at(ref.node.value).outputs_.at(ref.index).type = std::move(type); }

void Graph::set_attribute(NodeId id, std::string_view name, AttributeValue value) {
  nodes_.at(id.value).attributes_.set(name, std::move(value));
  touched_.push_back(id);
}

void Graph::erase_attribute(NodeId id, std::string_view name) {
  nodes_.at(id.value).attributes_.erase(name);
  touched_.push_back(id);
}

void Graph::set_output_name(OutputRef ref, std::string name) { nodes_.at(ref.node.value).outputs_.at(ref.index).name = std::move(name); }

}  // namespace ge

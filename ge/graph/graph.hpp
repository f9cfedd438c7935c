#pragma once
#include "ge/base/attributes.hpp"
#include "ge/base/ids.hpp"
#include "ge/base/shape.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ge {

using NodeId = StrongId<struct NodeTag>;
using GraphId = StrongId<struct GraphTag>;

/// Output `index` of a node: how a value is named in the IR.
struct OutputRef {
  NodeId node;
  uint32_t index = 0;
  explicit operator bool() const { return static_cast<bool>(node); }
  friend auto operator<=>(const OutputRef&, const OutputRef&) = default;
};

/// Where a value is read.
struct InputRef {
  NodeId node;
  uint32_t slot = 0;
  friend auto operator<=>(const InputRef&, const InputRef&) = default;
};

/// Node types that the IR itself knows, in the domain of ops with no domain.
namespace op_types {
inline constexpr std::string_view data = "Data";            ///< an input of its graph; one output
inline constexpr std::string_view constant = "Const";       ///< attribute "value" (tensor); one output
inline constexpr std::string_view net_output = "NetOutput"; ///< one per graph; its inputs are the graph's outputs
}  // namespace op_types

/// One output of a node: the tensor's name in the source model and what inference knows of it.
struct NodeOutput {
  std::string name;
  TensorType type;
};

/// What add_node takes.
struct NodeSpec {
  std::string op{};
  std::string name{};                ///< made unique in the root's name space; "" gives "<op>_<id>"
  std::string domain{};              ///< "" is ai.onnx
  Attributes attributes{};
  std::vector<OutputRef> inputs{};   ///< in slot order; an absent optional input is OutputRef{}
  std::vector<std::string> outputs{};///< names, "" for an optional output that is not used
  std::vector<GraphId> subgraphs{};  ///< in the schema's order
};

class Graph;

/// A node: read through its Graph, changed only by Graph's members and by apply(Patch).
class Node {
 public:
  NodeId id() const { return id_; }
  const std::string& op() const { return op_; }
  const std::string& domain() const { return domain_; }
  const std::string& name() const { return name_; }
  const Attributes& attributes() const { return attributes_; }
  std::span<const OutputRef> inputs() const { return inputs_; }
  std::span<const NodeOutput> outputs() const { return outputs_; }
  std::span<const GraphId> subgraphs() const { return subgraphs_; }
  std::span<const NodeId> control_inputs() const { return control_inputs_; }
  /// Removed from the graph: keeps its id, has no edges.
  bool dead() const { return dead_; }
  bool is(std::string_view op) const { return op_ == op && domain_.empty(); }
  OutputRef output(uint32_t index = 0) const { return {id_, index}; }

 private:
  friend class Graph;
  NodeId id_;
  std::string op_, domain_, name_;
  Attributes attributes_;
  std::vector<OutputRef> inputs_;
  std::vector<NodeOutput> outputs_;
  std::vector<GraphId> subgraphs_;
  std::vector<NodeId> control_inputs_;
  bool dead_ = false;
};

struct Patch;
class BoostGraph;  // ge/graph/bgl.hpp

/// The IR of one graph: a directed multigraph (Boost.Graph inside) of nodes with ordered inputs and outputs, data and
/// control edges. Subgraphs (branches, bodies) are Graphs of their own, closed (what they read from outside comes in
/// through Data nodes that the owning node feeds), and owned by the root by id. A root and its subgraphs share one
/// SymbolTable. NodeIds are dense, never renumbered or reused. Not thread-safe; const calls may run together.
class GE_API Graph {
 public:
  explicit Graph(std::string name);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const std::string& name() const { return name_; }
  Graph& root() { return *root_; }
  const Graph& root() const { return *root_; }
  bool is_root() const { return root_ == this; }
  GraphId id() const { return id_; }  ///< none for the root
  SymbolTable& symbols() const { return *root_->symbols_; }

  // Building. ---------------------------------------------------------------------------------------------------
  /// Adds a node and its edges. Throws Error(invalid_argument) when an input names a node or output that is not there.
  NodeId add_node(NodeSpec spec);
  /// Adds the next graph input, a Data node; its tensor is named like the node.
  OutputRef add_input(std::string name, TensorType type);
  OutputRef add_constant(std::string name, Tensor value);
  /// Sets the graph's outputs: creates the NetOutput node or replaces its inputs. The names are those that users see.
  void set_outputs(std::vector<OutputRef> outputs, std::vector<std::string> names);
  /// Adds an edge without data: `after` runs after `before`.
  void add_control_edge(NodeId before, NodeId after);
  /// A new empty subgraph owned by the root.
  Graph& add_subgraph(std::string name);

  // Reading. ----------------------------------------------------------------------------------------------------
  size_t node_count() const { return nodes_.size(); }        ///< dead ones included: ids are 0 .. node_count()-1
  size_t live_node_count() const { return nodes_.size() - dead_; }
  bool has(NodeId id) const { return id.value < nodes_.size(); }
  const Node& node(NodeId id) const;
  std::span<const Node> nodes() const { return nodes_; }     ///< by id, dead ones included
  std::span<const NodeId> inputs() const { return inputs_; } ///< the Data nodes in order
  NodeId net_output() const { return net_output_; }
  std::span<const OutputRef> outputs() const;                ///< what NetOutput reads
  std::span<const std::string> output_names() const { return output_names_; }
  const TensorType& type(OutputRef ref) const { return node(ref.node).outputs_[ref.index].type; }
  const std::string& tensor_name(OutputRef ref) const { return node(ref.node).outputs_[ref.index].name; }
  /// All readers of a value (all outputs of the node with the second form), sorted by (node, slot).
  std::vector<InputRef> users(OutputRef ref) const;
  std::vector<InputRef> users(NodeId id) const;
  /// Readers of all outputs, control edges included.
  size_t user_count(NodeId id) const;
  std::vector<NodeId> control_users(NodeId id) const;
  /// The tensor of a Const node; null for other nodes.
  const Tensor* constant_value(OutputRef ref) const;
  size_t subgraph_count() const { return root_->subgraphs_.size(); }
  /// The live nodes that own subgraphs, in the order in which they were added.
  std::vector<NodeId> subgraph_owners() const;
  Graph& subgraph(GraphId id);
  const Graph& subgraph(GraphId id) const;

  // Changing. ---------------------------------------------------------------------------------------------------
  void set_type(OutputRef ref, TensorType type);
  void set_attribute(NodeId id, std::string_view name, AttributeValue value);
  void erase_attribute(NodeId id, std::string_view name);
  void set_output_name(OutputRef ref, std::string name);
  /// Removes a Data node that nobody reads, and with it the input (used for captures that are not needed any more).
  void remove_input(size_t index);
  /// Removes input slots of a node (a call whose subgraphs lost inputs). Sorted ascending.
  void remove_input_slots(NodeId id, std::span<const uint32_t> slots);
  /// How many inputs were removed from the root and its subgraphs since they were made.
  size_t inputs_removed() const { return root_->inputs_removed_; }
  /// The live nodes of this graph that were added, rewired or given other attributes since the last call, ascending:
  /// by this, inference and verification follow a graph through its changes.
  std::vector<NodeId> take_touched();
  bool has_touched() const { return !touched_.empty(); }
  /// The one place that rewires: applies all of a patch, each touched edge list rebuilt once. An explicit rewire wins
  /// over a replacement. Returns the number of changes (slots that read another value + nodes removed). Throws
  /// Error(invalid_argument), with nothing changed, when the patch names what is not there, goes round in a circle,
  /// replaces one value in two ways, or removes an input, the NetOutput or what is still read.
  size_t apply(const Patch& patch);

  BoostGraph& boost() { return *boost_; }
  const BoostGraph& boost() const { return *boost_; }

 private:
  Graph(std::string name, Graph& root, GraphId id);
  std::string unique_name(std::string name, std::string_view op);

  std::string name_;
  Graph* root_;
  GraphId id_;
  std::unique_ptr<SymbolTable> symbols_;          ///< root only
  std::vector<std::unique_ptr<Graph>> subgraphs_; ///< root only
  struct Names;
  std::unique_ptr<Names> names_;                  ///< root only: node names in use
  std::unique_ptr<BoostGraph> boost_;
  std::vector<Node> nodes_;
  std::vector<NodeId> inputs_;
  NodeId net_output_;
  std::vector<std::string> output_names_;
  std::vector<NodeId> owners_;                    ///< of subgraphs, dead ones included
  std::vector<NodeId> touched_;                   ///< unsorted, with repetitions
  size_t dead_ = 0;
  size_t inputs_removed_ = 0;                     ///< root only
};

/// Edits that belong together, built by looking at a graph and applied in one go. New nodes are added to the graph
/// directly (they change nothing until something reads them).
struct Patch {
  /// Every reader of `from` reads `to` instead, except the reader node `except` (none: no exception).
  struct Replace {
    OutputRef from, to;
    NodeId except;
  };
  /// One slot of one node.
  struct Rewire {
    InputRef at;
    OutputRef to;
  };
  std::vector<Replace> replacements;
  std::vector<Rewire> rewires;
  std::vector<NodeId> removals;  ///< nodes that nobody reads after the edits above

  bool empty() const { return replacements.empty() && rewires.empty() && removals.empty(); }
  void replace(OutputRef from, OutputRef to, NodeId except = {}) { replacements.push_back({from, to, except}); }
  void rewire(InputRef at, OutputRef to) { rewires.push_back({at, to}); }
  void remove(NodeId node) { removals.push_back(node); }
};

}  // namespace ge

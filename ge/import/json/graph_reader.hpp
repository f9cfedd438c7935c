#pragma once
#include "ge/graph/graph.hpp"
#include "ge/import/json/document.hpp"
#include "ge/import/json/expression_reader.hpp"
#include "ge/import/json/findings.hpp"
#include "ge/import/json/node_names.hpp"

#include <unordered_map>

namespace ge::json {

/// Builds the graphs of a document while it is read. Values that stand further down are joined at the end of their
/// graph.
class GraphReader : public DocumentEvents {
 public:
  GraphReader(Findings& findings, MemoryBudget& budget) : findings_(findings), budget_(budget) {}
  void member(std::string_view key, Value value) override;
  void symbol(size_t index, Value value) override;
  void expression(size_t index, Value value) override;
  void begin_graph(size_t index) override;
  void graph_member(std::string_view key, Value value) override;
  void node(size_t index, Value value) override;
  void end_graph() override;
  void no_object(std::string_view place, Value value) override;
  /// At the end of the document. Null when there is no graph; a finding says so.
  std::unique_ptr<Graph> take();

 private:
  /// A reference to a node that is not there yet.
  struct Ahead {
    InputRef at;
    std::string name;
    uint32_t output = 0;
    size_t line = 0;  ///< number of the reader in "nodes"
  };
  struct Control {
    NodeId after;
    size_t line = 0;
    size_t position = 0;
    std::string before;
  };

  Graph& root(std::string_view before);
  Graph& graph();
  Place graphs() const { return Place("graphs"); }
  void add(const NodeSpec& spec, const std::vector<TensorType>& types);
  void read_inputs(const Place& place, Value value, NodeId id, NodeSpec& spec);
  void read_reference(const Place& place, Value value, InputRef at, NodeSpec& spec);
  void read_controls(const Place& place, Value value, NodeId id);
  void read_subgraphs(const Place& place, Value value, NodeSpec& spec);
  void read_outputs(const Place& place, Value value, NodeSpec& spec, std::vector<TensorType>& types);
  TensorType read_type(const Place& place, Value value);
  /// The output of a node of this graph; none, with a finding, where there is no such output.
  OutputRef resolve(const Place& place, const NodeNames::Entry& entry, uint32_t output);
  void join_ahead();
  void join_controls();
  void set_outputs();
  void check_owners();

  Findings& findings_;
  MemoryBudget& budget_;
  bool format_ = false, version_ = false;
  std::unique_ptr<Graph> root_;
  std::unique_ptr<ExpressionReader> expressions_;
  NodeNames names_;
  std::unordered_map<size_t, size_t> owners_;  ///< number of a subgraph → number of the graph whose node owns it
  size_t graph_count_ = 0;

  // Of the graph being read.
  size_t number_ = 0;
  size_t line_ = 0;  ///< number of the node in "nodes"
  Graph* graph_ = nullptr;
  std::optional<std::vector<std::string>> output_names_;
  std::vector<Ahead> ahead_;
  std::vector<Control> controls_;
};

}  // namespace ge::json

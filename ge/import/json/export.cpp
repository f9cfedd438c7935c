#include "ge/import/json.hpp"

#include "ge/base/replace_file.hpp"
#include "ge/import/json/attribute.hpp"
#include "ge/import/json/expression_writer.hpp"
#include "ge/import/json/numbers.hpp"
#include "ge/import/json/text.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace ge {
namespace {

using Sink = std::function<void(std::string_view)>;

/// The root, then the subgraphs that live nodes own, by id.
class WrittenGraphs {
 public:
  explicit WrittenGraphs(const Graph& root) : graphs_{&root}, numbers_(root.subgraph_count(), 0) {
    std::vector<bool> owned(root.subgraph_count(), false);
    std::vector<const Graph*> unseen{&root};
    while (!unseen.empty()) {
      const Graph& graph = *unseen.back();
      unseen.pop_back();
      for (const Node& node : graph.nodes())
        for (GraphId id : node.dead() ? std::span<const GraphId>{} : node.subgraphs()) {
          const Graph& sub = root.subgraph(id);  // throws where there is none
          if (!owned[id.value]) unseen.push_back(&sub);
          owned[id.value] = true;
        }
    }
    for (uint32_t i = 0; i < owned.size(); ++i)
      if (owned[i]) {
        numbers_[i] = graphs_.size();
        graphs_.push_back(&root.subgraph(GraphId(i)));
      }
  }
  const std::vector<const Graph*>& all() const { return graphs_; }
  size_t number(GraphId id) const { return numbers_[id.value]; }

 private:
  std::vector<const Graph*> graphs_;
  std::vector<size_t> numbers_;
};

class Writer {
 public:
  Writer(const Graph& root, const Sink& sink) : root_(root), graphs_(root), sink_(sink) {}

  void write() {
    for (const Graph* graph : graphs_.all())
      for (const Node& node : graph->nodes())
        if (!node.dead())
          for (const NodeOutput& output : node.outputs()) expressions_.prepare(output.type);
    out_ = "{\n\"format\": \"ge graph\",\n\"version\": 1,\n\"name\": ";
    json::append_quoted(out_, root_.name());
    out_ += ",\n";
    write_symbols();
    write_definitions();
    out_ += "\"graphs\": [";
    for (const Graph* graph : graphs_.all()) write_graph(*graph);
    out_ += "]\n}\n";
    flush();
  }

 private:
  void flush() {
    sink_(out_);
    out_.clear();
  }
  /// A list of lines, the last without a comma.
  template <class Items, class Write>
  void lines(const Items& items, Write write) {
    bool first = true;
    for (const auto& item : items) {
      out_ += first ? "\n  " : ",\n  ";
      first = false;
      write(item);
      if (out_.size() > size_t{1} << 16) flush();
    }
    out_ += first ? "]" : "\n]";
  }

  void write_symbols() {
    const std::vector<Expr> symbols = expressions_.symbols();
    if (symbols.empty()) return;
    out_ += "\"symbols\": [";
    lines(symbols, [&](Expr symbol) {
      out_ += "{\"name\": ";
      json::append_quoted(out_, symbol.symbol_name());
      const Bounds bounds = symbol.bounds();
      if (bounds.lo != INT64_MIN) json::append_integer(out_ += ", \"min\": ", bounds.lo);
      if (bounds.hi != INT64_MAX) json::append_integer(out_ += ", \"max\": ", bounds.hi);
      out_ += '}';
    });
    out_ += ",\n";
  }

  void write_definitions() {
    if (expressions_.definitions().empty()) return;
    out_ += "\"expressions\": [";
    lines(expressions_.definitions(), [&](const std::string& text) { json::append_quoted(out_, text); });
    out_ += ",\n";
  }

  void write_graph(const Graph& graph) {
    out_ += graph.is_root() ? "{\n" : ", {\n\"name\": ";
    if (!graph.is_root()) {
      json::append_quoted(out_, graph.name());
      out_ += ",\n";
    }
    out_ += "\"nodes\": [";
    std::vector<const Node*> live;
    for (const Node& node : graph.nodes())
      if (!node.dead()) live.push_back(&node);
    lines(live, [&](const Node* node) { write_node(graph, *node); });
    if (graph.net_output()) {
      out_ += ",\n\"outputs\": ";
      list(graph.output_names(), [&](const std::string& name) { json::append_quoted(out_, name); });
    }
    out_ += "\n}";
  }

  template <class Items, class Write>
  void list(const Items& items, Write write) {
    out_ += '[';
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ", ";
      first = false;
      write(item);
    }
    out_ += ']';
  }

  void write_node(const Graph& graph, const Node& node) {
    out_ += "{\"name\": ";
    json::append_quoted(out_, node.name());
    out_ += ", \"op\": ";
    json::append_quoted(out_, node.op());
    if (!node.domain().empty()) json::append_quoted(out_ += ", \"domain\": ", node.domain());
    if (!node.inputs().empty()) {
      out_ += ", \"inputs\": ";
      list(node.inputs(), [&](OutputRef ref) { write_reference(graph, ref); });
    }
    if (!node.control_inputs().empty()) {
      out_ += ", \"after\": ";
      list(node.control_inputs(), [&](NodeId before) { json::append_quoted(out_, graph.node(before).name()); });
    }
    if (!node.attributes().empty()) json::append_attributes(out_ += ", \"attributes\": ", node.attributes());
    if (!node.subgraphs().empty()) {
      out_ += ", \"subgraphs\": ";
      list(node.subgraphs(), [&](GraphId id) { json::append_integer(out_, graphs_.number(id)); });
    }
    if (!node.outputs().empty()) {
      out_ += ", \"outputs\": ";
      list(node.outputs(), [&](const NodeOutput& output) { write_output(output); });
    }
    out_ += '}';
  }

  /// "conv" is output 0, ["split", 1] another one, null an input that is not given.
  void write_reference(const Graph& graph, OutputRef ref) {
    if (!ref) return static_cast<void>(out_ += "null");
    if (ref.index == 0) return json::append_quoted(out_, graph.node(ref.node).name());
    json::append_quoted(out_ += '[', graph.node(ref.node).name());
    json::append_integer(out_ += ", ", ref.index);
    out_ += ']';
  }

  void write_output(const NodeOutput& output) {
    const TensorType& type = output.type;
    const bool known = type.dtype != DType::undefined || type.shape || type.values;
    if (output.name.empty() && !known) return static_cast<void>(out_ += "null");
    json::append_quoted(out_ += "{\"name\": ", output.name);
    if (known) json::append_quoted(out_ += ", \"type\": ", expressions_.text(type));
    out_ += '}';
  }

  const Graph& root_;
  WrittenGraphs graphs_;
  const Sink& sink_;
  json::ExpressionWriter expressions_;
  std::string out_;
};

void write(const Graph& graph, const Sink& sink) {
  if (!graph.is_root())
    throw Error(ErrorCode::invalid_argument, "export_json: '" + graph.name() + "' is a subgraph; give its root, which holds its symbols and subgraphs");
  Writer(graph, sink).write();
}

}  // namespace

std::string export_json(const Graph& graph) {
  std::string text;
  write(graph, [&](std::string_view part) { text += part; });
  return text;
}

void export_json_file(const Graph& graph, const std::string& path) {
  ReplaceFile file(path);
  write(graph, [&](std::string_view part) { file.write(std::as_bytes(std::span(part))); });
  file.commit();
}

}  // namespace ge

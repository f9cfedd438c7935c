#include "ge/import/attribute_file.hpp"

#include "ge/base/mapped_file.hpp"
#include "ge/graph/order.hpp"
#include "ge/import/json/attribute.hpp"
#include "ge/import/json/close_names.hpp"
#include "ge/import/json/document.hpp"
#include "ge/import/json/node_names.hpp"
#include "ge/import/json/text.hpp"

#include <set>

namespace ge {
namespace {

using json::Findings, json::Kind, json::NodeNames, json::Place, json::Value;

/// Attributes that have a meaning here, with their kind; others are marks of the user's own.
struct Known {
  std::string_view name;
  AttributeValue sample;
};
const std::vector<Known>& known_attributes() {
  static const std::vector<Known> known{
      {"_stage_level", int64_t{}},        {"_stream_label", std::string()},        {"_engine", std::string()},
      {"_scope", std::string()},          {"_super_kernel_scope", std::string()},  {"_disable_autofuse_scope", std::string()},
      {"_variable", std::string()},       {"_control_flow_group", int64_t{}},      {"_force_unknown_shape", int64_t{}},
      {"_is_support_addr_refresh", int64_t{}}};
  return known;
}

void collect(const Graph& graph, NodeNames& names) {
  for (const Node& node : graph.nodes()) {
    if (node.dead()) continue;
    names.add(graph, node.id());
    for (GraphId id : node.subgraphs()) collect(graph.subgraph(id), names);
  }
}

/// Everything is read and checked before anything is set.
class AttributeFile {
 public:
  AttributeFile(Graph& root, json::MemoryBudget& budget, Findings& findings) : root_(root), budget_(budget), findings_(findings) { collect(root, names_); }

  void read(Value document) {
    static constexpr std::string_view keys[] = {"nodes", "control_edges"};
    std::optional<Value> found[2];
    if (!findings_.members(Place("the document"), document, keys, found)) return;
    if (found[0]) read_nodes(Place("nodes"), *found[0]);
    if (found[1]) read_edges(Place("control_edges"), *found[1]);
  }

  AttributeFileResult set() {
    AttributeFileResult out;
    for (const Change& change : changes_) {
      Graph& graph = changeable(*change.node.graph);
      for (const auto& [name, value] : change.attributes) {
        graph.set_attribute(change.node.node, name, value);
        out.names_engines |= name == "_engine";
        ++out.attributes;
      }
    }
    for (const auto& [before, after] : edges_) changeable(*before.graph).add_control_edge(before.node, after.node);
    out.control_edges = edges_.size();
    std::set<const Graph*> graphs;
    for (const auto& [before, after] : edges_)
      if (graphs.insert(before.graph).second) topological_order(*before.graph);  // names the nodes of a circle
    return out;
  }

 private:
  struct Change {
    NodeNames::Entry node;
    Attributes attributes;
  };

  Graph& changeable(const Graph& graph) { return graph.is_root() ? root_ : root_.subgraph(graph.id()); }

  const NodeNames::Entry* node(const Place& place, std::string_view text) {
    const auto name = json::bytes_of(text);
    const NodeNames::Entry* entry = name ? names_.find(*name) : nullptr;
    if (entry != nullptr) return entry;
    constexpr int looked_up = 10;  // looking for close names goes over all nodes
    json::CloseNames close{std::string(text)};
    if (++unknown_ <= looked_up)
      for (const NodeNames::Entry& one : names_) close.consider(one.name());
    findings_.add(place, "there is no node '" + std::string(text.substr(0, 200)) + "'" + close.text());
    return nullptr;
  }

  void read_nodes(const Place& place, Value value) {
    if (!value.is(Kind::object)) return findings_.expected(place, value, "an object: node name → attributes");
    std::set<std::string_view> seen;
    value.each_member([&](std::string_view key, Value attributes) {
      const Place at(place, key);
      if (!seen.insert(key).second) return findings_.add(at, "this node stands twice");
      const NodeNames::Entry* entry = node(at, key);
      if (entry == nullptr) return;
      Change change{*entry, json::read_attributes(at, attributes, findings_, budget_)};
      for (const auto& [name, one] : change.attributes) check(Place(at, name), name, one);
      changes_.push_back(std::move(change));
    });
  }

  void check(const Place& place, const std::string& name, const AttributeValue& value) {
    if (!name.starts_with('_'))
      return findings_.add(place, "the name of an attribute set here begins with '_'; the op's own attributes belong to the model");
    if (name == "_carried") return findings_.add(place, "this attribute is the importer's: how many values a loop carries");
    for (const Known& known : known_attributes())
      if (known.name == name && known.sample.index() != value.index())
        findings_.add(place, "is of kind " + std::string(kind_name(value)) + ", expected " + std::string(kind_name(known.sample)));
    if (const int64_t* level = std::get_if<int64_t>(&value); name == "_stage_level" && level != nullptr && *level < 0)
      findings_.add(place, "is " + std::to_string(*level) + ", expected 0 or more");
  }

  void read_edges(const Place& place, Value value) {
    if (!value.is(Kind::array)) return findings_.expected(place, value, "an array of [node, node that runs after it]");
    value.each_item([&](Value pair, size_t i) {
      const Place at(place, i);
      if (!pair.is(Kind::array) || pair.size() != 2 || !pair.first().is(Kind::string) || !pair.first().next().is(Kind::string))
        return findings_.expected(at, pair, "[node, node that runs after it]");
      const NodeNames::Entry* before = node(at, pair.first().text());
      const NodeNames::Entry* after = node(at, pair.first().next().text());
      if (before == nullptr || after == nullptr) return;
      if (before->graph != after->graph) return findings_.add(at, "the nodes are in different graphs, '" + before->graph->name() + "' and '" + after->graph->name() + "'");
      if (before->node == after->node) return findings_.add(at, "a node cannot run after itself");
      edges_.emplace_back(*before, *after);
    });
  }

  Graph& root_;
  json::MemoryBudget& budget_;
  Findings& findings_;
  NodeNames names_;
  std::vector<Change> changes_;
  std::vector<std::pair<NodeNames::Entry, NodeNames::Entry>> edges_;
  int unknown_ = 0;
};

}  // namespace

AttributeFileResult set_attributes(Graph& root, std::string_view json_text) {
  json::MemoryBudget budget(4 * json_text.size() + (size_t{64} << 20));
  Findings findings("the attribute file does not fit the model");
  AttributeFile file(root, budget, findings);
  json::read_whole(json_text, budget, [&](Value document) { file.read(document); });
  findings.raise_if_any();
  return file.set();
}

AttributeFileResult set_attributes_from_file(Graph& root, const std::string& path) {
  return in_context([&] { return "reading the attributes in '" + path + "'"; }, [&] {
    const auto file = MappedFile::open(path);
    return set_attributes(root, {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()});
  });
}

}  // namespace ge

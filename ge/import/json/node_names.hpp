#pragma once
#include "ge/graph/graph.hpp"

#include <functional>
#include <unordered_set>

namespace ge::json {

/// The nodes of a root and its subgraphs by name. Holds no names of its own: they are in the graphs.
class NodeNames {
 public:
  struct Entry {
    const Graph* graph = nullptr;
    NodeId node;
    std::string_view name() const { return graph->node(node).name(); }
  };
  void add(const Graph& graph, NodeId node) { entries_.insert({&graph, node}); }
  const Entry* find(std::string_view name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &*found;
  }
  size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
    size_t operator()(const Entry& entry) const { return (*this)(entry.name()); }
  };
  struct Same {
    using is_transparent = void;
    bool operator()(const Entry& a, const Entry& b) const { return a.name() == b.name(); }
    bool operator()(std::string_view a, const Entry& b) const { return a == b.name(); }
    bool operator()(const Entry& a, std::string_view b) const { return a.name() == b; }
  };
  std::unordered_set<Entry, Hash, Same> entries_;
};

}  // namespace ge::json

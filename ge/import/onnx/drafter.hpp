#pragma once
#include "ge/import/onnx/draft.hpp"

namespace ge::onnx {

/// A function call being expanded: what names and attribute references of the body stand for.
struct Call {
  std::string name;  ///< prefix of the body's values ("name@x") and nodes ("name/x"); unique
  std::map<std::string_view, std::string> values;  ///< formal inputs and outputs → the caller's names
  std::map<std::string_view, AttributeValue> attributes;
  std::map<std::string_view, std::shared_ptr<GraphDraft>> graphs;
};

/// Where a node stands while it is read.
struct Scope {
  const Call* call = nullptr;  ///< null in the model's own graphs
  const OpsetVersions* opsets = nullptr;
  size_t depth = 0;

  std::string value_name(std::string_view name) const;
  std::string node_name(std::string_view name) const { return call == nullptr ? std::string(name) : call->name + "/" + std::string(name); }
};

/// Turns protobuf messages into drafts.
class Drafter {
 public:
  Drafter(const ModelProto& model, Source& source, GrowthLimit& growth, Diagnostics& findings);
  GraphDraft graph(const Message& message, const Scope& scope, bool is_root);

 private:
  void add_initializers(const GraphProto& proto, const Scope& scope, GraphDraft& draft);
  void add_node(const Message& message, const Scope& scope, std::vector<NodeDraft>& into);
  /// In file expand_function.cpp.
  void expand(const FunctionProto& function, const NodeProto& node, NodeDraft call_site, const Scope& scope, std::vector<NodeDraft>& into);
  void read_attributes(const std::vector<AttributeProto>& protos, const Scope& scope, NodeDraft& draft);
  /// Adds the attribute's value to the draft, or a finding.
  void read_attribute(const AttributeProto& proto, const Scope& scope, NodeDraft& draft);
  void refer_attribute(const AttributeProto& proto, const Scope& scope, NodeDraft& draft);
  void finding(std::string where, std::string what);

  Source& source_;
  GrowthLimit& growth_;
  Diagnostics& findings_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const FunctionProto*> functions_;
  std::vector<const FunctionProto*> active_;  ///< functions being expanded
  std::map<std::string, size_t> unnamed_;     ///< how many unnamed nodes of an op there were
  std::map<std::string, size_t> call_names_;  ///< names of calls, and how many suffixes each was given
};

}  // namespace ge::onnx

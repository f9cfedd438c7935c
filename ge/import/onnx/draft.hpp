#pragma once
#include "ge/base/diagnostics.hpp"
#include "ge/base/tensor.hpp"
#include "ge/base/attributes.hpp"
#include "ge/import/onnx/tensor_data.hpp"
#include "ge/import/opset_ranges.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

// A model between protobuf and Graph: values are still named, so that nodes can be moved between scopes (function
// expansion), reordered and rewritten (upgrades) freely.
namespace ge::onnx {

struct GraphDraft;

struct NodeDraft {
  std::string op, domain, name;
  int64_t version = 0;  ///< the opset version of its domain that the node was written for
  std::vector<std::string> inputs, outputs;  ///< "" where absent
  Attributes attributes;
  std::map<std::string, std::shared_ptr<GraphDraft>> subgraphs;  ///< by attribute name; the order of captures follows it

  /// "node 'x' (Conv)", for findings.
  std::string where() const { return "node '" + name + "' (" + (domain.empty() ? "" : domain + "::") + op + ")"; }
  bool has_input(size_t i) const { return i < inputs.size() && !inputs[i].empty(); }
};

struct GraphDraft {
  std::string name;
  std::vector<ValueInfo> inputs;  ///< without initializers; names of subgraph inputs in functions are in `input_names`
  std::vector<std::string> input_names, output_names;
  std::map<std::string, Tensor, std::less<>> constants;  ///< initializers and, once prepared, values of Constant nodes
  std::vector<NodeDraft> nodes;
  std::vector<std::string> captures;  ///< names read here or in subgraphs and defined outside, in the order of reading; set by prepare
};

/// What import may add to what a file spells out (nodes of expanded functions, captures passed on through levels): a
/// small file must not unfold into gigabytes.
class GrowthLimit {
 public:
  explicit GrowthLimit(size_t file_bytes) : left_(50'000 + file_bytes / 4) {}
  /// Throws Error(unsupported) when the limit is passed.
  void add(size_t count, const std::string& what);

 private:
  size_t left_;
};

/// Reads the model into drafts, with calls of model-local functions replaced by their bodies. What is wrong is added
/// to `findings`; malformed protobuf throws.
GraphDraft make_draft(const ModelProto& model, Source& source, GrowthLimit& growth, Diagnostics& findings);

/// Subgraphs and function calls may be nested this deep.
inline constexpr size_t max_depth = 64;

}  // namespace ge::onnx

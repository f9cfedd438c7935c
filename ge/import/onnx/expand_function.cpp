#include "ge/import/onnx/drafter.hpp"

#include <algorithm>

namespace ge::onnx {

// A call `y = F(x)` becomes F's nodes:
//   1. formal inputs and outputs stand for the caller's values, everything else gets the call's name in front;
//   2. attribute references stand for the call's attributes, then for the function's defaults;
//   3. the nodes are read at the function's own opset versions and may call further functions, but not F again.
// A formal output that is not produced by a node (it is a formal input) is passed on by an Identity.
void Drafter::expand(const FunctionProto& function, const NodeProto& node, NodeDraft call_site, const Scope& scope, std::vector<NodeDraft>& into) {
  if (std::find(active_.begin(), active_.end(), &function) != active_.end())
    return finding(call_site.where(), "calls its own function; recursive functions are not allowed");
  if (scope.depth >= max_depth) return finding(call_site.where(), "function calls are nested more than " + std::to_string(max_depth) + " deep");
  if (node.inputs.size() > function.inputs.size() || node.outputs.size() > function.outputs.size())
    return finding(call_site.where(), "has " + std::to_string(node.inputs.size()) + " inputs and " + std::to_string(node.outputs.size()) +
                                          " outputs, its function takes " + std::to_string(function.inputs.size()) + " and gives " +
                                          std::to_string(function.outputs.size()));
  Call call;
  call.name = call_site.name;
  while (!call_names_.try_emplace(call.name, 0).second) call.name = call_site.name + "_" + std::to_string(++call_names_[call_site.name]);
  for (size_t i = 0; i < function.inputs.size(); ++i)
    call.values[function.inputs[i]] = i < call_site.inputs.size() ? call_site.inputs[i] : std::string();
  std::vector<std::pair<std::string, std::string>> passed_on;
  for (size_t i = 0; i < call_site.outputs.size(); ++i) {
    if (call_site.outputs[i].empty()) continue;
    const auto [it, fresh] = call.values.try_emplace(function.outputs[i], call_site.outputs[i]);
    if (!fresh) passed_on.emplace_back(it->second, call_site.outputs[i]);
  }
  NodeDraft defaults;
  read_attributes(function.default_attributes, scope, defaults);
  for (const NodeDraft* source : {&call_site, &defaults}) {  // the call's come first and win
    for (const auto& [name, value] : source->attributes) call.attributes.try_emplace(name, value);
    for (const auto& [name, graph] : source->subgraphs) call.graphs.try_emplace(name, graph);
  }

  active_.push_back(&function);
  const Scope inside{&call, function.opsets.empty() ? scope.opsets : &function.opsets, scope.depth + 1};
  for (const Message& body_node : function.nodes) add_node(body_node, inside, into);
  active_.pop_back();
  for (const auto& [from, to] : passed_on) {
    NodeDraft identity;
    identity.op = "Identity";
    identity.name = call.name + "/" + to;
    identity.version = newest_opset;
    identity.inputs = {from};
    identity.outputs = {to};
    into.push_back(std::move(identity));
  }
}

}  // namespace ge::onnx

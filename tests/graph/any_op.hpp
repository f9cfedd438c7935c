#pragma once
#include "ge/graph/graph.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

namespace ge::testing {

/// Adds a node of op test::Any, which takes and gives any number of values; inputs may be absent. verify_test.cpp registers it.
inline NodeId add_any(Graph& graph, std::vector<OutputRef> inputs, size_t outputs = 1, std::string name = "") {
  NodeSpec spec;
  spec.op = "Any";
  spec.domain = "test";
  spec.name = std::move(name);
  spec.inputs = std::move(inputs);
  for (size_t i = 0; i < outputs; ++i) spec.outputs.push_back("t" + std::to_string(graph.node_count()) + "_" + std::to_string(i));
  return graph.add_node(std::move(spec));
}

inline OutputRef float_input(Graph& graph, std::string name) {
  return graph.add_input(std::move(name), {DType::float32, Shape{}, std::nullopt});
}

/// All that a patch may change, as text: to see that nothing did.
inline std::string snapshot(const Graph& graph) {
  const auto value = [](OutputRef ref) { return ref ? std::to_string(ref.node.value) + "." + std::to_string(ref.index) : std::string("-"); };
  std::string text;
  for (const Node& node : graph.nodes()) {
    text += std::to_string(node.id().value) + (node.dead() ? " dead" : "") + " reads";
    for (OutputRef ref : node.inputs()) text += " " + value(ref);
    text += " after";
    for (NodeId before : node.control_inputs()) text += " " + std::to_string(before.value);
    text += " users";
    for (const InputRef& user : graph.users(node.id())) text += " " + std::to_string(user.node.value) + "." + std::to_string(user.slot);
    text += "\n";
  }
  return text;
}

/// The message of the Error(code) that `act` raises; "" when it raises none.
template <class Act>
std::string error_of(ErrorCode code, Act act) {
  try {
    act();
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return "";
}

}  // namespace ge::testing

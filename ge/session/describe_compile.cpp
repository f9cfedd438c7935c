#include "ge/session/describe_compile.hpp"

#include <nlohmann/json.hpp>

namespace ge {

std::string describe_compile(const Compiled& compiled, const CompileOptions& options) {
  using nlohmann::json;
  const Graph& graph = *compiled.graph;
  json out;
  out["name"] = graph.name();
  for (NodeId id : graph.inputs()) out["inputs"].push_back({{"name", graph.node(id).name()}, {"type", to_string(graph.type({id, 0}))}});
  for (size_t i = 0; i < graph.outputs().size(); ++i)
    out["outputs"].push_back({{"name", graph.output_names()[i]}, {"type", to_string(graph.type(graph.outputs()[i]))}});
  out["options"]["disabled_passes"] = options.disabled_passes;
  out["options"]["engines"] = options.engines;
  for (const PassCount& pass : compiled.passes.passes) out["passes"][pass.name] = pass.changes;
  for (const PassCount& pass : compiled.passes.passes)
    if (pass.matches > 0) out["recognised"][pass.name] = pass.matches;
  // Names come from a file and may be any bytes.
  return out.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace ge

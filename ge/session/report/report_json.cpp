#include "ge/session/report/report.hpp"

#include <nlohmann/json.hpp>

namespace ge {
namespace {

using nlohmann::json;

json ports(const std::vector<CompileReport::Port>& list) {
  json out = json::array();
  for (const auto& port : list) out.push_back({port.name, port.type});
  return out;
}

/// [node, output], or [-1, constant], or [] for an absent input.
json input(const CompileReport::Input& in) {
  if (in.node >= 0) return {in.node, in.output};
  return in.constant >= 0 ? json{-1, in.constant} : json::array();
}

json node(const CompileReport::Node& n) {
  static constexpr const char* kinds[] = {"op", "input", "output"};
  json out{{"name", n.name}, {"op", n.op}, {"kind", kinds[static_cast<size_t>(n.kind)]}, {"outputs", ports(n.outputs)}};
  json& inputs = out["inputs"] = json::array();
  for (const auto& in : n.inputs) inputs.push_back(input(in));
  for (const auto& [name, value] : n.attributes) out["attributes"].push_back({name, value});
  if (!n.after.empty()) out["after"] = n.after;
  if (!n.subgraphs.empty()) out["subgraphs"] = n.subgraphs;
  if (n.choice >= 0) out["choice"] = n.choice;
  return out;
}

json graph(const CompileReport::Graph& g) {
  json out{{"name", g.name}, {"owner", {g.owner_graph, g.owner_node}}, {"nodes", json::array()}};
  for (const auto& n : g.nodes) out["nodes"].push_back(node(n));
  return out;
}

json choice(const CompileReport::Choice& candidates) {
  static constexpr const char* verdicts[] = {"chosen", "not_needed", "not_supported", "not_allowed"};
  json out = json::array();
  for (const auto& c : candidates) out.push_back({c.engine, c.variant, verdicts[static_cast<size_t>(c.verdict)]});
  return out;
}

json memory(const CompileReport::Memory& m) {
  if (!m.why_none.empty()) return {{"why_none", m.why_none}};
  json out{{"note", m.note}, {"arena_bytes", m.arena_bytes}, {"lower_bound_bytes", m.lower_bound_bytes}, {"peak_task", m.peak_task},
           {"task_count", m.task_count}, {"tasks", m.tasks}, {"buffers", json::array()}};
  for (const auto& b : m.buffers)
    out["buffers"].push_back({{"offset", b.offset}, {"size", b.size_bytes}, {"first", b.first}, {"last", b.last}, {"names", b.names}, {"inside", b.inside}});
  return out;
}

json time(const CompileReport::Time& t) {
  if (!t.why_none.empty()) return {{"why_none", t.why_none}};
  const auto rows = [](const std::vector<CompileReport::Time::Row>& list) {
    json all = json::array();
    for (const auto& row : list)
      all.push_back({{"name", row.name}, {"op", row.op}, {"kernel", row.kernel}, {"nodes", row.nodes}, {"tasks", row.tasks}, {"total_ms", row.total_ms}});
    return all;
  };
  return {{"note", t.note}, {"runs", t.runs}, {"median_ms", t.median_ms}, {"by_op", rows(t.by_op)}, {"by_node", rows(t.by_node)}};
}

json passes(const CompileReport& report) {
  json out = json::array();
  for (const auto& pass : report.passes) {
    out.push_back({{"name", pass.name}, {"runs", pass.runs}, {"changes", pass.changes}, {"elapsed_ms", pass.elapsed_ms}, {"disabled", pass.disabled}});
    if (pass.matches) out.back()["matches"] = *pass.matches;
  }
  return out;
}

}  // namespace

std::string to_json(const CompileReport& report) {
  json out{{"model", report.model}, {"version", report.version}, {"inputs", ports(report.inputs)}, {"outputs", ports(report.outputs)},
           {"shapes", report.shapes}, {"imported_ops", report.imported_ops}, {"compiled_ops", report.compiled_ops},
           {"constant_bytes", report.constant_bytes}, {"file_bytes", report.file_bytes}, {"passes", passes(report)}, {"engines", report.engines},
           {"nodes_left_out", report.nodes_left_out}, {"memory", memory(report.memory)}, {"time", time(report.time)}};
  for (const char* list : {"stages", "graphs", "constants", "choices", "op_counts", "ops"}) out[list] = json::array();
  for (const auto& stage : report.stages) out["stages"].push_back({stage.name, stage.elapsed_ms});
  for (const auto& g : report.graphs) out["graphs"].push_back(graph(g));
  for (const auto& c : report.constants) out["constants"].push_back({{"name", c.name}, {"type", c.type}, {"value", c.value}, {"bytes", c.size_bytes}});
  for (const auto& c : report.choices) out["choices"].push_back(choice(c));
  for (const auto& [op, count] : report.op_counts) out["op_counts"].push_back({op, count});
  for (const auto& [name, op] : report.ops) out["ops"].push_back({name, op});

  // '<' stands only inside strings: escaped, no text of the model can end the script element around it.
  std::string text;
  for (char c : out.dump(-1, ' ', false, json::error_handler_t::replace)) {
    if (c == '<') text += "\\u003c";
    else text += c;
  }
  return text;
}

}  // namespace ge

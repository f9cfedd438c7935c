#include "ge/session/report/gather.hpp"

#include "ge/base/mapped_file.hpp"
#include "ge/executor/loaded_program.hpp"
#include "ge/model/om_format.hpp"

namespace ge {
namespace {

std::vector<CompileReport::Port> ports(const Graph& graph, bool inputs) {
  std::vector<CompileReport::Port> out;
  if (inputs)
    for (NodeId id : graph.inputs()) out.push_back({graph.node(id).name(), to_string(graph.type({id, 0}))});
  else
    for (size_t i = 0; i < graph.outputs().size(); ++i) out.push_back({graph.output_names()[i], to_string(graph.type(graph.outputs()[i]))});
  return out;
}

template <class Count>
CompileReport::Pass pass_row(const Count& pass) {
  CompileReport::Pass row{pass.name, pass.runs, pass.changes, std::nullopt, static_cast<double>(pass.elapsed_ns) * 1e-6, pass.disabled};
  if constexpr (requires { pass.matches; }) row.matches = pass.matches;
  return row;
}

std::shared_ptr<const LoadedProgram> load(const Compiled& compiled, const CompileOptions& options, const std::string& model_file) {
  if (!model_file.empty()) return std::make_shared<const LoadedProgram>(OmFile::open(model_file, {OmReadOptions::Weights::lazy}), options.engines);
  auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(*compiled.model, ""));
  return std::make_shared<const LoadedProgram>(OmFile::from_buffer(bytes, *bytes), options.engines);
}

/// More names than this are not worth their room on the page.
constexpr size_t most_named_ops = 100'000;

/// The parts that need the program, and inputs of known sizes.
void gather_run(const Compiled& compiled, const CompileOptions& options, const ReportRequest& request, CompileReport& report) {
  std::string why = request.no_inputs_because;
  if (!compiled.model)
    why = "The compile stopped before the stage plan, so there is no program to look at.";
  if (why.empty() && request.inputs.size() != report.inputs.size())
    why = "The model has " + std::to_string(report.inputs.size()) + " inputs, " + std::to_string(request.inputs.size()) + " were given for this page.";
  if (!why.empty()) {
    report.memory.why_none = report.time.why_none = why;
    return;
  }
  const auto program = load(compiled, options, request.model_file);
  const Program& p = program->program();
  for (const OpRow& row : p.ops.size() <= most_named_ops ? p.ops : std::span<const OpRow>()) report.ops.emplace_back(p.text_of(row.name), op_key(p.text_of(row.domain), p.text_of(row.op)));
  for (size_t i = 0; i < request.inputs.size(); ++i)
    report.shapes += (i == 0 ? "" : ", ") + report.inputs.at(i).name + " " + dims_to_string(request.inputs[i].dims());
  gather_memory(*program, options, request, report);
  gather_time(program, options, request, report);
}

}  // namespace

CompileReport gather_report(const Compiled& compiled, const CompileOptions& options, const ReportRequest& request) {
  CompileReport report;
  report.model = request.model;
  report.version = om::library_version;
  report.inputs = ports(*compiled.graph, true);
  report.outputs = ports(*compiled.graph, false);
  report.imported_ops = compiled.imported_ops;
  report.compiled_ops = op_count(*compiled.graph);
  if (compiled.model)
    for (const Tensor& constant : compiled.model->constants) report.constant_bytes += static_cast<int64_t>(constant.bytes().size());
  if (!request.model_file.empty()) report.file_bytes = static_cast<int64_t>(MappedFile::open(request.model_file)->bytes().size());
  report.stages = request.stages;
  for (const PassCount& pass : compiled.passes.passes) report.passes.push_back(pass_row(pass));
  report.engines = options.engines;
  gather_graphs(*compiled.graph, options.engines, request.most_nodes, report);
  gather_run(compiled, options, request, report);
  return report;
}

}  // namespace ge

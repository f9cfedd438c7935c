#include "tools/compile_report.hpp"

#include "tools/random_tensor.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace ge::tools {

void StageClock::begin(CompileStage stage) {
  end();
  stages_.push_back({std::string(stage_names()[static_cast<size_t>(stage)]), 0});
  running_ = true;
  begun_ = std::chrono::steady_clock::now();
}

void StageClock::end() {
  if (running_) stages_.back().elapsed_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun_).count();
  running_ = false;
}

std::vector<CompileReport::Stage> StageClock::finish() {
  end();
  return stages_;
}

namespace {

/// The dims of an input for a run: what the model fixes, with what --report_shape says where it leaves a dim open.
/// nullopt where one stays open.
std::optional<std::vector<int64_t>> dims_for(const std::string& name, const TensorType& type, const ReportOptions& report) {
  const auto given = report.shapes.find(name);
  std::vector<int64_t> dims(type.has_rank() ? type.rank() : 0, -1);
  for (size_t axis = 0; axis < dims.size(); ++axis)
    if ((*type.shape)[axis].is_constant()) dims[axis] = (*type.shape)[axis].value();
  if (given == report.shapes.end()) {
    if (!type.has_rank() || std::find(dims.begin(), dims.end(), -1) != dims.end()) return std::nullopt;
    return dims;
  }
  bool fits = !type.has_rank() || dims.size() == given->second.size();
  for (size_t axis = 0; fits && axis < dims.size(); ++axis) fits = given->second[axis] < 0 || dims[axis] < 0 || dims[axis] == given->second[axis];
  if (!fits)
    throw Error(ErrorCode::invalid_argument, "--report_shape gives input '" + name + "' the dims " + dims_to_string(given->second) + ", the model takes " + to_string(type));
  for (size_t axis = 0; axis < given->second.size(); ++axis) {
    if (axis == dims.size()) dims.push_back(-1);
    if (dims[axis] < 0) dims[axis] = given->second[axis];
    if (dims[axis] < 0) return std::nullopt;
  }
  return dims;
}

std::string shape_example(const std::string& name, const TensorType& type) {
  std::string text = name + ":";
  if (!type.has_rank()) return text + "?,…";
  for (size_t axis = 0; axis < type.rank(); ++axis) {
    const Expr dim = (*type.shape)[axis];
    text += (axis == 0 ? "" : ",") + (dim.is_constant() ? std::to_string(dim.value()) : "?");
  }
  return text;
}

void check_names(const Graph& graph, const ReportOptions& report) {
  for (const auto& [name, dims] : report.shapes) {
    std::string known;
    bool found = false;
    for (NodeId id : graph.inputs()) {
      found |= graph.node(id).name() == name;
      known += (known.empty() ? "" : ", ") + graph.node(id).name();
    }
    if (!found) throw Error(ErrorCode::unknown_name, "--report_shape: the model has no input '" + name + "'; its inputs are " + (known.empty() ? "none" : known));
  }
}

/// Random inputs, or which input has open dims and how to give them.
void sample_inputs(const Graph& graph, const ReportOptions& report, int64_t max_memory_bytes, ReportRequest& request) {
  std::string open, example;
  for (NodeId id : graph.inputs()) {
    const std::string& name = graph.node(id).name();
    const TensorType& type = graph.type({id, 0});
    if (!type.is_tensor()) {
      request.inputs.clear();
      request.no_inputs_because = "Memory and time depend on how many tensors a run gives input '" + name + "', which is " + to_string(type) + "; such runs are not made for this page.";
      return;
    }
    const auto dims = dims_for(name, type, report);
    if (!dims) {
      open += (open.empty() ? "" : ", ") + ("'" + name + "' is " + to_string(type));
      example += (example.empty() ? "" : ";") + shape_example(name, type);
      continue;
    }
    const auto count = element_count(*dims);
    const auto bytes = count ? bytes_for(type.dtype, *count) : std::nullopt;
    if (!bytes || *bytes > max_memory_bytes)
      throw Error(ErrorCode::out_of_memory, "an input '" + name + "' of dims " + dims_to_string(*dims) + " is larger than --max_memory allows; give smaller dims with --report_shape");
    request.inputs.push_back(random_tensor(type.dtype, *dims, static_cast<uint32_t>(request.inputs.size() + 1)));
  }
  if (open.empty()) return;
  request.inputs.clear();
  request.no_inputs_because = "Memory and time depend on sizes that the model leaves open: input " + open + ". Give ge-atc numbers for them with --report_shape=\"" + example +
                              "\" (a number for each ?), or fix them in the compile with --input_shape.";
}

}  // namespace

void write_report(const ReportOptions& report, const std::string& model, const std::string& model_file, const Compiled& compiled,
                  const CompileOptions& options, StageClock& clock) {
  ReportRequest request;
  request.model = model;
  request.model_file = model_file;
  request.stages = clock.finish();
  check_names(*compiled.graph, report);
  if (compiled.model) sample_inputs(*compiled.graph, report, options.max_memory_bytes, request);
  const std::string page = report_page(gather_report(compiled, options, request));
  std::ofstream file(report.path, std::ios::binary);
  file << page;
  file.close();
  if (!file) throw Error(ErrorCode::io, "cannot write the report '" + report.path + "'; check the folder and the space left");
  std::printf("%s: a report of %zu bytes; open it in a browser\n", report.path.c_str(), page.size());
}

}  // namespace ge::tools

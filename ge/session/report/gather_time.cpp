#include "ge/executor/profile.hpp"
#include "ge/executor/static/davinci_model.hpp"
#include "ge/session/report/gather.hpp"

#include <algorithm>
#include <map>

namespace ge {
namespace {

std::vector<InputTensor> views_of(const std::vector<Tensor>& tensors) {
  std::vector<InputTensor> views;
  for (const Tensor& t : tensors) views.push_back({t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
  return views;
}

double ms_of(const ProfileSample& sample) { return static_cast<double>(sample.end_ns - sample.begin_ns) * 1e-6; }

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The first run plans its segments; the runs behind it are measured.
constexpr uint32_t first_measured = 2;

/// For all threads together; the pages of what is not used are never touched.
constexpr size_t most_samples = size_t{1} << 21;

unsigned run(DavinciModel& model, const ReportRequest& request) {
  const std::vector<InputTensor> tensors = views_of(request.inputs);
  std::vector<InputValue> inputs;
  for (const InputTensor& tensor : tensors) inputs.push_back({std::span(&tensor, 1)});
  std::vector<OutputValue> outputs(model.outputs().size());
  model.NnExecute(inputs, outputs);
  const int64_t end = Profile::now_ns() + static_cast<int64_t>(request.enough_ms * 1e6);
  unsigned runs = 0;
  for (; runs < request.most_runs && (runs == 0 || Profile::now_ns() < end); ++runs) {
    for (OutputValue& out : outputs) out = OutputValue{};
    model.NnExecute(inputs, outputs);
  }
  return runs;
}

std::string kernel_text(const Kernel* kernel) {
  if (kernel == nullptr) return "";
  return kernel->variant.empty() ? kernel->engine : kernel->engine + "/" + kernel->variant;
}

using Row = CompileReport::Time::Row;

void slowest_first(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.total_ms > b.total_ms; });
}

void describe(const Profile& profile, const Program& program, size_t most_nodes, CompileReport::Time& time) {
  std::map<std::pair<uint32_t, const Kernel*>, Row> nodes;
  std::vector<double> runs;
  for (const ProfileSample& sample : profile.samples()) {
    if (sample.run < first_measured) continue;
    if (sample.kind == SampleKind::run) runs.push_back(ms_of(sample));
    if (sample.kind != SampleKind::task) continue;
    const TaskNote* note = profile.note_of(sample);
    Row& row = nodes[{sample.op, note == nullptr ? nullptr : note->kernel}];
    ++row.tasks;
    row.total_ms += ms_of(sample);
  }
  time.median_ms = median(std::move(runs));

  std::map<std::pair<std::string, std::string>, Row> ops;
  for (auto& [key, row] : nodes) {
    row.op = "copy of an output";
    if (key.first != UINT32_MAX) {
      const OpRow& op = program.ops[key.first];
      row.name = program.text_of(op.name);
      row.op = op_key(program.text_of(op.domain), program.text_of(op.op));
    }
    row.kernel = kernel_text(key.second);
    Row& all = ops.try_emplace({row.op, row.kernel}, Row{"", row.op, row.kernel, 0, 0, 0}).first->second;
    ++all.nodes;
    all.tasks += row.tasks;
    all.total_ms += row.total_ms;
    time.by_node.push_back(std::move(row));
  }
  for (auto& [key, row] : ops) time.by_op.push_back(std::move(row));
  slowest_first(time.by_op);
  slowest_first(time.by_node);
  if (time.by_node.size() > most_nodes) {
    time.note += "Only the " + std::to_string(most_nodes) + " slowest nodes are listed. ";
    time.by_node.resize(most_nodes);
  }
  if (profile.lost() > 0) time.note += "The runs had more tasks than a profile keeps; " + std::to_string(profile.lost()) + " of them are missing here.";
}

}  // namespace

void gather_time(const std::shared_ptr<const LoadedProgram>& program, const CompileOptions& options, const ReportRequest& request, CompileReport& report) {
  if (request.most_runs == 0) {
    report.time.why_none = "The model was not run for this page.";
    return;
  }
  try {
    Profile::Limits limits;
    limits.threads = ThreadPool::shared().threads() + 1;
    limits.samples_per_thread = most_samples / limits.threads;
    Profile profile(limits);
    ModelParam param;
    param.max_memory_bytes = options.max_memory_bytes;
    param.profile = &profile;
    DavinciModel model(program, param);
    report.time.runs = run(model, request);
    describe(profile, program->program(), request.most_nodes, report.time);
  } catch (const Error& error) {
    report.time = {};
    report.time.why_none = std::string("A run on random inputs failed: ") + error.what();
  }
}

}  // namespace ge

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
  const std::vector<InputTensor> inputs = views_of(request.inputs);
  std::vector<OutputTensor> outputs(model.outputs().size());
  model.NnExecute(inputs, outputs);
  const int64_t end = Profile::now_ns() + static_cast<int64_t>(request.enough_ms * 1e6);
  unsigned runs = 0;
  for (; runs < request.most_runs && (runs == 0 || Profile::now_ns() < end); ++runs) {
    for (OutputTensor& out : outputs) out = OutputTensor{};
    model.NnExecute(inputs, outputs);
  }
  return runs;
}

std::string kernel_text(const Kernel* kernel) {
  if (kernel == nullptr) return "";
  return kernel->variant.empty() ? kernel->engine : kernel->engine + "/" + kernel->variant;
}

void describe(const Profile& profile, CompileReport::Time& time) {
  std::map<std::pair<uint32_t, std::string>, CompileReport::Time::Op> rows;
  std::vector<double> runs;
  for (const ProfileSample& sample : profile.samples()) {
    if (sample.run < first_measured) continue;
    if (sample.kind == SampleKind::run) runs.push_back(ms_of(sample));
    if (sample.kind != SampleKind::task) continue;
    const TaskNote* note = profile.note_of(sample);
    auto& row = rows[{sample.op, kernel_text(note == nullptr ? nullptr : note->kernel)}];
    ++row.tasks;
    row.total_ms += ms_of(sample);
  }
  time.median_ms = median(std::move(runs));
  for (auto& [key, row] : rows) {
    row.op = key.first == UINT32_MAX ? -1 : static_cast<int32_t>(key.first);
    row.kernel = key.second;
    time.ops.push_back(std::move(row));
  }
  std::stable_sort(time.ops.begin(), time.ops.end(), [](const auto& a, const auto& b) { return a.total_ms > b.total_ms; });
  if (profile.lost() > 0) time.note = "The runs had more tasks than a profile keeps; " + std::to_string(profile.lost()) + " of them are missing here.";
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
    describe(profile, report.time);
  } catch (const Error& error) {
    report.time = {};
    report.time.why_none = std::string("A run on random inputs failed: ") + error.what();
  }
}

}  // namespace ge

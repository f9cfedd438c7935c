#include "ge/executor/trace.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace ge {
namespace {

std::string json_text(std::string_view text) {
  return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Nanoseconds as microseconds with all three digits: doubles would lose them on a long trace.
std::string microseconds(int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03d", static_cast<long long>(ns / 1000), static_cast<int>(ns % 1000));
  return text;
}

/// Writes the events of one process.
class ProcessWriter {
 public:
  ProcessWriter(const TraceProcess& process, size_t pid, int64_t origin_ns, std::string& out)
      : profile_(*process.profile), program_(*process.program), p_(program_.program()), pid_(std::to_string(pid)), origin_ns_(origin_ns), out_(out) {
    metadata("process_name", 0, "name", json_text("ge: " + process.name));
    metadata("thread_name", 0, "name", json_text("stream 0"));
    metadata("thread_sort_index", 0, "sort_index", "0");
    for (unsigned worker = 0; worker < profile_.workers(); ++worker) {
      metadata("thread_name", 1 + worker, "name", json_text("worker " + std::to_string(worker) + (worker == 0 ? " (caller)" : "")));
      metadata("thread_sort_index", 1 + worker, "sort_index", std::to_string(1 + worker));
    }
  }

  void write(const ProfileSample& sample) {
    const std::string name = json_text(name_of(sample)), arguments = arguments_of(sample);
    const unsigned worker_track = 1u + sample.worker;
    if (sample.kind == SampleKind::chunk) return event(sample, name, arguments, worker_track);
    event(sample, name, arguments, 0);
    if (sample.kind == SampleKind::task && sample.chunk == 1) event(sample, name, arguments, worker_track);
  }

 private:
  void begin_event() { out_ += out_.ends_with('[') ? "\n" : ",\n"; }

  void metadata(const char* what, unsigned track, const char* key, const std::string& value) {
    begin_event();
    out_ += "{\"ph\":\"M\",\"pid\":" + pid_ + ",\"tid\":" + std::to_string(track) + ",\"name\":\"" + what + "\",\"args\":{\"" + key + "\":" + value + "}}";
  }

  void event(const ProfileSample& sample, const std::string& name, const std::string& arguments, unsigned track) {
    begin_event();
    out_ += "{\"ph\":\"X\",\"pid\":" + pid_ + ",\"tid\":" + std::to_string(track) + ",\"ts\":" + microseconds(sample.begin_ns - origin_ns_) +
            ",\"dur\":" + microseconds(std::max<int64_t>(sample.end_ns - sample.begin_ns, 0)) + ",\"cat\":\"" + to_string(sample.kind) + "\",\"name\":" + name +
            ",\"args\":{" + arguments + "}}";
  }

  std::string name_of(const ProfileSample& sample) const {
    const std::string segment = sample.segment == UINT32_MAX ? "" : " " + std::to_string(sample.segment);
    switch (sample.kind) {
      case SampleKind::compile:
      case SampleKind::load: return to_string(sample.kind);
      case SampleKind::run: return "run " + std::to_string(sample.run);
      case SampleKind::instantiate: return "instantiate segment" + segment;
      case SampleKind::segment: return "segment" + segment;
      case SampleKind::task:
      case SampleKind::chunk: break;
    }
    return sample.op == UINT32_MAX ? "copy of an output" : std::string(p_.text_of(p_.ops[sample.op].name));
  }

  std::string arguments_of(const ProfileSample& sample) const {
    std::string text = "\"run\":" + std::to_string(sample.run);
    const auto add = [&](const char* key, const std::string& value) { text += ",\"" + std::string(key) + "\":" + value; };
    if (sample.segment != UINT32_MAX) add("segment", std::to_string(sample.segment));
    if (sample.kind != SampleKind::task && sample.kind != SampleKind::chunk) return text;
    add("task", std::to_string(sample.task));
    if (sample.kind == SampleKind::chunk) add("chunk", std::to_string(sample.chunk));
    else add("chunks", std::to_string(sample.chunk));
    if (sample.op != UINT32_MAX) add("op", json_text(op_key(p_.text_of(p_.ops[sample.op].domain), p_.text_of(p_.ops[sample.op].op))));
    const TaskNote* note = profile_.note_of(sample);
    if (note == nullptr || note->kernel == nullptr) return text;
    const Kernel& k = *note->kernel;
    add("kernel", json_text(kernel_key(k.engine, k.domain, k.op, k.variant)));
    add("engine", json_text(k.engine));
    add("inputs", json_text(note->inputs));
    add("outputs", json_text(note->outputs));
    return text;
  }

  const Profile& profile_;
  const LoadedProgram& program_;
  const Program& p_;
  std::string pid_;
  int64_t origin_ns_;
  std::string& out_;
};

}  // namespace

std::string to_trace_json(std::span<const TraceProcess> processes) {
  std::vector<std::vector<ProfileSample>> samples;
  int64_t origin_ns = INT64_MAX;
  uint64_t lost = 0;
  for (const TraceProcess& process : processes) {
    samples.push_back(process.profile->samples());
    lost += process.profile->lost();
    if (!samples.back().empty()) origin_ns = std::min(origin_ns, samples.back().front().begin_ns);
  }
  std::string out = "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"samples_lost\":" + std::to_string(lost) + "},\"traceEvents\":[";
  for (size_t i = 0; i < processes.size(); ++i) {
    ProcessWriter writer(processes[i], i + 1, origin_ns, out);
    for (const ProfileSample& sample : samples[i]) writer.write(sample);
  }
  return out + "\n]}\n";
}

}  // namespace ge

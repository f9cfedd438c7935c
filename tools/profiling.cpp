#include "tools/profiling.hpp"

#include "tools/statistics.hpp"

#include "ge/executor/trace.hpp"

#include <algorithm>
#include <cstdio>

namespace ge::tools {

static void record(Profile& profile, SampleKind kind, double begin_ms, double elapsed_ms) {
  if (elapsed_ms <= 0) return;
  ProfileSample sample;
  sample.kind = kind;
  sample.begin_ns = static_cast<int64_t>(begin_ms * 1e6);
  sample.end_ns = sample.begin_ns + static_cast<int64_t>(elapsed_ms * 1e6);
  profile.record(sample);
}

Profiling::Profiling(const RunOptions& options, const LoadedModel& loaded, unsigned threads) : options_(options), loaded_(loaded), threads_(threads) {}

Profile* Profiling::next_instance() {
  if (options_.profile.empty()) return nullptr;
  Profile::Limits limits;
  limits.threads = threads_ + 1;  // the first run may be another thread's than the measured ones
  limits.samples_per_thread = std::clamp<size_t>((size_t{1} << 22) / limits.threads, 1024, limits.samples_per_thread);
  profiles_.push_back(std::make_unique<Profile>(limits));
  record(*profiles_.back(), SampleKind::compile, loaded_.start_ms, loaded_.compile_ms);
  record(*profiles_.back(), SampleKind::load, loaded_.start_ms + loaded_.compile_ms, loaded_.load_ms);
  return profiles_.back().get();
}

void Profiling::write() const {
  if (profiles_.empty()) return;
  const auto program = loaded_.manager.GetProgram(loaded_.id);
  std::vector<TraceProcess> processes;
  uint64_t lost = 0;
  for (size_t i = 0; i < profiles_.size(); ++i) {
    const std::string number = profiles_.size() == 1 ? "" : ", instance " + std::to_string(i);
    processes.push_back({"model '" + program->file().name() + "'" + number, profiles_[i].get(), program.get()});
    lost += profiles_[i]->lost();
  }
  write_text_file(options_.profile, to_trace_json(processes));
  if (lost > 0) std::fprintf(stderr, "ge-run: %s has the latest events; %llu older ones did not fit\n", options_.profile.c_str(), static_cast<unsigned long long>(lost));
}

}  // namespace ge::tools

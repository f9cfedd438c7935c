#include "tools/statistics.hpp"

#include "tools/command_line.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

namespace ge::tools {
namespace {

/// The least value that `share` of all values do not exceed (nearest rank); 0 without values.
double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

/// The most memory this program has had. getrusage alone would count what the shell had before it started us.
int64_t peak_rss_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::strtoll(line.c_str() + 6, nullptr, 10) * 1024;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

struct Latency {
  double min, median, p90, p99;
};

Latency summary_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values.empty() ? 0 : values.front(), percentile(values, 0.5), percentile(values, 0.9), percentile(values, 0.99)};
}

double throughput(const RunStatistics& s) { return s.wall_s > 0 ? static_cast<double>(s.latencies_ms.size()) / s.wall_s : 0; }

std::string fixed(double value, int digits = 3) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace

std::string RunStatistics::to_text() const {
  const Latency latency = summary_of(latencies_ms);
  std::string text;
  const auto row = [&](const std::string& name, const std::string& value) { text += name + std::string(name.size() < 15 ? 15 - name.size() : 1, ' ') + value + "\n"; };
  row("latency", "min " + fixed(latency.min) + "  median " + fixed(latency.median) + "  p90 " + fixed(latency.p90) + "  p99 " + fixed(latency.p99) + " ms (" +
                     std::to_string(latencies_ms.size()) + " runs)");
  row("throughput", fixed(throughput(*this), 1) + " runs/s with " + std::to_string(threads) + (threads == 1 ? " thread" : " threads") + ", " +
                        std::to_string(instances) + (instances == 1 ? " instance" : " instances"));
  row("start", (compile_ms > 0 ? "compile " + fixed(compile_ms, 1) + " ms  " : std::string()) + "load " + fixed(load_ms, 1) + " ms  first run " + fixed(first_run_ms) + " ms");
  row("program", std::to_string(model.tasks_last_run) + " tasks in " + std::to_string(model.segments_last_run) + (model.segments_last_run == 1 ? " segment" : " segments"));
  std::string kernels;
  for (const auto& [engine, count] : model.ops_by_engine) kernels += (kernels.empty() ? "" : "  ") + engine + " " + std::to_string(count);
  row("kernels", kernels.empty() ? "none" : kernels);
  row("memory", "weights " + size_text(model.weights_bytes) + "  arena " + size_text(model.arena_bytes) + " (lower bound " + size_text(model.arena_lower_bound_bytes) +
                    ")  peak RSS " + size_text(peak_rss_bytes()));
  row("instantiations", std::to_string(model.instantiations) + " (cache hits " + std::to_string(model.cache.hits) + ", misses " + std::to_string(model.cache.misses) + ")");
  row("allocations", allocations_per_run ? std::to_string(*allocations_per_run) + " per run" : "not counted in this build");
  return text;
}

std::string RunStatistics::to_json() const {
  using json = nlohmann::ordered_json;
  const Latency latency = summary_of(latencies_ms);
  json out;
  out["latency_ms"] = {{"min", latency.min}, {"median", latency.median}, {"p90", latency.p90}, {"p99", latency.p99}};
  out["load_ms"] = load_ms;
  out["compile_ms"] = compile_ms > 0 ? json(compile_ms) : json(nullptr);
  out["first_run_ms"] = first_run_ms;
  out["throughput_per_s"] = throughput(*this);
  out["runs"] = latencies_ms.size();
  out["tasks"] = model.tasks_last_run;
  out["segments"] = model.segments_last_run;
  out["kernels_by_engine"] = json::object();
  for (const auto& [engine, count] : model.ops_by_engine) out["kernels_by_engine"][engine] = count;
  out["weights_bytes"] = model.weights_bytes;
  out["arena_bytes"] = model.arena_bytes;
  out["arena_lower_bound_bytes"] = model.arena_lower_bound_bytes;
  out["peak_rss_bytes"] = peak_rss_bytes();
  out["instantiations"] = model.instantiations;
  out["cache_hits"] = model.cache.hits;
  out["allocations_per_run"] = allocations_per_run ? json(*allocations_per_run) : json(nullptr);
  out["threads"] = threads;
  out["instances"] = instances;
  out["gear"] = nullptr;  // gears come with a later version; the name is fixed already
  return out.dump(2) + "\n";
}

void write_text_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ErrorCode::io, "cannot write '" + path + "'; check the folder and the space left");
}

}  // namespace ge::tools

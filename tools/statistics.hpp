#pragma once
#include "ge/executor/static/davinci_model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ge::tools {

/// What a series of runs showed. The names in to_json() are an interface: they stay.
struct RunStatistics {
  std::vector<double> latencies_ms;  ///< of the measured runs, in any order
  double wall_s = 0;                 ///< from the first measured run's start to the last one's end
  double compile_ms = 0, load_ms = 0, first_run_ms = 0;
  std::optional<uint64_t> allocations_per_run;
  unsigned threads = 1, instances = 1;
  DavinciModel::Statistics model;    ///< of the first instance

  std::string to_text() const;
  std::string to_json() const;
};

void write_text_file(const std::string& path, const std::string& text);

}  // namespace ge::tools

#pragma once
#include "ge/executor/profile.hpp"
#include "tools/load_model.hpp"
#include "tools/run_options.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ge::tools {

/// The profiles of all instances where --profile=FILE asks for them.
class Profiling {
 public:
  /// `threads`: of the pool that the instances share.
  Profiling(const RunOptions& options, const LoadedModel& loaded, unsigned threads);

  /// The profile of the next instance, null without --profile; lives as long as this.
  Profile* next_instance();
  /// Writes the file; does nothing without --profile. Throws Error(io).
  void write() const;

 private:
  const RunOptions& options_;
  const LoadedModel& loaded_;
  unsigned threads_;
  std::vector<std::unique_ptr<Profile>> profiles_;
};

}  // namespace ge::tools

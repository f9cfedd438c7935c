#pragma once
#include "ge/executor/loaded_program.hpp"
#include "ge/executor/profile.hpp"

#include <span>
#include <string>

namespace ge {

/// What one instance recorded, and the program that its samples' ops are rows of. Both outlive the call.
struct TraceProcess {
  std::string name;  ///< "model 'digits'"
  const Profile* profile = nullptr;
  const LoadedProgram* program = nullptr;
};

/// The trace as JSON of the "Trace Event Format" (an object with "traceEvents"), which Perfetto and chrome://tracing open.
/// A process per instance; in it a track per stream with compile, load, runs, instantiations, segments and, inside these,
/// one event per task, named like its node in the source model; and a track per worker with what that thread ran: whole
/// tasks of one chunk, and single chunks of the others. Times are microseconds from the first sample of all. Bytes of
/// names that are not UTF-8 become U+FFFD. No run may be going on.
GE_API std::string to_trace_json(std::span<const TraceProcess> processes);

}  // namespace ge

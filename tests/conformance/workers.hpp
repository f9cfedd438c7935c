#pragma once
#include <functional>
#include <string>
#include <vector>

namespace ge::conformance {

/// What became of a request.
struct Answer {
  bool answered = false;            ///< false: the process crashed or took too long; `fields` says which
  std::vector<std::string> fields;
};

/// Sends each request as a line to one of `count` processes of a program (answer_lines.hpp), so that a crash or an endless
/// loop costs one answer and no more: the process is ended and a new one takes its place. Answers in the order of the
/// requests. Throws Error(io) when the program cannot be started.
std::vector<Answer> ask_workers(const std::vector<std::string>& command, unsigned count, double limit_s,
                                const std::vector<std::vector<std::string>>& requests);

}  // namespace ge::conformance

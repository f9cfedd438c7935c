#pragma once
#include "ge/base/export.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ge {

/// What kind of failure an Error is. The C boundary maps these one to one to status codes.
enum class ErrorCode {
  invalid_model,     ///< the model contradicts itself or its format
  invalid_argument,  ///< a caller's value is wrong (shape, option, index)
  unknown_name,      ///< no op, kernel, pass, option or tensor of that name
  unsupported,       ///< understood, but not done by what is linked in
  out_of_memory,     ///< a size limit or the machine's memory is reached
  io,                ///< the operating system refused to read or write
  corrupt_file,      ///< checksum, bounds or version of a model file do not hold
  run_failed,        ///< a kernel reported a failure while running
  internal,          ///< a broken invariant of this library
};

/// "invalid_model", "io", …
GE_API std::string_view to_string(ErrorCode code) noexcept;

/// The one exception of the library: a code, a message (found, expected, next step) and context lines that stages
/// add while it travels up. Owns its text; may be copied to other threads.
class GE_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, std::string what) : std::runtime_error(what), code_(code), text_(std::move(what)) {}
  ErrorCode code() const noexcept { return code_; }
  /// Innermost first.
  const std::vector<std::string>& context() const noexcept { return context_; }
  void add_context(std::string frame) {
    text_ += "\n  while " + frame;
    context_.push_back(std::move(frame));
  }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  ErrorCode code_;
  std::string text_;
  std::vector<std::string> context_;
};

/// Runs `body`; if it throws an Error, adds the line that `describe()` gives ("<what> '<name>'"). Used at stage, part
/// and node borders only; the text is built only on failure.
template <class Describe, class Body>
decltype(auto) in_context(Describe&& describe, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (Error& error) {
    error.add_context(describe());
    throw;
  }
}

}  // namespace ge

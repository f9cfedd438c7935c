#include "ge/base/log.hpp"

#include <cstdio>
#include <cstdlib>

namespace ge {
namespace {

constexpr std::string_view names[] = {"debug", "info", "warning", "error", "off"};

LogLevel read_level() noexcept {
  const char* text = std::getenv("GE_LOG");
  if (text == nullptr) return LogLevel::warning;
  for (int i = 0; i < 5; ++i)
    if (names[i] == text) return static_cast<LogLevel>(i);
  std::fprintf(stderr, "ge warning: GE_LOG='%s' is not one of debug, info, warning, error, off\n", text);
  return LogLevel::warning;
}

}  // namespace

LogLevel log_level() noexcept {
  static const LogLevel level = read_level();
  return level;
}

void log(LogLevel level, std::string_view text) noexcept {
  if (level < log_level() || level == LogLevel::off) return;
  // One fprintf call per line: the C library locks the stream for its length.
  std::fprintf(stderr, "ge %s: %.*s\n", names[static_cast<int>(level)].data(), static_cast<int>(text.size()), text.data());
}

}  // namespace ge

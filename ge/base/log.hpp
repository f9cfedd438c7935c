#pragma once
#include "ge/base/export.hpp"

#include <string>
#include <string_view>

namespace ge {

enum class LogLevel { debug, info, warning, error, off };

/// The level from the environment variable GE_LOG (debug, info, warning, error, off), read once; warning by default.
GE_API LogLevel log_level() noexcept;

/// One line on standard error, "ge <level>: <text>"; lines of several threads never mix. Does nothing below log_level().
GE_API void log(LogLevel level, std::string_view text) noexcept;

inline void log_debug(std::string_view text) noexcept { log(LogLevel::debug, text); }
inline void log_info(std::string_view text) noexcept { log(LogLevel::info, text); }
inline void log_warning(std::string_view text) noexcept { log(LogLevel::warning, text); }

}  // namespace ge

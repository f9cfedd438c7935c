#include "tools/command_line.hpp"

#include "ge/kernels/kernel.hpp"
#include "ge/passes/pass.hpp"

#include <charconv>
#include <cstdio>
#include <new>
#include <optional>

namespace ge::tools {
namespace {

int fail(const char* name, const char* message, int code) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", name, message);
  return code;
}

std::optional<int64_t> parse_int(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

template <class Value>
void check_names(const std::vector<std::string>& names, const Registry<Value>& registry) {
  for (const std::string& name : names) {
    try {
      registry.at(name);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::unknown_name) throw UsageError(error.what());
      throw;
    }
  }
}

}  // namespace

int run_program(const char* name, int (*body)(std::span<const char* const>), int argc, char** argv) {
  try {
    const int code = body({argv + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return fail(name, "cannot write to standard output", 1);
    return code;
  } catch (const UsageError& error) {
    return fail(name, (std::string(error.what()) + "\nSee " + name + " --help.").c_str(), 2);
  } catch (const std::bad_alloc&) {
    return fail(name, "the machine's memory is used up; use smaller inputs, or --max_memory=SIZE to be refused earlier", 1);
  } catch (const std::exception& error) {
    return fail(name, error.what(), 1);
  }
}

void refuse_unavailable(std::span<const char* const> arguments, std::span<const std::string_view> unavailable) {
  for (std::string_view argument : arguments)
    for (std::string_view option : unavailable)
      if (argument.substr(0, argument.find('=')) == option) throw UsageError("option " + std::string(option) + " is not available in this version");
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> out;
  for (std::string_view part : split(text, ','))
    if (!trimmed(part).empty()) out.emplace_back(trimmed(part));
  return out;
}

std::map<std::string, std::vector<int64_t>> parse_input_shapes(std::string_view text) {
  std::map<std::string, std::vector<int64_t>> shapes;
  for (std::string_view part : split(text, ';')) {
    part = trimmed(part);
    if (part.empty()) continue;
    const auto refuse = [&](const std::string& why) {
      throw UsageError("--input_shape: " + why + " in '" + std::string(part) + "'; expected NAME:DIM,DIM,…, several joined by ';'");
    };
    const size_t colon = part.rfind(':');
    if (colon == std::string_view::npos || colon == 0) refuse("no name before a colon");
    std::vector<int64_t> dims;
    const std::string_view list = part.substr(colon + 1);
    for (std::string_view dim : list.empty() ? std::vector<std::string_view>{} : split(list, ',')) {
      const auto value = parse_int(trimmed(dim));
      if (!value || *value < -1) refuse("bad dim '" + std::string(dim) + "' (0 or more, or -1 to leave it open)");
      dims.push_back(*value);
    }
    if (!shapes.emplace(part.substr(0, colon), dims).second) refuse("the name stands twice");
  }
  return shapes;
}

int64_t parse_size(std::string_view option, std::string_view text) {
  struct Unit {
    std::string_view name;
    int64_t bytes;
  };
  static constexpr Unit units[] = {{"", 1}, {"B", 1},
                                   {"KiB", int64_t{1} << 10}, {"MiB", int64_t{1} << 20}, {"GiB", int64_t{1} << 30}, {"TiB", int64_t{1} << 40},
                                   {"kB", 1000}, {"KB", 1000}, {"MB", 1000'000}, {"GB", 1000'000'000}, {"TB", 1000'000'000'000}};
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_int(text.substr(0, digits));
  for (const Unit& unit : units) {
    int64_t bytes = 0;
    if (number && trimmed(text.substr(digits)) == unit.name && !__builtin_mul_overflow(*number, unit.bytes, &bytes)) return bytes;
  }
  throw UsageError(std::string(option) + ": '" + std::string(text) + "' is no size; expected a number of bytes, or one with a unit: 64KiB, 512MiB, 2GiB, 10MB");
}

void check_engine_names(const std::vector<std::string>& names) { check_names(names, engines()); }
void check_pass_names(const std::vector<std::string>& names) { check_names(names, passes()); }

std::string size_text(int64_t bytes) {
  static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  char text[48];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

}  // namespace ge::tools

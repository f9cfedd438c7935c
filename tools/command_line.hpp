#pragma once
#include "ge/base/error.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// What the command line programs share: reading option values, and turning errors into one message and an exit code.
namespace ge::tools {

/// The command line is wrong; ends the program with exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs `body` and gives its exit code; an exception becomes one message "<name>: <message>" on standard error and
/// exit code 2 (UsageError) or 1 (all others).
int run_program(const char* name, int (*body)(std::span<const char* const> arguments), int argc, char** argv);

/// Throws UsageError when one of `arguments` is an option in `unavailable` ("--report", "--report=r.html").
void refuse_unavailable(std::span<const char* const> arguments, std::span<const std::string_view> unavailable);

/// "a,b" gives {"a", "b"}; empty parts are left out.
std::vector<std::string> split_list(std::string_view text);
/// "x:1,3,224,224;y:-1,2", by input name. The name ends at the last colon; "y:" is a scalar.
std::map<std::string, std::vector<int64_t>> parse_input_shapes(std::string_view text);
/// Bytes of "1000", "64KiB", "512MiB", "2GiB", "1TiB", "10MB", …; `option` is for the message.
int64_t parse_size(std::string_view option, std::string_view text);

/// Throws UsageError that lists what is there when a name is not a linked-in engine (pass).
void check_engine_names(const std::vector<std::string>& names);
void check_pass_names(const std::vector<std::string>& names);

/// "5.3 MiB", for people.
std::string size_text(int64_t bytes);

}  // namespace ge::tools

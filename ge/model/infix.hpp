#pragma once
#include "ge/base/export.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ge {

/// Postfix code as people write it: "2*N - 1". `names` are the symbols' by id. Long text is cut: shared parts, loaded
/// from local slots, are written out each time. Code must satisfy check_postfix().
GE_API std::string infix_text(std::span<const int64_t> code, std::span<const std::string_view> names);

}  // namespace ge

#pragma once
#include "conformance/judge.hpp"

#include <array>
#include <string>

namespace ge::conformance {

/// The ways in which each case is run. In the order of way_names.
enum class Way { compiled, through_file, symbolic, poisoned };
inline constexpr std::array<const char*, 4> way_names{"imported, compiled, run", "saved to a file, loaded, run",
                                                      "every dim a symbol, run by a program without the compiler",
                                                      "three times in one instance, working memory filled with 0xCD, then 0xFF"};

/// What became of a case: by way, "" where it is right. What keeps a way from being tried is not repeated for it.
using WayTexts = std::array<std::string, 4>;

/// Runs the case in `folder` in all ways but `symbolic`, whose model it only compiles and writes to `symbolic_file`;
/// `file` is where the other model goes meanwhile.
WayTexts run_ways(const std::string& folder, const std::string& file, const std::string& symbolic_file, const Judging& judging);

}  // namespace ge::conformance

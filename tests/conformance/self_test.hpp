#pragma once
#include "conformance/case_table.hpp"

#include <string>

namespace ge::conformance {

/// Checks that this program itself sees what is wrong: on copies of cases of `data` whose results, files or models are
/// changed. Prints a line for each check and "N passed, N failed"; gives the exit code.
int self_test(const std::string& data, const RunPlan& plan);

}  // namespace ge::conformance

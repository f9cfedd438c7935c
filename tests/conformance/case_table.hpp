#pragma once
#include "conformance/four_ways.hpp"
#include "conformance/onnx_case.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ge::conformance {

/// How the cases are run.
struct RunPlan {
  std::string self;          ///< this program, which is its own worker
  std::string run_files;     ///< the program without the compiler
  std::string work_folder;   ///< for model files
  unsigned jobs = 1;
  double limit_s = 300;       ///< for one case
  bool allow_missing = false;
};

enum class Outcome { passed, failed, skipped };

struct CaseResult {
  OnnxCase onnx;
  Outcome outcome = Outcome::passed;
  std::string skipped_because;
  WayTexts texts;
  bool ran = false;
  std::set<std::string> ops;  ///< of ai.onnx
};

/// Decides what is run, runs it in all ways, and judges. Errors of single cases are results.
std::vector<CaseResult> run_cases(const std::vector<OnnxCase>& cases, const RunPlan& plan);

/// Prints failures, skips by reason, a row for each way, and "N passed, N failed, N skipped" as the last line. `whole`: all
/// cases of ONNX are among them, so that every required operator must have run. Gives the exit code.
int print_results(const std::vector<CaseResult>& results, bool whole);

}  // namespace ge::conformance

#pragma once
#include "ge/session/report/report.hpp"

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace ge::tools {

/// How long each stage took, told when it begins.
class StageClock {
 public:
  void begin(CompileStage stage);
  /// Ends the last stage; all stages in order.
  std::vector<CompileReport::Stage> finish();

 private:
  void end();
  std::vector<CompileReport::Stage> stages_;
  std::chrono::steady_clock::time_point begun_;
  bool running_ = false;
};

/// What --report and --report_shape ask for.
struct ReportOptions {
  std::string path;                                     ///< of the page; "" for none
  std::map<std::string, std::vector<int64_t>> shapes;   ///< dims of inputs that the model leaves open
};

/// Writes the page. `model_file` is what the compile wrote, "" for nothing. Throws Error(io), and Error(unknown_name) for
/// a shape of an input that the model does not have.
void write_report(const ReportOptions& report, const std::string& model, const std::string& model_file, const Compiled& compiled,
                  const CompileOptions& options, StageClock& clock);

}  // namespace ge::tools

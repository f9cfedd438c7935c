#pragma once
#include "ge/session/compile.hpp"

#include <string>

namespace ge::tools {

/// Shows on standard error which stage a compile is in: one line that changes on a terminal, else a line per stage.
class Progress {
 public:
  explicit Progress(std::string program);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin(CompileStage stage);
  /// Removes the line from the terminal, so that other text can follow.
  void clear();

 private:
  std::string program_;
  bool terminal_;
  bool shown_ = false;
};

}  // namespace ge::tools

#include "tools/progress.hpp"

#include <cstdio>
#include <unistd.h>

namespace ge::tools {

Progress::Progress(std::string program) : program_(std::move(program)), terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::begin(CompileStage stage) {
  const size_t index = static_cast<size_t>(stage), count = stage_names().size();
  const std::string name(stage_names()[index]);
  if (!terminal_) {
    std::fprintf(stderr, "%s: %s\n", program_.c_str(), name.c_str());
    return;
  }
  const std::string bar = std::string(index + 1, '#') + std::string(count - index - 1, '.');
  std::fprintf(stderr, "\r\033[K%s: [%s] %s", program_.c_str(), bar.c_str(), name.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace ge::tools

#include "ge/base/diagnostics.hpp"

namespace ge {

void Diagnostics::raise_if_any(ErrorCode code, const std::string& title) const {
  if (findings_.empty()) return;
  constexpr size_t shown = 50;
  std::string text = title + ":";
  for (size_t i = 0; i < findings_.size() && i < shown; ++i)
    text += "\n  " + findings_[i].where + ": " + findings_[i].what;
  if (findings_.size() > shown) text += "\n  and " + std::to_string(findings_.size() - shown) + " more";
  throw Error(code, text);
}

}  // namespace ge

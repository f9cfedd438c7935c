#include "ge/base/error.hpp"

namespace ge {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::invalid_model: return "invalid_model";
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::unknown_name: return "unknown_name";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::out_of_memory: return "out_of_memory";
    case ErrorCode::io: return "io";
    case ErrorCode::corrupt_file: return "corrupt_file";
    case ErrorCode::run_failed: return "run_failed";
    case ErrorCode::internal: return "internal";
  }
  return "internal";
}

}  // namespace ge

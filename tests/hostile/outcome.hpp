#pragma once
#include <cstddef>
#include <functional>
#include <string>

namespace ge::testing {

/// What the whole walk may take for tensors here, while compiling and while running.
inline constexpr int64_t tensor_limit_bytes = int64_t{1} << 20;

/// How bytes fared. Whatever is no ge::Error passes through and fails the test that asked.
struct Outcome {
  std::string refusal;      ///< the Error's message; "" when all went well
  double elapsed_s = 0;
  int64_t peak_bytes = 0;   ///< of heap

  bool taken() const { return refusal.empty(); }
};

/// Runs `body`, and checks CR-10 for input of `input_bytes`: one Error with a text or none, less than 10 s, and no more
/// heap than 4 times the input, 64 MiB and the limit for tensors. Throws std::logic_error where that does not hold.
Outcome fare(size_t input_bytes, const std::function<void()>& body);

/// ONNX bytes: import (external data from `folder`), compile, load, run with small inputs.
Outcome compile_and_run(const std::string& onnx, const std::string& folder = "");
/// ONNX bytes: import and infer.
Outcome import_and_infer(const std::string& onnx, const std::string& folder = "");
/// Model file bytes: load, describe, run with small inputs.
Outcome load_and_run(const std::string& om);
/// The model file of ONNX bytes.
std::string compiled(const std::string& onnx, const std::string& folder = "");

}  // namespace ge::testing

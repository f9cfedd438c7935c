#include "hostile/outcome.hpp"

#include "fuzz/limited_run.hpp"
#include "support/heap_meter.hpp"

#include "ge/graph/infer.hpp"
#include "ge/model/om.hpp"
#include "ge/session/compile.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <stdexcept>

namespace ge::testing {
namespace {

/// An exact heap block, so that a sanitizer sees any read past the end.
std::shared_ptr<const std::vector<std::byte>> block_of(const std::string& bytes) {
  const auto raw = std::as_bytes(std::span(bytes));
  return std::make_shared<const std::vector<std::byte>>(raw.begin(), raw.end());
}

std::unique_ptr<Graph> import_from(const std::string& onnx, const std::string& folder) {
  const auto block = block_of(onnx);
  return import_onnx_bytes(*block, block, folder);
}

std::vector<std::byte> compile_bytes(const std::string& onnx, const std::string& folder) {
  CompileOptions options;
  options.max_memory_bytes = tensor_limit_bytes;
  const Compiled compiled = compile_graph(import_from(onnx, folder), options);
  return write_om_bytes(*compiled.model, compiled.metadata_json);
}

void run_bytes(std::shared_ptr<const std::vector<std::byte>> om) {
  const auto file = OmFile::from_buffer(om, *om);
  fuzz::run_limited(std::make_shared<const LoadedProgram>(file, std::vector<std::string>{}));
}

}  // namespace

Outcome fare(size_t input_bytes, const std::function<void()>& body) {
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  const HeapMeter heap;
  try {
    body();
  } catch (const Error& error) {
    outcome.refusal = error.what();
    if (outcome.refusal.empty()) throw std::logic_error("refused without a word");
  }
  outcome.peak_bytes = heap.peak_bytes();
  outcome.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (outcome.elapsed_s > 10) throw std::logic_error("took " + std::to_string(outcome.elapsed_s) + " s");
  const int64_t allowed = 4 * static_cast<int64_t>(input_bytes) + (int64_t{64} << 20) + tensor_limit_bytes;
  if (outcome.peak_bytes > allowed)
    throw std::logic_error("took " + std::to_string(outcome.peak_bytes) + " bytes of memory, " + std::to_string(allowed) + " are allowed; " + outcome.refusal);
  return outcome;
}

Outcome import_and_infer(const std::string& onnx, const std::string& folder) {
  return fare(onnx.size(), [&] { infer(*import_from(onnx, folder)); });
}

Outcome compile_and_run(const std::string& onnx, const std::string& folder) {
  std::shared_ptr<const std::vector<std::byte>> om;
  const Outcome outcome = fare(onnx.size(), [&] { om = std::make_shared<const std::vector<std::byte>>(compile_bytes(onnx, folder)); });
  if (!outcome.taken()) return outcome;
  return fare(om->size(), [&] { run_bytes(std::move(om)); });
}

Outcome load_and_run(const std::string& om) {
  return fare(om.size(), [&] {
    const auto block = block_of(om);
    const auto file = OmFile::from_buffer(block, *block);
    file->program().dump();
    file->metadata_json();
    for (uint32_t row = 0; row < file->program().constants.size(); ++row) file->constant(row);
    run_bytes(block);
  });
}

std::string compiled(const std::string& onnx, const std::string& folder) {
  const auto bytes = compile_bytes(onnx, folder);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace ge::testing

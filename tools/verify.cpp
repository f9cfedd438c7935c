#include "tools/verify.hpp"

#include "tools/data_sets.hpp"

#include "ge/base/tensor_difference.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace ge::tools {
namespace {

std::string port_text(const char* kind, size_t index, const std::vector<PortDescription>& ports) {
  return std::string(kind) + " " + std::to_string(index) + " '" + ports[index].name + "'";
}

std::vector<ValueKind> kinds_of(const std::vector<PortDescription>& ports) {
  std::vector<ValueKind> kinds;
  for (const PortDescription& port : ports) kinds.push_back(port.kind);
  return kinds;
}

/// Bit for bit.
bool equal(const Value& a, const Value& b) { return a.kind == b.kind && a.present == b.present && a.tensors == b.tensors; }

/// Raw elements; characters of strings with a zero byte after each string.
std::string raw_bytes(const Tensor& tensor) {
  if (tensor.dtype() != DType::string) return {reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()};
  std::string text;
  for (int64_t i = 0; i < tensor.count(); ++i) text.append(tensor.at<StringRef>(i).view()).push_back('\0');
  return text;
}

/// Runs and checks one data set; keeps what was found wrong, so that the other sets are still looked at.
class SetCheck {
 public:
  SetCheck(const DataSet& set, Inference& inference, const RunOptions& options, RunStatistics& statistics)
      : set_(set), inference_(inference), options_(options), statistics_(statistics) {}

  std::vector<std::string> run() {
    const auto inputs = read_set_inputs(set_, inference_.model().inputs());
    inference_.lend_outputs();
    const uint64_t first_instantiations = run_once(inputs, false);
    for (size_t i = 0; i < inference_.output_count(); ++i) outputs_.push_back(inference_.output(i));
    compare();
    dump();
    std::string second;
    inference_.keep_outputs();
    for (unsigned i = 1; i < options_.runs_per_set; ++i) {
      const uint64_t instantiations = run_once(inputs, i == 1);
      check_repeat(i + 1);
      if (i == 1)
        second = "; second run: " + std::to_string(instantiations) + " instantiations, " +
                 (allocations_ ? std::to_string(*allocations_) + " allocations" : std::string("allocations not counted"));
    }
    std::printf("set %u: %s, %llu instantiation%s%s\n", set_.number, findings_.empty() ? "passed" : "FAILED", static_cast<unsigned long long>(first_instantiations),
                first_instantiations == 1 ? "" : "s", second.c_str());
    return findings_;
  }

 private:
  /// Gives the number of instantiations.
  uint64_t run_once(const std::vector<Value>& inputs, bool count) {
    const uint64_t before = inference_.model().statistics().instantiations;
    const Inference::Run run = inference_.run(inputs, count);
    if (statistics_.latencies_ms.empty()) statistics_.first_run_ms = run.elapsed_ms;
    statistics_.latencies_ms.push_back(run.elapsed_ms);
    statistics_.wall_s += run.elapsed_ms / 1000;
    if (count) {
      allocations_ = run.allocations;
      statistics_.allocations_per_run = allocations_ ? std::optional(std::max(*allocations_, statistics_.allocations_per_run.value_or(0))) : std::nullopt;
    }
    return inference_.model().statistics().instantiations - before;
  }

  void compare() {
    const auto& ports = inference_.model().outputs();
    const auto expected = read_values(set_, "output", kinds_of(ports));
    if (expected.empty()) findings_.push_back(set_.name + " has no output_I.pb to compare with");
    for (const auto& [index, value] : expected) {
      if (index >= ports.size()) {
        findings_.push_back(set_.name + " has output_" + std::to_string(index) + ".pb, the model has " + std::to_string(ports.size()) + " outputs");
        continue;
      }
      const std::string difference = describe_difference(outputs_[index], as_model_dtype(value, ports[index].dtype), {options_.rtol, options_.atol});
      if (!difference.empty()) findings_.push_back(set_.name + ", " + port_text("output", index, ports) + ": " + difference);
    }
  }

  void check_repeat(unsigned run) {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const Value again = inference_.output(i);
      if (equal(again, outputs_[i])) continue;
      const std::string difference = describe_difference(again, outputs_[i], {0, 0});
      findings_.push_back(set_.name + ", " + port_text("output", i, inference_.model().outputs()) + ": run " + std::to_string(run) + " is not equal bit by bit to run 1: " +
                          (difference.empty() ? "signs of zeros or bits of NaNs differ" : difference));
    }
  }

  void dump() const {
    if (options_.dump_outputs.empty()) return;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      std::string bytes;
      for (const Tensor& tensor : outputs_[i].tensors) bytes += raw_bytes(tensor);
      write_text_file(options_.dump_outputs + "/set_" + std::to_string(set_.number) + "_output_" + std::to_string(i) + ".bin", bytes);
    }
  }

  const DataSet& set_;
  Inference& inference_;
  const RunOptions& options_;
  RunStatistics& statistics_;
  std::vector<Value> outputs_;
  std::vector<std::string> findings_;
  std::optional<uint64_t> allocations_;
};

}  // namespace

std::vector<Value> read_set_inputs(const DataSet& set, const std::vector<PortDescription>& ports) {
  std::vector<std::optional<Value>> found(ports.size());
  for (auto& [index, value] : read_values(set, "input", kinds_of(ports))) {
    if (index >= ports.size())
      throw Error(ErrorCode::invalid_argument, set.name + " has input_" + std::to_string(index) + ".pb, the model has " + std::to_string(ports.size()) + " inputs");
    found[index] = aligned(as_model_dtype(value, ports[index].dtype));
  }
  std::vector<Value> inputs;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i])
      throw Error(ErrorCode::invalid_argument, set.name + " has no input_" + std::to_string(i) + ".pb for " + port_text("input", i, ports) + ", " + ports[i].text);
    inputs.push_back(std::move(*found[i]));
  }
  return inputs;
}

void verify(Inference& inference, const RunOptions& options, RunStatistics& statistics) {
  const auto sets = find_data_sets(options.verify);
  if (!options.dump_outputs.empty()) std::filesystem::create_directories(options.dump_outputs);
  std::vector<std::string> findings;
  for (const DataSet& set : sets) {
    const auto found = in_context([&] { return "running " + set.name; }, [&] { return SetCheck(set, inference, options, statistics).run(); });
    findings.insert(findings.end(), found.begin(), found.end());
  }
  if (findings.empty()) return;
  static constexpr size_t most = 20;
  std::string text = "the results are not those expected in '" + options.verify + "':";
  for (size_t i = 0; i < std::min(findings.size(), most); ++i) text += "\n  " + findings[i];
  if (findings.size() > most) text += "\n  and " + std::to_string(findings.size() - most) + " more";
  throw Error(ErrorCode::run_failed, text);
}

}  // namespace ge::tools

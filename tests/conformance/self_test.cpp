#include "conformance/self_test.hpp"

#include "conformance/case_rules.hpp"
#include "conformance/workers.hpp"
#include "ge/base/error.hpp"
#include "ge/model/tensor_file.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace ge::conformance {
namespace {

namespace fs = std::filesystem;

/// A copy of a float tensor with its last element moved by 0.5.
void perturb(const std::string& file) {
  const Tensor tensor = read_tensor_pb(file);
  Tensor changed = Tensor::zeros(tensor.dtype(), tensor.dims());
  std::memcpy(changed.mutable_data(), tensor.bytes().data(), tensor.bytes().size());
  float last = tensor.at<float>(tensor.count() - 1);
  last += 0.5f;
  std::memcpy(changed.mutable_data() + tensor.bytes().size() - sizeof last, &last, sizeof last);
  write_tensor_pb(file, changed, "changed");
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class SelfTest {
 public:
  SelfTest(const std::string& data, const RunPlan& plan) : plan_(plan) {
    for (OnnxCase& c : find_cases(data, "test_relu"))
      if (c.group == "node") relu_ = std::move(c);
    if (relu_.name.empty()) throw Error(ErrorCode::invalid_argument, "the self-test needs the case node/test_relu, which '" + data + "' does not have");
    const fs::path copy = fs::path(plan.work_folder) / "copy" / "node" / "test_relu";
    fs::create_directories(copy.parent_path());
    fs::copy(relu_.folder, copy, fs::copy_options::recursive);
    relu_.folder = copy.string();
  }

  void check(const char* what, bool good) {
    std::printf("%s: %s\n", good ? "passed" : "FAILED", what);
    ++(good ? passed_ : failed_);
  }

  /// The cases are run as ever, and the copy's result is given.
  CaseResult run() { return run_cases({relu_}, plan_).front(); }

  void results() {
    CaseResult result = run();
    check("an untouched copy is right in all ways", result.outcome == Outcome::passed && result.ran);
    const std::string output = relu_.folder + "/test_data_set_0/output_0.pb";
    perturb(output);
    result = run();
    const auto seen = [&](Way way) { return contains(result.texts[static_cast<size_t>(way)], "1 of 60 elements differ"); };
    check("a changed expected output is seen", result.outcome == Outcome::failed && seen(Way::compiled) && seen(Way::through_file) && seen(Way::symbolic));
    const Tensor tensor = read_tensor_pb(output);
    write_tensor_pb(output, Tensor(tensor.dtype(), {tensor.count()}, tensor.bytes(), tensor.owner()), "flat");
    check("other dims are seen", contains(run().texts[0], "expected float32[60]"));
    write_tensor_pb(output, Tensor::zeros(DType::float64, tensor.dims()), "wide");
    check("another dtype is seen", contains(run().texts[0], "expected float64"));
    fs::remove(output);
    check("a missing output file is seen", run().outcome == Outcome::failed);
  }

  void models() {
    fs::remove_all(relu_.folder + "/test_data_set_0");
    check("a case without data fails", run().outcome == Outcome::failed);
    std::ofstream(relu_.model(), std::ios::binary) << "\x3a\x7f";
    check("a model that cannot be read fails", run().outcome == Outcome::failed);
  }

  void rules() {
    const auto of = [](std::set<std::pair<std::string, std::string>> ops) { return ModelOperators{std::move(ops), {}}; };
    check("an operator of ONNX is never skipped", !skip_reason(relu_, of({{"", "Relu"}})));
    check("an operator that nobody has is missing", missing_operator(of({{"", "Relu"}, {"", "NoSuchOperator"}})) == "NoSuchOperator");
    check("operators of other domains that are linked in, or that import opens, are not skipped",
          !skip_reason(relu_, of({{"ai.onnx.ml", "Binarizer"}, {"ai.onnx.preview", "FlexAttention"}})));
    check("an operator of another domain that nobody has is not skipped either", !skip_reason(relu_, of({{"ai.onnx.ml", "Scaler"}})));
    check("training and images are skipped", skip_reason(relu_, of({{"ai.onnx.preview.training", "Adam"}})) && skip_reason(relu_, of({{"", "ImageDecoder"}})));
    check("required operators that no case had are named", required_but_not_run({"Relu"}).contains("Conv") && !required_but_not_run({"Conv"}).contains("Conv"));
    std::printf("(a table of no cases:)\n");
    check("nothing to run fails", print_results({}, false) == 1);
  }

  void workers() {
    const auto ask = [](const char* script, double limit) { return ask_workers({"/bin/sh", "-c", script}, 2, limit, {{"a"}, {"b"}, {"c"}}); };
    const auto echoed = ask("while read x; do echo \"$x\"; done", 20);
    check("answers come in the order of the requests", echoed[0].fields[0] == "a" && echoed[1].fields[0] == "b" && echoed[2].fields[0] == "c");
    const auto crashed = ask("while read x; do if [ $x = b ]; then kill -SEGV $$; fi; echo $x; done", 20);
    check("a crash costs one case", crashed[0].answered && !crashed[1].answered && crashed[2].answered && contains(crashed[1].fields[0], "crashed"));
    const auto late = ask("while read x; do if [ $x = b ]; then sleep 30; fi; echo $x; done", 1);
    check("an endless run costs one case", late[0].answered && !late[1].answered && late[2].answered && contains(late[1].fields[0], "longer than"));
  }

  int end() const {
    std::printf("%d passed, %d failed\n", passed_, failed_);
    return failed_ == 0 ? 0 : 1;
  }

 private:
  RunPlan plan_;
  OnnxCase relu_;
  int passed_ = 0, failed_ = 0;
};

}  // namespace

int self_test(const std::string& data, const RunPlan& plan) {
  SelfTest test(data, plan);
  test.results();
  test.models();
  test.rules();
  test.workers();
  return test.end();
}

}  // namespace ge::conformance

// onnx-run-files: runs compiled models that lie in files, many in one process; has nothing of the compiler in it.
//   for each line "FILE <tab> FOLDER <tab> JUDGING" of standard input: loads the model file, runs the folder's data sets and
//   answers one line: empty when all outputs are right, else what is wrong.
#include "conformance/answer_lines.hpp"
#include "conformance/judge.hpp"

#include "ge/executor/model_manager.hpp"

#include <cstdio>

namespace {

using namespace ge;
using namespace ge::conformance;

std::string run_file(const std::string& file, const std::string& folder, const Judging& judging, TaskRunner& runner) {
  ModelManager manager;
  ModelParam param;
  param.runner = &runner;
  const auto model = manager.CreateInstance(manager.LoadModelOffline(file), param);
  for (const GivenSet& set : read_given_sets(folder, *model))
    if (std::string wrong = judge(run_once(*model, set.inputs), set, judging); !wrong.empty()) return wrong;
  return "";
}

}  // namespace

int main() {
  ThreadPool runner(1);
  return answer_lines([&](const std::vector<std::string>& request) -> std::vector<std::string> {
    if (request.size() != 3) return {"expected FILE, FOLDER and JUDGING"};
    return {run_file(request[0], request[1], Judging::from_line(request[2]), runner)};
  });
}

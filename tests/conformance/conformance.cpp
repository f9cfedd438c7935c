// onnx-conformance: runs ONNX's test cases in four ways (four_ways.hpp) and says which are right.
// requirements: CR-1, CR-2, CR-4, CR-9
#include "conformance/answer_lines.hpp"
#include "conformance/case_table.hpp"
#include "conformance/self_test.hpp"
#include "ge/base/error.hpp"

#include <boost/program_options.hpp>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace ge::conformance {
namespace {

namespace po = boost::program_options;

/// A folder that is gone when this is.
class WorkFolder {
 public:
  WorkFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "onnx-conformance-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Error(ErrorCode::io, "cannot make a folder like '" + pattern + "'");
    path_ = pattern;
  }
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

int work() {
  return answer_lines([](const std::vector<std::string>& request) -> std::vector<std::string> {
    if (request.size() != 4) return {"expected FOLDER, FILE, SYMBOLIC_FILE and JUDGING"};
    const WayTexts texts = run_ways(request[0], request[1], request[2], Judging::from_line(request[3]));
    return {texts.begin(), texts.end()};
  });
}

int run(int argc, char** argv) {
  std::vector<std::string> data;
  std::string filter;
  RunPlan plan;
  plan.jobs = std::max(1u, std::thread::hardware_concurrency());
  po::options_description options("onnx-conformance --data=DIR [--data=DIR2]: runs ONNX's test cases");
  auto add = options.add_options();
  add("help", "this text");
  add("data", po::value(&data)->composing(), "folder in ONNX's test layout: one that holds node, simple, …, or one of these");
  add("filter", po::value(&filter), "runs cases whose name (test_add) or title (node/test_add) fits this pattern with * and ?");
  add("jobs", po::value(&plan.jobs), "processes at a time; one for each CPU by default");
  add("limit", po::value(&plan.limit_s), "seconds that one case may take");
  add("allow_missing", po::bool_switch(&plan.allow_missing), "operators that are not linked in are counted instead of failing, but for those that must be there");
  add("self_test", "checks on copies of some cases that wrong results are seen");
  add("worker", "answers requests of another onnx-conformance");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, options, po::command_line_style::default_style & ~po::command_line_style::allow_guessing), given);
  po::notify(given);
  if (given.contains("worker")) return work();
  if (given.contains("help") || data.empty()) {
    std::ostringstream text;
    text << options;
    std::fputs(text.str().c_str(), given.contains("help") ? stdout : stderr);
    return given.contains("help") ? 0 : 2;
  }
  const WorkFolder folder;
  plan.self = std::filesystem::read_symlink("/proc/self/exe").string();
  plan.run_files = (std::filesystem::path(plan.self).parent_path() / "onnx-run-files").string();
  plan.work_folder = folder.path();
  if (given.contains("self_test")) return self_test(data.front(), plan);
  std::vector<OnnxCase> cases;
  bool whole = false;
  for (const std::string& one : data)
    for (OnnxCase& c : find_cases(one, filter)) {
      whole |= filter.empty() && c.group == "node";
      cases.push_back(std::move(c));
    }
  return print_results(run_cases(cases, plan), whole);
}

}  // namespace
}  // namespace ge::conformance

int main(int argc, char** argv) {
  try {
    return ge::conformance::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "onnx-conformance: %s\n", error.what());
    return 2;
  }
}

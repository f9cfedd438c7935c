#include "conformance/onnx_case.hpp"

#include "ge/base/error.hpp"

#include <algorithm>
#include <filesystem>
#include <fnmatch.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace ge::conformance {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> found;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->is_directory()) found.push_back(it->path());
  if (failed) throw Error(ErrorCode::io, "cannot read the folder '" + folder.string() + "': " + failed.message());
  std::sort(found.begin(), found.end());
  return found;
}

bool is_case(const fs::path& folder) { return fs::exists(folder / "model.onnx") || fs::exists(folder / "data.json"); }

OnnxCase read_case(const fs::path& folder) {
  OnnxCase c{folder.parent_path().filename().string(), folder.filename().string(), folder.string(), !fs::exists(folder / "model.onnx")};
  if (std::ifstream file(folder / "data.json"); file) {
    const auto json = nlohmann::json::parse(file, nullptr, false);
    if (json.is_object()) c.rtol = json.value("rtol", c.rtol), c.atol = json.value("atol", c.atol);
  }
  return c;
}

}  // namespace

std::vector<OnnxCase> find_cases(const std::string& folder, const std::string& filter) {
  std::vector<OnnxCase> cases;
  size_t seen = 0;
  const auto take = [&](const fs::path& path) {
    if (!is_case(path)) return;
    ++seen;
    OnnxCase c = read_case(path);
    const auto fits = [&](const std::string& text) { return fnmatch(filter.c_str(), text.c_str(), 0) == 0; };
    if (filter.empty() || fits(c.name) || fits(c.title())) cases.push_back(std::move(c));
  };
  // Absolute, so that a group given as "." has its name.
  for (const fs::path& child : folders_in(fs::weakly_canonical(folder))) {
    if (is_case(child)) take(child);
    else
      for (const fs::path& grandchild : folders_in(child)) take(grandchild);
  }
  if (seen == 0) throw Error(ErrorCode::io, "'" + folder + "' has no case of ONNX's test layout: no folder with a model.onnx in it or one level below");
  std::sort(cases.begin(), cases.end(), [](const OnnxCase& a, const OnnxCase& b) { return a.title() < b.title(); });
  return cases;
}

}  // namespace ge::conformance

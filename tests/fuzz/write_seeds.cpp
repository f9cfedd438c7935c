// write_seeds OUT [FOLDER ...]: what the fuzz targets start from. Writes
//   OUT/onnx/    small models that use every part of the format, and each model.onnx below the FOLDERs (up to 8 KiB);
//   OUT/om/      the same, compiled;
//   OUT/json/    the same in the readable form;
//   OUT/onnx.dict   op, attribute and domain names for libFuzzer's -dict, from the schemas that are linked in.
#include "hostile/small_models.hpp"

#include "ge/import/json.hpp"
#include "ge/model/om.hpp"
#include "ge/ops/schema.hpp"
#include "ge/session/compile.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace {

using namespace ge;
namespace fs = std::filesystem;

constexpr uintmax_t largest_seed = 8 << 10;

void write(const fs::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

/// A model and, where it compiles, its model file.
bool write_pair(const fs::path& out, const std::string& name, const std::string& onnx) {
  write(out / "onnx" / (name + ".onnx"), onnx);
  try {
    auto block = std::make_shared<const std::string>(onnx);
    const std::string json = export_json(*import_onnx_bytes(std::as_bytes(std::span(*block)), block, ""));
    if (json.size() <= 2 * largest_seed) write(out / "json" / (name + ".json"), json);
    CompileOptions options;
    options.fold_limit_bytes = 4096;
    const Compiled compiled = compile_graph(import_onnx_bytes(std::as_bytes(std::span(*block)), block, ""), options);
    const auto om = write_om_bytes(*compiled.model, compiled.metadata_json);
    if (om.size() <= 2 * largest_seed) write(out / "om" / (name + ".om"), {reinterpret_cast<const char*>(om.data()), om.size()});
    return true;
  } catch (const Error&) {
    return false;
  }
}

void write_dictionary(const fs::path& path) {
  std::set<std::string> words{"ai.onnx", "ai.onnx.ml", "then_branch", "else_branch", "body", "value", "location", "offset", "length", "data"};
  for (const Registered& item : op_schemas().list()) {
    words.insert(op_schemas().at(item.key).name);
    for (const AttributeRule& attribute : op_schemas().at(item.key).attributes) words.insert(attribute.name);
  }
  std::string text;
  for (const std::string& word : words)
    if (!word.empty()) text += "\"" + word + "\"\n";
  write(path, text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: write_seeds OUT [FOLDER ...]\n");
    return 2;
  }
  const fs::path out = argv[1];
  fs::create_directories(out / "onnx");
  fs::create_directories(out / "om");
  fs::create_directories(out / "json");
  size_t models = 0, compiled = 0;
  for (const auto& [name, bytes] : testing::small_models()) ++models, compiled += write_pair(out, name, bytes) ? 1 : 0;
  for (int i = 2; i < argc; ++i)
    for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
      if (entry.path().extension() != ".onnx" || entry.file_size() > largest_seed) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      ++models, compiled += write_pair(out, entry.path().parent_path().filename().string(), bytes) ? 1 : 0;
    }
  write_dictionary(out / "onnx.dict");
  std::printf("%zu models, %zu of them compiled\n", models, compiled);
  return 0;
}

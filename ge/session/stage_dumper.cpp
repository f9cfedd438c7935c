#include "ge/session/stage_dumper.hpp"

#include "ge/executor/dump_task_list.hpp"
#include "ge/executor/instantiate.hpp"
#include "ge/graph/dump.hpp"

#include <filesystem>
#include <fstream>

namespace ge {

void StageDump::write(const std::string& ending, const std::string& text) const {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  const std::string path = folder_ + "/" + std::to_string(static_cast<int>(stage_)) + "_" + std::string(stage_names()[static_cast<size_t>(stage_)]) + ending;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ErrorCode::io, "cannot write the dump '" + path + "'; check the folder and the space left");
}

void StageDump::graph(const Graph& graph, const std::string& notes) const {
  if (folder_.empty()) return;
  write(".txt", notes + "\n" + to_text(graph));
  write(".dot", to_dot(graph));
}

void StageDump::program(const GeModel& model, const CompileOptions& options) const {
  if (folder_.empty()) return;
  auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(model, ""));
  const auto loaded = std::make_shared<const LoadedProgram>(OmFile::from_buffer(bytes, *bytes), options.engines);
  const Program& p = loaded->program();
  std::string text = p.dump() + "\n";
  if (p.symbols.empty()) {
    RunSizes sizes;
    for (const PortRow& port : p.inputs) {
      sizes.input_dims.emplace_back();
      for (uint32_t expression : p.operands_of(p.values[port.value].dims)) sizes.input_dims.back().push_back(p.code_of(expression)[1]);
    }
    text += dump_task_list(*instantiate(*loaded, Target{}, sizes), *loaded);
  } else {
    text += "sizes are open (" + std::to_string(p.symbols.size()) + " symbols): tasks and memory are planned when a run brings new sizes\n";
  }
  write(".txt", text);
}

}  // namespace ge

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

/// The task list where all sizes are fixed, else why there is none yet. What a run of these sizes would refuse is part
/// of the picture, not an error of the dump.
static std::string task_list_text(const LoadedProgram& loaded) {
  const Program& p = loaded.program();
  RunSizes sizes;
  bool fixed = p.symbols.empty();
  for (const PortRow& port : p.inputs) {
    const ValueRow& value = p.values[port.value];
    fixed &= (value.flags & value_rank_known) != 0;
    if (!fixed) return "sizes are open (" + std::to_string(p.symbols.size()) + " symbols): tasks and memory are planned when a run brings new sizes\n";
    sizes.input_dims.emplace_back();
    for (uint32_t expression : p.operands_of(value.dims)) sizes.input_dims.back().push_back(p.code_of(expression)[1]);
  }
  try {
    return dump_task_list(*instantiate(loaded, Target{}, sizes), loaded);
  } catch (const Error& error) {
    return std::string("a run would be refused: ") + error.what() + "\n";
  }
}

void StageDump::program(const GeModel& model, const CompileOptions& options) const {
  if (folder_.empty()) return;
  auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(model, ""));
  const auto loaded = std::make_shared<const LoadedProgram>(OmFile::from_buffer(bytes, *bytes), options.engines);
  std::string text = loaded->program().dump() + "\n";
  text += task_list_text(*loaded);
  write(".txt", text);
}

}  // namespace ge

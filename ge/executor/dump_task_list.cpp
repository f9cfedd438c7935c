#include "ge/executor/dump_task_list.hpp"

namespace ge {
namespace {

constexpr std::string_view kind_names[] = {"weights", "string constant", "list constants", "arena", "input", "output", "kept", "strings"};
constexpr std::string_view task_kinds[] = {"kernel", "dynamic", "jump", "branch", "loop begin", "loop end"};

std::string name_of(const Allocation& a) {
  std::string text(kind_names[static_cast<size_t>(a.kind)]);
  const bool numbered = a.kind == AllocationKind::input || a.kind == AllocationKind::output || a.kind == AllocationKind::kept || a.kind == AllocationKind::string_constant;
  return numbered ? text + " " + std::to_string(a.index) : text;
}

}  // namespace

std::string dump_task_list(const Instantiation& plan, const LoadedProgram& program) {
  const TaskList& list = plan.list;
  std::string text = std::to_string(list.tasks.size()) + " tasks, " + std::to_string(list.args.size()) + " bytes of arguments\n";
  std::vector<std::string> addresses(list.tasks.size());
  for (uint32_t id = 0; id < list.allocations.size(); ++id)
    for (uint32_t r = list.relocations_first[id]; r < list.relocations_first[id + 1]; ++r) {
      size_t task = 0;
      while (task + 1 < list.tasks.size() && list.tasks[task + 1].args <= list.relocations[r].slot) ++task;
      addresses[task] += " " + name_of(list.allocations[id]) + "+" + std::to_string(list.relocations[r].offset);
    }
  for (size_t i = 0; i < list.tasks.size(); ++i) {
    const Task& task = list.tasks[i];
    text += "  " + std::to_string(i) + " " + std::string(task_kinds[static_cast<size_t>(task.kind)]);
    text += task.op == UINT32_MAX ? std::string(" copy to output") : " " + program.op(task.op).node;
    if (task.chunks > 1) text += " x" + std::to_string(task.chunks);
    if (task.kind == TaskKind::jump || task.kind == TaskKind::branch || task.kind == TaskKind::loop_begin || task.kind == TaskKind::loop_end)
      text += " -> " + std::to_string(task.target);
    text += addresses[i] + "\n";
  }
  text += "allocations:\n";
  for (const Allocation& a : list.allocations)
    text += "  " + name_of(a) + ": " + std::to_string(a.size_bytes) + " bytes, " + std::to_string(a.hits) + " slots\n";
  text += "arena " + std::to_string(list.arena_bytes) + " bytes, lower bound " + std::to_string(list.arena_lower_bound_bytes) + " bytes\n";
  text += std::to_string(list.memory.buffers) + " buffers placed " + std::string(list.memory.strategy) + "; " + std::to_string(list.memory.in_place) + " outputs written in place, " +
          std::to_string(list.memory.parts_placed) + " of " + std::to_string(list.memory.parts) + " part copies left out\n";
  for (const auto& [engine, count] : plan.ops_by_engine) text += "ops on " + std::string(engine) + ": " + std::to_string(count) + "\n";
  if (plan.cut != CutKind::none) text += "goes on once a run has given " + std::to_string(plan.cut_values.size() + plan.dynamic_outputs.size()) + " values\n";
  return text;
}

}  // namespace ge

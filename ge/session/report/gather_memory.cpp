#include "ge/executor/instantiate.hpp"
#include "ge/session/report/gather.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

namespace ge {
namespace {

using Buffer = CompileReport::Memory::Buffer;

constexpr size_t most_tasks = 200'000;

RunSizes sizes_of(const LoadedProgram& program, const std::vector<Tensor>& inputs) {
  RunSizes sizes;
  for (const Tensor& input : inputs) sizes.input_dims.push_back(input.dims());
  for (uint32_t symbol : program.element_symbols()) {
    const SymbolRow& row = program.program().symbols[symbol];
    const auto elements = inputs.at(row.input).to_ints();
    if (!elements || row.position >= elements->size())
      throw Error(ErrorCode::invalid_argument, "input " + std::to_string(row.input) + " has no element " + std::to_string(row.position) + ", which decides sizes");
    sizes.elements.push_back((*elements)[row.position]);
  }
  return sizes;
}

std::vector<std::string> names_of(const PlacedBuffer& buffer, const Instantiation& plan, const LoadedProgram& program) {
  std::vector<std::string> names;
  for (uint32_t value : buffer.values) names.emplace_back(program.program().text_of(program.program().values[value].name));
  if (!names.empty()) return names;
  const uint32_t op = plan.list.tasks[buffer.first].op;
  const std::string maker = op == UINT32_MAX ? std::string("copying an output") : program.op(op).node;
  return {(buffer.first == buffer.last ? "scratch memory of " : "made by ") + maker};
}

/// Which buffer each one lies in, -1 for none. Buffers alive at the same task overlap only where one is written over or
/// into another, so a sweep over time needs to look at one neighbour: the live buffer that starts at or before it.
std::vector<int32_t> containers(const std::vector<PlacedBuffer>& placed) {
  std::vector<uint32_t> order(placed.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return placed[a].first != placed[b].first ? placed[a].first < placed[b].first : placed[a].size_bytes > placed[b].size_bytes;
  });
  std::vector<int32_t> inside(placed.size(), -1);
  std::map<uint64_t, uint32_t> live;  // by offset
  using Death = std::pair<uint32_t, uint32_t>;  // last task, buffer
  std::priority_queue<Death, std::vector<Death>, std::greater<>> deaths;
  for (uint32_t b : order) {
    for (; !deaths.empty() && deaths.top().first < placed[b].first; deaths.pop())
      if (const auto it = live.find(placed[deaths.top().second].offset); it != live.end() && it->second == deaths.top().second) live.erase(it);
    const uint64_t end = placed[b].offset + static_cast<uint64_t>(placed[b].size_bytes);
    if (auto it = live.upper_bound(placed[b].offset); it != live.begin()) {
      const PlacedBuffer& before = placed[(--it)->second];
      if (end <= before.offset + static_cast<uint64_t>(before.size_bytes) && placed[b].last <= before.last) {
        inside[b] = static_cast<int32_t>(it->second);
        continue;
      }
    }
    live[placed[b].offset] = b;
    deaths.emplace(placed[b].last, b);
  }
  return inside;
}

/// The first task at which the live buffers that lie in no other have their largest sum (in units of 64 bytes, as the
/// plan's lower bound counts).
uint32_t peak_task(const std::vector<PlacedBuffer>& placed, const std::vector<int32_t>& inside, size_t tasks) {
  std::vector<int64_t> change(tasks + 2);
  for (size_t b = 0; b < placed.size(); ++b) {
    if (inside[b] >= 0) continue;
    const int64_t size = (placed[b].size_bytes + 63) / 64 * 64;
    change[placed[b].first] += size;
    change[std::min<size_t>(placed[b].last, tasks) + 1] -= size;
  }
  std::partial_sum(change.begin(), change.end(), change.begin());
  return static_cast<uint32_t>(std::max_element(change.begin(), change.end()) - change.begin());
}

/// The largest buffers first come to show; the others are counted in the note.
std::vector<uint32_t> shown_buffers(const std::vector<PlacedBuffer>& placed, size_t most) {
  std::vector<uint32_t> order(placed.size());
  std::iota(order.begin(), order.end(), 0u);
  if (order.size() <= most) return order;
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return placed[a].size_bytes > placed[b].size_bytes; });
  order.resize(most);
  std::sort(order.begin(), order.end());
  return order;
}

void describe(const Instantiation& plan, const LoadedProgram& program, size_t most_buffers, CompileReport::Memory& memory) {
  const auto& placed = plan.placed;
  memory.arena_bytes = plan.list.arena_bytes;
  memory.lower_bound_bytes = plan.list.arena_lower_bound_bytes;
  memory.task_count = plan.list.tasks.size();
  if (memory.task_count <= most_tasks)
    for (const Task& task : plan.list.tasks) memory.tasks.push_back(task.op == UINT32_MAX ? -1 : static_cast<int32_t>(task.op));
  const std::vector<int32_t> inside = containers(placed);
  memory.peak_task = peak_task(placed, inside, plan.list.tasks.size());

  const std::vector<uint32_t> shown = shown_buffers(placed, most_buffers);
  std::map<int32_t, int32_t> row_of;
  for (uint32_t b : shown) row_of.emplace(static_cast<int32_t>(b), static_cast<int32_t>(row_of.size()));
  for (uint32_t b : shown) {
    const auto container = row_of.find(inside[b]);
    memory.buffers.push_back({placed[b].offset, placed[b].size_bytes, placed[b].first, placed[b].last, names_of(placed[b], plan, program),
                              container == row_of.end() ? -1 : container->second});
  }
  if (shown.size() < placed.size())
    memory.note += "Shown are the " + std::to_string(shown.size()) + " largest of " + std::to_string(placed.size()) + " buffers. ";
  if (plan.cut != CutKind::none)
    memory.note += "A run goes on with further segments once it knows values that decide sizes or branches; this is the first segment. ";
  if (memory.task_count > most_tasks) memory.note += "The names of the " + std::to_string(memory.task_count) + " tasks are left out. ";
}

}  // namespace

void gather_memory(const LoadedProgram& program, const CompileOptions& options, const ReportRequest& request, CompileReport& report) {
  InstantiateOptions limits;
  limits.max_memory_bytes = options.max_memory_bytes;
  limits.keep_placement = true;
  try {
    const auto plan = instantiate(program, Target{}, sizes_of(program, request.inputs), limits);
    describe(*plan, program, request.most_buffers, report.memory);
  } catch (const Error& error) {
    report.memory.why_none = std::string("A run of these sizes would be refused: ") + error.what();
  }
}

}  // namespace ge

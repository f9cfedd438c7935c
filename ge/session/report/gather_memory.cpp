#include "ge/executor/instantiate.hpp"
#include "ge/session/report/gather.hpp"

#include <algorithm>
#include <map>
#include <numeric>

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

/// Buffers that share bytes while they live: one is written over another, or is made as a part of it.
struct Shared {
  uint32_t root;              ///< the largest: the others lie in it
  uint32_t first, last;       ///< the life of all together
  uint64_t begin, end;        ///< bytes of the arena
};

/// By buffer, which of `groups` it is in: a sweep over time that keeps the live groups by where they begin. Groups that
/// live at the same time do not overlap, so those that meet a buffer's bytes stand side by side.
std::vector<uint32_t> find_shared(const std::vector<PlacedBuffer>& placed, std::vector<Shared>& groups) {
  std::vector<uint32_t> order(placed.size()), group_of(placed.size()), merged_into;
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return placed[a].first < placed[b].first; });
  std::map<uint64_t, uint32_t> live;
  for (uint32_t b : order) {
    const PlacedBuffer& buffer = placed[b];
    const auto self = static_cast<uint32_t>(groups.size());
    Shared group{b, buffer.first, buffer.last, buffer.offset, buffer.offset + static_cast<uint64_t>(buffer.size_bytes)};
    merged_into.push_back(self);
    group_of[b] = self;
    auto it = live.upper_bound(buffer.offset);
    if (it != live.begin()) --it;
    while (buffer.size_bytes > 0 && it != live.end() && it->first < buffer.offset + static_cast<uint64_t>(buffer.size_bytes)) {
      const Shared& other = groups[it->second];
      if (other.end <= buffer.offset) {
        ++it;
        continue;
      }
      if (other.last >= buffer.first) {  // it lives still, so the bytes are shared
        merged_into[it->second] = self;
        if (placed[other.root].size_bytes >= placed[group.root].size_bytes) group.root = other.root;
        group.first = std::min(group.first, other.first), group.last = std::max(group.last, other.last);
        group.begin = std::min(group.begin, other.begin), group.end = std::max(group.end, other.end);
      }
      it = live.erase(it);
    }
    groups.push_back(group);
    if (buffer.size_bytes > 0) live[group.begin] = self;
  }
  for (uint32_t& group : group_of)
    while (merged_into[group] != group) group = merged_into[group] = merged_into[merged_into[group]];
  return group_of;
}

/// A buffer for each of `placed`; the root of shared bytes lives as long as all that lies in it.
std::vector<Buffer> buffers_of(const std::vector<PlacedBuffer>& placed) {
  std::vector<Shared> groups;
  const std::vector<uint32_t> group_of = find_shared(placed, groups);
  std::vector<Buffer> out;
  for (uint32_t b = 0; b < placed.size(); ++b) {
    const Shared& group = groups[group_of[b]];
    const bool root = group.root == b;
    out.push_back({placed[b].offset, placed[b].size_bytes, root ? group.first : placed[b].first, root ? group.last : placed[b].last, {}, root ? -1 : static_cast<int32_t>(group.root)});
  }
  return out;
}

/// The first task at which the live buffers that lie in no other have their largest sum (in units of 64 bytes, as the
/// plan's lower bound counts).
uint32_t peak_task(const std::vector<Buffer>& buffers, size_t tasks) {
  std::vector<int64_t> change(tasks + 2);
  for (const Buffer& buffer : buffers) {
    if (buffer.inside >= 0) continue;
    const int64_t size = (buffer.size_bytes + 63) / 64 * 64;
    change[buffer.first] += size;
    change[std::min<size_t>(buffer.last, tasks) + 1] -= size;
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

void describe(const Instantiation& plan, const LoadedProgram& program, size_t most_buffers, bool ops_left_out, CompileReport::Memory& memory) {
  const auto& placed = plan.placed;
  memory.arena_bytes = plan.list.arena_bytes;
  memory.lower_bound_bytes = plan.list.arena_lower_bound_bytes;
  memory.task_count = plan.list.tasks.size();
  const bool named = memory.task_count <= most_tasks && !ops_left_out;
  if (named)
    for (const Task& task : plan.list.tasks) memory.tasks.push_back(task.op == UINT32_MAX ? -1 : static_cast<int32_t>(task.op));
  const std::vector<Buffer> buffers = buffers_of(placed);
  memory.peak_task = peak_task(buffers, plan.list.tasks.size());

  const std::vector<uint32_t> shown = shown_buffers(placed, most_buffers);
  std::map<int32_t, int32_t> row_of;
  for (uint32_t b : shown) row_of.emplace(static_cast<int32_t>(b), static_cast<int32_t>(row_of.size()));
  for (uint32_t b : shown) {
    const auto root = row_of.find(buffers[b].inside);
    memory.buffers.push_back(buffers[b]);
    memory.buffers.back().names = names_of(placed[b], plan, program);
    memory.buffers.back().inside = root == row_of.end() ? -1 : root->second;
  }
  if (shown.size() < placed.size())
    memory.note += "Shown are the " + std::to_string(shown.size()) + " largest of " + std::to_string(placed.size()) + " buffers. ";
  if (plan.cut != CutKind::none)
    memory.note += "A run goes on with further segments once it knows values that decide sizes or branches; this is the first segment. ";
  if (!named) memory.note += "The names of the " + std::to_string(memory.task_count) + " tasks are left out. ";
}

}  // namespace

void gather_memory(const LoadedProgram& program, const CompileOptions& options, const ReportRequest& request, CompileReport& report) {
  InstantiateOptions limits;
  limits.max_memory_bytes = options.max_memory_bytes;
  limits.keep_placement = true;
  try {
    const auto plan = instantiate(program, Target{}, sizes_of(program, request.inputs), limits);
    describe(*plan, program, request.most_buffers, report.ops.empty(), report.memory);
  } catch (const Error& error) {
    report.memory.why_none = std::string("A run of these sizes would be refused: ") + error.what();
  }
}

}  // namespace ge

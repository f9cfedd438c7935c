// RegexFullMatch (ONNX 20): does a regular expression of RE2's syntax match the whole string? The pattern is compiled when
// the op is prepared (docs/decisions/0010-regular-expressions.md says why not by RE2 itself).
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/regex.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

struct RegexArgs {
  const StringRef* x = nullptr;
  uint8_t* y = nullptr;
  const RegexStep* steps = nullptr;
  const CharRange* ranges = nullptr;
  std::byte* scratch = nullptr;
  int64_t step_count = 0, count = 0;
  uint32_t chunks = 1;
};

Status run_regex(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const RegexArgs*>(args);
  RegexRun run(a.steps, a.step_count, a.ranges, a.scratch + RegexRun::scratch_bytes(a.step_count) * chunk);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  for (int64_t i = range.first; i < range.last; ++i) a.y[i] = run.matches(a.x[i].size == 0 ? std::string_view() : a.x[i].view());
  return Status::ok;
}

void prepare_regex(const KernelSite& site, TaskBuilder& builder) {
  const RegexProgram program = compile_regex(site.attributes.get_string("pattern", ""));
  RegexArgs args;
  args.step_count = static_cast<int64_t>(program.steps.size());
  args.count = site.outputs[0].count;
  const int64_t each = RegexRun::scratch_bytes(args.step_count), by_memory = std::max<int64_t>((int64_t{16} << 20) / each, 1);
  args.chunks = static_cast<uint32_t>(std::clamp<int64_t>(std::min(args.count, by_memory), 1, chunks_for(times(args.count, 1024))));
  auto task = builder.append(run_regex, args, args.chunks).input(&RegexArgs::x, 0).output(&RegexArgs::y, 0);
  task.workspace(&RegexArgs::scratch, each * args.chunks);
  task.constant(&RegexArgs::steps, std::as_bytes(std::span(program.steps))).constant(&RegexArgs::ranges, std::as_bytes(std::span(program.ranges)));
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "RegexFullMatch", "", "by an automaton, in linear time", {.prepare = prepare_regex});

}  // namespace ge::reference

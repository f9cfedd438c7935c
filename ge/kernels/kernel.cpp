#include "ge/kernels/kernel.hpp"

#include <algorithm>

namespace ge {

GE_DEFINE_REGISTRY(kernels, Kernel, "kernel")
GE_DEFINE_REGISTRY(engines, Engine, "engine")
GE_DEFINE_REGISTRY(packings, PackFn, "packing")

const char* to_string(Status status) noexcept {
  switch (status) {
    case Status::ok: return "ok";
    case Status::cancelled: return "cancelled";
    case Status::index_out_of_range: return "an index is out of range";
    case Status::division_by_zero: return "integer division by zero";
    case Status::invalid_value: return "a value is not allowed here";
    case Status::out_of_memory: return "out of memory";
    case Status::size_mismatch: return "sizes do not fit each other";
  }
  return "unknown status";
}

static Tensor content_of(const KernelSite& site, size_t i) {
  if (!site.has_input(i) || site.inputs[i].content == nullptr)
    throw Error(ErrorCode::unsupported, "input " + std::to_string(i) + " must be known before the run");
  const SiteTensor& input = site.inputs[i];
  const auto size = static_cast<size_t>(*bytes_for(input.dtype, input.count));
  return Tensor(input.dtype, {input.dims.begin(), input.dims.end()}, {input.content, size}, nullptr);
}

std::vector<int64_t> KernelSite::input_ints(size_t i) const {
  if (auto ints = content_of(*this, i).to_ints()) return *ints;
  throw Error(ErrorCode::unsupported, "input " + std::to_string(i) + " is " + std::string(to_string(inputs[i].dtype)) + ", expected an integer type");
}

std::vector<double> KernelSite::input_doubles(size_t i) const {
  if (auto doubles = content_of(*this, i).to_doubles()) return *doubles;
  throw Error(ErrorCode::unsupported, "input " + std::to_string(i) + " is " + std::string(to_string(inputs[i].dtype)) + ", expected a numeric type");
}

void TaskBuilder::add_draft(RunFn run, DynamicRunFn dynamic_run, std::span<const std::byte> args, uint32_t chunks) {
  drafts.push_back({run, dynamic_run, {args.begin(), args.end()}, {}, chunks == 0 ? 1u : chunks});
}

size_t TaskBuilder::add_workspace(int64_t size_bytes) {
  workspaces.push_back(size_bytes);
  return workspaces.size() - 1;
}

size_t TaskBuilder::add_constant(std::span<const std::byte> bytes) {
  constants.emplace_back(bytes.begin(), bytes.end());
  return constants.size() - 1;
}

std::string kernel_key(std::string_view engine, std::string_view domain, std::string_view op, std::string_view variant) {
  std::string key(engine);
  key += '/';
  if (!domain.empty()) (key += domain) += "::";
  key += op;
  if (!variant.empty()) (key += '/') += variant;
  return key;
}

static int engine_priority(const Kernel& kernel) {
  const Engine* engine = engines().find(kernel.engine);
  return engine == nullptr ? 0 : engine->priority;
}

std::vector<const Kernel*> kernels_of(std::string_view domain, std::string_view op) {
  std::vector<const Kernel*> found;
  for (const Registered& engine : engines().list()) {
    // Keys of one engine and op are one key plus optional variants; the listing is small and sorted.
    const std::string prefix = kernel_key(engine.key, domain, op, "");
    if (const Kernel* plain = kernels().find(prefix)) found.push_back(plain);
    for (const std::string& key : kernels().keys_below(prefix + "/")) found.push_back(kernels().find(key));
  }
  const auto rank = [](const Kernel* k) { return std::pair(engine_priority(*k), k->priority); };
  std::stable_sort(found.begin(), found.end(), [&](const Kernel* a, const Kernel* b) { return rank(a) > rank(b); });
  for (size_t i = 1; i < found.size(); ++i)
    if (found[i]->engine == found[i - 1]->engine && found[i]->priority == found[i - 1]->priority)
      throw Error(ErrorCode::internal, "two kernels of engine '" + found[i]->engine + "' for op '" + std::string(op) +
                                           "' have priority " + std::to_string(found[i]->priority) + ": variants '" +
                                           found[i - 1]->variant + "' and '" + found[i]->variant + "'");
  return found;
}

void raise_no_kernel(const KernelQuery& query, std::span<const Kernel* const> candidates) {
  std::string text = "no linked kernel runs " + std::string(query.op) + "(";
  for (size_t i = 0; i < query.inputs.size(); ++i) {
    if (i != 0) text += ", ";
    text += to_string(query.inputs[i]);
  }
  text += "); ";
  text += candidates.empty() ? "none is registered for this op: link a kernel component that has it"
                             : std::to_string(candidates.size()) + " registered for this op, none for these types:";
  for (const Kernel* kernel : candidates) text += " " + kernel_key(kernel->engine, kernel->domain, kernel->op, kernel->variant);
  throw Error(ErrorCode::unsupported, text);
}

const Kernel& choose_kernel(const KernelQuery& query) {
  const auto candidates = kernels_of(query.domain, query.op);
  for (const Kernel* kernel : candidates)
    if (kernel->supports == nullptr || kernel->supports(query)) return *kernel;
  raise_no_kernel(query, candidates);
}

}  // namespace ge

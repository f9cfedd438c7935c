#include "ge/executor/static/model_args_manager.hpp"

#include <cstdint>
#include <cstring>

namespace ge {

ModelArgsManager::ModelArgsManager(const TaskList& list)
    : list_(list), memory_(std::make_unique<std::byte[]>(list.args.size() + 64)), active_bases_(list.allocations.size()) {
  const auto address = reinterpret_cast<uintptr_t>(memory_.get());
  block_ = memory_.get() + (64 - address % 64) % 64;
  if (!list.args.empty()) std::memcpy(block_, list.args.data(), list.args.size());
}

void ModelArgsManager::update(std::span<std::byte* const> bases) noexcept {
  ++counters_.updates;
  for (size_t id = 0; id < bases.size(); ++id) {
    if (bases[id] == active_bases_[id]) continue;
    active_bases_[id] = bases[id];
    ++counters_.changed_bases;
    for (uint32_t r = list_.relocations_first[id]; r < list_.relocations_first[id + 1]; ++r) {
      const Relocation& relocation = list_.relocations[r];
      const std::byte* address = bases[id] + relocation.offset;
      std::memcpy(block_ + relocation.slot, &address, sizeof address);
      ++counters_.slots_rewritten;
    }
  }
}

}  // namespace ge

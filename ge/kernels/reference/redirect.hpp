#pragma once
#include "ge/kernels/kernel.hpp"

#include <vector>

namespace ge::reference {

/// Where a kernel finds what it calls input i and output i: slots without their offset.
struct Redirection {
  std::vector<Slot> inputs, outputs;
};

/// Prepares a kernel as part of another op's: `site` is what it sees, its slots are bound as `to` says. What it says of
/// sharing memory is dropped: its operands are not the op's.
void prepare_redirected(const KernelSite& site, TaskBuilder& builder, PrepareFn prepare, const Redirection& to);

/// The slot of a new workspace of `count` elements. Throws Error(out_of_memory) where their bytes are no 64-bit number.
Slot new_workspace(TaskBuilder& builder, DType dtype, int64_t count);
inline Slot input_slot(size_t i) { return {0, SlotKind::input, static_cast<uint32_t>(i)}; }
inline Slot output_slot(size_t i) { return {0, SlotKind::output, static_cast<uint32_t>(i)}; }

/// Binds a pointer member at `offset` of the task just appended.
inline void bind(TaskBuilder& builder, size_t offset, Slot slot) {
  slot.arg_offset = static_cast<uint32_t>(offset);
  builder.drafts.back().slots.push_back(slot);
}

}  // namespace ge::reference

#include "ge/kernels/reference/redirect.hpp"

namespace ge::reference {

Slot new_workspace(TaskBuilder& builder, DType dtype, int64_t count) {
  const auto size = bytes_for(dtype, count);
  if (!size) throw Error(ErrorCode::out_of_memory, "a workspace of " + std::to_string(count) + " elements of " + std::string(to_string(dtype)) + " is too large");
  builder.workspaces.push_back(*size);
  return {0, SlotKind::workspace, static_cast<uint32_t>(builder.workspaces.size() - 1)};
}

void prepare_redirected(const KernelSite& site, TaskBuilder& builder, PrepareFn prepare, const Redirection& to) {
  TaskBuilder inner;
  prepare(site, inner);
  const auto workspaces = static_cast<uint32_t>(builder.workspaces.size()), constants = static_cast<uint32_t>(builder.constants.size());
  builder.workspaces.insert(builder.workspaces.end(), inner.workspaces.begin(), inner.workspaces.end());
  for (auto& bytes : inner.constants) builder.constants.push_back(std::move(bytes));
  for (TaskBuilder::Draft& draft : inner.drafts) {
    for (Slot& slot : draft.slots) switch (slot.kind) {
        case SlotKind::input: slot = {slot.arg_offset, to.inputs.at(slot.index).kind, to.inputs[slot.index].index}; break;
        case SlotKind::output: slot = {slot.arg_offset, to.outputs.at(slot.index).kind, to.outputs[slot.index].index}; break;
        case SlotKind::workspace: slot.index += workspaces; break;
        case SlotKind::constant: slot.index += constants; break;
        case SlotKind::string_pool: break;
      }
    builder.drafts.push_back(std::move(draft));
  }
}

}  // namespace ge::reference

#include "ge/kernels/reference/redirect.hpp"

namespace ge::reference {

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

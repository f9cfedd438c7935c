#pragma once
// An engine with one kernel, registered by the program that includes this, and how to run a kernel's tasks by hand.
#include "ge/kernels/kernel.hpp"

#include <cstring>

namespace outside {

struct TwiceArgs {
  const float* in = nullptr;
  float* out = nullptr;
  int64_t count = 0;
};
inline ge::Status twice(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const TwiceArgs*>(args);
  for (int64_t i = 0; i < a.count; ++i) a.out[i] = 2 * a.in[i];
  return ge::Status::ok;
}
inline void prepare_twice(const ge::KernelSite& site, ge::TaskBuilder& builder) {
  builder.append(twice, TwiceArgs{.count = site.outputs[0].count}).input(&TwiceArgs::in, 0).output(&TwiceArgs::out, 0);
}

/// Runs a kernel of one float input and one float output of `in`'s size.
inline std::vector<float> run_kernel(const ge::Kernel& kernel, const std::vector<float>& in) {
  const int64_t dims[] = {static_cast<int64_t>(in.size())};
  const ge::SiteTensor tensors[] = {{true, ge::DType::float32, dims, dims[0], nullptr, ""}};
  const ge::Attributes none;
  const ge::Target target;
  ge::TaskBuilder builder;
  kernel.prepare({kernel.domain, kernel.op, "node", none, tensors, tensors, target}, builder);
  std::vector<float> out(in.size());
  for (ge::TaskBuilder::Draft& draft : builder.drafts) {
    for (const ge::Slot& slot : draft.slots) {
      const void* address = slot.kind == ge::SlotKind::input ? static_cast<const void*>(in.data()) : out.data();
      std::memcpy(draft.args.data() + slot.arg_offset, &address, sizeof address);
    }
    for (uint32_t chunk = 0; chunk < draft.chunks; ++chunk)
      if (draft.run(draft.args.data(), chunk) != ge::Status::ok) return {};
  }
  return out;
}

/// The best kernel for a float input and output.
inline const ge::Kernel& choose(std::string_view domain, std::string_view op) {
  const ge::DType types[] = {ge::DType::float32};
  const ge::Attributes none;
  const ge::Target target;
  return ge::choose_kernel({domain, op, none, types, types, target});
}

}  // namespace outside

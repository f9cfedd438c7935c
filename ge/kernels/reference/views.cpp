// Ops whose output is the input's bytes under other dims: Reshape, Squeeze, Unsqueeze, Flatten, Identity, and Dropout
// as used in inference.
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <cstring>

namespace ge::reference {
namespace {

void prepare_view(const KernelSite&, TaskBuilder& builder) { builder.alias(0, 0); }

struct DropoutArgs {
  const uint8_t* training = nullptr;  ///< null: false
  const void* ratio = nullptr;        ///< null: 0.5
  uint8_t* mask = nullptr;
  LoadDoubles load_ratio = nullptr;
  int64_t count = 0;
};
/// ONNX Dropout-22 with training_mode false or absent, or with ratio 0: nothing is dropped, the mask is all true. A random
/// mask has no reference result and is refused.
Status run_dropout(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const DropoutArgs*>(args);
  double ratio = 0.5;
  if (a.ratio != nullptr) a.load_ratio(a.ratio, 0, 1, 1, &ratio);
  if (a.training != nullptr && *a.training != 0 && ratio != 0) return Status::invalid_value;
  if (a.mask != nullptr && a.count > 0) std::memset(a.mask, 1, static_cast<size_t>(a.count));
  return Status::ok;
}
void prepare_dropout(const KernelSite& site, TaskBuilder& builder) {
  builder.alias(0, 0);
  if (!site.has_input(2) && !site.has_output(1)) return;
  DropoutArgs args;
  args.count = site.inputs[0].count;
  const bool reads_ratio = site.has_input(1) && contains(convertible, site.inputs[1].dtype);
  if (reads_ratio) args.load_ratio = double_loader(site.inputs[1].dtype);
  auto task = builder.append(run_dropout, args);
  if (reads_ratio) task.input(&DropoutArgs::ratio, 1);
  if (site.has_input(2)) task.input(&DropoutArgs::training, 2);
  if (site.has_output(1)) task.output(&DropoutArgs::mask, 1);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Reshape", "", "the same elements with other dims", {.prepare = prepare_view});
REGISTER_CPU_KERNEL("reference", "", "Squeeze", "", "without axes of size 1", {.prepare = prepare_view});
REGISTER_CPU_KERNEL("reference", "", "Unsqueeze", "", "with more axes of size 1", {.prepare = prepare_view});
REGISTER_CPU_KERNEL("reference", "", "Flatten", "", "as a matrix", {.prepare = prepare_view});
REGISTER_CPU_KERNEL("reference", "", "Identity", "", "the same tensor", {.prepare = prepare_view});
REGISTER_CPU_KERNEL("reference", "", "Dropout", "", "the same tensor (inference)", {.prepare = prepare_dropout});

}  // namespace ge::reference

// Ops whose output is the input's bytes under other dims: Reshape, Squeeze, Unsqueeze, Flatten, Identity.
#include "ge/kernels/kernel.hpp"

namespace ge::reference {
namespace {

void prepare_view(const KernelSite&, TaskBuilder& builder) { builder.alias(0, 0); }

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Reshape", "", "the same elements with other dims", {.prepare = prepare_view});
REGISTER_CPU_KERNEL("reference", "", "Squeeze", "", "without axes of size 1", {.prepare = prepare_view});
REGISTER_CPU_KERNEL("reference", "", "Unsqueeze", "", "with more axes of size 1", {.prepare = prepare_view});
REGISTER_CPU_KERNEL("reference", "", "Flatten", "", "as a matrix", {.prepare = prepare_view});
REGISTER_CPU_KERNEL("reference", "", "Identity", "", "the same tensor", {.prepare = prepare_view});

}  // namespace ge::reference

#pragma once
#include "ge/kernels/kernel.hpp"
#include "ge/kernels/reference/window.hpp"

namespace ge::reference {

/// Conv-22 and ConvTranspose-22 over any number of spatial axes, straight from the definition; the kernels of up to three
/// axes are faster. Called with checked dims.
void append_conv_any_rank(const KernelSite& site, const WindowNest& nest, TaskBuilder& builder);
void append_conv_transpose_any_rank(const KernelSite& site, const WindowNest& nest, TaskBuilder& builder);

}  // namespace ge::reference

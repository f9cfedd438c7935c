#pragma once
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/kernel.hpp"

namespace ge::reference {

// ScatterND and ScatterElements (ONNX 18): the output is a copy of `data` in which updates are combined, one after the
// other, with what stands at their places. Where two updates have one place, the later one counts ("none") or is
// combined with the result so far, which has the tensor's dtype.

/// to[i] = combine(to[i], from[i]).
using CombineElements = void (*)(std::byte* to, const std::byte* from, DType dtype, int64_t count) noexcept;
/// For the node's attribute "reduction": none, add, mul, max or min.
CombineElements combiner(const KernelSite& site);

/// Every dtype of whole bytes without a reduction, the convertible ones with.
bool supports_scatter(const KernelQuery& query);

}  // namespace ge::reference

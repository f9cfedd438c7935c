#pragma once
#include "ge/base/dtype.hpp"

namespace ge::reference {

/// The dtype of a complex number's two parts, which lie together; any other dtype itself.
inline DType component_of(DType dtype) { return dtype == DType::complex64 ? DType::float32 : dtype == DType::complex128 ? DType::float64 : dtype; }
/// Parts of an element.
inline int32_t components_of(DType dtype) { return component_of(dtype) == dtype ? 1 : 2; }

}  // namespace ge::reference

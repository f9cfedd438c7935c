#pragma once
#include "ge/base/tensor.hpp"

namespace ge::tools {

/// The same elements for the same seed on every machine: floats in [0, 1), integers 0 to 9, bools, strings "0" to "9".
Tensor random_tensor(DType dtype, std::vector<int64_t> dims, uint32_t seed);

}  // namespace ge::tools

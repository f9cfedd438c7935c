#pragma once
#include "ge/model/program.hpp"

namespace ge {

/// The value of an attribute row of any kind but tensor.
AttributeValue plain_attribute(const Program& program, const AttributeRow& row);

/// The value of a constant row that is not packed: a view of `weights`, or a copy for strings.
Tensor constant_tensor(const Program& program, const ConstantRow& row, std::span<const std::byte> weights,
                       const std::shared_ptr<const void>& owner);

}  // namespace ge

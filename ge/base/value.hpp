#pragma once
#include "ge/base/tensor.hpp"
#include "ge/base/value_kind.hpp"

#include <utility>
#include <vector>

namespace ge {

/// What goes into a model or comes out of one: a tensor (which converts by itself), a sequence or an optional.
struct Value {
  ValueKind kind = ValueKind::tensor;
  bool present = true;          ///< false: an optional that holds nothing
  std::vector<Tensor> tensors;  ///< tensor: one; optional: one or none; sequences: the elements in order

  Value() = default;
  Value(Tensor tensor) { tensors.push_back(std::move(tensor)); }
  Value(ValueKind k, std::vector<Tensor> elements) : kind(k), tensors(std::move(elements)) {}
  static Value nothing(ValueKind kind) {
    Value value(kind, {});
    value.present = false;
    return value;
  }
};

}  // namespace ge

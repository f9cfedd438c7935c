#pragma once
#include "ge/base/attributes.hpp"

namespace ge {

/// What LabelEncoder (ai.onnx.ml 4) maps: keys[n] of the input's dtype to values[n] of the output's dtype, and all else to
/// `otherwise`, one element of the values' dtype.
struct GE_API LabelMapping {
  Tensor keys, values, otherwise;

  /// Reads the attributes 'keys_*', 'values_*' and 'default_*'. Throws Error(invalid_model) unless there is one list of keys
  /// and one of values, both as long, and a default of the values' dtype.
  static LabelMapping read(const Attributes& attributes);
};

}  // namespace ge

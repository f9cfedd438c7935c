#pragma once
#include "ge/base/export.hpp"

#include <cstdint>
#include <span>
#include <string_view>

// Which operators of ai.onnx there are in which opsets. Import takes an operator of every opset from `first` to `last`, as
// it is or by upgrade steps (ge/import/onnx/upgrade.hpp).
namespace ge::onnx {

/// Opsets of ai.onnx that are read.
inline constexpr int64_t oldest_opset = 1, newest_opset = 28;

struct OpsetRange {
  std::string_view op;
  int64_t first = oldest_opset;   ///< the oldest that has the op and whose form can be taken
  int64_t last = newest_opset;    ///< before newest_opset for an op that ONNX gave up
  std::string_view becomes = "";  ///< what import makes of it, where that has another name
};

/// All operators of ai.onnx, linked in or not, sorted by name. Thread-safe.
GE_API std::span<const OpsetRange> opset_ranges();
/// Null for an op that ai.onnx does not have.
GE_API const OpsetRange* opset_range(std::string_view op);

}  // namespace ge::onnx

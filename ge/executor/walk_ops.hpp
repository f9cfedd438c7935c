#pragma once
#include "ge/base/attributes.hpp"
#include "ge/executor/value_state.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ge {

/// One op that the walk over a program does by itself: what it reads and what it gives. Its inputs have been checked against
/// the op's schema. What must be known and is not is noted as wanted: the walk then waits for it and asks again.
class WalkSite {
 public:
  virtual const Attributes& attributes() const = 0;
  virtual size_t input_count() const = 0;
  bool has_input(size_t i) const { return i < input_count() && find_input(i) != nullptr; }
  const ValueState& input(size_t i) const { return *find_input(i); }
  /// What a sequence or an optional holds.
  virtual const ValueState& held(uint32_t id) const = 0;
  /// The elements of an integer input; nullopt, and noted as wanted, where they are not known.
  virtual std::optional<std::vector<int64_t>> ints(size_t i) = 0;

  /// A number for something to hold.
  virtual uint32_t hold(ValueState value) = 0;
  virtual void give(size_t output, ValueState value) = 0;
  /// Gives an int64 or bool tensor of these elements.
  virtual void give_known(size_t output, Tensor tensor) = 0;
  /// The outputs of another op, whose kernels the WalkOp names, on these inputs.
  virtual std::vector<ValueState> run(const Attributes& attributes, std::vector<ValueState> inputs, size_t outputs) = 0;

 protected:
  ~WalkSite() = default;
  virtual const ValueState* find_input(size_t i) const = 0;
};

/// How the walk does an op. It moves what is known of values and makes no tasks but those of other ops' kernels.
struct WalkOp {
  std::string_view op;  ///< of ai.onnx
  void (*run)(WalkSite&);
  std::string_view kernels_of = "";    ///< whose kernels WalkSite::run asks; none: it is not called
  bool composites_only = false;        ///< tensors are left to the kernels
};

/// Null for ops that kernels do. Thread-safe.
const WalkOp* find_walk_op(std::string_view domain, std::string_view op);

/// The tables of ge/executor/walk_sequence.cpp, walk_optional.cpp and walk_parts.cpp.
std::span<const WalkOp> sequence_walk_ops();
std::span<const WalkOp> optional_walk_ops();
std::span<const WalkOp> part_walk_ops();

/// A sequence or optional of that kind that holds nothing yet.
ValueState empty_composite(ValueKind kind, DType dtype);

}  // namespace ge

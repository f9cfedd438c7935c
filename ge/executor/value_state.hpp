#pragma once
#include "ge/base/tensor.hpp"
#include "ge/base/value_kind.hpp"
#include "ge/kernels/task_list.hpp"

#include <memory>
#include <vector>

namespace ge {

/// Memory that one or more values (views of each other) live in.
struct BufferState {
  AllocationKind kind = AllocationKind::arena;
  uint32_t index = 0;        ///< input, output, kept slot, constant row
  uint64_t offset = 0;       ///< weights, list_constants
  int64_t size_bytes = 0;
  bool plain = false;        ///< an op's output: written by that op's tasks alone, before anything reads it
  uint32_t first = UINT32_MAX, last = 0;  ///< tasks of the current segment that touch it
};

/// What instantiate knows of a value at the present op.
struct ValueState {
  bool defined = false;
  bool packed = false;                    ///< a constant stored for one kind of kernel: its bytes are not its elements
  DType dtype = DType::undefined;
  std::vector<int64_t> dims;
  int64_t count = 0;
  int64_t size_bytes = 0;
  uint32_t buffer = UINT32_MAX;           ///< none yet: only its content is known
  std::shared_ptr<const Tensor> content;  ///< elements known before the run
  ValueKind kind = ValueKind::tensor;
  std::vector<uint32_t> held;             ///< sequence, optional: what it holds, in InstantiationState::held; nothing else is set then
};

/// Where a walk over the program stands inside nested ranges.
struct Frame {
  enum class Kind : uint8_t { main, branch, loop, map };
  Kind kind = Kind::main;
  uint32_t range = 0;
  uint32_t next = 0;   ///< index of the next op in the range
  uint32_t op = 0;     ///< branch, loop, map: row of the owning op
  // loop, unrolled; map (iteration: of the element; trip_count; scans: by output; bound_symbols):
  int64_t iteration = 0;
  int64_t trip_count = 0;
  bool body_done = false;                         ///< waits for the condition
  std::vector<ValueState> carried;
  std::vector<std::vector<ValueState>> scans;     ///< by scan output, by iteration
  std::vector<uint32_t> bound_symbols;            ///< open symbols bound inside the body
};

/// The whole state of a walk: copied where a run may go on in different ways.
struct InstantiationState {
  std::vector<int64_t> symbols;
  std::vector<uint8_t> bound;
  std::vector<ValueState> values;
  std::vector<ValueState> held;          ///< what sequences and optionals hold; one may be held by several
  std::vector<BufferState> buffers;
  std::vector<Frame> frames;
  std::vector<std::vector<uint8_t>> outputs_placed;  ///< by model output, by tensor: written directly by a segment so far
  uint32_t output_slots = 0;             ///< numbers given to outputs (ge/executor/instantiation.hpp) so far
  std::vector<uint8_t> kept_in_use;      ///< by kept slot
};

/// Calls f for the tensor that `value` is, or for each tensor inside. `held` is that of the state which the value is of.
template <class Held, class State, class F>
void for_each_tensor(Held& held, State& value, const F& f) {
  if (value.kind == ValueKind::tensor) return f(value);
  for (uint32_t id : value.held) for_each_tensor(held, held[id], f);
}

/// Calls f for every value of a state outside the list of what sequences and optionals hold.
template <class F>
void for_each_value(InstantiationState& state, const F& f) {
  for (ValueState& value : state.values) f(value);
  for (Frame& frame : state.frames) {
    for (ValueState& value : frame.carried) f(value);
    for (auto& slices : frame.scans)
      for (ValueState& value : slices) f(value);
  }
}

/// Keeps of what sequences and optionals hold just what some value leads to (ge/executor/held_values.cpp).
void collect_held(InstantiationState& state);

}  // namespace ge

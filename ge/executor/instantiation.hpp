#pragma once
#include "ge/executor/task_note.hpp"
#include "ge/executor/value_state.hpp"

#include <string_view>
#include <utility>

namespace ge {

/// A tensor of a model output that a segment defines. Slots number these tensors: an output that is a tensor has the slot
/// of its own number, the tensors of sequences and optionals have those behind, in the order in which they are met.
struct SegmentOutput {
  uint32_t output = 0, tensor = 0;  ///< tensor number `tensor` of that output
  uint32_t slot = 0;
  DType dtype = DType::undefined;
  std::vector<int64_t> dims;
  int64_t size_bytes = 0;
};

/// How many tensors a model output has that is a sequence or an optional; -1: an optional that holds nothing.
struct OutputLength {
  uint32_t output = 0;
  int64_t length = 0;
};

/// A kept buffer that a segment writes for later ones.
struct KeptBuffer {
  uint32_t slot = 0;
  int64_t size_bytes = 0;
};

/// A value that decides how the run goes on.
struct CutValue {
  uint32_t value = 0;
  DType dtype = DType::undefined;
  std::vector<int64_t> dims;
  int64_t size_bytes = 0;
  uint32_t allocation = 0;  ///< where to read it after the segment ran
  uint64_t offset = 0;
};

/// A dynamic task's outputs: their sizes are reported by the kernel.
struct DynamicOutput {
  uint32_t value = UINT32_MAX;  ///< none: the output is not used
  uint32_t kept_slot = 0;
  DType dtype = DType::undefined;
};

/// A buffer of the arena: where it lies and the tasks from the first to the last that touch it.
struct PlacedBuffer {
  uint64_t offset = 0;
  int64_t size_bytes = 0;
  uint32_t first = 0, last = 0;
  std::vector<uint32_t> values;  ///< of the program, that live in it; none for scratch memory
};

enum class CutKind : uint8_t {
  none,     ///< the run ends after this segment
  content,  ///< goes on once the elements of `cut_values` are known
  dims,     ///< goes on once the dynamic task has reported the dims of `dynamic_outputs`
};

/// One segment of a run: tasks for concrete dims, and how the run goes on. Immutable.
struct Instantiation {
  TaskList list;
  std::vector<SegmentOutput> outputs;
  std::vector<OutputLength> output_lengths;  ///< that this segment defines
  std::vector<KeptBuffer> kept;
  CutKind cut = CutKind::none;
  std::vector<CutValue> cut_values;
  std::vector<DynamicOutput> dynamic_outputs;
  InstantiationState after;  ///< only where cut != none
  std::vector<TaskNote> notes;  ///< by task; empty unless asked for
  std::vector<std::pair<std::string_view, uint32_t>> ops_by_engine;  ///< how many ops each engine runs
  std::vector<PlacedBuffer> placed;  ///< the arena's buffers, where InstantiateOptions::keep_placement asked for them
};

}  // namespace ge

#pragma once
#include "ge/executor/instantiation.hpp"
#include "ge/executor/loaded_program.hpp"

#include <atomic>
#include <memory>
#include <span>

namespace ge {

/// Limits of one instantiation.
struct InstantiateOptions {
  int64_t max_memory_bytes = INT64_MAX;  ///< arena and kept buffers of one segment, each
  uint32_t max_tasks = 4'000'000;        ///< an unrolled loop may not grow past this
  const std::atomic<bool>* cancel = nullptr;  ///< looked at before each op; null: cannot be cancelled
  bool keep_placement = false;           ///< fill Instantiation::placed, for reports
  bool keep_notes = false;               ///< fills Instantiation::notes
};

/// Dims of the inputs of a run, and the elements that LoadedProgram::element_symbols asks for, in that order. An input
/// that is a sequence or an optional has any number of tensors; then `lengths` has the number for each input, -1 for an
/// optional that holds nothing, and `input_dims` one entry for each tensor. Without such inputs `lengths` may be empty.
struct RunSizes {
  std::vector<std::vector<int64_t>> input_dims;
  std::vector<int64_t> elements;
  std::vector<int64_t> lengths{};
};

/// Takes:      a loaded program and concrete input sizes.
/// Gives:      the first segment of the run: every op's dims evaluated (from their expressions, or by the op's inference
///             function where they were open), its kernel's `prepare` called, memory planned. Most programs have one
///             segment; the others go on with resume().
/// Invariants: the result depends on nothing but program, sizes, target and limits.
/// Next:       ge/executor/static/davinci_model.hpp
/// Throws Error(invalid_argument) for inputs that contradict the model, Error(invalid_model) for sizes that contradict
/// an op, naming it, Error(run_failed) when cancelled.
GE_API std::unique_ptr<Instantiation> instantiate(const LoadedProgram& program, const Target& target, const RunSizes& sizes,
                                                  const InstantiateOptions& options = {});

/// The segment after `parent`, once the elements of its cut values are known (in their order).
GE_API std::unique_ptr<Instantiation> resume(const LoadedProgram& program, const Target& target, const Instantiation& parent,
                                             std::span<const Tensor> contents, const InstantiateOptions& options = {});
/// The same once a dynamic task has reported its dims (in the order of dynamic_outputs).
GE_API std::unique_ptr<Instantiation> resume(const LoadedProgram& program, const Target& target, const Instantiation& parent,
                                             std::span<const std::vector<int64_t>> dims, const InstantiateOptions& options = {});

}  // namespace ge

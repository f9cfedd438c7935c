#pragma once
#include "ge/executor/device/device.hpp"
#include "ge/executor/instantiation.hpp"
#include "ge/executor/loaded_program.hpp"
#include "ge/executor/tensor_io.hpp"

#include <span>
#include <string>
#include <vector>

namespace ge {

/// Name, dtype and dims of a model input or output; a dim that is not fixed is -1 and its text says how it is computed.
struct PortDescription {
  std::string name;
  DType dtype = DType::undefined;
  bool rank_known = false;
  std::vector<int64_t> dims;
  std::string text;  ///< "float32[N, 3, H, W]", "sequence(float32[*, 3])"
  ValueKind kind = ValueKind::tensor;  ///< for others, dtype and dims are those of the tensors inside
};

/// Ties a run's inputs and outputs to addresses (SX-8). A caller's buffer that is aligned to its element size is used in
/// place; an input that is not is copied, an output that is not is refused. Outputs without memory of the caller's get
/// memory of the instance. One run at a time.
class IoBinding {
 public:
  IoBinding(const LoadedProgram& program, Device& device);

  const std::vector<PortDescription>& inputs() const { return inputs_; }
  const std::vector<PortDescription>& outputs() const { return outputs_; }

  /// Checks count, dtype, size and address of each input and keeps where it is. `lengths`: how many of the tensors each
  /// input has, -1 for an optional that holds nothing; empty where every input is a tensor. Throws Error(invalid_argument).
  void bind_inputs(std::span<const InputTensor> inputs, std::span<const int64_t> lengths);
  /// What an instantiation depends on: the lengths, every dim of every input, then the elements that decide shapes.
  /// Throws Error(invalid_argument) when an input is too small to have them.
  void append_key(std::span<const InputTensor> inputs, std::span<const int64_t> lengths, std::vector<int64_t>& key) const;
  /// Settles where an output of the coming segment goes and fills in its description. Throws Error(invalid_argument)
  /// when the caller's memory is too small, not aligned, or overlaps an input or an output settled before.
  void provide_output(const SegmentOutput& output, OutputTensor& given);

  const std::byte* input_address(uint32_t index) const { return input_addresses_[index]; }
  std::byte* output_address(uint32_t slot) const { return output_addresses_[slot]; }
  uint64_t inputs_copied() const { return inputs_copied_; }

 private:
  std::string input_name(size_t tensor) const;
  std::string output_name(size_t slot) const;
  void check_overlap(uint32_t slot, const std::byte* data, int64_t size_bytes) const;

  const LoadedProgram& program_;
  Device& device_;
  std::vector<PortDescription> inputs_, outputs_;
  std::vector<uint32_t> input_ports_;  ///< by tensor: the input that it is of, or is one of
  std::vector<const std::byte*> input_addresses_;
  std::vector<int64_t> input_sizes_, output_sizes_;
  std::vector<uint32_t> output_ports_;        ///< by slot
  std::vector<std::byte*> output_addresses_;  ///< null until provided in this run
  std::vector<DeviceBuffer> input_copies_, lent_outputs_;
  uint64_t inputs_copied_ = 0;
};

}  // namespace ge

#include "ge/executor/static/io_binding.hpp"

#include "ge/executor/static/describe_ports.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace ge {
namespace {

uintptr_t alignment_of(DType dtype) { return std::clamp<uintptr_t>(bits_of(dtype) / 8, 1, 8); }
bool is_aligned(const void* data, DType dtype) { return reinterpret_cast<uintptr_t>(data) % alignment_of(dtype) == 0; }

bool overlap(const std::byte* a, int64_t a_bytes, const std::byte* b, int64_t b_bytes) {
  const auto x = reinterpret_cast<uintptr_t>(a), y = reinterpret_cast<uintptr_t>(b);
  return x < y + static_cast<uintptr_t>(b_bytes) && y < x + static_cast<uintptr_t>(a_bytes);
}

/// Element `position` of a small integer or bool tensor.
int64_t element_at(const std::byte* data, DType dtype, uint32_t position) {
  if (dtype == DType::int64) {
    int64_t value = 0;
    std::memcpy(&value, data + size_t{position} * 8, 8);
    return value;
  }
  if (dtype == DType::int32) {
    int32_t value = 0;
    std::memcpy(&value, data + size_t{position} * 4, 4);
    return value;
  }
  return data[position] != std::byte{0};
}

}  // namespace

IoBinding::IoBinding(const LoadedProgram& program, Device& device)
    : program_(program), device_(device), inputs_(describe_ports(program.program(), program.program().inputs)),
      outputs_(describe_ports(program.program(), program.program().outputs)), input_ports_(inputs_.size()), input_addresses_(inputs_.size()),
      input_sizes_(inputs_.size()), output_sizes_(outputs_.size()), output_ports_(outputs_.size()), output_addresses_(outputs_.size()) {
  std::iota(input_ports_.begin(), input_ports_.end(), 0u);
  std::iota(output_ports_.begin(), output_ports_.end(), 0u);
  for (size_t i = 0; i < inputs_.size(); ++i) input_copies_.emplace_back(device);
  for (size_t i = 0; i < outputs_.size(); ++i) lent_outputs_.emplace_back(device);
}

std::string IoBinding::input_name(size_t tensor) const {
  const uint32_t port = input_ports_[tensor];
  const std::string name = "input " + std::to_string(port) + " '" + inputs_[port].name + "'";
  if (inputs_[port].kind == ValueKind::tensor) return name;
  const auto first = static_cast<size_t>(std::ranges::find(input_ports_, port) - input_ports_.begin());
  return name + ", element " + std::to_string(tensor - first);
}

std::string IoBinding::output_name(size_t slot) const {
  const uint32_t port = output_ports_[slot];
  return std::string(outputs_[port].kind == ValueKind::tensor ? "output " : "an element of output ") + std::to_string(port) + " '" + outputs_[port].name + "'";
}

void IoBinding::bind_inputs(std::span<const InputTensor> inputs, std::span<const int64_t> lengths) {
  if (lengths.empty()) {
    if (inputs.size() != inputs_.size())
      throw Error(ErrorCode::invalid_argument, "the model has " + std::to_string(inputs_.size()) + " inputs, " + std::to_string(inputs.size()) + " were given");
  } else {
    input_ports_.clear();
    for (uint32_t port = 0; port < lengths.size(); ++port)
      for (int64_t i = 0; i < lengths[port]; ++i) input_ports_.push_back(port);
    input_addresses_.resize(inputs.size());
    input_sizes_.resize(inputs.size());
    while (input_copies_.size() < inputs.size()) input_copies_.emplace_back(device_);
  }
  inputs_copied_ = 0;
  std::fill(output_addresses_.begin(), output_addresses_.end(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputTensor& input = inputs[i];
    const DType expected = inputs_[input_ports_[i]].dtype;
    if (input.dtype != expected)
      throw Error(ErrorCode::invalid_argument, input_name(i) + " is " + std::string(to_string(input.dtype)) + ", expected " + std::string(to_string(expected)));
    const auto count = element_count(input.dims);
    const auto bytes = count ? bytes_for(input.dtype, *count) : std::nullopt;
    if (!bytes || *bytes != input.size_bytes)
      throw Error(ErrorCode::invalid_argument, input_name(i) + " has " + std::to_string(input.size_bytes) + " bytes, its shape " + dims_to_string(input.dims) +
                                                   " needs " + (bytes ? std::to_string(*bytes) : std::string("more than 64-bit sizes can say")));
    if (input.data == nullptr && input.size_bytes > 0) throw Error(ErrorCode::invalid_argument, input_name(i) + " has no data (null)");
    input_sizes_[i] = input.size_bytes;
    if (input.data != nullptr && is_aligned(input.data, input.dtype)) {
      input_addresses_[i] = static_cast<const std::byte*>(input.data);
      continue;
    }
    std::byte* copy = input_copies_[i].reserve(input.size_bytes);
    device_.copy(copy, static_cast<const std::byte*>(input.data), input.size_bytes);
    input_addresses_[i] = copy;
    ++inputs_copied_;
  }
}

void IoBinding::append_key(std::span<const InputTensor> inputs, std::span<const int64_t> lengths, std::vector<int64_t>& key) const {
  key.insert(key.end(), lengths.begin(), lengths.end());
  for (const InputTensor& input : inputs) {
    key.push_back(static_cast<int64_t>(input.dims.size()));
    key.insert(key.end(), input.dims.begin(), input.dims.end());
  }
  const Program& p = program_.program();
  for (uint32_t symbol : program_.element_symbols()) {
    const SymbolRow& row = p.symbols[symbol];
    const size_t tensor = lengths.empty() ? row.input : static_cast<size_t>(std::ranges::find(input_ports_, row.input) - input_ports_.begin());
    const InputTensor& input = inputs[tensor];
    if ((int64_t{row.position} + 1) * (bits_of(input.dtype) / 8) > input.size_bytes)
      throw Error(ErrorCode::invalid_argument, input_name(tensor) + " has shape " + dims_to_string(input.dims) + ", expected " + inputs_[row.input].text);
    key.push_back(element_at(input_addresses_[tensor], input.dtype, row.position));
  }
}

void IoBinding::check_overlap(uint32_t slot, const std::byte* data, int64_t size_bytes) const {
  for (size_t i = 0; i < input_ports_.size(); ++i)
    if (overlap(data, size_bytes, input_addresses_[i], input_sizes_[i]))
      throw Error(ErrorCode::invalid_argument, output_name(slot) + " overlaps the memory of " + input_name(i) + "; give it memory of its own");
  for (size_t i = 0; i < output_addresses_.size(); ++i)
    if (i != slot && output_addresses_[i] != nullptr && overlap(data, size_bytes, output_addresses_[i], output_sizes_[i]))
      throw Error(ErrorCode::invalid_argument, output_name(slot) + " overlaps the memory of " + output_name(i) + "; give it memory of its own");
}

void IoBinding::provide_output(const SegmentOutput& output, OutputTensor& out) {
  const uint32_t slot = output.slot;
  while (output_ports_.size() <= slot) {
    output_ports_.push_back(output.output);
    output_sizes_.push_back(0);
    output_addresses_.push_back(nullptr);
    lent_outputs_.emplace_back(device_);
  }
  output_ports_[slot] = output.output;
  if (out.data == nullptr || out.lent) {
    out.data = lent_outputs_[slot].reserve(output.size_bytes);
    out.lent = true;
  } else if (out.capacity_bytes < output.size_bytes) {
    throw Error(ErrorCode::invalid_argument, output_name(slot) + " needs " + std::to_string(output.size_bytes) + " bytes for shape " + dims_to_string(output.dims) +
                                                 ", the caller's memory has " + std::to_string(out.capacity_bytes));
  } else if (!is_aligned(out.data, output.dtype)) {
    throw Error(ErrorCode::invalid_argument, output_name(slot) + ": the caller's memory is not aligned to " + std::to_string(alignment_of(output.dtype)) + " bytes");
  } else {
    check_overlap(slot, static_cast<const std::byte*>(out.data), output.size_bytes);
  }
  out.dtype = output.dtype;
  out.rank = output.dims.size();
  std::copy(output.dims.begin(), output.dims.end(), out.dims.begin());
  out.size_bytes = output.size_bytes;
  output_addresses_[slot] = static_cast<std::byte*>(out.data);
  output_sizes_[slot] = output.size_bytes;
}

}  // namespace ge

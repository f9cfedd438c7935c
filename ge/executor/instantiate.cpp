#include "ge/executor/instantiate.hpp"

#include "ge/executor/segment_walk.hpp"

#include <algorithm>

namespace ge {
namespace {

/// Expressions are mathematical integers, tensors wrap (CR-9). With an element beyond this the two could differ, so it
/// stays open: what depends on it is then computed by the kernels, behind a cut.
constexpr int64_t largest_element = int64_t{1} << 31;

/// The dims that a run gives for one input of the model.
struct InputSizes {
  std::string name;
  int64_t length = 1;  ///< of a sequence or an optional; -1: nothing
  uint32_t first = 0;  ///< number of its first tensor among those of all inputs
  std::span<const std::vector<int64_t>> dims;  ///< by tensor
};

/// Checks how many tensors each input has against the model's kinds.
std::vector<InputSizes> sizes_by_input(const Program& p, const RunSizes& sizes) {
  if (!sizes.lengths.empty() && sizes.lengths.size() != p.inputs.size())
    throw Error(ErrorCode::invalid_argument, "the model has " + std::to_string(p.inputs.size()) + " inputs, " + std::to_string(sizes.lengths.size()) + " were given");
  std::vector<InputSizes> inputs;
  size_t first = 0;
  for (size_t i = 0; i < p.inputs.size(); ++i) {
    const ValueKind kind = p.kind_of(p.inputs[i].value);
    InputSizes& input = inputs.emplace_back();
    input.name = std::string(p.text_of(p.inputs[i].name));
    input.length = sizes.lengths.empty() ? 1 : sizes.lengths[i];
    const bool fits = kind == ValueKind::tensor ? input.length == 1 : kind == ValueKind::optional ? input.length == 1 || input.length == -1
                                                                    : input.length >= (is_optional(kind) ? -1 : 0);
    if (!fits || (sizes.lengths.empty() && kind != ValueKind::tensor))
      throw Error(ErrorCode::invalid_argument, "input '" + input.name + "' is a " + std::string(to_string(kind)) + ", it cannot have " + std::to_string(input.length) + " tensors");
    const auto count = static_cast<size_t>(std::max<int64_t>(input.length, 0));
    if (count > sizes.input_dims.size() - std::min(first, sizes.input_dims.size())) {
      first = SIZE_MAX;
      break;
    }
    input.first = static_cast<uint32_t>(first);
    input.dims = std::span(sizes.input_dims).subspan(first, count);
    first += count;
  }
  if (first != sizes.input_dims.size())
    throw Error(ErrorCode::invalid_argument, "the model has " + std::to_string(p.inputs.size()) + " inputs, " + std::to_string(sizes.input_dims.size()) + " were given" +
                                                 (sizes.lengths.empty() ? "" : " (tensors)"));
  return inputs;
}

/// Binds symbols from the sizes and checks the inputs' dims against the model's.
void bind_inputs(const LoadedProgram& program, SegmentWalk& walk, const RunSizes& sizes, const std::vector<InputSizes>& inputs) {
  const Program& p = program.program();
  InstantiationState& state = walk.state();
  for (uint32_t i = 0; i < p.inputs.size(); ++i) {
    const ValueRow& row = p.values[p.inputs[i].value];
    for (const auto& dims : inputs[i].dims)
      if ((row.flags & value_rank_known) != 0 && row.dims.count != dims.size())
        throw Error(ErrorCode::invalid_argument, "input '" + inputs[i].name + "' has shape " + dims_to_string(dims) + ", expected rank " + std::to_string(row.dims.count));
  }
  for (uint32_t s = 0; s < p.symbols.size(); ++s) {
    const SymbolRow& row = p.symbols[s];
    if (row.source != SymbolSource::input_dim) continue;
    const std::vector<int64_t>& dims = inputs[row.input].dims[0];  // a tensor, as check_program has seen
    state.symbols[s] = dims[row.position];
    state.bound[s] = 1;
    if (state.symbols[s] < row.lowest || state.symbols[s] > row.highest)
      throw Error(ErrorCode::invalid_argument, "input '" + inputs[row.input].name + "' has shape " + dims_to_string(dims) + ", the dim on axis " + std::to_string(row.position) +
                                                   " must be from " + std::to_string(row.lowest) + " to " + std::to_string(row.highest));
  }
  for (size_t e = 0; e < program.element_symbols().size(); ++e) {
    const int64_t element = sizes.elements.at(e);
    state.symbols[program.element_symbols()[e]] = element;
    state.bound[program.element_symbols()[e]] = element >= -largest_element && element <= largest_element;
  }
}

/// A tensor that the caller gives: one of input `id`.
ValueState input_tensor(const Program& p, SegmentWalk& walk, uint32_t id, const std::string& name, const std::vector<int64_t>& dims, uint32_t number) {
  InstantiationState& state = walk.state();
  const ValueRow& row = p.values[id];
  for (uint32_t axis = 0; axis < row.dims.count && (row.flags & value_rank_known) != 0; ++axis) {
    const uint32_t expression = p.operands_of(row.dims)[axis];
    const auto expected = expression == no_index ? std::nullopt : walk.evaluate(expression);
    if (expected && *expected != dims[axis])
      throw Error(ErrorCode::invalid_argument, "input '" + name + "' has shape " + dims_to_string(dims) + ", expected " + std::to_string(*expected) + " on axis " + std::to_string(axis));
  }
  ValueState value = in_context([&] { return "taking input '" + name + "'"; }, [&] { return walk.make_value(static_cast<DType>(row.dtype), dims); });
  value.buffer = static_cast<uint32_t>(state.buffers.size());
  BufferState buffer;
  buffer.kind = AllocationKind::input;
  buffer.index = number;
  buffer.size_bytes = value.size_bytes;
  state.buffers.push_back(buffer);
  return value;
}

void define_inputs(const LoadedProgram& program, SegmentWalk& walk, const std::vector<InputSizes>& inputs) {
  const Program& p = program.program();
  InstantiationState& state = walk.state();
  for (uint32_t i = 0; i < p.inputs.size(); ++i) {
    const uint32_t id = p.inputs[i].value;
    const InputSizes& input = inputs[i];
    const ValueKind kind = p.kind_of(id);
    if (kind == ValueKind::tensor) {
      ValueState value = input_tensor(p, walk, id, input.name, input.dims[0], input.first);
      value.content = walk.content_from_expressions(id, value);
      state.values[id] = std::move(value);
      continue;
    }
    ValueState inner = empty_composite(held_by(kind), p.dtype_of(id));
    for (uint32_t t = 0; t < input.dims.size(); ++t) {
      state.held.push_back(input_tensor(p, walk, id, input.name, input.dims[t], input.first + t));
      inner.held.push_back(static_cast<uint32_t>(state.held.size() - 1));
    }
    if (kind == ValueKind::optional_sequence && input.length >= 0) {
      state.held.push_back(std::move(inner));
      inner = empty_composite(kind, p.dtype_of(id));
      inner.held.push_back(static_cast<uint32_t>(state.held.size() - 1));
    }
    inner.kind = kind;
    state.values[id] = std::move(inner);
  }
}

void define_constants(const LoadedProgram& program, SegmentWalk& walk) {
  const Program& p = program.program();
  InstantiationState& state = walk.state();
  for (uint32_t id = 0; id < p.values.size(); ++id) {
    const ValueRow& row = p.values[id];
    if (row.constant == no_index) continue;
    const ConstantRow& constant = p.constants[row.constant];
    std::vector<int64_t> dims;
    for (uint32_t expression : p.operands_of(row.dims)) dims.push_back(walk.evaluate(expression).value_or(-1));
    ValueState value = walk.make_value(static_cast<DType>(row.dtype), std::move(dims));
    value.buffer = static_cast<uint32_t>(state.buffers.size());
    BufferState buffer;
    buffer.size_bytes = static_cast<int64_t>(constant.size);
    const bool strings = value.dtype == DType::string;
    buffer.kind = strings ? AllocationKind::string_constant : AllocationKind::weights;
    buffer.index = strings ? row.constant : 0;
    buffer.offset = strings ? 0 : constant.offset;
    value.packed = constant.packing.count != 0;
    if (!value.packed)  // the tensor lives in `program`, which outlives every instantiation
      value.content = std::shared_ptr<const Tensor>(std::shared_ptr<const void>(), &program.constant(row.constant));
    state.buffers.push_back(buffer);
    state.values[id] = std::move(value);
  }
}

}  // namespace

std::unique_ptr<Instantiation> instantiate(const LoadedProgram& program, const Target& target, const RunSizes& sizes, const InstantiateOptions& options) {
  const Program& p = program.program();
  InstantiationState start;
  start.symbols.resize(p.symbols.size());
  start.bound.resize(p.symbols.size());
  start.values.resize(p.values.size());
  start.outputs_placed.resize(p.outputs.size());
  start.frames.emplace_back();  // the main range
  SegmentWalk walk(program, target, options, std::move(start));
  const std::vector<InputSizes> inputs = sizes_by_input(p, sizes);
  bind_inputs(program, walk, sizes, inputs);
  define_inputs(program, walk, inputs);
  define_constants(program, walk);
  return walk.run();
}

std::unique_ptr<Instantiation> resume(const LoadedProgram& program, const Target& target, const Instantiation& parent, std::span<const Tensor> contents,
                                      const InstantiateOptions& options) {
  SegmentWalk walk(program, target, options, parent.after);
  for (size_t i = 0; i < parent.cut_values.size(); ++i)
    walk.state().values[parent.cut_values[i].value].content = std::make_shared<const Tensor>(contents[i]);
  return walk.run();
}

std::unique_ptr<Instantiation> resume(const LoadedProgram& program, const Target& target, const Instantiation& parent,
                                      std::span<const std::vector<int64_t>> dims, const InstantiateOptions& options) {
  SegmentWalk walk(program, target, options, parent.after);
  InstantiationState& state = walk.state();
  for (size_t i = 0; i < parent.dynamic_outputs.size(); ++i) {
    const DynamicOutput& dynamic = parent.dynamic_outputs[i];
    if (dynamic.value == UINT32_MAX) continue;
    ValueState value = walk.make_value(dynamic.dtype, dims[i]);
    value.buffer = static_cast<uint32_t>(state.buffers.size());
    BufferState buffer;
    buffer.kind = AllocationKind::kept;
    buffer.index = dynamic.kept_slot;
    buffer.size_bytes = value.size_bytes;
    state.buffers.push_back(buffer);
    walk.bind_open_dims(dynamic.value, value.dims);
    state.values[dynamic.value] = std::move(value);
  }
  return walk.run();
}

}  // namespace ge

#include "ge/executor/instantiate.hpp"

#include "ge/executor/segment_walk.hpp"

namespace ge {
namespace {

/// Expressions are mathematical integers, tensors wrap (CR-9). With an element beyond this the two could differ, so it
/// stays open: what depends on it is then computed by the kernels, behind a cut.
constexpr int64_t largest_element = int64_t{1} << 31;

/// Binds symbols from the sizes and checks the inputs' dims against the model's.
void bind_inputs(const LoadedProgram& program, SegmentWalk& walk, const RunSizes& sizes) {
  const Program& p = program.program();
  InstantiationState& state = walk.state();
  if (sizes.input_dims.size() != p.inputs.size())
    throw Error(ErrorCode::invalid_argument, "the model has " + std::to_string(p.inputs.size()) + " inputs, " + std::to_string(sizes.input_dims.size()) + " were given");
  for (uint32_t i = 0; i < p.inputs.size(); ++i) {
    const ValueRow& row = p.values[p.inputs[i].value];
    if ((row.flags & value_rank_known) != 0 && row.dims.count != sizes.input_dims[i].size())
      throw Error(ErrorCode::invalid_argument, "input '" + std::string(p.text_of(p.inputs[i].name)) + "' has shape " + dims_to_string(sizes.input_dims[i]) +
                                                   ", expected rank " + std::to_string(row.dims.count));
  }
  for (uint32_t s = 0; s < p.symbols.size(); ++s) {
    const SymbolRow& row = p.symbols[s];
    if (row.source != SymbolSource::input_dim) continue;
    state.symbols[s] = sizes.input_dims[row.input][row.position];
    state.bound[s] = 1;
    if (state.symbols[s] < row.lowest || state.symbols[s] > row.highest)
      throw Error(ErrorCode::invalid_argument, "input '" + std::string(p.text_of(p.inputs[row.input].name)) + "' has shape " + dims_to_string(sizes.input_dims[row.input]) +
                                                   ", the dim on axis " + std::to_string(row.position) + " must be from " + std::to_string(row.lowest) + " to " + std::to_string(row.highest));
  }
  for (size_t e = 0; e < program.element_symbols().size(); ++e) {
    const int64_t element = sizes.elements.at(e);
    state.symbols[program.element_symbols()[e]] = element;
    state.bound[program.element_symbols()[e]] = element >= -largest_element && element <= largest_element;
  }
}

void define_inputs(const LoadedProgram& program, SegmentWalk& walk, const RunSizes& sizes) {
  const Program& p = program.program();
  InstantiationState& state = walk.state();
  for (uint32_t i = 0; i < p.inputs.size(); ++i) {
    const uint32_t id = p.inputs[i].value;
    const ValueRow& row = p.values[id];
    const std::string name(p.text_of(p.inputs[i].name));
    for (uint32_t axis = 0; axis < row.dims.count && (row.flags & value_rank_known) != 0; ++axis) {
      const auto expected = walk.evaluate(p.operands_of(row.dims)[axis]);
      if (expected && *expected != sizes.input_dims[i][axis])
        throw Error(ErrorCode::invalid_argument, "input '" + name + "' has shape " + dims_to_string(sizes.input_dims[i]) + ", expected " +
                                                     std::to_string(*expected) + " on axis " + std::to_string(axis));
    }
    ValueState value = in_context([&] { return "taking input '" + name + "'"; }, [&] { return walk.make_value(static_cast<DType>(row.dtype), sizes.input_dims[i]); });
    value.content = walk.content_from_expressions(id, value);
    value.buffer = static_cast<uint32_t>(state.buffers.size());
    BufferState buffer;
    buffer.kind = AllocationKind::input;
    buffer.index = i;
    buffer.size_bytes = value.size_bytes;
    state.buffers.push_back(buffer);
    state.values[id] = std::move(value);
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
  bind_inputs(program, walk, sizes);
  define_inputs(program, walk, sizes);
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

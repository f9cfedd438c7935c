/// One ordinary op:
///  1. dims of its outputs: from the program's expressions where their symbols are bound, else by the op's inference
///     function on the concrete inputs; what that misses is a cut. The expressions come from a file, so inference has to
///     give the same;
///  2. the assumptions that inference made;
///  3. the best kernel that supports it, and its tasks.
#include "ge/executor/segment_walk.hpp"

#include <cstring>

namespace ge {

bool SegmentWalk::dims_from_expressions(uint32_t op, std::vector<ValueState>& outputs) const {
  for (uint32_t value : p_.operands_of(p_.ops[op].outputs)) {
    if (value == no_index) {
      outputs.emplace_back();
      continue;
    }
    const ValueRow& row = p_.values[value];
    if ((row.flags & value_rank_known) == 0 || p_.kind_of(value) != ValueKind::tensor) return false;
    std::vector<int64_t> dims;
    for (uint32_t expression : p_.operands_of(row.dims)) {
      const auto dim = evaluate(expression);
      if (!dim) return false;
      if (*dim < 0) return false;  // let inference say what is wrong
      dims.push_back(*dim);
    }
    ValueState state = make_value(static_cast<DType>(row.dtype), std::move(dims));
    state.content = content_from_expressions(value, state);
    outputs.push_back(std::move(state));
  }
  return true;
}

std::shared_ptr<const Tensor> SegmentWalk::content_from_expressions(uint32_t value, const ValueState& state) const {
  const ValueRow& row = p_.values[value];
  if ((row.flags & value_content_known) == 0 || state.count != static_cast<int64_t>(row.content.count)) return nullptr;
  Tensor tensor = Tensor::zeros(state.dtype, state.dims);
  std::byte* data = tensor.mutable_data();
  size_t i = 0;
  for (uint32_t expression : p_.operands_of(row.content)) {
    const auto element = evaluate(expression);
    if (!element) return nullptr;
    if (state.dtype == DType::int64) std::memcpy(data + i * 8, &*element, 8);
    else if (state.dtype == DType::int32) {
      const auto narrow = static_cast<int32_t>(*element);
      std::memcpy(data + i * 4, &narrow, 4);
    } else if (state.dtype == DType::boolean) data[i] = std::byte(*element != 0);
    else return nullptr;
    ++i;
  }
  return std::make_shared<const Tensor>(std::move(tensor));
}

bool SegmentWalk::conditions_known(uint32_t op) const {
  const RowRange range = p_.ops[op].conditions;
  for (const ConditionRow& row : p_.conditions.subspan(range.first, range.count))
    if (!evaluate(row.expression)) return false;
  return true;
}

void SegmentWalk::check_conditions(uint32_t op) const {
  const RowRange range = p_.ops[op].conditions;
  for (const ConditionRow& row : p_.conditions.subspan(range.first, range.count)) {
    if (evaluate(row.expression).value_or(1) != 0) continue;
    std::string sizes;
    for (uint32_t value : p_.operands_of(p_.ops[op].inputs))
      if (value != no_index && s_.values[value].defined) sizes += " " + dims_to_string(s_.values[value].dims);
    throw Error(ErrorCode::invalid_argument, "these input sizes do not fit: " + std::string(p_.text_of(row.what)) + "; input shapes here are" + sizes);
  }
}

/// Whether inference could tell elements that the program's expressions do not: all inputs are small and known, which
/// happens behind a cut and in unrolled loops.
bool SegmentWalk::computes_content(uint32_t op, const std::vector<ValueState>& outputs) const {
  bool missing = false, any_input = false;
  for (const ValueState& output : outputs) {
    const bool integer = output.dtype == DType::int64 || output.dtype == DType::int32 || output.dtype == DType::boolean;
    if (output.defined && !output.content) missing |= integer && output.count <= max_symbolic_values;
  }
  for (uint32_t value : p_.operands_of(p_.ops[op].inputs)) {
    if (value == no_index) continue;
    any_input = true;
    const ValueState& input = s_.values[value];
    if (!input.content || input.count > max_symbolic_values) return false;
  }
  return missing && any_input;
}

/// Whether the compiler knew elements whose symbols nothing binds here: those of a loop's body, behind the loop.
bool SegmentWalk::misses_known_content(uint32_t op, const std::vector<ValueState>& outputs) const {
  const auto results = p_.operands_of(p_.ops[op].outputs);
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i] != no_index && (p_.values[results[i]].flags & value_content_known) != 0 && !outputs[i].content) return true;
  return false;
}

/// Takes elements from inference where it knows them. The sizes are known already, so a cut that inference asks for is
/// not needed and is taken back.
void SegmentWalk::add_inferred_content(uint32_t op, std::vector<ValueState>& outputs) {
  std::vector<ValueState> inferred;
  bool dynamic = false;
  if (dims_from_inference(op, inferred, dynamic) == Step::done && !dynamic) {
    outputs = std::move(inferred);
    return;
  }
  cut_ = CutKind::none;
  cut_values_.clear();
}

SegmentWalk::Step SegmentWalk::emit_op(uint32_t op) {
  const WalkOp* walk = program_.op(op).walk;
  return walk != nullptr && (!walk->composites_only || reads_composite(op)) ? emit_walk_op(op) : emit_kernel_op(op);
}

SegmentWalk::Step SegmentWalk::emit_kernel_op(uint32_t op) {
  std::vector<ValueState> outputs;
  bool dynamic = false;
  // Assumptions hold or the run ends, whoever says the dims: what follows may have been computed from these expressions.
  const bool stated = dims_from_expressions(op, outputs) && conditions_known(op);
  if (stated) check_conditions(op);
  const bool known = stated && !computes_content(op, outputs);
  if (known && confirmed_by_inference(op, outputs)) {
    if (misses_known_content(op, outputs)) add_inferred_content(op, outputs);
  } else if (dims_from_inference(op, outputs, dynamic) == Step::cut) {
    return Step::cut;
  }
  const auto inputs = p_.operands_of(p_.ops[op].inputs);
  std::vector<uint32_t> missing;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] != no_index && program_.op(op).schema->needs_content(i) && !s_.values[inputs[i]].content) missing.push_back(inputs[i]);
  if (!missing.empty()) return cut_for_content(std::move(missing));

  prepare(op, outputs, dynamic);
  return dynamic ? Step::cut : Step::done;
}

void SegmentWalk::define(uint32_t value, ValueState state) {
  if (state.kind != p_.kind_of(value))
    throw Error(ErrorCode::corrupt_file, "a value is a " + std::string(to_string(state.kind)) + ", the model file says that it is a " + std::string(to_string(p_.kind_of(value))) +
                                             "; compile the model again");
  state.defined = true;
  remember_value(value);
  held_words_ -= s_.values[value].held.size();
  add_held(state.held.size());
  s_.values[value] = std::move(state);
}

}  // namespace ge

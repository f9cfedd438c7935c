/// Ops that the walk does by itself (ge/executor/walk_ops.hpp), and what values that are no tensors need elsewhere:
///  1. the op's inference function checks inputs and attributes, for the program comes from a file;
///  2. the op says what its outputs are, or what it must know first: a cut;
///  3. the outputs have to be what the program says.
#include "ge/executor/segment_walk.hpp"

#include <algorithm>

namespace ge {

bool SegmentWalk::reads_composite(uint32_t op) const {
  const auto inputs = p_.operands_of(p_.ops[op].inputs);
  return std::ranges::any_of(inputs, [&](uint32_t value) { return value != no_index && s_.values[value].kind != ValueKind::tensor; });
}

/// `value` where `kind` is expected: a tensor or a sequence goes into an optional, an optional gives what it holds. (A loop
/// may take an optional and give back what it held, as ONNX's own test of Loop 16 does.)
ValueState SegmentWalk::converted(ValueState value, ValueKind kind) {
  if (value.kind == kind) return value;
  if (kind == optional_of(value.kind)) {
    ValueState optional = empty_composite(kind, value.dtype);
    optional.held.push_back(hold(std::move(value)));
    return optional;
  }
  if (kind != held_by(value.kind))
    throw Error(ErrorCode::corrupt_file, "a value is a " + std::string(to_string(value.kind)) + ", the model file says that it is a " + std::string(to_string(kind)));
  if (value.held.empty()) throw Error(ErrorCode::invalid_argument, "an optional holds nothing where a " + std::string(to_string(kind)) + " is needed");
  return s_.held[value.held[0]];
}

/// What an op sees of the walk.
class SegmentWalk::MovingSite final : public WalkSite {
 public:
  MovingSite(SegmentWalk& walk, uint32_t op) : walk_(walk), op_(op), inputs_(walk.p_.operands_of(walk.p_.ops[op].inputs)), outputs_(walk.p_.ops[op].outputs.count) {}

  const Attributes& attributes() const override { return walk_.program_.op(op_).attributes; }
  size_t input_count() const override { return inputs_.size(); }
  const ValueState& held(uint32_t id) const override { return walk_.s_.held[id]; }

  std::optional<std::vector<int64_t>> ints(size_t i) override {
    if (const auto& content = input(i).content) return content->to_ints();
    wanted_.push_back(inputs_[i]);
    return std::nullopt;
  }

  uint32_t hold(ValueState value) override { return walk_.hold(std::move(value)); }
  void give(size_t output, ValueState value) override { outputs_.at(output) = std::move(value); }
  void give_known(size_t output, Tensor tensor) override {
    ValueState value = walk_.make_value(tensor.dtype(), tensor.dims());
    value.content = std::make_shared<const Tensor>(std::move(tensor));
    give(output, std::move(value));
  }

  std::vector<ValueState> run(const Attributes& attributes, std::vector<ValueState> inputs, size_t outputs) override {
    const std::string_view op = walk_.program_.op(op_).walk->kernels_of;
    std::vector<TensorType> types;
    for (const ValueState& input : inputs) types.push_back(type_of(input, walk_.scratch_));
    std::vector<InferContext::Input> seen;
    for (size_t i = 0; i < inputs.size(); ++i) seen.push_back({&types[i], inputs[i].content.get()});
    InferContext context(walk_.scratch_, attributes, std::move(seen), std::vector<bool>(outputs, true));
    check_and_infer(*find_schema("", op), context);

    std::vector<ValueState> results;
    for (const TensorType& type : context.results()) {
      const auto dims = type.shape ? constant_dims(*type.shape) : std::nullopt;
      if (!dims) throw Error(ErrorCode::internal, "sizes of " + std::string(op) + " are open where all inputs are known");
      results.push_back(walk_.make_value(type.dtype, *dims));
      if (type.values) results.back().content = content_of(type, *dims);
    }
    Call call{op_, "", op, attributes, {}, std::vector<uint32_t>(inputs.size(), no_index), std::vector<uint8_t>(outputs, 1)};
    for (ValueState& input : inputs) call.inputs.push_back(&input);
    walk_.append_tasks(call, results, false);
    return results;
  }

  std::vector<uint32_t>& wanted() { return wanted_; }
  std::vector<ValueState>& outputs() { return outputs_; }

 private:
  const ValueState* find_input(size_t i) const override { return inputs_[i] == no_index ? nullptr : &walk_.s_.values[inputs_[i]]; }

  SegmentWalk& walk_;
  uint32_t op_;
  std::span<const uint32_t> inputs_;
  std::vector<ValueState> outputs_;
  std::vector<uint32_t> wanted_;
};

SegmentWalk::Step SegmentWalk::emit_walk_op(uint32_t op) {
  for (uint32_t value : p_.operands_of(p_.ops[op].inputs))
    if (value != no_index && s_.values[value].packed)
      throw Error(ErrorCode::corrupt_file, "a constant that is packed for a kernel is read by an op that has none; compile the model again");
  std::vector<TensorType> types;
  run_inference(op, types);
  MovingSite site(*this, op);
  program_.op(op).walk->run(site);
  if (!site.wanted().empty()) return cut_for_content(std::move(site.wanted()));

  const auto results = p_.operands_of(p_.ops[op].outputs);
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] == no_index) continue;
    ValueState& given = site.outputs()[i];
    if (given.kind != p_.kind_of(results[i]) || given.dtype != p_.dtype_of(results[i]))
      throw Error(ErrorCode::corrupt_file, "the model file says that output " + std::to_string(i) + " is " + kind_text(p_.kind_of(results[i]), std::string(to_string(p_.dtype_of(results[i])))) +
                                               ", but the op gives " + kind_text(given.kind, std::string(to_string(given.dtype))) + "; compile the model again");
    bind_open_dims(results[i], given.dims);
    define(results[i], std::move(given));
  }
  return Step::done;
}

}  // namespace ge

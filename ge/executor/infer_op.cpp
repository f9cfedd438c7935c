/// Runs an op's inference function on the concrete inputs of a walk: for ops whose output sizes the program's expressions
/// leave open. The same function served the compiler; here every dim it sees is a constant.
#include "ge/executor/segment_walk.hpp"

namespace ge {

/// A concrete value as inference sees it. What is inside a sequence or an optional is not looked at: the walk knows it.
TensorType SegmentWalk::type_of(const ValueState& state, SymbolTable& symbols) {
  if (state.kind != ValueKind::tensor) return {state.dtype, std::nullopt, std::nullopt, state.kind};
  TensorType type{state.dtype, constant_shape(symbols, state.dims), std::nullopt};
  if (!state.content || state.count > max_symbolic_values || state.dtype == DType::uint64) return type;
  if (const auto ints = state.content->to_ints()) type.values = constant_shape(symbols, *ints);
  return type;
}

/// Inferred elements as bytes; null when some are not constants.
std::shared_ptr<const Tensor> SegmentWalk::content_of(const TensorType& type, const std::vector<int64_t>& dims) {
  std::vector<int64_t> wide;
  for (Expr element : *type.values) {
    if (!element.is_constant()) return nullptr;
    wide.push_back(element.value());
  }
  switch (type.dtype) {
    case DType::int64: return std::make_shared<const Tensor>(Tensor::from<int64_t>(type.dtype, dims, wide));
    case DType::int32: return std::make_shared<const Tensor>(Tensor::from<int32_t>(type.dtype, dims, std::vector<int32_t>(wide.begin(), wide.end())));
    case DType::boolean: return std::make_shared<const Tensor>(Tensor::from<uint8_t>(type.dtype, dims, std::vector<uint8_t>(wide.begin(), wide.end())));
    default: return nullptr;
  }
}

/// `types` is where the context's inputs live.
InferContext SegmentWalk::run_inference(uint32_t op, std::vector<TensorType>& types) {
  const auto inputs = p_.operands_of(p_.ops[op].inputs);
  types.resize(inputs.size());
  std::vector<InferContext::Input> seen(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == no_index) continue;
    types[i] = type_of(s_.values[inputs[i]], scratch_);
    seen[i] = {&types[i], s_.values[inputs[i]].content.get()};
  }
  std::vector<bool> used;
  for (uint32_t value : p_.operands_of(p_.ops[op].outputs)) used.push_back(value != no_index);
  InferContext context(scratch_, program_.op(op).attributes, std::move(seen), std::move(used));
  check_and_infer(*program_.op(op).schema, context);
  return context;
}

/// Whether the op itself gives the sizes that the program's expressions gave. A program comes from a file, which may be
/// made to mislead (CR-10): no kernel is asked to write more than its inputs lead to. False when these inputs do not
/// tell; throws when they contradict the program.
bool SegmentWalk::confirmed_by_inference(uint32_t op, const std::vector<ValueState>& outputs) {
  if (program_.op(op).schema->infer_fn == nullptr) return true;  // nothing else is known of such an op
  const auto results = p_.operands_of(p_.ops[op].outputs);
  std::vector<TensorType> types;
  const InferContext context = run_inference(op, types);
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] == no_index) continue;
    const TensorType& type = context.results()[i];
    const auto dims = type.shape ? constant_dims(*type.shape) : std::nullopt;
    if (!dims) return false;
    if (type.dtype != outputs[i].dtype || *dims != outputs[i].dims)
      throw Error(ErrorCode::corrupt_file, "the model file says that output " + std::to_string(i) + " is " + std::string(to_string(outputs[i].dtype)) +
                                               dims_to_string(outputs[i].dims) + ", but the op gives " + std::string(to_string(type.dtype)) + dims_to_string(*dims) +
                                               " for its inputs; compile the model again");
  }
  return true;
}

/// All inputs are numbers here: a dim that is none and has no symbol was kept as written because it is beyond 64 bits.
static void check_fits(const TensorType& type, size_t output) {
  if (!type.shape) return;
  for (size_t axis = 0; axis < type.rank(); ++axis) {
    std::vector<uint32_t> symbols;
    collect_symbols((*type.shape)[axis], symbols);
    if (symbols.empty() && !(*type.shape)[axis].is_constant())
      throw Error(ErrorCode::out_of_memory, "output " + std::to_string(output) + " has the dim " + to_string((*type.shape)[axis]) + " on axis " +
                                                std::to_string(axis) + ", which does not fit in 64 bits; are the values right that sizes come from?");
  }
}

SegmentWalk::Step SegmentWalk::dims_from_inference(uint32_t op, std::vector<ValueState>& outputs, bool& dynamic) {
  const auto inputs = p_.operands_of(p_.ops[op].inputs);
  const auto results = p_.operands_of(p_.ops[op].outputs);
  std::vector<TensorType> types;
  const InferContext context = run_inference(op, types);
  outputs.assign(results.size(), {});
  dynamic = false;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i] == no_index) continue;
    const TensorType& type = context.results()[i];
    if (!type.is_tensor()) throw Error(ErrorCode::unsupported, "output " + std::to_string(i) + " is " + to_string(type) + ", which no kernel can give");
    const auto dims = type.shape ? constant_dims(*type.shape) : std::nullopt;
    if (dims) {
      outputs[i] = make_value(type.dtype, *dims);
      if (type.values) outputs[i].content = content_of(type, *dims);
    } else if (!context.wanted().empty()) {
      std::vector<uint32_t> missing;
      for (size_t input : context.wanted()) missing.push_back(inputs[input]);
      return cut_for_content(std::move(missing));
    } else {
      check_fits(type, i);
      dynamic = true;  // the kernel will report the dims
      outputs[i].dtype = type.dtype;
    }
  }
  for (size_t i = 0; i < results.size(); ++i)
    if (outputs[i].defined) bind_open_dims(results[i], outputs[i].dims);
  return Step::done;
}

}  // namespace ge

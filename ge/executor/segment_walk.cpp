#include "ge/executor/segment_walk.hpp"

#include "ge/base/postfix.hpp"

namespace ge {

SegmentWalk::SegmentWalk(const LoadedProgram& program, const Target& target, const InstantiateOptions& options, InstantiationState state)
    : program_(program), p_(program.program()), target_(target), options_(options), s_(std::move(state)) {}

std::unique_ptr<Instantiation> SegmentWalk::run() {
  count_held();
  walk_down_to(0);
  return finish();
}

/// Steps until `depth` frames are left, or a cut.
SegmentWalk::Step SegmentWalk::walk_down_to(size_t depth) {
  while (s_.frames.size() > depth)
    if (step() == Step::cut) return Step::cut;
  return Step::done;
}

SegmentWalk::Step SegmentWalk::step() {
  if (options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed)) throw Error(ErrorCode::run_failed, "the run was cancelled");
  collect_held_if_grown();
  Frame& frame = s_.frames.back();
  const RangeRow& range = p_.ranges[frame.range];
  if (frame.next < range.ops.count) {
    const uint32_t op = range.ops.first + frame.next;
    const size_t depth = s_.frames.size();
    const Step result = in_context([&] { return "instantiating " + std::string(node(op)); }, [&] {
      switch (program_.op(op).schema->control_flow) {
        case ControlFlow::branch: return emit_branch(op);
        case ControlFlow::loop: return emit_loop(op);
        case ControlFlow::map: return emit_map(op);
        case ControlFlow::none: break;
      }
      return emit_op(op);
    });
    // An op that opened a frame, or a dynamic op that ended the segment, is done too: the walk goes on behind it.
    const bool passed = result == Step::done || cut_ == CutKind::dims;
    if (passed) ++s_.frames[depth - 1].next;
    return result;
  }
  if (frame.kind == Frame::Kind::main) {
    s_.frames.pop_back();
    return Step::done;
  }
  return in_context([&, op = frame.op] { return "instantiating " + std::string(node(op)); }, [&] {
    if (frame.kind == Frame::Kind::branch) return finish_branch();
    if (frame.kind == Frame::Kind::map) return next_element();
    return frame.body_done ? next_iteration() : finish_iteration();
  });
}

SegmentWalk::Step SegmentWalk::cut_for_content(std::vector<uint32_t> values) {
  for (uint32_t value : values)
    if (s_.values[value].kind != ValueKind::tensor) throw Error(ErrorCode::corrupt_file, "a sequence or an optional is used as a number");
  // What is known already cannot be waited for; going on with it would go round for ever.
  std::erase_if(values, [&](uint32_t value) { return s_.values[value].content != nullptr; });
  if (values.empty()) throw Error(ErrorCode::unsupported, "the sizes of this op's outputs cannot be found from its inputs");
  cut_ = CutKind::content;
  cut_values_ = std::move(values);
  return Step::cut;
}

std::optional<int64_t> SegmentWalk::evaluate(uint32_t expression) const {
  return evaluate_postfix(p_.code_of(expression), s_.symbols, s_.bound);
}

ValueState SegmentWalk::make_value(DType dtype, std::vector<int64_t> dims) const {
  ValueState value;
  const auto count = element_count(dims);
  const auto bytes = count ? bytes_for(dtype, *count) : std::nullopt;
  if (!bytes) throw Error(ErrorCode::out_of_memory, "a tensor of " + std::string(to_string(dtype)) + dims_to_string(dims) + " is too large");
  if (*bytes > options_.max_memory_bytes)
    throw Error(ErrorCode::out_of_memory, "a tensor of " + std::string(to_string(dtype)) + dims_to_string(dims) + " needs " + std::to_string(*bytes) +
                                              " bytes, the limit is " + std::to_string(options_.max_memory_bytes) + "; raise max_memory or use smaller inputs");
  if (dims.size() > max_rank)
    throw Error(ErrorCode::unsupported, "a tensor of rank " + std::to_string(dims.size()) + ", kernels take up to " + std::to_string(max_rank));
  value.defined = true;
  value.dtype = dtype;
  value.dims = std::move(dims);
  value.count = *count;
  value.size_bytes = *bytes;
  return value;
}

void SegmentWalk::bind_open_dims(uint32_t value, const std::vector<int64_t>& dims) {
  const ValueRow& row = p_.values[value];
  if ((row.flags & value_rank_known) == 0 || row.dims.count != dims.size() || p_.kind_of(value) != ValueKind::tensor) return;
  const auto expressions = p_.operands_of(row.dims);
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const auto code = p_.code_of(expressions[axis]);
    if (code.size() != 2 || code[0] != static_cast<int64_t>(PostfixOp::push_symbol)) continue;
    const auto symbol = static_cast<uint32_t>(code[1]);
    if (s_.bound[symbol]) continue;
    set_symbol(symbol, true, dims[axis]);
    for (Frame& frame : s_.frames)
      if (frame.kind == Frame::Kind::loop || frame.kind == Frame::Kind::map) frame.bound_symbols.push_back(symbol);
  }
}

}  // namespace ge

// SequenceConstruct, SequenceEmpty, SequenceAt, SequenceInsert, SequenceErase, SequenceLength (ONNX, all opset 11): a
// sequence is the list of what it holds, and these ops make other lists. Positions count from the back where negative.
#include "ge/executor/walk_ops.hpp"

#include <string>

namespace ge {
namespace {

void construct(WalkSite& site) {
  ValueState sequence = empty_composite(ValueKind::sequence, site.input(0).dtype);
  for (size_t i = 0; i < site.input_count(); ++i) sequence.held.push_back(site.hold(site.input(i)));
  site.give(0, std::move(sequence));
}

void empty(WalkSite& site) {
  const auto dtype = dtype_from_onnx(site.attributes().get_int("dtype", static_cast<int64_t>(DType::float32)));
  site.give(0, empty_composite(ValueKind::sequence, *dtype));  // inference has refused other numbers
}

/// Input `i` as a position before which `places` others are; nullopt where it is not known yet.
std::optional<size_t> position(WalkSite& site, size_t i, size_t places) {
  const auto given = site.ints(i);
  if (!given) return std::nullopt;
  if (given->size() != 1)
    throw Error(ErrorCode::invalid_argument, "position has " + std::to_string(given->size()) + " elements, expected one");
  const auto n = static_cast<int64_t>(site.input(0).held.size()), at = (*given)[0];
  if (at < -n || at >= static_cast<int64_t>(places))
    throw Error(ErrorCode::invalid_argument, "position " + std::to_string(at) + " is out of range for a sequence of " + std::to_string(n) + " elements, expected " +
                                                 (places == 0 ? "none, for it is empty" : std::to_string(-n) + " to " + std::to_string(static_cast<int64_t>(places) - 1)));
  return static_cast<size_t>(at < 0 ? at + n : at);
}

void at(WalkSite& site) {
  const std::vector<uint32_t>& held = site.input(0).held;
  if (const auto where = position(site, 1, held.size())) site.give(0, site.held(held[*where]));
}

void insert(WalkSite& site) {
  ValueState sequence = site.input(0);
  const auto where = site.has_input(2) ? position(site, 2, sequence.held.size() + 1) : sequence.held.size();
  if (!where) return;
  sequence.held.insert(sequence.held.begin() + static_cast<std::ptrdiff_t>(*where), site.hold(site.input(1)));
  site.give(0, std::move(sequence));
}

void erase(WalkSite& site) {
  ValueState sequence = site.input(0);
  if (!site.has_input(1) && sequence.held.empty()) throw Error(ErrorCode::invalid_argument, "the sequence is empty, there is no last element to erase");
  const auto where = site.has_input(1) ? position(site, 1, sequence.held.size()) : sequence.held.size() - 1;
  if (!where) return;
  sequence.held.erase(sequence.held.begin() + static_cast<std::ptrdiff_t>(*where));
  site.give(0, std::move(sequence));
}

void length(WalkSite& site) { site.give_known(0, Tensor::scalar(static_cast<int64_t>(site.input(0).held.size()))); }

}  // namespace

std::span<const WalkOp> sequence_walk_ops() {
  static constexpr WalkOp table[] = {{"SequenceAt", at},         {"SequenceConstruct", construct}, {"SequenceEmpty", empty},
                                     {"SequenceErase", erase},   {"SequenceInsert", insert},       {"SequenceLength", length}};
  return table;
}

}  // namespace ge

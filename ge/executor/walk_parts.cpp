// SplitToSequence (ONNX, opset 24) and ConcatFromSequence (11): the tasks are those of Split and Concat on the elements; an
// axis of 1 that comes or goes is only another view.
#include "ge/executor/walk_ops.hpp"

#include <algorithm>
#include <string>

namespace ge {
namespace {

/// An axis of the attributes, which inference may not have been able to check; as 0..rank-1.
size_t checked_axis(const WalkSite& site, size_t rank) {
  const auto r = static_cast<int64_t>(rank), axis = site.attributes().get_int("axis", 0);
  if (axis < -r || axis >= r)
    throw Error(ErrorCode::invalid_argument, "axis " + std::to_string(axis) + " is out of range for rank " + std::to_string(rank) + ", expected " + std::to_string(-r) + " to " +
                                                 std::to_string(r - 1));
  return static_cast<size_t>(axis < 0 ? axis + r : axis);
}

/// Numbers of parts are known before there are tasks to count.
constexpr int64_t most_parts = int64_t{1} << 20;

/// Sizes of the parts: a scalar says how large all but the last are.
std::vector<int64_t> part_sizes(int64_t size, const std::optional<std::vector<int64_t>>& split, bool scalar) {
  if (split && !scalar) {
    int64_t sum = 0;
    for (int64_t part : *split)
      if (part < 0 || __builtin_add_overflow(sum, part, &sum)) throw Error(ErrorCode::invalid_argument, "split has the size " + std::to_string(part) + ", expected sizes that sum up to " + std::to_string(size));
    if (sum != size) throw Error(ErrorCode::invalid_argument, "the sizes in split sum up to " + std::to_string(sum) + ", expected the axis' size, " + std::to_string(size));
    return *split;
  }
  const int64_t step = split ? split->at(0) : 1;
  if (step <= 0) throw Error(ErrorCode::invalid_argument, "split is " + std::to_string(step) + ", expected a positive size");
  const int64_t count = size / step + (size % step != 0);
  if (count > most_parts) throw Error(ErrorCode::out_of_memory, "an axis of " + std::to_string(size) + " would be split into " + std::to_string(count) + " parts");
  std::vector<int64_t> sizes(static_cast<size_t>(count), step);
  if (size % step != 0) sizes.back() = size % step;
  return sizes;
}

void split_to_sequence(WalkSite& site) {
  const ValueState& whole = site.input(0);
  const size_t axis = checked_axis(site, whole.dims.size());
  const auto split = site.has_input(1) ? site.ints(1) : std::nullopt;
  if (site.has_input(1) && !split) return;
  const std::vector<int64_t> sizes = part_sizes(whole.dims[axis], split, site.has_input(1) && site.input(1).dims.empty());
  const bool drops_axis = !site.has_input(1) && site.attributes().get_int("keepdims", 1) == 0;

  ValueState sequence = empty_composite(ValueKind::sequence, whole.dtype);
  std::vector<ValueState> parts;
  if (!sizes.empty()) {
    Attributes attributes;
    attributes.set("axis", static_cast<int64_t>(axis));
    ValueState lengths;
    lengths.defined = true;
    lengths.dtype = DType::int64;
    lengths.dims = {static_cast<int64_t>(sizes.size())};
    lengths.count = lengths.dims[0];
    lengths.size_bytes = lengths.count * 8;
    lengths.content = std::make_shared<const Tensor>(Tensor::ints(sizes));
    parts = site.run(attributes, {whole, std::move(lengths)}, sizes.size());
  }
  for (ValueState& part : parts) {
    if (drops_axis) {
      part.dims.erase(part.dims.begin() + static_cast<std::ptrdiff_t>(axis));
      if (part.content) part.content = std::make_shared<const Tensor>(part.dtype, part.dims, part.content->bytes(), part.content);
    }
    sequence.held.push_back(site.hold(std::move(part)));
  }
  site.give(0, std::move(sequence));
}

void concat_from_sequence(WalkSite& site) {
  std::vector<ValueState> parts;
  for (uint32_t id : site.input(0).held) parts.push_back(site.held(id));
  if (parts.empty()) throw Error(ErrorCode::invalid_argument, "the sequence is empty, so that the result has no shape");
  const bool stacked = site.attributes().get_int("new_axis", 0) != 0;
  const size_t rank = parts[0].dims.size(), axis = checked_axis(site, rank + stacked);
  if (stacked)
    for (ValueState& part : parts) {
      if (part.dims.size() != rank) throw Error(ErrorCode::invalid_argument, "the elements have different ranks, expected equal shapes");
      part.dims.insert(part.dims.begin() + static_cast<std::ptrdiff_t>(axis), 1);
      if (part.content) part.content = std::make_shared<const Tensor>(part.dtype, part.dims, part.content->bytes(), part.content);
    }
  Attributes attributes;
  attributes.set("axis", static_cast<int64_t>(axis));
  site.give(0, site.run(attributes, std::move(parts), 1).at(0));
}

}  // namespace

std::span<const WalkOp> part_walk_ops() {
  static constexpr WalkOp table[] = {{"ConcatFromSequence", concat_from_sequence, "Concat"}, {"SplitToSequence", split_to_sequence, "Split"}};
  return table;
}

}  // namespace ge

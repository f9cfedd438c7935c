// Optional, OptionalHasElement, OptionalGetElement (ONNX, opset 28): an optional is the list of one or no value that it
// holds. Identity (25) of what is no tensor.
#include "ge/executor/walk_ops.hpp"

namespace ge {
namespace {

bool holds(const ValueState& value) { return !is_optional(value.kind) || !value.held.empty(); }

/// Without an input, attribute "type" is "float32" or "sequence(float32)", maybe with dims behind the dtype.
void optional(WalkSite& site) {
  if (site.has_input(0)) {
    ValueState value = empty_composite(optional_of(site.input(0).kind), site.input(0).dtype);
    value.held.push_back(site.hold(site.input(0)));
    return site.give(0, std::move(value));
  }
  const std::string type = site.attributes().get_string("type", "");
  const size_t open = type.find('(');
  const std::string_view element = std::string_view(type).substr(open == std::string::npos ? 0 : open + 1);
  const auto dtype = dtype_from_name(element.substr(0, element.find_first_of("[)")));
  site.give(0, empty_composite(open == std::string::npos ? ValueKind::optional : ValueKind::optional_sequence, dtype.value_or(DType::undefined)));
}

void has_element(WalkSite& site) {
  const uint8_t answer = site.has_input(0) && holds(site.input(0));
  site.give_known(0, Tensor::from<uint8_t>(DType::boolean, {}, std::span(&answer, 1)));
}

void get_element(WalkSite& site) {
  const ValueState& value = site.input(0);
  if (!holds(value)) throw Error(ErrorCode::invalid_argument, "the optional holds nothing; ask OptionalHasElement first");
  site.give(0, is_optional(value.kind) ? site.held(value.held[0]) : value);
}

void identity(WalkSite& site) { site.give(0, site.input(0)); }

}  // namespace

std::span<const WalkOp> optional_walk_ops() {
  static constexpr WalkOp table[] = {{"Identity", identity, "Identity", true},
                                     {"Optional", optional},
                                     {"OptionalGetElement", get_element},
                                     {"OptionalHasElement", has_element}};
  return table;
}

}  // namespace ge

// Every registered op's inference on inputs it was not made for: unknown shapes and dtypes, absent inputs, absurd dims,
// elements and attributes. It may refuse or leave the outputs unknown; it may not crash or blame the library.
#include "ops/infer_case.hpp"

#include <random>

using namespace ge;
using namespace ge::testing;

namespace {

class Odd {
 public:
  Odd(SymbolTable& symbols, uint32_t seed) : symbols_(symbols), random_(seed) {}

  size_t below(size_t n) { return static_cast<size_t>(random_()) % n; }
  int64_t number() {
    static constexpr int64_t numbers[] = {0, 1, 2, 3, -1, -2, 7, 255, INT32_MAX, int64_t{INT32_MAX} + 1, INT64_MAX, INT64_MIN, INT64_MIN + 1, int64_t{1} << 40, -(int64_t{1} << 40)};
    return below(3) != 0 ? numbers[below(5)] : numbers[below(std::size(numbers))];
  }
  std::vector<int64_t> numbers() {
    std::vector<int64_t> list(below(6));
    for (int64_t& v : list) v = number();
    return list;
  }
  DType dtype(DTypeSet usual) {
    for (int tries = 0; tries < 60; ++tries)
      if (const auto type = static_cast<DType>(1 + below(dtype_count - 1)); below(40) == 0 || contains(usual, type)) return type;
    return below(2) == 0 ? DType::undefined : DType::float32;
  }
  Expr dim() {
    switch (below(5)) {
      case 0: return fresh({0, INT64_MAX});
      case 1: return symbols_.constant(std::max<int64_t>(0, number()));
      default: return symbols_.constant(static_cast<int64_t>(below(5)));
    }
  }
  /// Small tensors may have their elements, as bytes or as expressions.
  void input(InferCase& op, const Formal& formal) {
    if (below(10) == 0) return void(op.absent());
    const DType type = dtype(formal.types);
    if (formal.kinds != kinds::tensor && below(8) != 0) return void(op.typed(composite(formal.kinds, type)));
    if (below(5) == 0) return void(op.rankless(type));
    if (below(3) == 0 && bits_of(type) >= 8) return void(op.constant(tensor(type)));
    Shape shape;
    for (size_t rank = below(6); rank > 0; --rank) shape.push_back(dim());
    TensorType typed{type, shape, std::nullopt};
    if (shape.size() == 1 && below(2) == 0 && (type == DType::int64 || type == DType::int32)) {
      typed.values.emplace();
      for (size_t count = below(5); count > 0; --count) typed.values->push_back(below(3) == 0 ? fresh({INT64_MIN, INT64_MAX}) : symbols_.constant(number()));
      typed.shape = Shape{symbols_.constant(static_cast<int64_t>(typed.values->size()))};
    }
    op.typed(typed);
  }
  /// One of the kinds, with dims of which some differ.
  TensorType composite(KindSet allowed, DType type) {
    TensorType value{type, std::nullopt, std::nullopt, ValueKind::tensor};
    do value.kind = static_cast<ValueKind>(below(value_kind_count));
    while (!contains(allowed, value.kind));
    if (below(4) == 0) return value;
    value.shape.emplace();
    for (size_t rank = below(4); rank > 0; --rank) value.shape->push_back(!value.is_tensor() && below(3) == 0 ? Expr() : dim());
    return value;
  }
  Tensor tensor(DType type) {
    std::vector<int64_t> dims;
    for (size_t rank = below(3); rank > 0; --rank) dims.push_back(static_cast<int64_t>(below(4)));
    const auto count = static_cast<size_t>(*element_count(dims));
    if (type == DType::string) return Tensor::strings(dims, std::vector<std::string>(count, "s"));
    Tensor out = Tensor::zeros(type, dims);
    std::byte* data = out.mutable_data();
    const size_t each = static_cast<size_t>(bits_of(type)) / 8;
    for (size_t i = 0; i < count; ++i) {
      const int64_t value = number();
      std::memcpy(data + i * each, &value, std::min<size_t>(each, 8));
    }
    return out;
  }
  /// Usually of the kind that the op wants.
  AttributeValue attribute(const AttributeValue& sample) {
    if (below(12) == 0) return below(2) == 0 ? AttributeValue(number()) : AttributeValue(std::string("odd"));
    AttributeValue value = sample;
    if (auto* integer = std::get_if<int64_t>(&value)) *integer = number();
    else if (auto* real = std::get_if<float>(&value)) *real = static_cast<float>(number());
    else if (auto* list = std::get_if<std::vector<int64_t>>(&value)) *list = numbers();
    else if (auto* text = std::get_if<std::string>(&value)) *text = below(2) == 0 ? *text : "odd";
    return value;
  }

 private:
  Expr fresh(Bounds bounds) { return symbols_.symbol("s" + std::to_string(made_++), bounds); }

  SymbolTable& symbols_;
  std::minstd_rand random_;
  int made_ = 0;
};

/// One try; the message of a refusal, "" for none.
std::string infer_oddly(const OpSchema& schema, uint32_t seed) {
  SymbolTable symbols;
  Odd odd(symbols, seed);
  InferCase op(symbols, schema.name);
  const size_t most = std::min<size_t>(schema.max_inputs(), schema.inputs.size() + 2);
  const size_t inputs = odd.below(12) == 0 ? odd.below(most + 2) : std::min(schema.min_inputs() + odd.below(3), most);
  for (size_t i = 0; i < inputs; ++i) odd.input(op, i < most ? schema.input_formal(i) : Formal{});
  for (const AttributeRule& rule : schema.attributes)
    if (rule.required ? odd.below(20) != 0 : odd.below(2) == 0) op.set(rule.name, odd.attribute(rule.sample));
  const size_t outputs = std::min(schema.min_outputs() + odd.below(3), std::min<size_t>(schema.max_outputs(), 40));
  try {
    op.run(outputs);
    return "";
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) throw std::logic_error("an internal error: " + std::string(error.what()));
    return error.what();
  }
}

}  // namespace

TEST_CASE("no op's inference trusts its inputs or attributes", "[ops][CR-2][CR-10]") {
  size_t ops = 0, taken = 0;
  for (const Registered& item : op_schemas().list()) {
    const OpSchema& schema = op_schemas().at(item.key);
    if (!schema.domain.empty()) continue;
    ++ops;
    for (uint32_t seed = 1; seed <= 300; ++seed) {
      INFO(item.key << ", seed " << seed);
      std::string refusal;
      REQUIRE_NOTHROW(refusal = infer_oddly(schema, seed * 7919));
      taken += refusal.empty() ? 1 : 0;
    }
  }
  CHECK(ops > 100);
  CHECK(taken > ops * 30);
}

TEST_CASE("no op's inference needs a shape", "[ops][CR-2][CR-10]") {
  // The right dtypes, nothing else: no op may refuse for that, and none may know more than ranks.
  for (const Registered& item : op_schemas().list()) {
    const OpSchema& schema = op_schemas().at(item.key);
    if (!schema.domain.empty() || schema.control_flow != ControlFlow::none || schema.infer_fn == nullptr) continue;
    SymbolTable symbols;
    InferCase op(symbols, schema.name);
    std::map<std::string, DType> by_letter;
    for (size_t i = 0; i < schema.min_inputs(); ++i) {
      const Formal& formal = schema.input_formal(i);
      DType type = contains(formal.types, DType::float32) ? DType::float32 : contains(formal.types, DType::int64) ? DType::int64 : DType::boolean;
      for (unsigned t = 1; !contains(formal.types, type) && t < dtype_count; ++t) type = static_cast<DType>(t);
      if (!formal.type_var.empty()) type = by_letter.try_emplace(formal.type_var, type).first->second;
      ValueKind kind = ValueKind::tensor;
      while (!contains(formal.kinds, kind)) kind = static_cast<ValueKind>(static_cast<unsigned>(kind) + 1);
      op.typed({type, std::nullopt, std::nullopt, kind});
    }
    for (const AttributeRule& rule : schema.attributes)
      if (rule.required) op.set(rule.name, rule.sample);
    INFO(item.key);
    const std::string refusal = op.error(schema.min_outputs());
    // Resize needs one of two optional inputs; an attribute that is required and empty is refused by name.
    using Catch::Matchers::Contains;
    if (!refusal.empty()) CHECK_THAT(refusal, Contains("attribute") || Contains("equation") || Contains("neither of scales and sizes"));
  }
}

TEST_CASE("a list of a billion sizes is refused before its axes are made", "[ops][CR-2][CR-10]") {
  Symbols s;
  const int64_t huge = int64_t{1} << 30;
  const auto refused = [&](InferCase node) { return mentions(node.error(), {"1073741824 axes", "at most 256"}); };
  const auto list = [&](const char* op) { return s.op(op).in({s.N, 3}).in({huge}, DType::int64); };
  CHECK(refused(list("Reshape")));
  CHECK(refused(list("Expand")));
  CHECK(refused(s.op("Tile").rankless().in({huge}, DType::int64)));
  CHECK(refused(s.op("ConstantOfShape").in({huge}, DType::int64)));
  CHECK(mentions(list("Unsqueeze").error(), {"1073741826 axes", "at most 256"}));
}

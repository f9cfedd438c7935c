#pragma once
#include "ge/ops/schema.hpp"
#include "support/catch.hpp"

#include <map>
#include <string>
#include <vector>

namespace ge::testing {

/// A dim or an element: a number or an expression.
struct Term {
  Term(int v) : number(v) {}  // NOLINT(google-explicit-constructor): shapes are written as {N, 3, 4}
  Term(int64_t v) : number(v) {}  // NOLINT(google-explicit-constructor)
  Term(Expr e) : expr(e) {}  // NOLINT(google-explicit-constructor)
  int64_t number = 0;
  Expr expr;
  Expr in(SymbolTable& symbols) const { return expr ? expr : symbols.constant(number); }
};
using Terms = std::vector<Term>;

/// What inference gave.
struct Inferred {
  std::vector<TensorType> types;
  std::vector<Condition> conditions;
  std::vector<size_t> wanted;
  size_t unknowns = 0;

  /// "float32[N, 3]"
  std::string operator[](size_t i) const { return to_string(types.at(i)); }
  Expr dim(size_t i, size_t axis) const { return types.at(i).shape->at(axis); }
};

/// One node for inference, built input by input:
///   Symbols s; s.op("Reshape").in({s.N, 12}).values({s.N, -1}).text()
class InferCase {
 public:
  InferCase(SymbolTable& symbols, std::string op) : symbols_(symbols), op_(std::move(op)) {}

  InferCase& set(std::string_view name, AttributeValue value) { return attributes_.set(name, std::move(value)), *this; }
  InferCase& ints(std::string_view name, std::vector<int64_t> value) { return set(name, std::move(value)); }
  InferCase& typed(const TensorType& type) { return add(type, {}); }
  InferCase& in(const Terms& dims, DType dtype = DType::float32) { return add({dtype, shape(dims), std::nullopt}, {}); }
  /// An input of unknown rank.
  InferCase& rankless(DType dtype = DType::float32) { return add({dtype, std::nullopt, std::nullopt}, {}); }
  InferCase& absent() { return inputs_.push_back({false, {}, {}}), *this; }
  /// An integer list whose elements are known as expressions.
  InferCase& values(const Terms& elements, DType dtype = DType::int64) {
    return add({dtype, shape({static_cast<int64_t>(elements.size())}), shape(elements)}, {});
  }
  InferCase& scalar(Term element, DType dtype = DType::int64) { return add({dtype, Shape{}, shape({element})}, {}); }
  /// A constant, as the compiler hands it over: elements of small integer tensors as values too.
  InferCase& constant(Tensor tensor) {
    TensorType type{tensor.dtype(), constant_shape(symbols_, tensor.dims()), std::nullopt};
    return add(std::move(type), std::move(tensor));
  }
  InferCase& floats(std::vector<float> elements) {
    return constant(Tensor::from<float>(DType::float32, {static_cast<int64_t>(elements.size())}, std::span<const float>(elements)));
  }

  Inferred run(size_t outputs = 1) const {
    std::vector<InferContext::Input> inputs;
    for (const Input& input : inputs_)
      inputs.push_back(input.present ? InferContext::Input{&input.type, input.content ? &input.content : nullptr} : InferContext::Input{});
    InferContext context(symbols_, attributes_, inputs, std::vector<bool>(outputs, true));
    const OpSchema* schema = find_schema("", op_);
    if (schema == nullptr) throw Error(ErrorCode::unknown_name, "no op " + op_);
    check_and_infer(*schema, context);
    return {context.results(), context.conditions(), context.wanted(), context.unknowns().size()};
  }
  /// The type of output 0.
  TensorType type() const { return run().types[0]; }
  std::string text() const { return to_string(type()); }
  /// The message of the error that inference raises, "" when it raises none.
  std::string error(size_t outputs = 1) const {
    try {
      run(outputs);
    } catch (const Error& error) {
      return error.code() == ErrorCode::invalid_model ? error.what() : "(other code) " + std::string(error.what());
    }
    return "";
  }
  /// "Reshape(float32[N, 12], int64[2]{N, -1})"
  std::string describe() const {
    std::string text = op_ + "(";
    for (const Input& input : inputs_) text += (text.back() == '(' ? "" : ", ") + (input.present ? to_string(input.type) : "-");
    for (const auto& [name, value] : attributes_) text += ", " + name + "=" + to_string(value);
    return text + ")";
  }
  /// The same node with symbols replaced by numbers: dims, and elements, become constants.
  InferCase with(SymbolTable& symbols, const std::map<uint32_t, int64_t>& numbers) const {
    InferCase other(symbols, op_);
    other.attributes_ = attributes_;
    const auto replaced = [&](const std::vector<Expr>& exprs) {
      std::vector<Expr> out;
      for (Expr e : exprs) out.push_back(symbols.constant(value(e, numbers)));
      return out;
    };
    for (Input input : inputs_) {
      if (input.type.shape) input.type.shape = replaced(*input.type.shape);
      if (input.type.values) input.type.values = replaced(*input.type.values);
      other.inputs_.push_back(std::move(input));
    }
    return other;
  }
  static int64_t value(Expr e, const std::map<uint32_t, int64_t>& numbers) {
    const auto found = evaluate(e, [&](uint32_t id) -> std::optional<int64_t> {
      const auto it = numbers.find(id);
      return it == numbers.end() ? std::nullopt : std::optional(it->second);
    });
    if (!found) throw Error(ErrorCode::internal, "no value for " + to_string(e));
    return *found;
  }

 private:
  struct Input {
    bool present;
    TensorType type;
    Tensor content;
  };
  InferCase& add(TensorType type, Tensor content) { return inputs_.push_back({true, std::move(type), std::move(content)}), *this; }
  std::vector<Expr> shape(const Terms& terms) const {
    std::vector<Expr> out;
    for (const Term& term : terms) out.push_back(term.in(symbols_));
    return out;
  }

  SymbolTable& symbols_;
  std::string op_;
  Attributes attributes_;
  std::vector<Input> inputs_;
};

/// A symbol table with the dims that tests use.
struct Symbols {
  SymbolTable table;
  Expr N = table.symbol("N"), M = table.symbol("M"), H = table.symbol("H", {1, INT64_MAX}), W = table.symbol("W", {1, INT64_MAX});
  Expr any = table.symbol("any", {INT64_MIN, INT64_MAX});  ///< an element of a graph input
  InferCase op(std::string name) { return InferCase(table, std::move(name)); }
};

/// Whether every part stands in the text.
inline bool mentions(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (std::string_view part : parts)
    if (text.find(part) == std::string::npos) return false;
  return true;
}

}  // namespace ge::testing

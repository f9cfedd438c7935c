#pragma once
#include "ge/base/attributes.hpp"
#include "ge/base/shape.hpp"

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ge {

/// What inference assumed: `condition` is not 0 in every run. Checked by instantiate; `what` completes
/// "node 'x' (Op): …" in the error message.
struct Condition {
  Expr condition;
  std::string what;
};

/// What an op's inference function sees and fills. The same function serves the compiler, where dims are expressions,
/// and instantiate, where they are constants. One use, one thread.
///
/// What is not known makes an output unknown, never an error: the content of input `i` that is asked for and not there
/// is noted in wanted(), so that instantiate can wait for the value and ask again.
class GE_API InferContext {
 public:
  struct Input {
    const TensorType* type = nullptr;  ///< null: the optional input is absent
    const Tensor* content = nullptr;   ///< the bytes, where they are known
  };

  /// Keeps references; all must outlive the context. `outputs[i]` false: the optional output is not used.
  InferContext(SymbolTable& symbols, const Attributes& attributes, std::vector<Input> inputs, std::vector<bool> outputs);

  SymbolTable& symbols() const { return symbols_; }
  const Attributes& attributes() const { return attributes_; }

  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i].type != nullptr; }
  /// Throws Error(invalid_model) when input `i` is absent (so do dtype, shape, rank, dim).
  const TensorType& input(size_t i) const;
  DType dtype(size_t i) const { return input(i).dtype; }
  bool has_rank(size_t i) const { return input(i).has_rank(); }
  /// Throws Error(internal) when the rank is unknown: ask has_rank first.
  const Shape& shape(size_t i) const;
  size_t rank(size_t i) const { return shape(i).size(); }
  Expr dim(size_t i, size_t axis) const;

  /// The bytes of input `i` (any dtype); null, and noted as wanted, when they are not known. Also made from symbolic
  /// values that are all constants.
  const Tensor* content(size_t i);
  /// The elements of a small int32, int64 or bool input as expressions, also made from its bytes; null, and noted as
  /// wanted, when they are not known.
  const std::vector<Expr>* values(size_t i);
  /// The elements of a small integer input when all are constants; nullopt, and noted as wanted, otherwise.
  std::optional<std::vector<int64_t>> constant_ints(size_t i);
  /// Like values(), without noting: for ops that only pass values on.
  const std::vector<Expr>* values_if_known(size_t i) const;

  size_t output_count() const { return outputs_.size(); }
  bool has_output(size_t i) const { return i < outputs_.size() && wanted_outputs_[i]; }
  /// Setting an output that is not there does nothing.
  void set_output(size_t i, DType dtype, Shape shape);
  void set_output_unknown_rank(size_t i, DType dtype);
  void set_output(size_t i, const TensorType& type);
  /// Elements of output `i` (its shape must be set and constant, with as many elements). They are dropped, all of them,
  /// when there are more than max_symbolic_values, when one is null, or when the bounds of one do not fit the dtype.
  void set_values(size_t i, std::vector<Expr> values);

  Expr constant(int64_t value) const { return symbols_.constant(value); }
  /// A fresh symbol that nothing binds yet.
  Expr unknown_dim();
  /// A shape of `rank` fresh unknown dims. Throws Error(invalid_model) beyond max_unknown_rank: a rank may be the length of
  /// a list in a hostile file.
  Shape unknown_shape(size_t rank);
  static constexpr size_t max_unknown_rank = 256;

  /// Records an assumption; throws Error(invalid_model) when it is known to be false.
  void require(Expr condition, std::string what);
  /// The same with a text that is built only where it is needed: `describe()` returns it.
  template <class Describe>
    requires std::is_invocable_v<Describe>
  void require(Expr condition, Describe&& describe) {
    if (!known_true(condition)) require(condition, std::string(describe()));
  }
  [[noreturn]] void fail(const std::string& what) const;

  /// `axis` as 0..rank-1; throws Error(invalid_model) when it is out of -rank..rank-1.
  size_t axis(int64_t axis, size_t rank) const;
  /// Bidirectional numpy broadcasting of two shapes, with its conditions (ONNX "Broadcasting").
  Shape broadcast(const Shape& a, const Shape& b);

  // For the caller of an inference function.
  const std::vector<TensorType>& results() const { return outputs_; }
  const std::vector<Condition>& conditions() const { return conditions_; }
  /// Inputs whose content was asked for and is not known, sorted, unique.
  const std::vector<size_t>& wanted() const { return wanted_; }
  /// Symbols made by unknown_dim().
  const std::vector<Expr>& unknowns() const { return unknowns_; }

 private:
  void want(size_t i);

  SymbolTable& symbols_;
  const Attributes& attributes_;
  std::vector<Input> inputs_;
  std::vector<Tensor> made_;  ///< content made from constant values, by input
  mutable std::vector<std::vector<Expr>> made_values_;  ///< values made from content, by input
  std::vector<bool> wanted_outputs_;
  std::vector<TensorType> outputs_;
  std::vector<Condition> conditions_;
  std::vector<size_t> wanted_;
  std::vector<Expr> unknowns_;
};

}  // namespace ge

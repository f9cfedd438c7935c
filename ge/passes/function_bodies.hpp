#pragma once
#include "ge/base/registry.hpp"
#include "ge/graph/graph.hpp"

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// What an op computes, said in other ops. The pass expand_functions puts the body in place of every node whose op no
/// linked kernel runs; a kernel registered later takes the op whole, and its body is not used.
namespace ge {

class FunctionBody;

/// A value while a body is built. Arithmetic adds nodes, and a number takes the dtype of the other operand:
/// `body.op("Sigmoid", {x * 1.702}) * x`. An absent input is an empty term.
class GE_API Term {
 public:
  Term() = default;
  Term(FunctionBody& body, OutputRef ref) : body_(&body), ref_(ref) {}

  explicit operator bool() const { return static_cast<bool>(ref_); }
  OutputRef ref() const { return ref_; }
  /// Throws Error(internal) for an empty term: a body asked something of an input that is absent.
  FunctionBody& body() const;
  DType dtype() const;
  /// Throws Error(unsupported) when it is not known: bodies whose form depends on the rank need it.
  size_t rank() const;

 private:
  FunctionBody* body_ = nullptr;
  OutputRef ref_;
};

GE_API Term operator+(Term a, Term b);
GE_API Term operator-(Term a, Term b);
GE_API Term operator*(Term a, Term b);
GE_API Term operator/(Term a, Term b);
GE_API Term operator+(Term a, double b);
GE_API Term operator-(Term a, double b);
GE_API Term operator*(Term a, double b);
GE_API Term operator/(Term a, double b);
GE_API Term operator-(double a, Term b);
GE_API Term operator/(double a, Term b);

/// An attribute of a node of the body: {"axis", 1}.
struct Setting {
  Setting(const char* name_in, int value_in) : name(name_in), value(int64_t{value_in}) {}
  Setting(const char* name_in, int64_t value_in) : name(name_in), value(value_in) {}
  Setting(const char* name_in, float value_in) : name(name_in), value(value_in) {}
  Setting(const char* name_in, const char* value_in) : name(name_in), value(std::string(value_in)) {}
  Setting(const char* name_in, std::vector<int64_t> value_in) : name(name_in), value(std::move(value_in)) {}
  Setting(const char* name_in, Tensor value_in) : name(name_in), value(std::move(value_in)) {}
  const char* name;
  AttributeValue value;
};
using Settings = std::initializer_list<Setting>;

/// One dim of a shape that a body asks for: a number, or an int64 tensor of any number of dims.
struct Size {
  Size(int number_in) : number(number_in) {}        // NOLINT: so that {batch, 3, -1} reads as dims
  Size(int64_t number_in) : number(number_in) {}    // NOLINT
  Size(Term dims_in) : number(0), dims(dims_in) {}  // NOLINT
  int64_t number;
  Term dims;
};

/// Builds the body of one node into the node's graph. What is added changes nothing until the pass replaces the node.
/// New nodes are named "<node>/<label or op>". Types of what is added are inferred at once, except behind a loop, of
/// which only the dtypes are known. One use, one thread.
class GE_API FunctionBody {
 public:
  /// The body of that node, whose op has the schema.
  FunctionBody(Graph& graph, NodeId node);
  /// A part of another body that is a subgraph (of a loop, a branch).
  FunctionBody(Graph& subgraph, const FunctionBody& outer);

  // The node. ---------------------------------------------------------------------------------------------------
  const std::string& name() const { return name_; }
  Graph& graph() const { return graph_; }
  bool has(size_t input) const { return input < inputs_.size() && inputs_[input]; }
  bool has_attribute(std::string_view name) const { return attributes_.has(name); }
  /// Empty when the optional input is absent.
  Term in(size_t input) { return has(input) ? Term(*this, inputs_[input]) : Term(); }
  /// Whether somebody may read that output.
  bool wants(size_t output) const { return output < wanted_.size() && wanted_[output]; }
  // Attributes; where they are absent, the defaults of the schema. Throws Error(invalid_model) when there is none.
  int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  std::string word(std::string_view name) const;
  std::vector<int64_t> integers(std::string_view name) const;
  /// The dtype that an int attribute numbers.
  DType dtype_of(std::string_view name) const;

  // Ops. --------------------------------------------------------------------------------------------------------
  /// The next node is named "<node>/<label>".
  FunctionBody& label(std::string_view label);
  Term op(std::string_view op, std::vector<Term> inputs, Settings settings = {});
  std::vector<Term> ops(std::string_view op, std::vector<Term> inputs, size_t outputs, Settings settings = {});
  Term constant(Tensor value);
  Term ints(std::vector<int64_t> values);
  Term scalar(int64_t value);  ///< int64, rank 0
  Term scalar(double value, DType dtype);
  /// The same value where it has that dtype already.
  Term cast(Term x, DType dtype);

  // Shapes. -----------------------------------------------------------------------------------------------------
  /// All dims; dim `axis` (which may be negative) as a tensor of one element; dims first..last-1.
  Term shape(Term x);
  Term dim(Term x, int64_t axis);
  Term dims(Term x, int64_t first, int64_t last);
  /// An int64 tensor of these dims.
  Term sizes(std::vector<Size> sizes);
  /// A size of 0 is a size of 0; -1 (at most one, and no 0 beside it) is what is left.
  Term reshape(Term x, std::vector<Size> sizes);
  Term expand(Term x, std::vector<Size> sizes) { return op("Expand", {x, this->sizes(std::move(sizes))}); }
  Term transpose(Term x, std::vector<int64_t> perm) { return op("Transpose", {x}, {{"perm", std::move(perm)}}); }
  Term unsqueeze(Term x, std::vector<int64_t> axes) { return op("Unsqueeze", {x, ints(std::move(axes))}); }
  Term squeeze(Term x, std::vector<int64_t> axes) { return op("Squeeze", {x, ints(std::move(axes))}); }
  Term concat(std::vector<Term> parts, int64_t axis) { return op("Concat", std::move(parts), {{"axis", axis}}); }
  /// x[start:end:step] along one axis.
  Term slice(Term x, int64_t axis, Size start, Size end, int64_t step = 1);
  /// The number of elements that these dims say, as a tensor of one element.
  Term product(Term dims) { return op("ReduceProd", {dims, ints({0})}); }
  /// 0, 1, …, n-1 (int64), n being a tensor of one element.
  Term count_to(Term n);
  /// Over these axes, kept with size 1.
  Term reduce(std::string_view op, Term x, std::vector<int64_t> axes, bool keep = true);

  /// ONNX Loop: `fill(inner, iteration, carried, captures)` adds one iteration to the subgraph and gives the next carried
  /// values, then what is collected. Gives the carried values at the end, then the collected ones, stacked along axis 0.
  using LoopFn = std::function<std::vector<Term>(FunctionBody& inner, Term iteration, const std::vector<Term>& carried, const std::vector<Term>& captures)>;
  std::vector<Term> loop(Term trips, std::vector<Term> carried, std::vector<Term> captures, const LoopFn& fill);
  /// ONNX If: each function adds one branch to a subgraph and gives as many outputs, of the same dtypes.
  using BranchFn = std::function<std::vector<Term>(FunctionBody& inner, const std::vector<Term>& captures)>;
  std::vector<Term> branch(Term condition, std::vector<Term> captures, const BranchFn& then, const BranchFn& otherwise);

 private:
  friend class Term;
  std::vector<Term> add(NodeSpec spec, size_t outputs);
  Term input_of(const std::string& name, TensorType type);
  /// A node with subgraphs, whose outputs are of these dtypes.
  std::vector<Term> add_owner(NodeSpec spec, const std::vector<DType>& dtypes);
  const AttributeValue* attribute(std::string_view name) const;

  Graph& graph_;
  std::string name_, op_, domain_, label_;
  Attributes attributes_;
  std::vector<OutputRef> inputs_;
  std::vector<bool> wanted_;
};

/// Adds the body and gives what the node's outputs are in it, in order; outputs that are not wanted may be empty terms,
/// and missing at the end.
using BodyFn = std::vector<Term> (*)(FunctionBody&);

struct FunctionBodyEntry {
  BodyFn build = nullptr;
};
GE_DECLARE_REGISTRY(function_bodies, FunctionBodyEntry);

/// An end of slices that reaches behind any dim.
inline constexpr int64_t to_the_end = INT64_MAX;

/// float32 for the types of 16 bits, in which steps would be rounded; else the dtype itself.
constexpr DType wide_float(DType dtype) { return dtype == DType::float16 || dtype == DType::bfloat16 ? DType::float32 : dtype; }

}  // namespace ge

/// REGISTER_FUNCTION_BODY("", "SwiGLU", "Swish(a) * b", build_swiglu);
#define REGISTER_FUNCTION_BODY(domain, op, doc, build) \
  GE_REGISTER(::ge::function_bodies, (*(domain) ? std::string(domain) + "::" + (op) : std::string(op)), doc, ::ge::FunctionBodyEntry{build})

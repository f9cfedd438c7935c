#pragma once
#include "ge/base/registry.hpp"
#include "ge/ops/infer_context.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ge {

/// A formal input or output. `type_var` ties dtypes together: all with one letter have one dtype.
struct Formal {
  std::string name;
  DTypeSet types = dtypes::all;
  std::string type_var;
  bool optional = false;
  bool variadic = false;  ///< only the last: takes the rest, at least one
  KindSet kinds = kinds::tensor;  ///< for others than tensors, `types` and `type_var` are about the tensors inside
};

/// An attribute an op takes. `sample` has its kind, and its default where `has_default`.
struct AttributeRule {
  std::string name;
  AttributeValue sample;
  bool required = false;
  bool has_default = false;
};

enum class ControlFlow : uint8_t { none, branch, loop, map };

using InferFn = void (*)(InferContext&);

/// What is known of an op: its newest version's inputs, outputs, attributes and inference. Import rewrites every node to
/// this version, so everything later knows one version per op. Plain data, immutable after registration.
struct GE_API OpSchema {
  std::string domain;  ///< "" is ai.onnx
  std::string name;
  int64_t version = 1;  ///< opset that introduced this form
  std::string doc;
  std::vector<Formal> inputs;
  std::vector<Formal> outputs;
  std::vector<AttributeRule> attributes;
  std::vector<std::string> subgraphs;  ///< names, in order ("then_branch", "else_branch")
  std::vector<size_t> content_inputs;  ///< inputs whose elements decide output shapes or the kernel's preparation
  ControlFlow control_flow = ControlFlow::none;
  bool deterministic = true;  ///< false: never folded or merged (random generators)
  bool by_walk = false;       ///< done while a program is instantiated (ge/executor/walk_ops.hpp): has no kernel of its own
  InferFn infer_fn = nullptr;

  // Builder: each returns *this, so that a registration reads as one sentence.
  OpSchema& in(std::string n, DTypeSet types = dtypes::all, std::string type_var = "");
  OpSchema& optional_in(std::string n, DTypeSet types = dtypes::all, std::string type_var = "");
  OpSchema& variadic_in(std::string n, DTypeSet types = dtypes::all, std::string type_var = "");
  OpSchema& out(std::string n, DTypeSet types = dtypes::all, std::string type_var = "");
  OpSchema& optional_out(std::string n, DTypeSet types = dtypes::all, std::string type_var = "");
  OpSchema& variadic_out(std::string n, DTypeSet types = dtypes::all, std::string type_var = "");
  /// An attribute with a default.
  OpSchema& attribute(std::string n, AttributeValue by_default);
  /// An attribute that may be absent; `sample` only tells the kind (use int64_t{}, float{}, std::vector<int64_t>{}, …).
  OpSchema& optional_attribute(std::string n, AttributeValue sample);
  OpSchema& required_attribute(std::string n, AttributeValue sample);
  OpSchema& subgraph(std::string n);
  OpSchema& content(size_t input);
  OpSchema& control(ControlFlow kind);
  OpSchema& nondeterministic();
  /// What the formal added last takes besides its dtypes.
  OpSchema& of(KindSet kinds);
  OpSchema& done_by_walk();
  OpSchema& infer(InferFn fn);

  size_t min_inputs() const;
  size_t max_inputs() const;  ///< SIZE_MAX when variadic
  size_t min_outputs() const;
  size_t max_outputs() const;
  /// The formal that actual input `i` belongs to (the variadic one for the rest).
  const Formal& input_formal(size_t i) const;
  const Formal& output_formal(size_t i) const;
  const AttributeRule* find_attribute(std::string_view n) const;
  bool needs_content(size_t input) const;
};

/// "Conv" for domain "", else "domain::Op".
GE_API std::string op_key(std::string_view domain, std::string_view name);

GE_DECLARE_REGISTRY(op_schemas, OpSchema);
/// Null when the op is not linked in. Thread-safe.
GE_API const OpSchema* find_schema(std::string_view domain, std::string_view name);

/// Checks arity, dtypes, type variables and attributes of a node against its schema, then runs inference. Throws
/// Error(invalid_model) with what was found and expected; the caller adds the node's name.
GE_API void check_and_infer(const OpSchema& schema, InferContext& context);

/// Fills domain, name, version and doc of a schema under construction.
GE_API OpSchema make_schema(std::string domain, std::string name, int64_t version, std::string doc, OpSchema rest);

}  // namespace ge

/// REGISTER_OP("", "Relu", 14, "max(x, 0)", OpSchema().in("X").out("Y").infer(infer_relu));
#define REGISTER_OP(domain, name, version, doc, ...) \
  GE_REGISTER(::ge::op_schemas, ::ge::op_key(domain, name), doc, ::ge::make_schema(domain, name, version, doc, __VA_ARGS__))

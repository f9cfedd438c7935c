#include "ge/passes/function_bodies.hpp"

#include "ge/ops/schema.hpp"

namespace ge {

GE_DEFINE_REGISTRY(function_bodies, FunctionBodyEntry, "function body")

FunctionBody& Term::body() const {
  if (body_ == nullptr) throw Error(ErrorCode::internal, "a body asks something of an input that is absent; it has to look with has() first");
  return *body_;
}

DType Term::dtype() const { return body().graph_.type(ref_).dtype; }

size_t Term::rank() const {
  const TensorType& type = body().graph_.type(ref_);
  if (!type.has_rank())
    throw Error(ErrorCode::unsupported, "the rank of '" + body().graph_.tensor_name(ref_) +
                                            "' is not known, and what the op is made of depends on it; give the model's inputs their ranks");
  return type.rank();
}

Term operator+(Term a, Term b) { return a.body().op("Add", {a, b}); }
Term operator-(Term a, Term b) { return a.body().op("Sub", {a, b}); }
Term operator*(Term a, Term b) { return a.body().op("Mul", {a, b}); }
Term operator/(Term a, Term b) { return a.body().op("Div", {a, b}); }
Term operator+(Term a, double b) { return a + a.body().scalar(b, a.dtype()); }
Term operator-(Term a, double b) { return a - a.body().scalar(b, a.dtype()); }
Term operator*(Term a, double b) { return a * a.body().scalar(b, a.dtype()); }
Term operator/(Term a, double b) { return a / a.body().scalar(b, a.dtype()); }
Term operator-(double a, Term b) { return b.body().scalar(a, b.dtype()) - b; }
Term operator/(double a, Term b) { return b.body().scalar(a, b.dtype()) / b; }

FunctionBody::FunctionBody(Graph& graph, NodeId id) : graph_(graph) {
  const Node& node = graph.node(id);
  name_ = node.name();
  op_ = node.op();
  domain_ = node.domain();
  attributes_ = node.attributes();
  inputs_.assign(node.inputs().begin(), node.inputs().end());
  for (const NodeOutput& output : node.outputs()) wanted_.push_back(!output.name.empty());
}

FunctionBody::FunctionBody(Graph& subgraph, const FunctionBody& outer)
    : graph_(subgraph), name_(outer.name_), op_(outer.op_), domain_(outer.domain_), attributes_(outer.attributes_) {}

const AttributeValue* FunctionBody::attribute(std::string_view name) const {
  if (const AttributeValue* value = attributes_.find(name)) return value;
  const OpSchema* schema = find_schema(domain_, op_);
  const AttributeRule* rule = schema == nullptr ? nullptr : schema->find_attribute(name);
  if (rule == nullptr || !rule->has_default) throw Error(ErrorCode::invalid_model, "attribute '" + std::string(name) + "' is missing");
  return &rule->sample;
}

int64_t FunctionBody::integer(std::string_view name) const {
  Attributes one;
  one.set(name, *attribute(name));
  return one.need_int(name);
}

double FunctionBody::real(std::string_view name) const {
  Attributes one;
  one.set(name, *attribute(name));
  return static_cast<double>(one.get_float(name, 0));
}

std::string FunctionBody::word(std::string_view name) const {
  Attributes one;
  one.set(name, *attribute(name));
  return one.get_string(name, "");
}

std::vector<int64_t> FunctionBody::integers(std::string_view name) const {
  Attributes one;
  one.set(name, *attribute(name));
  return one.get_ints(name);
}

DType FunctionBody::dtype_of(std::string_view name) const {
  const int64_t number = integer(name);
  if (const auto dtype = dtype_from_onnx(number)) return *dtype;
  throw Error(ErrorCode::invalid_model, "attribute '" + std::string(name) + "' is " + std::to_string(number) + ", which is no data type");
}

FunctionBody& FunctionBody::label(std::string_view label) {
  label_ = label;
  return *this;
}

/// Infers the types of a node just added, so that the body can go on by them.
static void infer_node(Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const OpSchema* schema = find_schema(node.domain(), node.op());
  if (schema == nullptr)
    throw Error(ErrorCode::unknown_name, "op '" + op_key(node.domain(), node.op()) + "' is not known; link the component that has it");
  if (schema->control_flow != ControlFlow::none) return;
  std::vector<InferContext::Input> inputs;
  for (OutputRef ref : node.inputs()) inputs.push_back(ref ? InferContext::Input{&graph.type(ref), graph.constant_value(ref)} : InferContext::Input{});
  InferContext context(graph.symbols(), node.attributes(), std::move(inputs), std::vector<bool>(node.outputs().size(), true));
  in_context([&] { return "adding node '" + node.name() + "' (" + node.op() + ")"; }, [&] { check_and_infer(*schema, context); });
  for (uint32_t i = 0; i < context.results().size(); ++i) graph.set_type({id, i}, context.results()[i]);
}

std::vector<Term> FunctionBody::add(NodeSpec spec, size_t outputs) {
  spec.name = name_ + "/" + (label_.empty() ? spec.op : label_);
  label_.clear();
  for (size_t i = 0; i < outputs; ++i) spec.outputs.push_back(outputs == 1 ? spec.name : spec.name + ":" + std::to_string(i));
  const NodeId id = graph_.add_node(std::move(spec));
  for (uint32_t i = 0; i < outputs; ++i)  // as unique as the node's
    graph_.set_output_name({id, i}, outputs == 1 ? graph_.node(id).name() : graph_.node(id).name() + ":" + std::to_string(i));
  infer_node(graph_, id);
  std::vector<Term> terms;
  for (uint32_t i = 0; i < outputs; ++i) terms.emplace_back(*this, OutputRef{id, i});
  return terms;
}

static std::vector<OutputRef> refs_of(const std::vector<Term>& terms) {
  std::vector<OutputRef> refs;
  for (const Term& term : terms) refs.push_back(term.ref());
  return refs;
}

std::vector<Term> FunctionBody::ops(std::string_view op, std::vector<Term> inputs, size_t outputs, Settings settings) {
  NodeSpec spec;
  spec.op = op;
  spec.inputs = refs_of(inputs);
  for (const Setting& setting : settings) spec.attributes.set(setting.name, setting.value);
  return add(std::move(spec), outputs);
}

Term FunctionBody::op(std::string_view op, std::vector<Term> inputs, Settings settings) {
  return ops(op, std::move(inputs), 1, settings).front();
}

Term FunctionBody::constant(Tensor value) {
  const std::string name = name_ + "/" + (label_.empty() ? "constant" : label_);
  label_.clear();
  return {*this, graph_.add_constant(name, std::move(value))};
}

Term FunctionBody::ints(std::vector<int64_t> values) { return constant(Tensor::ints(values)); }
Term FunctionBody::scalar(int64_t value) { return constant(Tensor::scalar(value)); }

Term FunctionBody::scalar(double value, DType dtype) {
  const auto made = [&](auto element) { return constant(Tensor::from(dtype, {}, std::span<const decltype(element)>(&element, 1))); };
  switch (dtype) {
    case DType::float64: return made(value);
    case DType::float32: return made(static_cast<float>(value));
    case DType::int64: return made(static_cast<int64_t>(value));
    case DType::boolean: return made(static_cast<uint8_t>(value != 0));
    default: return cast(scalar(value, DType::float64), dtype);
  }
}

Term FunctionBody::cast(Term x, DType dtype) {
  if (x.dtype() == dtype) return x;
  return op("Cast", {x}, {{"to", static_cast<int64_t>(dtype)}});
}

Term FunctionBody::shape(Term x) { return op("Shape", {x}); }

Term FunctionBody::dims(Term x, int64_t first, int64_t last) { return op("Shape", {x}, {{"start", first}, {"end", last}}); }

Term FunctionBody::dim(Term x, int64_t axis) {
  // Shape counts an absent end as "to the last", which is what follows axis -1.
  return axis == -1 ? op("Shape", {x}, {{"start", -1}}) : dims(x, axis, axis + 1);
}

Term FunctionBody::sizes(std::vector<Size> sizes) {
  std::vector<Term> parts;
  std::vector<int64_t> numbers;
  const auto flush = [&] {
    if (!numbers.empty()) parts.push_back(ints(std::exchange(numbers, {})));
  };
  for (const Size& size : sizes) {
    if (!size.dims) {
      numbers.push_back(size.number);
      continue;
    }
    flush();
    parts.push_back(size.dims);
  }
  if (parts.empty() || !numbers.empty()) parts.push_back(ints(std::move(numbers)));
  return parts.size() == 1 ? parts[0] : concat(std::move(parts), 0);
}

Term FunctionBody::reshape(Term x, std::vector<Size> wanted) {
  bool rest = false;
  for (const Size& size : wanted) rest |= !size.dims && size.number == -1;
  return op("Reshape", {x, sizes(std::move(wanted))}, {{"allowzero", rest ? 0 : 1}});
}

Term FunctionBody::slice(Term x, int64_t axis, Size start, Size end, int64_t step) {
  return op("Slice", {x, sizes({start}), sizes({end}), ints({axis}), ints({step})});
}

Term FunctionBody::count_to(Term n) { return op("Range", {scalar(int64_t{0}), squeeze(n, {0}), scalar(int64_t{1})}); }

Term FunctionBody::reduce(std::string_view name, Term x, std::vector<int64_t> axes, bool keep) {
  return op(name, {x, ints(std::move(axes))}, {{"keepdims", keep ? 1 : 0}});
}

/// An input of this graph, which is a subgraph.
Term FunctionBody::input_of(const std::string& name, TensorType type) {
  type.values.reset();
  return {*this, graph_.add_input(name_ + "/" + name, std::move(type))};
}

std::vector<Term> FunctionBody::add_owner(NodeSpec spec, const std::vector<DType>& dtypes) {
  std::vector<Term> outputs = add(std::move(spec), dtypes.size());
  for (size_t i = 0; i < outputs.size(); ++i) graph_.set_type(outputs[i].ref(), {dtypes[i], std::nullopt, std::nullopt});
  return outputs;
}

/// Makes these the outputs of a subgraph and gives their dtypes.
static std::vector<DType> finish(Graph& sub, const std::vector<Term>& results) {
  std::vector<std::string> names;
  std::vector<DType> dtypes;
  for (const Term& result : results) {
    names.push_back(sub.tensor_name(result.ref()));
    dtypes.push_back(result.dtype());
  }
  sub.set_outputs(refs_of(results), std::move(names));
  return dtypes;
}

std::vector<Term> FunctionBody::loop(Term trips, std::vector<Term> carried, std::vector<Term> captures, const LoopFn& fill) {
  Graph& sub = graph_.add_subgraph(name_ + "/loop");
  FunctionBody inner(sub, *this);
  const Term iteration = inner.input_of("iteration", {DType::int64, Shape{}, std::nullopt});
  const Term condition = inner.input_of("condition", {DType::boolean, Shape{}, std::nullopt});
  std::vector<Term> inside, captured;
  for (const Term& term : carried) inside.push_back(inner.input_of("carried", graph_.type(term.ref())));
  for (const Term& term : captures) captured.push_back(inner.input_of("captured", graph_.type(term.ref())));
  std::vector<Term> results = fill(inner, iteration, inside, captured);
  results.insert(results.begin(), condition);
  std::vector<DType> dtypes = finish(sub, results);
  dtypes.erase(dtypes.begin());

  NodeSpec spec;
  spec.op = "Loop";
  spec.inputs = {trips.ref(), OutputRef{}};
  for (const std::vector<Term>* terms : {&carried, &captures})
    for (const Term& term : *terms) spec.inputs.push_back(term.ref());
  spec.attributes.set("_carried", static_cast<int64_t>(carried.size()));
  spec.subgraphs = {sub.id()};
  return add_owner(std::move(spec), dtypes);
}

std::vector<Term> FunctionBody::branch(Term condition, std::vector<Term> captures, const BranchFn& then, const BranchFn& otherwise) {
  NodeSpec spec;
  spec.op = "If";
  spec.inputs = {condition.ref()};
  for (const Term& term : captures) spec.inputs.push_back(term.ref());
  std::vector<DType> dtypes;
  for (const BranchFn* fill : {&then, &otherwise}) {
    Graph& sub = graph_.add_subgraph(name_ + (fill == &then ? "/then" : "/else"));
    FunctionBody inner(sub, *this);
    std::vector<Term> captured;
    for (const Term& term : captures) captured.push_back(inner.input_of("captured", graph_.type(term.ref())));
    dtypes = finish(sub, (*fill)(inner, captured));
    spec.subgraphs.push_back(sub.id());
  }
  return add_owner(std::move(spec), dtypes);
}

}  // namespace ge

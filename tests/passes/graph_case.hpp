#pragma once
#include "ge/graph/infer.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/run_passes.hpp"

#include <initializer_list>
#include <variant>

namespace ge::testing {

/// A dim in a test: a number or the name of a symbol.
struct Dim {
  Dim(int size) : size_or_name(size) {}                  // NOLINT: so that {2, "N"} reads as dims
  Dim(const char* name) : size_or_name(std::string(name)) {}  // NOLINT
  std::variant<int, std::string> size_or_name;
};

inline Attributes attributes(std::initializer_list<std::pair<const char*, AttributeValue>> items) {
  Attributes out;
  for (const auto& [name, value] : items) out.set(name, value);
  return out;
}

/// Builds nodes into one graph: the root or a subgraph.
class GraphBuild {
 public:
  explicit GraphBuild(Graph& into) : graph(into) {}
  Graph& graph;

  OutputRef input(std::string name, std::vector<Dim> dims = {}, DType dtype = DType::float32) {
    Shape shape;
    for (const Dim& dim : dims) shape.push_back(size(dim));
    return graph.add_input(std::move(name), {dtype, std::move(shape), std::nullopt});
  }
  OutputRef input_of_unknown_rank(std::string name, DType dtype = DType::float32) {
    return graph.add_input(std::move(name), {dtype, std::nullopt, std::nullopt});
  }
  OutputRef constant(Tensor value) { return graph.add_constant("c", std::move(value)); }
  OutputRef scalar(float value) { return constant(Tensor::from<float>(DType::float32, {}, std::span<const float>(&value, 1))); }
  OutputRef filled(std::vector<int64_t> dims, float value) {
    const std::vector<float> values(static_cast<size_t>(*element_count(dims)), value);
    return constant(Tensor::from<float>(DType::float32, dims, std::span<const float>(values)));
  }
  OutputRef ints(std::vector<int64_t> values) { return constant(Tensor::ints(values)); }
  OutputRef boolean(bool value) {
    const uint8_t byte = value;
    return constant(Tensor::from<uint8_t>(DType::boolean, {}, std::span<const uint8_t>(&byte, 1)));
  }
  OutputRef op(std::string type, std::vector<OutputRef> inputs, Attributes attrs = {}, size_t outputs = 1) {
    NodeSpec spec;
    spec.op = std::move(type);
    spec.inputs = std::move(inputs);
    spec.attributes = std::move(attrs);
    for (size_t i = 0; i < outputs; ++i) spec.outputs.push_back("t" + std::to_string(graph.node_count()) + "_" + std::to_string(i));
    return {graph.add_node(std::move(spec)), 0};
  }
  /// Names them out0, out1, …
  void outputs(std::vector<OutputRef> refs) {
    std::vector<std::string> names;
    for (size_t i = 0; i < refs.size(); ++i) names.push_back("out" + std::to_string(i));
    graph.set_outputs(std::move(refs), std::move(names));
  }
  /// If: each of `fill` builds one branch, in which captures are inputs named c0, c1, … (types are inferred).
  template <class Then, class Else>
  OutputRef branch(OutputRef predicate, std::vector<OutputRef> captures, Then fill_then, Else fill_else, size_t outputs = 1) {
    Graph& then_graph = graph.add_subgraph("then");
    Graph& else_graph = graph.add_subgraph("else");
    fill(then_graph, captures.size(), fill_then);
    fill(else_graph, captures.size(), fill_else);
    return owner("If", {predicate}, captures, {}, {then_graph.id(), else_graph.id()}, outputs);
  }
  /// Loop without trip count and condition inputs where they are none; the body's inputs are c0 (iteration), c1
  /// (condition), then carried values and captures.
  template <class Body>
  OutputRef loop(OutputRef trips, OutputRef condition, std::vector<OutputRef> carried, std::vector<OutputRef> captures, Body fill_body) {
    Graph& body = graph.add_subgraph("body");
    fill(body, 2 + carried.size() + captures.size(), fill_body);
    std::vector<OutputRef> first{trips, condition};
    first.insert(first.end(), carried.begin(), carried.end());
    const Attributes attrs = attributes({{"_carried", static_cast<int64_t>(carried.size())}});
    return owner("Loop", first, captures, attrs, {body.id()}, body.outputs().size() - 1);
  }

 private:
  Expr size(const Dim& dim) {
    SymbolTable& symbols = graph.symbols();
    if (const int* number = std::get_if<int>(&dim.size_or_name)) return symbols.constant(*number);
    const std::string& name = std::get<std::string>(dim.size_or_name);
    const Expr known = symbols.find_symbol(name);
    return known ? known : symbols.symbol(name, {1, INT64_MAX});
  }
  template <class Fill>
  void fill(Graph& sub, size_t inputs, Fill fill_sub) {
    GraphBuild build(sub);
    std::vector<OutputRef> refs;
    for (size_t i = 0; i < inputs; ++i) refs.push_back(build.input_of_unknown_rank("c" + std::to_string(i)));
    build.outputs(fill_sub(build, refs));
  }
  OutputRef owner(const char* type, std::vector<OutputRef> inputs, const std::vector<OutputRef>& captures, Attributes attrs,
                  std::vector<GraphId> subgraphs, size_t outputs) {
    NodeSpec spec;
    spec.op = type;
    spec.inputs = std::move(inputs);
    spec.inputs.insert(spec.inputs.end(), captures.begin(), captures.end());
    spec.attributes = std::move(attrs);
    spec.subgraphs = std::move(subgraphs);
    for (size_t i = 0; i < outputs; ++i) spec.outputs.push_back("t" + std::to_string(graph.node_count()) + "_" + std::to_string(i));
    return {graph.add_node(std::move(spec)), 0};
  }
};

/// "Add(x, 2)": what a value is computed from. Constants print their elements, or dtype and dims when they are many;
/// an absent input is "_", output 1 of a node "Split(x).1".
inline std::string text(const Graph& graph, OutputRef ref);

/// "Relu(x); Exp(y)": the outputs of a graph.
inline std::string text(const Graph& graph) {
  std::string out;
  for (OutputRef ref : graph.outputs()) out += (out.empty() ? "" : "; ") + text(graph, ref);
  return out;
}

inline std::string text(const Graph& graph, OutputRef ref) {
  if (!ref) return "_";
  const Node& node = graph.node(ref.node);
  if (node.is(op_types::data)) return node.outputs()[0].name;
  if (const Tensor* tensor = graph.constant_value(ref)) {
    const auto elements = tensor->to_doubles();
    if (!elements || elements->size() > 8) return std::string(to_string(tensor->dtype())) + dims_to_string(tensor->dims());
    std::string out;
    for (double element : *elements) {
      char number[32];
      std::snprintf(number, sizeof number, "%g", element);
      out += (out.empty() ? "" : ", ") + std::string(number);
    }
    return tensor->dims().empty() ? out : "[" + out + "]";
  }
  std::string out = node.op() + "(";
  for (size_t i = 0; i < node.inputs().size(); ++i) out += (i ? ", " : "") + text(graph, node.inputs()[i]);
  out += ")";
  if (!node.subgraphs().empty()) {
    out += "{";
    for (size_t i = 0; i < node.subgraphs().size(); ++i) out += (i ? " | " : "") + text(graph.subgraph(node.subgraphs()[i]));
    out += "}";
  }
  return ref.index == 0 ? out : out + "." + std::to_string(ref.index);
}

/// A root graph to run passes over.
class GraphCase : public GraphBuild {
 public:
  GraphCase() : GraphBuild(own_) {}

  /// Infers, runs this one pass until it has nothing left to do, and gives how much it changed.
  size_t run(const std::string& pass, ConstantEvaluator* evaluator = nullptr, int64_t fold_limit_bytes = int64_t{4} << 20) {
    PassOptions options;
    for (const Registered& item : passes().list())
      if (item.key != pass) options.disabled.insert(item.key);
    infer(graph);
    PassContext context{evaluator, fold_limit_bytes};
    for (const PassCount& count : run_passes(graph, context, options).passes)
      if (count.name == pass) return count.changes;
    return 0;
  }
  std::string text() const { return testing::text(own_); }

 private:
  Graph own_{"case"};
};

/// Runs Add and Mul on float tensors of one shape (or scalars), and "Neg" on one; counts its calls.
class FloatEvaluator : public ConstantEvaluator {
 public:
  size_t calls = 0;
  std::vector<Tensor> evaluate(const Graph& graph, NodeId id, std::span<const Tensor> inputs) override {
    ++calls;
    const std::string& op = graph.node(id).op();
    if ((op != "Add" && op != "Mul" && op != "Neg") || inputs[0].dtype() != DType::float32)
      throw Error(ErrorCode::unsupported, "the test evaluates only Add, Mul and Neg on floats");
    const Tensor& a = inputs[0];
    const Tensor& b = inputs.back();
    if (a.dims() != b.dims()) throw Error(ErrorCode::run_failed, "the test does not broadcast");
    std::vector<float> out;
    for (int64_t i = 0; i < a.count(); ++i) {
      const float x = a.at<float>(i), y = b.at<float>(i);
      out.push_back(op == "Add" ? x + y : op == "Mul" ? x * y : -x);
    }
    return {Tensor::from<float>(DType::float32, a.dims(), std::span<const float>(out))};
  }
};

}  // namespace ge::testing

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

  OutputRef input(std::string name, std::vector<Dim> dims = {}, DType dtype = DType::float32);
  OutputRef input_of_unknown_rank(std::string name, DType dtype = DType::float32);
  OutputRef constant(Tensor value);
  OutputRef scalar(float value);
  OutputRef filled(std::vector<int64_t> dims, float value);
  OutputRef ints(std::vector<int64_t> values);
  OutputRef boolean(bool value);
  OutputRef op(std::string type, std::vector<OutputRef> inputs, Attributes attrs = {}, size_t outputs = 1);
  /// Names them out0, out1, …
  void outputs(std::vector<OutputRef> refs);
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
  Expr size(const Dim& dim);
  template <class Fill>
  void fill(Graph& sub, size_t inputs, Fill fill_sub) {
    GraphBuild build(sub);
    std::vector<OutputRef> refs;
    for (size_t i = 0; i < inputs; ++i) refs.push_back(build.input_of_unknown_rank("c" + std::to_string(i)));
    build.outputs(fill_sub(build, refs));
  }
  OutputRef owner(const char* type, std::vector<OutputRef> inputs, const std::vector<OutputRef>& captures, Attributes attrs,
                  std::vector<GraphId> subgraphs, size_t outputs);
};

/// "Add(x, 2)": what a value is computed from. Constants print their elements, or dtype and dims when they are many;
/// an absent input is "_", output 1 of a node "Split(x).1".
std::string text(const Graph& graph, OutputRef ref);

/// "Relu(x); Exp(y)": the outputs of a graph.
std::string text(const Graph& graph);

/// A root graph to run passes over.
class GraphCase : public GraphBuild {
 public:
  GraphCase() : GraphBuild(own_) {}

  /// Infers, runs this one pass until it has nothing left to do, and gives how much it changed.
  size_t run(const std::string& pass, ConstantEvaluator* evaluator = nullptr, int64_t fold_limit_bytes = int64_t{4} << 20);
  std::string text() const { return testing::text(own_); }

 private:
  Graph own_{"case"};
};

/// Runs Add and Mul on float tensors of one shape (or scalars), and "Neg" on one; counts its calls.
class FloatEvaluator : public ConstantEvaluator {
 public:
  size_t calls = 0;
  std::vector<Tensor> evaluate(const Graph& graph, NodeId id, std::span<const Tensor> inputs) override;
};

}  // namespace ge::testing

#include "bench/layered_graph.hpp"

#include <random>

namespace ge::bench {
namespace {

constexpr int64_t features = 8;
constexpr size_t width = 64;

class Layers {
 public:
  Layers(size_t nodes, uint32_t seed) : graph_(std::make_unique<Graph>("layered")), random_(seed), left_(nodes) {}

  std::unique_ptr<Graph> build() {
    SymbolTable& symbols = graph_->symbols();
    const Shape shape{symbols.symbol("N", {1, 1 << 20}), symbols.constant(features)};
    for (size_t i = 0; i < width; ++i)
      layer_.push_back(graph_->add_input("x" + std::to_string(i), {DType::float32, shape, std::nullopt}));
    flag_ = graph_->add_input("flag", {DType::boolean, Shape{}, std::nullopt});
    zero_ = scalar(0.0f), six_ = scalar(6.0f);
    used_ = width + 4;
    while (used_ < left_) {
      std::vector<OutputRef> next;
      for (size_t i = 0; i < width; ++i) next.push_back(one(layer_[i], layer_[random_() % width]));
      layer_ = std::move(next);
    }
    std::vector<std::string> names;
    for (size_t i = 0; i < width; ++i) names.push_back("y" + std::to_string(i));
    graph_->set_outputs(layer_, names);
    return std::move(graph_);
  }

 private:
  OutputRef node(Graph& graph, const char* op, std::vector<OutputRef> inputs, Attributes attributes = {}, std::vector<GraphId> subgraphs = {}) {
    ++used_;
    NodeSpec spec;
    spec.op = op;
    spec.inputs = std::move(inputs);
    spec.attributes = std::move(attributes);
    spec.subgraphs = std::move(subgraphs);
    spec.outputs = {"t" + std::to_string(used_)};
    return {graph.add_node(std::move(spec)), 0};
  }
  OutputRef node(const char* op, std::vector<OutputRef> inputs, Attributes attributes = {}) { return node(*graph_, op, std::move(inputs), std::move(attributes)); }

  OutputRef scalar(float value) { return constant({}, {value}); }
  OutputRef constant(std::vector<int64_t> dims, const std::vector<float>& values) {
    ++used_;
    return graph_->add_constant("c" + std::to_string(used_), Tensor::from<float>(DType::float32, std::move(dims), std::span<const float>(values)));
  }
  OutputRef ints(std::vector<int64_t> values) {
    ++used_;
    return graph_->add_constant("c" + std::to_string(used_), Tensor::ints(values));
  }
  OutputRef weights(std::vector<int64_t> dims) {
    std::vector<float> values(static_cast<size_t>(*element_count(dims)));
    for (float& value : values) value = static_cast<float>(random_() % 2001) * 1e-4f - 0.1f;
    return constant(std::move(dims), values);
  }
  static Attributes attribute(const char* name, AttributeValue value) {
    Attributes out;
    out.set(name, std::move(value));
    return out;
  }

  OutputRef branch(OutputRef predicate, OutputRef x) {
    std::vector<GraphId> sides;
    for (const char* op : {"Relu", "Tanh"}) {
      Graph& side = graph_->add_subgraph(op);
      const OutputRef in = side.add_input("in", {DType::float32, std::nullopt, std::nullopt});
      side.set_outputs({node(side, "Neg", {node(side, op, {in})})}, {"out"});
      sides.push_back(side.id());
      used_ += 2;
    }
    return node(*graph_, "If", {predicate, x}, {}, std::move(sides));
  }
  OutputRef decided_by_value(OutputRef x) {
    const OutputRef total = node("ReduceMax", {x}, attribute("keepdims", int64_t{0}));
    return node("Greater", {total, zero_});
  }

  /// A few nodes over [N, features] that give [N, features].
  OutputRef one(OutputRef x, OutputRef y) {
    const uint32_t kind = random_() % 200;
    if (kind == 0) return branch(flag_, x);
    if (kind == 1) return branch(decided_by_value(x), x);
    switch (kind % 18) {
      case 0: return node("Add", {x, y});
      case 1: return node("Mul", {x, weights({features})});
      case 2: return node("Relu", {x});
      case 3: return node("Sigmoid", {x});
      case 4: return node("MatMul", {x, weights({features, features})});
      case 5: return node("Slice", {node("Concat", {x, y}, attribute("axis", int64_t{1})), ints({4}), ints({4 + features}), ints({1})});
      case 6: return node("Transpose", {node("Transpose", {x}, attribute("perm", std::vector<int64_t>{1, 0}))}, attribute("perm", std::vector<int64_t>{1, 0}));
      case 7: return node("Reshape", {node("Reshape", {x, ints({-1, 2, features / 2})}), ints({-1, features})});
      case 8: return node("Softmax", {x}, attribute("axis", int64_t{-1}));
      case 9: return node("Sub", {x, node("ReduceMean", {x, ints({1})}, attribute("keepdims", int64_t{1}))});
      case 10: return node("Clip", {x, zero_, six_});
      case 11: return node("Tanh", {node("Identity", {x})});
      case 12: return node("Mul", {node("Sigmoid", {x}), x});
      case 13: return node("Add", {node("Abs", {x}), node("Abs", {x})});
      case 14: return node("LayerNormalization", {x, weights({features}), weights({features})}, attribute("axis", int64_t{-1}));
      case 15: return node("Add", {x, node("Mul", {weights({features}), weights({features})})});
      case 16: return node("Max", {x, y});
      default: return node("Sub", {x, weights({1, features})});
    }
  }

  std::unique_ptr<Graph> graph_;
  std::mt19937 random_;
  size_t left_, used_ = 0;
  std::vector<OutputRef> layer_;
  OutputRef flag_, zero_, six_;
};

}  // namespace

std::unique_ptr<Graph> layered_graph(size_t nodes, uint32_t seed) { return Layers(nodes, seed).build(); }

}  // namespace ge::bench

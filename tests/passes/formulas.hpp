#pragma once
#include "passes/graph_case.hpp"

#include <random>

namespace ge::testing {

/// Formulas as exporters write them, over x [N, width]: for tests that need graphs in which passes find much.
class Formulas {
 public:
  Formulas(GraphBuild& b, int64_t width, uint32_t seed) : b_(b), width_(width), random_(seed) {}

  OutputRef gelu(OutputRef x) {
    const OutputRef erf = b_.op("Erf", {b_.op("Div", {x, b_.scalar(1.41421356f)})});
    return mul(mul(x, b_.op("Add", {erf, b_.scalar(1)})), b_.scalar(0.5f));
  }
  OutputRef tanh_gelu(OutputRef x) {
    const OutputRef cubic = b_.op("Add", {x, mul(b_.op("Pow", {x, b_.scalar(3)}), b_.scalar(0.044715f))});
    const OutputRef gate = b_.op("Tanh", {mul(b_.scalar(0.7978845608f), cubic)});
    return mul(mul(b_.scalar(0.5f), x), b_.op("Add", {b_.scalar(1), gate}));
  }
  OutputRef swish(OutputRef x) { return mul(x, b_.op("Sigmoid", {mul(x, b_.scalar(1.5f))})); }
  OutputRef hard_swish(OutputRef x) {
    const OutputRef gate = b_.op("Clip", {b_.op("Add", {x, b_.scalar(3)}), b_.scalar(0), b_.scalar(6)});
    return b_.op("Div", {mul(x, gate), b_.scalar(6)});
  }
  OutputRef layer_norm(OutputRef x) {
    const OutputRef d = b_.op("Sub", {x, mean(x)}), variance = mean(b_.op("Pow", {d, b_.scalar(2)}));
    const OutputRef normal = b_.op("Div", {d, b_.op("Sqrt", {b_.op("Add", {variance, b_.scalar(1e-5f)})})});
    return b_.op("Add", {mul(normal, numbers({width_})), numbers({width_})});
  }
  OutputRef rms_norm(OutputRef x) {
    const OutputRef root = b_.op("Sqrt", {b_.op("Add", {mean(mul(x, x)), b_.scalar(1e-5f)})});
    return mul(mul(x, b_.op("Reciprocal", {root})), numbers({width_}));
  }
  OutputRef softmax(OutputRef x) {
    const OutputRef e = b_.op("Exp", {b_.op("Sub", {x, b_.op("ReduceMax", {x, b_.ints({-1})})})});
    return b_.op("Div", {e, b_.op("ReduceSum", {e, b_.ints({-1})})});
  }
  OutputRef linear(OutputRef x) { return b_.op("Add", {b_.op("MatMul", {x, numbers({width_, width_})}), numbers({width_})}); }

  /// A constant of normally distributed numbers.
  OutputRef numbers(std::vector<int64_t> dims) {
    std::normal_distribution<float> normal(0, 1);
    std::vector<float> values(static_cast<size_t>(*element_count(dims)));
    for (float& value : values) value = normal(random_);
    return b_.constant(Tensor::from<float>(DType::float32, std::move(dims), std::span<const float>(values)));
  }
  size_t below(size_t n) { return random_() % n; }

 private:
  OutputRef mul(OutputRef a, OutputRef b) { return b_.op("Mul", {a, b}); }
  OutputRef mean(OutputRef x) { return b_.op("ReduceMean", {x, b_.ints({-1})}); }

  GraphBuild& b_;
  int64_t width_;
  std::mt19937 random_;
};

}  // namespace ge::testing

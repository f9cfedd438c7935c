#include "passes/recognise_case.hpp"

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

constexpr auto pass = "recognise_layer_norm";
constexpr uint32_t seed = 51;
constexpr int64_t width = 10;  // more than text() prints of a constant
constexpr auto whole = "LayerNormalization(x, float32[10], float32[10])";

std::vector<std::vector<Tensor>> inputs() {
  std::mt19937 random(seed);
  return {{random_floats(random, {1, 2, width})}, {random_floats(random, {3, 1, width})}};
}
OutputRef x_input(GraphBuild& b) { return b.input("x", {"N", "S", width}); }
OutputRef parameter(GraphBuild& b, uint32_t which, std::vector<int64_t> dims = {width}) {
  std::mt19937 random(which);
  return b.constant(random_floats(random, std::move(dims)));
}
OutputRef mean(GraphBuild& b, OutputRef value, std::vector<int64_t> axes = {-1}, int64_t keepdims = 1) {
  return b.op("ReduceMean", {value, b.ints(std::move(axes))}, attributes({{"keepdims", keepdims}}));
}
OutputRef centred(GraphBuild& b, OutputRef x) { return b.op("Sub", {x, mean(b, x)}); }

/// mean(d²) + epsilon, d computed once or three times.
struct Variance {
  OutputRef numerator, value;
};
Variance variance(GraphBuild& b, Forms& forms, OutputRef x) {
  const OutputRef d = centred(b, x);
  const bool again = forms.choose(2) != 0;
  const OutputRef numerator = again ? centred(b, x) : d;
  OutputRef square;
  if (forms.choose(2) == 0) square = b.op("Pow", {d, b.scalar(2)});
  else square = b.op("Mul", {d, again ? centred(b, x) : d});
  return {numerator, joined(b, forms, "Add", {mean(b, square), b.scalar(1e-5f)})};
}
/// d / sqrt(variance), times the gain where there is one.
OutputRef divided(GraphBuild& b, Forms& forms, const Variance& v, OutputRef gain) {
  const auto times = [&](Refs factors) {
    if (gain) factors.push_back(gain);
    return joined(b, forms, "Mul", std::move(factors));
  };
  switch (forms.choose(5)) {
    case 0: return times({b.op("Div", {v.numerator, b.op("Sqrt", {v.value})})});
    case 1: return times({v.numerator, b.op("Reciprocal", {b.op("Sqrt", {v.value})})});
    case 2: return times({v.numerator, b.op("Div", {b.scalar(1), b.op("Sqrt", {v.value})})});
    case 3: return times({v.numerator, b.op("Pow", {v.value, b.scalar(-0.5f)})});
    default: return b.op("Div", {gain ? joined(b, forms, "Mul", {v.numerator, gain}) : v.numerator, b.op("Pow", {v.value, b.scalar(0.5f)})});
  }
}

template <class Build>
void check_forms(const std::string& after, Build build) {
  testing::check_forms(pass, seed, after, inputs(), x_input, build);
}

/// The usual form, with what may differ.
struct Usual {
  std::vector<int64_t> axes{-1}, second_axes{-1};
  int64_t keepdims = 1;
  float power = 2, epsilon = 1e-5f;
  std::vector<int64_t> gain{width}, bias{width};
};
OutputRef usual(GraphBuild& b, OutputRef x, const Usual& u = {}) {
  const OutputRef d = b.op("Sub", {x, mean(b, x, u.axes, u.keepdims)});
  const OutputRef v = b.op("Add", {mean(b, b.op("Pow", {d, b.scalar(u.power)}), u.second_axes, u.keepdims), b.scalar(u.epsilon)});
  return b.op("Add", {b.op("Mul", {b.op("Div", {d, b.op("Sqrt", {v})}), parameter(b, 1, u.gain)}), parameter(b, 2, u.bias)});
}

}  // namespace

TEST_CASE("LayerNorm is recognised in every form that exporters write", "[passes][CR-3][CR-9]") {
  // Add(Mul(Div(d, Sqrt(Add(ReduceMean(Pow(d, 2)), 1e-5))), gain), bias), d = Sub(x, ReduceMean(x)) → LayerNormalization(x, gain, bias)
  check_forms(whole, [](GraphBuild& b, Forms& forms, OutputRef x) {
    const OutputRef scaled = divided(b, forms, variance(b, forms, x), parameter(b, 1));
    return joined(b, forms, "Add", {scaled, parameter(b, 2)});
  });
}

TEST_CASE("LayerNorm whose difference is computed twice from one mean is recognised", "[passes][CR-3][CR-9]") {
  // d1 = x - m is squared, d2 = x - m is divided
  check_recognised(pass, 1, "LayerNormalization(x, float32[10])", inputs(), [](GraphBuild& b) {
    const OutputRef x = x_input(b), m = mean(b, x), root = b.op("Sqrt", {b.op("Add", {mean(b, b.op("Pow", {b.op("Sub", {x, m}), b.scalar(2)})), b.scalar(1e-5f)})});
    return Refs{b.op("Mul", {b.op("Div", {b.op("Sub", {x, m}), root}), parameter(b, 1)})};
  });
}

TEST_CASE("LayerNorm without bias, or without gain, is recognised", "[passes][CR-3][CR-9]") {
  check_forms("LayerNormalization(x, float32[10])", [](GraphBuild& b, Forms& forms, OutputRef x) { return divided(b, forms, variance(b, forms, x), parameter(b, 1)); });
  // A gain of ones is made up.
  check_forms("LayerNormalization(x, float32[10])", [](GraphBuild& b, Forms& forms, OutputRef x) { return divided(b, forms, variance(b, forms, x), {}); });
  check_forms(whole, [](GraphBuild& b, Forms& forms, OutputRef x) { return joined(b, forms, "Add", {divided(b, forms, variance(b, forms, x), {}), parameter(b, 2)}); });
}

TEST_CASE("LayerNorm that is multiplied out is recognised", "[passes][CR-3][CR-9]") {
  // x r + (bias - m r), with r = gain / sqrt(mean(d²) + epsilon), m = mean(x), d = x - m: TensorFlow's batch_normalization
  const auto parts = [](GraphBuild& b, Forms& forms, OutputRef x, bool gain) {
    const OutputRef m = mean(b, x), d = b.op("Sub", {x, m});
    const OutputRef inverse = b.op("Reciprocal", {b.op("Sqrt", {b.op("Add", {mean(b, b.op("Mul", {d, d})), b.scalar(1e-5f)})})});
    const OutputRef r = gain ? joined(b, forms, "Mul", {inverse, parameter(b, 1)}) : inverse;
    return std::pair(joined(b, forms, "Mul", {x, r}), joined(b, forms, "Mul", {m, r}));
  };
  for (bool gain : {true, false}) {
    check_forms(whole, [&](GraphBuild& b, Forms& forms, OutputRef x) {
      const auto [first, second] = parts(b, forms, x, gain);
      return joined(b, forms, "Add", {first, b.op("Sub", {parameter(b, 2), second})});
    });
    check_forms("LayerNormalization(x, float32[10])", [&](GraphBuild& b, Forms& forms, OutputRef x) {
      const auto [first, second] = parts(b, forms, x, gain);
      return b.op("Sub", {first, second});
    });
  }
  // A gain after that bias would be the bias's too.
  check_recognised(pass, 1, "Mul(LayerNormalization(x, float32[10], float32[10]), float32[10])", inputs(), [&](GraphBuild& b) {
    Forms forms;
    const auto [first, second] = parts(b, forms, x_input(b), false);
    return Refs{b.op("Mul", {b.op("Add", {first, b.op("Sub", {parameter(b, 2), second})}), parameter(b, 1)})};
  });
  const auto check = [&](auto end) {
    check_left_alone(pass, [&](GraphBuild& b) {
      Forms forms;
      const auto [first, second] = parts(b, forms, x_input(b), true);
      return Refs{end(b, first, second)};
    });
  };
  check([](GraphBuild& b, OutputRef first, OutputRef second) { return b.op("Sub", {second, first}); });
  check([](GraphBuild& b, OutputRef first, OutputRef second) { return b.op("Add", {first, second}); });
  check([](GraphBuild& b, OutputRef first, OutputRef second) { return b.op("Add", {first, b.op("Sub", {second, parameter(b, 2)})}); });
  check([](GraphBuild& b, OutputRef first, OutputRef second) { return b.op("Sub", {first, b.op("Sub", {parameter(b, 2), second})}); });
  check([](GraphBuild& b, OutputRef first, OutputRef second) { return b.op("Add", {first, b.op("Sub", {b.input("y", {"N", "S", width}), second})}); });
}

TEST_CASE("LayerNorm over the last two axes is recognised, and its epsilon and axis read", "[passes][CR-3][CR-9]") {
  std::mt19937 random(seed);
  const std::vector<std::vector<Tensor>> runs{{random_floats(random, {2, 3, width})}};
  const auto build = [](GraphBuild& b, std::vector<int64_t> axes) {
    return usual(b, b.input("x", {"N", 3, width}), {.axes = axes, .second_axes = {1, 2}, .epsilon = 0.25f, .gain = {3, width}, .bias = {3, width}});
  };
  for (const std::vector<int64_t>& axes : {std::vector<int64_t>{1, 2}, {-1, -2}, {2, 1}})
    check_recognised(pass, 1, "LayerNormalization(x, float32[3, 10], float32[3, 10])", runs, [&](GraphBuild& b) { return Refs{build(b, axes)}; });
  FormulaCase c;
  c.outputs({build(c, {1, 2})});
  CHECK(c.recognise(pass) == 1);
  const Attributes& attributes = c.graph.node(c.graph.outputs()[0].node).attributes();
  CHECK(attributes.get_float("epsilon", 0) == 0.25f);
  CHECK(attributes.get_int("axis", 0) == -2);
}

TEST_CASE("without epsilon LayerNorm has epsilon 0", "[passes][CR-3][CR-9]") {
  FormulaCase c;
  const OutputRef d = centred(c, x_input(c));
  c.outputs({c.op("Div", {d, c.op("Sqrt", {mean(c, c.op("Mul", {d, d}))})})});
  CHECK(c.recognise(pass) == 1);
  CHECK(c.graph.node(c.graph.outputs()[0].node).attributes().get_float("epsilon", 1) == 0);
}

TEST_CASE("gain and bias may be computed, and constants may have leading axes of size 1", "[passes][CR-3][CR-9]") {
  check_recognised(pass, 1, whole, inputs(), [](GraphBuild& b) { return Refs{usual(b, x_input(b), {.gain = {1, 1, width}, .bias = {1, width}})}; });
  std::mt19937 random(seed);
  const std::vector<std::vector<Tensor>> runs{{random_floats(random, {2, 3, width}), random_floats(random, {width})}};
  check_recognised(pass, 1, "LayerNormalization(x, Exp(g))", runs, [](GraphBuild& b) {
    const OutputRef x = x_input(b), gain = b.op("Exp", {b.input("g", {width})}), d = centred(b, x);
    return Refs{b.op("Mul", {gain, b.op("Div", {d, b.op("Sqrt", {b.op("Add", {mean(b, b.op("Mul", {d, d})), b.scalar(1e-5f)})})})})};
  });
}

TEST_CASE("a sum after LayerNorm that is no bias stays", "[passes][CR-3][CR-9]") {
  // The residual x is added; per-row and scalar factors are no gain.
  check_recognised(pass, 1, "Add(LayerNormalization(x, float32[10], float32[10]), x)", inputs(), [](GraphBuild& b) {
    const OutputRef x = x_input(b);
    return Refs{b.op("Add", {usual(b, x), x})};
  });
  check_recognised(pass, 1, "Add(Mul(LayerNormalization(x, float32[10]), 3), float32[1, 10])", inputs(), [](GraphBuild& b) {
    const OutputRef d = centred(b, x_input(b));
    const OutputRef y = b.op("Div", {d, b.op("Sqrt", {b.op("Add", {mean(b, b.op("Mul", {d, d})), b.scalar(1e-5f)})})});
    return Refs{b.op("Add", {b.op("Mul", {y, b.scalar(3)}), parameter(b, 2, {1, width})})};
  });
}

TEST_CASE("LayerNorm one after the other is recognised at once", "[passes][CR-3][CR-9]") {
  check_recognised(pass, 2, "LayerNormalization(LayerNormalization(x, float32[10], float32[10]), float32[10], float32[10])", inputs(),
                   [](GraphBuild& b) { return Refs{usual(b, usual(b, x_input(b)))}; });
}

TEST_CASE("what only resembles LayerNorm is left alone", "[passes][CR-3]") {
  const auto check = [](const Usual& u) {
    check_left_alone(pass, [&](GraphBuild& b) { return Refs{usual(b, b.input("x", {"N", width, width}), u)}; });
  };
  check({.axes = {1}, .second_axes = {1}});            // not the last axes
  check({.axes = {0, 2}, .second_axes = {0, 2}});
  check({.axes = {-1}, .second_axes = {-2}});          // two different means
  check({.axes = {-1}, .second_axes = {-1, -2}});
  check({.axes = {0, 1, 2}, .second_axes = {0, 1, 2}, .keepdims = 0});
  check({.power = 3});
  check({.epsilon = -1});
  check_left_alone(pass, [](GraphBuild& b) {  // the mean of something else
    const OutputRef x = x_input(b), d = b.op("Sub", {x, mean(b, b.input("y", {"N", "S", width}))});
    return Refs{b.op("Div", {d, b.op("Sqrt", {mean(b, b.op("Mul", {d, d}))})})};
  });
  check_left_alone(pass, [](GraphBuild& b) {  // x is divided, not x - mean
    const OutputRef x = x_input(b), d = centred(b, x);
    return Refs{b.op("Div", {x, b.op("Sqrt", {mean(b, b.op("Mul", {d, d}))})})};
  });
  check_left_alone(pass, [](GraphBuild& b) {  // epsilon after the root
    const OutputRef d = centred(b, x_input(b)), root = b.op("Sqrt", {mean(b, b.op("Mul", {d, d}))});
    return Refs{b.op("Div", {d, b.op("Add", {root, b.scalar(1e-5f)})})};
  });
  check_left_alone(pass, [](GraphBuild& b) {  // the root is divided
    const OutputRef d = centred(b, x_input(b));
    return Refs{b.op("Div", {b.op("Sqrt", {mean(b, b.op("Mul", {d, d}))}), d})};
  });
  check_left_alone(pass, [](GraphBuild& b) {  // axes that only a run knows
    const OutputRef x = x_input(b), axes = b.input("axes", {1}, DType::int64);
    const OutputRef d = b.op("Sub", {x, b.op("ReduceMean", {x, axes})});
    return Refs{b.op("Div", {d, b.op("Sqrt", {b.op("ReduceMean", {b.op("Mul", {d, d}), axes})})})};
  });
  check_left_alone(pass, [](GraphBuild& b) {  // float64: the composite op's statistics are float32
    const OutputRef d = centred(b, b.input("x", {"N", width}, DType::float64));
    return Refs{b.op("Div", {d, b.op("Sqrt", {mean(b, b.op("Mul", {d, d}))})})};
  });
}

TEST_CASE("LayerNorm without gain over axes of unknown size is left alone", "[passes][CR-3]") {
  check_left_alone(pass, [](GraphBuild& b) {
    const OutputRef d = centred(b, b.input("x", {2, "C"}));
    return Refs{b.op("Div", {d, b.op("Sqrt", {mean(b, b.op("Mul", {d, d}))})})};
  });
}

TEST_CASE("an epsilon or gain that enlarges the result is left out", "[passes][CR-3][CR-9]") {
  check_left_alone(pass, [](GraphBuild& b) {  // epsilon of rank 4
    const OutputRef d = centred(b, x_input(b));
    return Refs{b.op("Div", {d, b.op("Sqrt", {b.op("Add", {mean(b, b.op("Mul", {d, d})), b.filled({1, 1, 1, 1}, 1e-5f)})})})};
  });
  // x [S, 1]: the gain repeats each element ten times.
  std::mt19937 random(seed);
  check_recognised(pass, 1, "Mul(LayerNormalization(x, [1]), float32[10])", {{random_floats(random, {3, 1})}}, [](GraphBuild& b) {
    const OutputRef d = centred(b, b.input("x", {"S", 1}));
    return Refs{b.op("Mul", {b.op("Div", {d, b.op("Sqrt", {b.op("Add", {mean(b, b.op("Mul", {d, d})), b.scalar(1e-5f)})})}), parameter(b, 1)})};
  });
}

TEST_CASE("LayerNorm whose inner values somebody else needs is left alone, or ends before", "[passes][CR-3]") {
  const auto build = [](GraphBuild& b, const std::string& which) {
    const OutputRef x = x_input(b), m = mean(b, x), d = b.op("Sub", {x, m}), square = b.op("Pow", {d, b.scalar(2)}), v = mean(b, square);
    const OutputRef root = b.op("Sqrt", {b.op("Add", {v, b.scalar(1e-5f)})}), quotient = b.op("Div", {d, root});
    const OutputRef y = b.op("Add", {b.op("Mul", {quotient, parameter(b, 1)}), parameter(b, 2)});
    const OutputRef inner = which == "mean" ? m : which == "difference" ? d : which == "square" ? square : which == "variance" ? v : which == "root" ? root : quotient;
    return Refs{y, inner};
  };
  for (const char* which : {"mean", "difference", "square", "variance", "root"}) {
    check_left_alone(pass, [&](GraphBuild& b) { return build(b, which); });
    check_left_alone(pass, [&](GraphBuild& b) {
      const Refs both = build(b, which);
      return Refs{both[0], b.op("Neg", {both[1]})};
    });
  }
  // The normalised value is wanted as it is: gain and bias stay outside.
  const std::string normal = "LayerNormalization(x, float32[10])";
  check_recognised(pass, 1, "Add(Mul(" + normal + ", float32[10]), float32[10]); " + normal, inputs(), [&](GraphBuild& b) { return build(b, "quotient"); });
}

TEST_CASE("in a vector, where inner values have the dims of a gain, none of them is taken for one", "[passes][CR-3]") {
  const auto check = [](auto end) {
    check_left_alone(pass, [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {width}), m = mean(b, x), d = b.op("Sub", {x, m}), square = b.op("Mul", {d, d});
      const OutputRef inverse = b.op("Reciprocal", {b.op("Sqrt", {mean(b, square)})});
      return Refs{end(b, x, m, d, square, inverse)};
    });
  };
  check([](GraphBuild& b, OutputRef, OutputRef, OutputRef d, OutputRef, OutputRef r) { return b.op("Add", {b.op("Mul", {d, r}), d}); });
  check([](GraphBuild& b, OutputRef, OutputRef, OutputRef d, OutputRef square, OutputRef r) { return b.op("Mul", {b.op("Mul", {d, r}), square}); });
  check([](GraphBuild& b, OutputRef x, OutputRef m, OutputRef, OutputRef, OutputRef r) {
    return b.op("Add", {b.op("Mul", {x, r}), b.op("Sub", {b.op("Mul", {m, r}), parameter(b, 2)})});
  });
  // x itself may be gain or bias.
  std::mt19937 random(seed);
  check_recognised(pass, 1, "LayerNormalization(x, x, x)", {{random_floats(random, {width})}}, [](GraphBuild& b) {
    const OutputRef x = b.input("x", {width}), d = centred(b, x), r = b.op("Reciprocal", {b.op("Sqrt", {b.op("Add", {mean(b, b.op("Mul", {d, d})), b.scalar(1)})})});
    return Refs{b.op("Add", {b.op("Mul", {x, b.op("Mul", {d, r})}), x})};
  });
}

TEST_CASE("a node with a control edge keeps LayerNorm as it is", "[passes][CR-3]") {
  check_left_alone(pass, [](GraphBuild& b) {
    const OutputRef y = usual(b, x_input(b)), z = b.op("Neg", {b.input("z", {2})});
    b.graph.add_control_edge(z.node, y.node);
    return Refs{y, z};
  });
}

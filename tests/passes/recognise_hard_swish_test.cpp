#include "passes/recognise_case.hpp"

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

constexpr auto pass = "recognise_hard_swish";
constexpr uint32_t seed = 55;

std::vector<std::vector<Tensor>> inputs() {
  std::mt19937 random(seed);
  return {{random_floats(random, {1, 4, 8})}, {random_floats(random, {2, 4, 8})}};
}

/// `value` clamped to low..high, in the ways that exporters write it.
OutputRef clamped(GraphBuild& b, Forms& forms, OutputRef value, OutputRef low, OutputRef high) {
  switch (forms.choose(6)) {
    case 0: return b.op("Clip", {value, low, high});
    case 1: return joined(b, forms, "Min", {joined(b, forms, "Max", {value, low}), high});
    case 2: return joined(b, forms, "Max", {joined(b, forms, "Min", {value, high}), low});
    case 3: return b.op("Min", {b.op("Relu", {value}), high});
    case 4: return b.op("Clip", {b.op("Relu", {value}), {}, high});
    default: return b.op("Relu", {b.op("Clip", {value, {}, high})});
  }
}
OutputRef clip(GraphBuild& b, OutputRef value, float low, float high) { return b.op("Clip", {value, b.scalar(low), b.scalar(high)}); }
OutputRef hard_sigmoid(GraphBuild& b, OutputRef x, float alpha = 1.0f / 6, float beta = 0.5f) {
  return b.op("HardSigmoid", {x}, attributes({{"alpha", alpha}, {"beta", beta}}));
}

template <class Build>
size_t check_forms(Build build) {
  Forms forms;
  size_t count = 0;
  do {
    INFO("seed " << seed << ", form " << count);
    const Forms fresh = forms;
    check_recognised(pass, 1, "HardSwish(x)", inputs(), [&](GraphBuild& b) {
      forms = fresh;
      return Refs{build(b, forms, b.input("x", {"N", 4, 8}))};
    });
    ++count;
  } while (forms.next());
  return count;
}

}  // namespace

TEST_CASE("x times (x + 3 clamped to 0..6) / 6 is a HardSwish in every order", "[passes][CR-3][CR-9]") {
  // Div(Mul(x, Clip(Add(x, 3), 0, 6)), 6) and so on → HardSwish(x)
  check_forms([](GraphBuild& b, Forms& forms, OutputRef x) {
    const OutputRef gate = clamped(b, forms, joined(b, forms, "Add", {x, b.scalar(3)}), b.scalar(0), b.scalar(6));
    switch (forms.choose(4)) {
      case 0: return joined(b, forms, "Mul", {x, gate, b.scalar(1.0f / 6)});
      case 1: return b.op("Div", {joined(b, forms, "Mul", {x, gate}), b.scalar(6)});
      case 2: return joined(b, forms, "Mul", {x, b.op("Div", {gate, b.scalar(6)})});
      default: return joined(b, forms, "Mul", {gate, b.op("Div", {x, b.scalar(6)})});
    }
  });
}

TEST_CASE("x times HardSigmoid with slope 1/6, or times what that computes, is a HardSwish", "[passes][CR-3][CR-9]") {
  // Mul(x, HardSigmoid(x)) → HardSwish(x)
  check_forms([](GraphBuild& b, Forms& forms, OutputRef x) { return joined(b, forms, "Mul", {x, hard_sigmoid(b, x)}); });
  // Mul(x, Clip(x/6 + 0.5, 0, 1)) → HardSwish(x)
  check_forms([](GraphBuild& b, Forms& forms, OutputRef x) {
    const OutputRef sixth = forms.choose(2) ? b.op("Div", {x, b.scalar(6)}) : joined(b, forms, "Mul", {x, b.scalar(0.16666667f)});
    const OutputRef gate = clamped(b, forms, joined(b, forms, "Add", {sixth, b.scalar(0.5f)}), b.scalar(0), b.scalar(1));
    return joined(b, forms, "Mul", {x, gate});
  });
  // HardSigmoid(alpha 0.5, beta 0.5) of x/3
  check_forms([](GraphBuild& b, Forms& forms, OutputRef x) { return joined(b, forms, "Mul", {x, hard_sigmoid(b, b.op("Div", {x, b.scalar(3)}), 0.5f)}); });
}

TEST_CASE("a HardSwish of a HardSwish is recognised at once", "[passes][CR-3][CR-9]") {
  check_recognised(pass, 2, "HardSwish(HardSwish(x))", inputs(), [](GraphBuild& b) {
    OutputRef x = b.input("x", {"N", 4, 8});
    for (int i = 0; i < 2; ++i) x = b.op("Div", {b.op("Mul", {x, clip(b, b.op("Add", {x, b.scalar(3)}), 0, 6)}), b.scalar(6)});
    return Refs{x};
  });
}

TEST_CASE("clamps with other bounds, slopes or shifts are left alone", "[passes][CR-3]") {
  const auto check = [](auto build) {
    check_left_alone(pass, [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", 4, 8});
      return Refs{build(b, x)};
    });
  };
  const auto hard = [](GraphBuild& b, OutputRef x, float shift, float low, float high, float six) {
    return b.op("Div", {b.op("Mul", {x, clip(b, b.op("Add", {x, b.scalar(shift)}), low, high)}), b.scalar(six)});
  };
  check([&](GraphBuild& b, OutputRef x) { return hard(b, x, 3.1f, 0, 6, 6); });
  check([&](GraphBuild& b, OutputRef x) { return hard(b, x, 3, 0.1f, 6, 6); });
  check([&](GraphBuild& b, OutputRef x) { return hard(b, x, 3, 0, 6.1f, 6); });
  check([&](GraphBuild& b, OutputRef x) { return hard(b, x, 3, 0, 6, 6.1f); });
  check([&](GraphBuild& b, OutputRef x) { return hard(b, x, 3, 6, 0, 6); });
  check([&](GraphBuild& b, OutputRef x) { return hard(b, x, 3, NAN, 6, 6); });
  check([&](GraphBuild& b, OutputRef x) { return hard(b, x, -3, 0, 6, 6); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Mul", {x, hard_sigmoid(b, x, 0.2f)}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Mul", {x, hard_sigmoid(b, x, 1.0f / 6, 0.4f)}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Mul", {x, b.op("HardSigmoid", {x})}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Mul", {b.op("Neg", {x}), hard_sigmoid(b, x)}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Mul", {x, hard_sigmoid(b, b.op("Neg", {x}))}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Mul", {x, hard_sigmoid(b, b.input("y", {"N", 4, 8}))}); });
}

TEST_CASE("Clip bounds that are absent, or come from other nodes, leave it alone", "[passes][CR-3]") {
  // Case 51 of the list of public bugs: Relu followed by Clip, bounds missing or not constant.
  const auto check = [](auto bounds) {
    check_left_alone(pass, [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", 4, 8}), shifted = b.op("Relu", {b.op("Add", {x, b.scalar(3)})});
      Refs all{shifted};
      for (OutputRef bound : bounds(b)) all.push_back(bound);
      return Refs{b.op("Div", {b.op("Mul", {x, b.op("Clip", all)}), b.scalar(6)})};
    });
  };
  check([](GraphBuild&) { return Refs{}; });
  check([](GraphBuild& b) { return Refs{b.scalar(0)}; });
  check([](GraphBuild& b) { return Refs{b.scalar(0), b.input("high", {})}; });
  check([](GraphBuild& b) { return Refs{b.input("low", {}), b.scalar(6)}; });
  check([](GraphBuild& b) { return Refs{OutputRef{}, b.op("Neg", {b.input("high", {})})}; });
}

TEST_CASE("HardSwish of integers, or with a larger constant, is left alone", "[passes][CR-3]") {
  check_left_alone(pass, [](GraphBuild& b) {
    const OutputRef x = b.input("x", {"N"}, DType::int32);
    const auto number = [&](int32_t value) { return b.constant(Tensor::from<int32_t>(DType::int32, {}, std::span<const int32_t>(&value, 1))); };
    const OutputRef gate = b.op("Min", {b.op("Max", {b.op("Add", {x, number(3)}), number(0)}), number(6)});
    return Refs{b.op("Div", {b.op("Mul", {x, gate}), number(6)})};
  });
  for (const std::vector<int64_t>& dims : {std::vector<int64_t>{8}, {4, 1}, {1, 1, 1, 1}})
    check_left_alone(pass, [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", 4, 8}), gate = clip(b, b.op("Add", {x, b.filled(dims, 3)}), 0, 6);
      return Refs{b.op("Div", {b.op("Mul", {x, gate}), b.scalar(6)})};
    });
}

TEST_CASE("HardSwish whose inner values somebody else needs is left alone", "[passes][CR-3]") {
  for (int which = 0; which < 3; ++which)
    for (bool output : {true, false})
      check_left_alone(pass, [&](GraphBuild& b) {
        const OutputRef x = b.input("x", {"N", 4, 8}), sum = b.op("Add", {x, b.scalar(3)}), gate = clip(b, sum, 0, 6), product = b.op("Mul", {x, gate});
        const OutputRef inner = which == 0 ? sum : which == 1 ? gate : product;
        return Refs{b.op("Div", {product, b.scalar(6)}), output ? inner : b.op("Neg", {inner})};
      });
}

TEST_CASE("a long chain of clamps is looked at a few at a time", "[passes][CR-3]") {
  // 200,000 Relu after each other: a search that went to the end from each would need 2e10 steps.
  FormulaCase c;
  OutputRef x = c.input("x", {"N"});
  for (int i = 0; i < 200000; ++i) x = c.op("Relu", {x});
  c.outputs({x});
  CHECK(c.recognise(pass) == 0);
}

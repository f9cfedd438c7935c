#include "passes/recognise_case.hpp"

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

constexpr auto pass = "recognise_softmax";
constexpr uint32_t seed = 53;

std::vector<std::vector<Tensor>> inputs() {
  std::mt19937 random(seed);
  std::vector<float> large{-400, 400, 399, 0, -400, 7};  // e^400 is infinite
  return {{random_floats(random, {1, 2, 3})}, {random_floats(random, {3, 5, 4})}, {Tensor::from<float>(DType::float32, {1, 2, 3}, std::span<const float>(large))}};
}
OutputRef x_input(GraphBuild& b) { return b.input("x", {"N", "S", "T"}); }
OutputRef reduce(GraphBuild& b, const char* op, OutputRef value, std::vector<int64_t> axes, int64_t keepdims = 1) {
  return b.op(op, {value, b.ints(std::move(axes))}, attributes({{"keepdims", keepdims}}));
}
OutputRef exponent(GraphBuild& b, OutputRef x, int64_t axis) { return b.op("Exp", {b.op("Sub", {x, reduce(b, "ReduceMax", x, {axis})})}); }

}  // namespace

TEST_CASE("written-out Softmax is recognised along any axis and in any form", "[passes][CR-3][CR-9]") {
  // Div(e, ReduceSum(e)), e = Exp(Sub(x, ReduceMax(x))) → Softmax(x)
  for (int64_t axis : {0, 1, 2, -1, -3}) {
    Forms forms;
    do {
      INFO("seed " << seed << ", axis " << axis << ", form " << forms.name());
      const Forms fresh = forms;
      check_recognised(pass, 1, "Softmax(x)", inputs(), [&](GraphBuild& b) {
        forms = fresh;
        const OutputRef x = x_input(b), e = exponent(b, x, axis);
        const OutputRef sum = reduce(b, "ReduceSum", forms.choose(2) ? exponent(b, x, axis) : e, {axis});
        return Refs{forms.choose(2) ? b.op("Div", {e, sum}) : joined(b, forms, "Mul", {e, b.op("Reciprocal", {sum})})};
      });
    } while (forms.next());
  }
}

TEST_CASE("e to the LogSoftmax is Softmax along the same axis", "[passes][CR-3][CR-9]") {
  // Exp(LogSoftmax(x)) → Softmax(x)
  for (int64_t axis : {0, 1, -1})
    check_recognised(pass, 1, "Softmax(x)", inputs(), [&](GraphBuild& b) { return Refs{b.op("Exp", {b.op("LogSoftmax", {x_input(b)}, attributes({{"axis", axis}}))})}; });
  check_recognised(pass, 1, "Softmax(x)", inputs(), [&](GraphBuild& b) { return Refs{b.op("Exp", {b.op("LogSoftmax", {x_input(b)})})}; });
}

TEST_CASE("what only resembles Softmax is left alone", "[passes][CR-3]") {
  const auto check = [](auto build) {
    check_left_alone(pass, [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", 6, 6});
      return Refs{build(b, x)};
    });
  };
  const auto quotient = [](GraphBuild& b, OutputRef x, std::vector<int64_t> max_axes, std::vector<int64_t> sum_axes) {
    const OutputRef e = b.op("Exp", {b.op("Sub", {x, reduce(b, "ReduceMax", x, std::move(max_axes))})});
    return b.op("Div", {e, reduce(b, "ReduceSum", e, std::move(sum_axes))});
  };
  check([&](GraphBuild& b, OutputRef x) { return quotient(b, x, {1}, {2}); });
  check([&](GraphBuild& b, OutputRef x) { return quotient(b, x, {1, 2}, {1, 2}); });
  check([](GraphBuild& b, OutputRef x) {  // without the maximum it overflows: that is what the model does
    const OutputRef e = b.op("Exp", {x});
    return b.op("Div", {e, reduce(b, "ReduceSum", e, {2})});
  });
  check([](GraphBuild& b, OutputRef x) {  // dims not kept: [6, 6] against [N, 6, 6]
    const OutputRef e = exponent(b, x, 0);
    return b.op("Div", {e, reduce(b, "ReduceSum", e, {0}, 0)});
  });
  check([](GraphBuild& b, OutputRef x) {  // the smallest, not the largest
    const OutputRef e = b.op("Exp", {b.op("Sub", {x, reduce(b, "ReduceMin", x, {2})})});
    return b.op("Div", {e, reduce(b, "ReduceSum", e, {2})});
  });
  check([](GraphBuild& b, OutputRef x) {  // of another value
    return b.op("Div", {exponent(b, b.input("y", {"N", 6, 6}), 2), reduce(b, "ReduceSum", exponent(b, x, 2), {2})});
  });
  check([](GraphBuild& b, OutputRef x) {  // sum / e
    const OutputRef e = exponent(b, x, 2);
    return b.op("Div", {reduce(b, "ReduceSum", e, {2}), e});
  });
  check([](GraphBuild& b, OutputRef x) { return b.op("Exp", {b.op("Neg", {b.op("LogSoftmax", {x})})}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Exp", {b.op("Softmax", {x})}); });
}

TEST_CASE("Softmax whose inner values somebody else needs is left alone", "[passes][CR-3]") {
  for (int which = 0; which < 4; ++which)
    for (bool output : {true, false})
      check_left_alone(pass, [&](GraphBuild& b) {
        const OutputRef x = x_input(b), max = reduce(b, "ReduceMax", x, {-1}), shifted = b.op("Sub", {x, max}), e = b.op("Exp", {shifted}), sum = reduce(b, "ReduceSum", e, {-1});
        const OutputRef inner = which == 0 ? max : which == 1 ? shifted : which == 2 ? e : sum;
        return Refs{b.op("Div", {e, sum}), output ? inner : b.op("Neg", {inner})};
      });
  check_left_alone(pass, [](GraphBuild& b) {
    const OutputRef logarithm = b.op("LogSoftmax", {x_input(b)});
    return Refs{b.op("Exp", {logarithm}), logarithm};
  });
}

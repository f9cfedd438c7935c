#include "passes/recognise_case.hpp"

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

constexpr auto pass = "recognise_rms_norm";
constexpr uint32_t seed = 52;
constexpr int64_t width = 10;

std::vector<std::vector<Tensor>> inputs() {
  std::mt19937 random(seed);
  return {{random_floats(random, {1, 2, width})}, {random_floats(random, {3, 1, width})}};
}
OutputRef x_input(GraphBuild& b) { return b.input("x", {"N", "S", width}); }
OutputRef gain(GraphBuild& b, std::vector<int64_t> dims = {width}) {
  std::mt19937 random(seed + 1);
  return b.constant(random_floats(random, std::move(dims)));
}
OutputRef mean(GraphBuild& b, OutputRef value, std::vector<int64_t> axes = {-1}) { return b.op("ReduceMean", {value, b.ints(std::move(axes))}); }

template <class Build>
void check_forms(const std::string& after, Build build) {
  testing::check_forms(pass, seed, after, inputs(), x_input, build);
}

OutputRef variance(GraphBuild& b, Forms& forms, OutputRef x) {
  const OutputRef square = forms.choose(2) ? b.op("Mul", {x, x}) : b.op("Pow", {x, b.scalar(2)});
  return joined(b, forms, "Add", {mean(b, square), b.scalar(1e-6f)});
}
/// The inverse root times the other factors.
OutputRef divided(GraphBuild& b, Forms& forms, OutputRef x, Refs factors) {
  const OutputRef v = variance(b, forms, x);
  const size_t form = forms.choose(4);
  if (form == 0) {
    factors.push_back(b.op("Div", {x, b.op("Sqrt", {v})}));
  } else {
    factors.push_back(x);
    factors.push_back(form == 1 ? b.op("Reciprocal", {b.op("Sqrt", {v})}) : form == 2 ? b.op("Div", {b.scalar(1), b.op("Sqrt", {v})}) : b.op("Pow", {v, b.scalar(-0.5f)}));
  }
  return joined(b, forms, "Mul", factors);
}

}  // namespace

TEST_CASE("RMSNorm is recognised in every form that exporters write", "[passes][CR-3][CR-9]") {
  // Mul(gain, Mul(x, Reciprocal(Sqrt(Add(ReduceMean(Pow(x, 2)), 1e-6))))) → RMSNormalization(x, gain)
  check_forms("RMSNormalization(x, float32[10])", [](GraphBuild& b, Forms& forms, OutputRef x) { return divided(b, forms, x, {gain(b)}); });
}

TEST_CASE("RMSNorm without gain gets one of ones", "[passes][CR-3][CR-9]") {
  check_forms("RMSNormalization(x, float32[10])", [](GraphBuild& b, Forms& forms, OutputRef x) { return divided(b, forms, x, {}); });
}

TEST_CASE("a sum after RMSNorm stays: it has no bias", "[passes][CR-3][CR-9]") {
  check_recognised(pass, 1, "Add(RMSNormalization(x, float32[10]), float32[10])", inputs(), [](GraphBuild& b) {
    Forms forms;
    return Refs{b.op("Add", {divided(b, forms, x_input(b), {gain(b)}), gain(b)})};
  });
}

TEST_CASE("LayerNorm is RMSNorm of x - mean for whom only looks for that", "[passes][CR-3][CR-9]") {
  check_recognised(pass, 1, "RMSNormalization(Sub(x, ReduceMean(x, [-1])), float32[10])", inputs(), [](GraphBuild& b) {
    Forms forms;
    const OutputRef x = x_input(b);
    return Refs{divided(b, forms, b.op("Sub", {x, mean(b, x)}), {gain(b)})};
  });
}

TEST_CASE("a LayerNorm that is multiplied out, with its bias inside, is no RMSNorm", "[passes][CR-3]") {
  check_left_alone(pass, [](GraphBuild& b) {
    const OutputRef x = x_input(b), m = mean(b, x), d = b.op("Sub", {x, m}), r = b.op("Reciprocal", {b.op("Sqrt", {mean(b, b.op("Mul", {d, d}))})});
    return Refs{b.op("Add", {b.op("Mul", {x, r}), b.op("Sub", {gain(b), b.op("Mul", {m, r})})})};
  });
}

TEST_CASE("what only resembles RMSNorm is left alone", "[passes][CR-3]") {
  const auto check = [](auto build) {
    check_left_alone(pass, [&](GraphBuild& b) {
      const OutputRef x = b.input("x", {"N", width, width});
      return Refs{build(b, x)};
    });
  };
  check([](GraphBuild& b, OutputRef x) { return b.op("Div", {x, b.op("Sqrt", {mean(b, b.op("Mul", {x, x}), {1})})}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Div", {b.input("y", {"N", width, width}), b.op("Sqrt", {mean(b, b.op("Mul", {x, x}))})}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Div", {x, b.op("Sqrt", {mean(b, b.op("Mul", {x, b.input("y", {"N", width, width})}))})}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Mul", {x, b.op("Sqrt", {mean(b, b.op("Mul", {x, x}))})}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Div", {b.scalar(2), b.op("Sqrt", {mean(b, b.op("Mul", {x, x}))})}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Div", {x, b.op("Pow", {mean(b, b.op("Mul", {x, x})), b.scalar(0.25f)})}); });
  // The mean of all elements of a batch, and sums instead of means.
  check([](GraphBuild& b, OutputRef x) { return b.op("Div", {x, b.op("Sqrt", {b.op("ReduceMean", {b.op("Mul", {x, x})}, attributes({{"keepdims", int64_t{0}}}))})}); });
  check([](GraphBuild& b, OutputRef x) { return b.op("Div", {x, b.op("Sqrt", {b.op("ReduceSum", {b.op("Mul", {x, x}), b.ints({-1})})})}); });
}

TEST_CASE("RMSNorm whose inner values somebody else needs is left alone", "[passes][CR-3]") {
  for (int which = 0; which < 4; ++which)
    for (bool output : {true, false})
      check_left_alone(pass, [&](GraphBuild& b) {
        const OutputRef x = x_input(b), square = b.op("Mul", {x, x}), m = mean(b, square), root = b.op("Sqrt", {m}), inverse = b.op("Reciprocal", {root});
        const OutputRef inner = which == 0 ? square : which == 1 ? m : which == 2 ? root : inverse;
        return Refs{b.op("Mul", {b.op("Mul", {x, inverse}), gain(b)}), output ? inner : b.op("Neg", {inner})};
      });
}

#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <limits>

using namespace ge;
using ge::testing::attributes;
using ge::testing::GraphBuild;
using ge::testing::GraphCase;
using Refs = std::vector<OutputRef>;
using Ints = std::vector<int64_t>;

namespace {

constexpr auto pass = "fold_batchnorm";

OutputRef floats(GraphBuild& b, Ints dims, std::vector<float> values) {
  return b.constant(Tensor::from<float>(DType::float32, std::move(dims), std::span<const float>(values)));
}

/// One 1×1 filter for each of two channels of x [N, 1, H, W]: 2x and 3x.
OutputRef conv(GraphBuild& b, OutputRef x, bool with_bias = false) {
  Refs inputs{x, floats(b, {2, 1, 1, 1}, {2, 3})};
  if (with_bias) inputs.push_back(floats(b, {2}, {5, 7}));
  return b.op("Conv", inputs);
}

/// scale 1 and 4, bias 10 and 20, mean 1 and 2, variance 4 and 16 (so divided by 2 and 4).
OutputRef batch_norm(GraphBuild& b, OutputRef x, Attributes attrs = attributes({{"epsilon", 0.0f}})) {
  return b.op("BatchNormalization", {x, floats(b, {2}, {1, 4}), floats(b, {2}, {10, 20}), floats(b, {2}, {1, 2}), floats(b, {2}, {4, 16})}, std::move(attrs));
}

/// Checks what Relu(<what build gives>) becomes; "" for: nothing.
template <class Build>
void check(const std::string& expected, Build build) {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 1, "H", "W"});
  c.outputs({c.op("Relu", {build(c, x)})});
  const std::string before = c.text();
  const size_t changes = c.run(pass);
  INFO("before: " << before);
  CHECK(c.text() == (expected.empty() ? before : "Relu(" + expected + ")"));
  CHECK((changes != 0) == !expected.empty());
}

}  // namespace

TEST_CASE("BatchNormalization goes into the Conv before it", "[passes][CR-3]") {
  // W' = W * {1/2, 4/4}; B' = (B - mean) * {1/2, 1} + bias
  check("Conv(x, [1, 3], [9.5, 18])", [](GraphCase& c, OutputRef x) { return batch_norm(c, conv(c, x)); });
  check("Conv(x, [1, 3], [12, 25])", [](GraphCase& c, OutputRef x) { return batch_norm(c, conv(c, x, true)); });
}

TEST_CASE("epsilon counts", "[passes][CR-3]") {
  // Variances 4 and 16 with epsilon 9: divided by sqrt(13) and 5.
  GraphCase c;
  c.outputs({batch_norm(c, conv(c, c.input("x", {"N", 1, "H", "W"})), attributes({{"epsilon", 9.0f}}))});
  CHECK(c.run(pass) != 0);
  const auto weights = c.graph.constant_value(c.graph.node(c.graph.outputs()[0].node).inputs()[1])->to_doubles();
  CHECK((*weights)[0] == Approx(2 / std::sqrt(13.0)));
  CHECK((*weights)[1] == Approx(3 * 4 / 5.0));
}

TEST_CASE("Mul, Add, Sub and Div by a constant for each channel, or one for all, go too, in one go", "[passes][CR-3]") {
  const auto channels = [](GraphCase& c, float first, float second) { return floats(c, {2, 1, 1}, {first, second}); };
  check("Conv(x, [20, 60])", [&](GraphCase& c, OutputRef x) { return c.op("Mul", {conv(c, x), channels(c, 10, 20)}); });
  check("Conv(x, [20, 60])", [&](GraphCase& c, OutputRef x) { return c.op("Mul", {floats(c, {1, 2, 1, 1}, {10, 20}), conv(c, x)}); });
  check("Conv(x, [20, 30], [50, 70])", [&](GraphCase& c, OutputRef x) { return c.op("Mul", {conv(c, x, true), c.scalar(10)}); });
  check("Conv(x, [2, 3], [1, 2])", [&](GraphCase& c, OutputRef x) { return c.op("Add", {conv(c, x), channels(c, 1, 2)}); });
  check("Conv(x, [2, 3], [4, 5])", [&](GraphCase& c, OutputRef x) { return c.op("Sub", {conv(c, x, true), channels(c, 1, 2)}); });
  check("Conv(x, [-2, -3], [-4, -5])", [&](GraphCase& c, OutputRef x) { return c.op("Sub", {channels(c, 1, 2), conv(c, x, true)}); });
  check("Conv(x, [0.5, 0.75])", [&](GraphCase& c, OutputRef x) { return c.op("Div", {conv(c, x), c.filled({1}, 4)}); });
  // ((2x) * 10 + 1) and ((3x) * 20 + 2), normalised
  check("Conv(x, [10, 60], [10, 20])", [&](GraphCase& c, OutputRef x) {
    return batch_norm(c, c.op("Add", {c.op("Mul", {conv(c, x), channels(c, 10, 20)}), channels(c, 1, 2)}));
  });
}

TEST_CASE("a shift alone keeps the weights that are there", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef y = conv(c, c.input("x", {"N", 1, "H", "W"})), weights = c.graph.node(y.node).inputs()[1];
  c.outputs({c.op("Add", {y, c.scalar(1)})});
  CHECK(c.run(pass) != 0);
  CHECK(c.graph.node(c.graph.outputs()[0].node).inputs()[1] == weights);
}

TEST_CASE("a constant that does not lie along the channels, or enlarges the output, is left alone", "[passes][CR-3]") {
  for (const char* op : {"Add", "Mul"}) {
    check("", [&](GraphCase& c, OutputRef x) { return c.op(op, {conv(c, x), floats(c, {2}, {1, 2})}); });           // along W
    check("", [&](GraphCase& c, OutputRef x) { return c.op(op, {conv(c, x), floats(c, {2, 1}, {1, 2})}); });        // along H
    check("", [&](GraphCase& c, OutputRef x) { return c.op(op, {conv(c, x), floats(c, {2, 1, 1, 1}, {1, 2})}); });  // along N
    check("", [&](GraphCase& c, OutputRef x) { return c.op(op, {conv(c, x), c.filled({1, 1, 1, 1, 1}, 2)}); });     // a fifth axis
    check("", [&](GraphCase& c, OutputRef x) { return c.op(op, {conv(c, x), c.filled({1, 2, 3, 1}, 2)}); });
    // One channel, which the constant would repeat.
    check("", [&](GraphCase& c, OutputRef x) { return c.op(op, {c.op("Conv", {x, c.filled({1, 1, 1, 1}, 2)}), floats(c, {2, 1, 1}, {1, 2})}); });
  }
}

TEST_CASE("what is no map by constants is left alone", "[passes][CR-3]") {
  check("", [](GraphCase& c, OutputRef x) { return c.op("Add", {conv(c, x), c.input("r", {"N", 2, "H", "W"})}); });  // a residual
  check("", [](GraphCase& c, OutputRef x) { return c.op("Div", {c.scalar(2), conv(c, x)}); });
  check("", [](GraphCase& c, OutputRef x) { return c.op("Max", {conv(c, x), c.scalar(2)}); });
  check("", [](GraphCase& c, OutputRef x) {
    const OutputRef y = conv(c, x);
    return c.op("Mul", {y, y});
  });
  // Statistics that are not constants, and those of training.
  check("", [](GraphCase& c, OutputRef x) {
    return c.op("BatchNormalization", {conv(c, x), c.input("s", {2}), floats(c, {2}, {1, 1}), floats(c, {2}, {1, 1}), floats(c, {2}, {1, 1})});
  });
  check("", [](GraphCase& c, OutputRef x) { return batch_norm(c, conv(c, x), attributes({{"training_mode", int64_t{1}}})); });
  // Weights that are not constants.
  check("", [](GraphCase& c, OutputRef x) { return batch_norm(c, c.op("Conv", {x, c.input("w", {2, 1, 1, 1})})); });
  check("", [](GraphCase& c, OutputRef x) { return batch_norm(c, c.op("Conv", {x, floats(c, {2, 1, 1, 1}, {2, 3}), c.input("b", {2})})); });
}

TEST_CASE("a BatchNormalization without a product before it is left alone", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 2, "H", "W"});
  c.outputs({batch_norm(c, x), batch_norm(c, c.op("Relu", {x}))});
  CHECK(c.run(pass) == 0);
}

TEST_CASE("a product that somebody else reads is left alone", "[passes][CR-3]") {
  SECTION("another node") {
    GraphCase c;
    const OutputRef y = conv(c, c.input("x", {"N", 1, "H", "W"}));
    c.outputs({batch_norm(c, y), c.op("Exp", {y})});
    CHECK(c.run(pass) == 0);
  }
  SECTION("the graph's output; its later maps stay too") {
    GraphCase c;
    const OutputRef y = c.op("Mul", {conv(c, c.input("x", {"N", 1, "H", "W"})), c.scalar(2)});
    c.outputs({batch_norm(c, y), y});
    CHECK(c.run(pass) != 0);
    CHECK(c.text() == "BatchNormalization(Conv(x, [4, 6]), [1, 4], [10, 20], [1, 2], [4, 16]); Conv(x, [4, 6])");
    CHECK(c.graph.output_names()[1] == "out1");
  }
  SECTION("a control edge") {
    GraphCase c;
    const OutputRef x = c.input("x", {"N", 1, "H", "W"}), y = conv(c, x), z = batch_norm(c, y), other = c.op("Exp", {x});
    c.graph.add_control_edge(y.node, other.node);
    c.outputs({z, other});
    CHECK(c.run(pass) == 0);
  }
  SECTION("a control edge of the map") {
    GraphCase c;
    const OutputRef x = c.input("x", {"N", 1, "H", "W"}), y = conv(c, x), other = c.op("Exp", {x}), z = batch_norm(c, y);
    c.graph.add_control_edge(other.node, z.node);
    c.outputs({z, other});
    CHECK(c.run(pass) == 0);
  }
}

TEST_CASE("grouped and transposed convolutions scale their own output channels", "[passes][CR-3]") {
  // Depthwise: two groups of one channel.
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 2, "W"});
  const auto two_groups = attributes({{"group", int64_t{2}}});
  c.outputs({c.op("Mul", {c.op("Conv", {x, floats(c, {2, 1, 1}, {2, 3})}, two_groups), floats(c, {2, 1}, {10, 100})}),
             // W [2 in, 2 out] of one group: input 0 gives 1 and 2, input 1 gives 3 and 4.
             c.op("Mul", {c.op("ConvTranspose", {x, floats(c, {2, 2, 1}, {1, 2, 3, 4})}), floats(c, {2, 1}, {10, 100})}),
             // Two groups, each one input and two outputs.
             c.op("Mul", {c.op("ConvTranspose", {x, floats(c, {2, 2, 1}, {1, 2, 3, 4})}, two_groups), floats(c, {4, 1}, {10, 100, 1000, 10000})})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Conv(x, [20, 300]); ConvTranspose(x, [10, 200, 30, 400]); ConvTranspose(x, [10, 200, 3000, 40000])");
  CHECK(c.graph.node(c.graph.outputs()[2].node).attributes().get_int("group", 1) == 2);
}

TEST_CASE("Gemm takes scales into B and C, with alpha, beta and transB", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 2}), two = floats(c, {2}, {10, 100});
  const OutputRef b = floats(c, {2, 2}, {1, 2, 3, 4}), bias = floats(c, {1, 2}, {5, 6});
  c.outputs({c.op("Mul", {c.op("Gemm", {x, b}), two}),
             c.op("Mul", {c.op("Gemm", {x, b}, attributes({{"transB", int64_t{1}}})), two}),
             c.op("Add", {c.op("Mul", {c.op("Gemm", {x, b, bias}, attributes({{"alpha", 3.0f}, {"beta", 2.0f}})), two}), c.scalar(1)})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Gemm(x, [10, 200, 30, 400]); Gemm(x, [10, 20, 300, 400]); Gemm(x, [10, 200, 30, 400], [101, 1201])");
  const Attributes& last = c.graph.node(c.graph.outputs()[2].node).attributes();
  CHECK(last.get_float("alpha", 1) == 3);
  CHECK(last.get_float("beta", 1) == 1);
  // C for each row is no bias of channels; neither is what comes from elsewhere.
  GraphCase d;
  const OutputRef y = d.input("y", {3, 2});
  d.outputs({d.op("Mul", {d.op("Gemm", {y, floats(d, {2, 2}, {1, 2, 3, 4}), d.filled({3, 1}, 1)}), d.scalar(2)}),
             d.op("Mul", {d.op("Gemm", {y, floats(d, {2, 2}, {1, 2, 3, 4}), d.op("Transpose", {d.input("t", {2, 3})})}), d.scalar(2)})});
  CHECK(d.run(pass) == 0);
}

TEST_CASE("MatMul takes scales, and one Add behind it takes the shifts", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", "T", 2}), w = floats(c, {2, 2}, {1, 2, 3, 4});
  const auto product = [&] { return c.op("MatMul", {x, w}); };
  c.outputs({c.op("Mul", {product(), floats(c, {2}, {10, 100})}),
             c.op("Mul", {c.op("Add", {product(), floats(c, {2}, {5, 6})}), c.scalar(2)}),
             c.op("Add", {product(), floats(c, {2}, {5, 6})})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "MatMul(x, [10, 200, 30, 400]); Add(MatMul(x, [2, 4, 6, 8]), [10, 12]); Add(MatMul(x, [1, 2, 3, 4]), [5, 6])");
}

TEST_CASE("axis 1 is what BatchNormalization normalises: the last one of a matrix only", "[passes][CR-3]") {
  GraphCase c;
  const auto product = [&](OutputRef x) { return c.op("MatMul", {x, floats(c, {2, 2}, {1, 2, 3, 4})}); };
  c.outputs({batch_norm(c, product(c.input("x", {"N", 2}))), batch_norm(c, product(c.input("y", {"N", 2, 2})))});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Add(MatMul(x, [0.5, 2, 1.5, 4]), [9.5, 18]); BatchNormalization(MatMul(y, [1, 2, 3, 4]), [1, 4], [10, 20], [1, 2], [4, 16])");
}

TEST_CASE("constants that would make weights infinite or no number are left alone", "[passes][CR-3]") {
  for (const float bad : {std::numeric_limits<float>::infinity(), NAN, 3e38f}) {
    check("", [&](GraphCase& c, OutputRef x) { return c.op("Mul", {conv(c, x), c.scalar(bad)}); });
    if (bad != 3e38f) check("", [&](GraphCase& c, OutputRef x) { return c.op("Add", {conv(c, x), c.scalar(bad)}); });
  }
  check("", [](GraphCase& c, OutputRef x) { return c.op("Div", {conv(c, x), c.scalar(0)}); });
  // A negative variance.
  check("", [](GraphCase& c, OutputRef x) {
    return c.op("BatchNormalization", {conv(c, x), floats(c, {2}, {1, 1}), floats(c, {2}, {1, 1}), floats(c, {2}, {1, 1}), floats(c, {2}, {1, -1})});
  });
}

TEST_CASE("float16 is left alone, float64 is not", "[passes][CR-3]") {
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float64}) {
    GraphCase c;
    const auto two = dtype == DType::float64 ? Tensor::from<double>(dtype, {1, 1, 1}, std::vector<double>{2}) : Tensor::from<uint16_t>(dtype, {1, 1, 1}, std::vector<uint16_t>{0x4000});
    c.outputs({c.op("Mul", {c.op("Conv", {c.input("x", {"N", 1, "W"}, dtype), c.constant(two)}), c.constant(two)})});
    const bool changed = c.run(pass) != 0;
    CHECK(changed == (dtype == DType::float64));
    if (changed) CHECK(c.text() == "Conv(x, [4])");
  }
}

TEST_CASE("weights that others read are copied within the limit, and stay for the others", "[passes][CR-3]") {
  for (const int64_t limit : {7, 8}) {
    GraphCase c;
    const OutputRef x = c.input("x", {"N", 1, "W"}), w = floats(c, {2, 1, 1}, {2, 3});
    c.outputs({c.op("Mul", {c.op("Conv", {x, w}), c.scalar(2)}), c.op("Conv", {x, w})});
    c.run(pass, nullptr, limit);
    CHECK(c.text() == (limit == 8 ? "Conv(x, [4, 6]); Conv(x, [2, 3])" : "Mul(Conv(x, [2, 3]), 2); Conv(x, [2, 3])"));
  }
}

TEST_CASE("convolutions one after the other, and in subgraphs, fold too", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {"N", 1, "W"});
  const auto scaled = [](GraphBuild& b, OutputRef y) { return b.op("Mul", {b.op("Conv", {y, b.filled({1, 1, 1}, 3)}), b.scalar(2)}); };
  c.outputs({c.branch(p, {x}, [&](GraphBuild& b, const Refs& in) { return Refs{scaled(b, in[0])}; }, [&](GraphBuild&, const Refs& in) { return in; }),
             scaled(c, scaled(c, x))});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "If(p, x){Conv(c0, [6]) | c0}; Conv(Conv(x, [6]), [6])");
}

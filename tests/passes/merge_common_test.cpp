#include "ge/passes/same_value.hpp"
#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <ctime>

using namespace ge;
using ge::testing::attributes;
using ge::testing::GraphBuild;
using ge::testing::GraphCase;
using Refs = std::vector<OutputRef>;

namespace {

constexpr auto pass = "merge_common";

/// How many nodes with this op are left.
size_t count(const Graph& graph, std::string_view op) {
  size_t found = 0;
  for (const Node& node : graph.nodes()) found += !node.dead() && node.op() == op;
  return found;
}

/// Runs the pass over Sub(first, second), where `build` gives both, and says whether both became one value.
template <class Build>
bool merges(Build build, DType dtype = DType::float32) {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 4}, dtype), y = c.input("y", {"N", 4}, dtype);
  const auto [first, second] = build(c, x, y);
  c.outputs({c.op("Identity", {first}), c.op("Identity", {second})});
  const std::string before = c.text();
  const size_t changes = c.run(pass);
  CHECK(c.graph.output_names()[1] == "out1");
  const bool one = c.graph.node(c.graph.outputs()[0].node).id() == c.graph.node(c.graph.outputs()[1].node).id();
  CHECK((changes != 0 || c.text() == before));
  return one;
}
using Two = std::pair<OutputRef, OutputRef>;

}  // namespace

TEST_CASE("equal nodes over equal inputs become one, chains in one call", "[passes][CR-3]") {
  // Mul(Exp(Add(x, y)), Exp(Add(x, y))) → e = Exp(Add(x, y)); Mul(e, e)
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 4}), y = c.input("y", {"N", 4});
  const auto exp_of_sum = [&] { return c.op("Exp", {c.op("Add", {x, y})}); };
  c.outputs({c.op("Mul", {exp_of_sum(), exp_of_sum()})});
  const std::string before = c.text();
  CHECK(c.run(pass) == 4);  // one reader of Exp moved, one of Add; one of each removed
  CHECK(c.text() == before);
  CHECK(count(c.graph, "Add") == 1);
  CHECK(count(c.graph, "Exp") == 1);
}

TEST_CASE("graph outputs keep their names and their order when they become one value", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {2});
  c.outputs({c.op("Relu", {x}), x, c.op("Relu", {x})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Relu(x); x; Relu(x)");
  CHECK(count(c.graph, "Relu") == 1);
  for (size_t i = 0; i < 3; ++i) CHECK(c.graph.output_names()[i] == "out" + std::to_string(i));
}

TEST_CASE("other ops, attributes, inputs or places of inputs are other values", "[passes][CR-3]") {
  CHECK(merges([](GraphCase& c, OutputRef x, OutputRef y) { return Two{c.op("Sub", {x, y}), c.op("Sub", {x, y})}; }));
  CHECK_FALSE(merges([](GraphCase& c, OutputRef x, OutputRef y) { return Two{c.op("Sub", {x, y}), c.op("Sub", {y, x})}; }));
  CHECK_FALSE(merges([](GraphCase& c, OutputRef x, OutputRef y) { return Two{c.op("Sub", {x, y}), c.op("Sub", {x, x})}; }));
  CHECK_FALSE(merges([](GraphCase& c, OutputRef x, OutputRef) { return Two{c.op("Exp", {x}), c.op("Relu", {x})}; }));
  const auto softmax = [](GraphCase& c, OutputRef x, int64_t axis) { return c.op("Softmax", {x}, attributes({{"axis", axis}})); };
  CHECK(merges([&](GraphCase& c, OutputRef x, OutputRef) { return Two{softmax(c, x, 1), softmax(c, x, 1)}; }));
  CHECK_FALSE(merges([&](GraphCase& c, OutputRef x, OutputRef) { return Two{softmax(c, x, 0), softmax(c, x, 1)}; }));
  // -1 is the default.
  CHECK(merges([&](GraphCase& c, OutputRef x, OutputRef) { return Two{softmax(c, x, -1), c.op("Softmax", {x})}; }));
  CHECK_FALSE(merges([&](GraphCase& c, OutputRef x, OutputRef) { return Two{softmax(c, x, 1), c.op("Softmax", {x})}; }));
}

TEST_CASE("attributes are compared to the bit", "[passes][CR-3]") {
  const auto leaky = [](GraphCase& c, OutputRef x, float alpha) { return c.op("LeakyRelu", {x}, attributes({{"alpha", alpha}})); };
  CHECK(merges([&](GraphCase& c, OutputRef x, OutputRef) { return Two{leaky(c, x, 0.5f), leaky(c, x, 0.5f)}; }));
  CHECK_FALSE(merges([&](GraphCase& c, OutputRef x, OutputRef) { return Two{leaky(c, x, 0.0f), leaky(c, x, -0.0f)}; }));
  // Also where the hashes do not tell already.
  CHECK_FALSE(same_bits(0.0f, -0.0f));
  CHECK_FALSE(same_bits(std::vector<float>{0.0f}, std::vector<float>{-0.0f}));
  CHECK(same_bits(NAN, NAN));
}

TEST_CASE("operands change places only where the result stays the same to the bit", "[passes][CR-3]") {
  const auto swapped = [](const char* op) {
    return [op](GraphCase& c, OutputRef x, OutputRef y) { return Two{c.op(op, {x, y}), c.op(op, {y, x})}; };
  };
  for (const char* op : {"Add", "Mul", "Equal"}) CHECK(merges(swapped(op)));
  for (const char* op : {"Sub", "Div", "Pow", "Less"}) CHECK_FALSE(merges(swapped(op)));
  // max(0, -0) may be either zero; integers have one.
  for (const char* op : {"Max", "Min"}) {
    CHECK_FALSE(merges(swapped(op)));
    CHECK(merges(swapped(op), DType::int64));
  }
  CHECK_FALSE(merges(swapped("Sum")));  // of three it would matter
}

TEST_CASE("equal constants become one; one bit more or less, another dtype or other dims do not", "[passes][CR-3]") {
  const auto over = [](auto first, auto second) {
    return merges([&](GraphCase& c, OutputRef, OutputRef) { return Two{first(c), second(c)}; });
  };
  const auto scalar = [](float value) { return [=](GraphCase& c) { return c.scalar(value); }; };
  const auto filled = [](std::vector<int64_t> dims, float value) { return [=](GraphCase& c) { return c.filled(dims, value); }; };
  CHECK(over(scalar(1.5f), scalar(1.5f)));
  CHECK(over(scalar(NAN), scalar(NAN)));
  CHECK_FALSE(over(scalar(0.0f), scalar(-0.0f)));
  CHECK_FALSE(over(filled({1}, 1), scalar(1)));
  CHECK_FALSE(over(filled({2, 3}, 1), filled({3, 2}, 1)));
  CHECK(over(filled({2, 3}, 1), filled({2, 3}, 1)));
  CHECK_FALSE(over([](GraphCase& c) { return c.constant(Tensor::zeros(DType::int32, {2})); }, [](GraphCase& c) { return c.constant(Tensor::zeros(DType::float32, {2})); }));
  const auto text = [](std::string value) { return [=](GraphCase& c) { return c.constant(Tensor::strings({1}, {value})); }; };
  CHECK(over(text("a"), text("a")));
  CHECK_FALSE(over(text("a"), text("b")));
}

TEST_CASE("large constants that differ only in the middle are told apart", "[passes][CR-3]") {
  std::vector<float> values(4096, 1);
  GraphCase c;
  Refs outputs;
  for (const float middle : {1.0f, 2.0f, 3.0f, 2.0f}) {
    values[2048] = middle;
    outputs.push_back(c.constant(Tensor::from<float>(DType::float32, {4096}, std::span<const float>(values))));
  }
  c.outputs(outputs);
  CHECK(c.run(pass) != 0);
  const auto kept = c.graph.outputs();
  CHECK(kept[1] == kept[3]);
  CHECK(kept[0] != kept[1]);
  CHECK(kept[0] != kept[2]);
  CHECK(kept[1] != kept[2]);
}

TEST_CASE("the node with the most outputs stays", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {1, 1, "H", 4});
  const auto pool = [&](size_t outputs) { return c.op("MaxPool", {x}, attributes({{"kernel_shape", std::vector<int64_t>{1, 2}}}), outputs); };
  const OutputRef one = pool(1), both = pool(2);
  c.outputs({one, both, {both.node, 1}});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "MaxPool(x); MaxPool(x); MaxPool(x).1");
  CHECK(count(c.graph, "MaxPool") == 1);
}

TEST_CASE("nodes with other optional outputs stay apart, those with the same become one", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {3, 1, 2}), w = c.filled({1, 8, 2}, 1), r = c.filled({1, 8, 2}, 1);
  const auto lstm = [&](std::vector<std::string> names) {
    NodeSpec spec;
    spec.op = "LSTM";
    spec.inputs = {x, w, r};
    spec.attributes = attributes({{"hidden_size", int64_t{2}}});
    spec.outputs = std::move(names);
    return c.graph.add_node(std::move(spec));
  };
  SECTION("one output each") {
    const NodeId sequence = lstm({"y", "", ""}), last = lstm({"", "h", ""}), again = lstm({"", "h2", ""});
    c.outputs({{sequence, 0}, {last, 1}, {again, 1}});
    c.run(pass);
    CHECK(count(c.graph, "LSTM") == 2);
    CHECK(c.graph.outputs()[1] == c.graph.outputs()[2]);
  }
  SECTION("of two that have the same, one is read where the kept node has nothing") {
    const NodeId most = lstm({"y", "h", ""}), covered = lstm({"y2", "", "c2"}), apart = lstm({"y3", "", "c3"});
    c.outputs({{most, 1}, {covered, 0}, {apart, 2}});
    c.run(pass);
    CHECK(count(c.graph, "LSTM") == 2);
    CHECK(c.graph.outputs()[1] == OutputRef{most, 0});
    CHECK(c.graph.outputs()[2] == OutputRef{apart, 2});
  }
}

TEST_CASE("Splits into other numbers of parts are other nodes", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {6});
  const OutputRef two = c.op("Split", {x}, {}, 2), three = c.op("Split", {x}, {}, 3), again = c.op("Split", {x}, {}, 3);
  c.outputs({two, three, again, {again.node, 2}});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Split(x); Split(x); Split(x); Split(x).2");
  CHECK(count(c.graph, "Split") == 2);
}

TEST_CASE("absent inputs are the same, and not the same as given ones", "[passes][CR-3]") {
  CHECK(merges([](GraphCase& c, OutputRef x, OutputRef) { return Two{c.op("Clip", {x, {}, c.scalar(6)}), c.op("Clip", {x, {}, c.scalar(6)})}; }));
  CHECK_FALSE(merges([](GraphCase& c, OutputRef x, OutputRef) { return Two{c.op("Clip", {x, {}, c.scalar(6)}), c.op("Clip", {x, c.scalar(6), {}})}; }));
  CHECK_FALSE(merges([](GraphCase& c, OutputRef x, OutputRef) { return Two{c.op("Clip", {x}), c.op("Clip", {x, c.scalar(6)})}; }));
}

TEST_CASE("what is drawn at random, ordered by control edges or has subgraphs is left alone", "[passes][CR-3]") {
  CHECK_FALSE(merges([](GraphCase& c, OutputRef x, OutputRef) {
    const OutputRef half = c.scalar(0.5f), training = c.boolean(true);
    return Two{c.op("Dropout", {x, half, training}), c.op("Dropout", {x, half, training})};
  }));
  CHECK_FALSE(merges([](GraphCase& c, OutputRef x, OutputRef y) {
    const Two both{c.op("Exp", {x}), c.op("Exp", {x})};
    c.graph.add_control_edge(y.node, both.second.node);
    return both;
  }));
  CHECK_FALSE(merges([](GraphCase& c, OutputRef x, OutputRef) {
    const OutputRef p = c.input("p", {}, DType::boolean);
    const auto relu = [](GraphBuild& b, const Refs& in) { return Refs{b.op("Relu", {in[0]})}; };
    return Two{c.branch(p, {x}, relu, relu), c.branch(p, {x}, relu, relu)};
  }));
}

TEST_CASE("subgraphs merge inside, never across their border", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2});
  const auto twice = [](GraphBuild& b, const Refs& in) { return Refs{b.op("Exp", {in[0]}), b.op("Exp", {in[0]})}; };
  const OutputRef y = c.branch(p, {x}, twice, [](GraphBuild& b, const Refs& in) { return Refs{b.op("Exp", {in[0]}), in[0]}; }, 2);
  c.outputs({c.op("Exp", {x}), y, {y.node, 1}});
  CHECK(c.run(pass) == 2);
  CHECK(c.text() == "Exp(x); If(p, x){Exp(c0); Exp(c0) | Exp(c0); c0}; If(p, x){Exp(c0); Exp(c0) | Exp(c0); c0}.1");
  CHECK(count(c.graph, "Exp") == 1);
}

TEST_CASE("values that only a run knows are merged: their unknown dims become one", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"});
  c.outputs({c.op("Add", {c.op("NonZero", {x}), c.op("NonZero", {x})})});
  CHECK(c.run(pass) != 0);
  CHECK(count(c.graph, "NonZero") == 1);
}

TEST_CASE("100,000 readers of equal constants merge in time that grows with their number", "[passes][CR-3][CR-10]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N"});
  OutputRef y = x;
  for (int i = 0; i < 100'000; ++i) y = c.op("Add", {y, c.scalar(static_cast<float>(i % 3 + 1))});
  c.outputs({y});
  const std::clock_t start = std::clock();
  CHECK(c.run(pass) != 0);
  CHECK(count(c.graph, "Const") == 3);
  CHECK((std::clock() - start) / CLOCKS_PER_SEC < 30);  // of the processor: others may be busy too
}

TEST_CASE("random numbers are drawn twice, with a seed too", "[passes][CR-3]") {
  for (const char* op : {"RandomNormalLike", "RandomUniformLike", "Bernoulli", "Dropout"})
    for (bool seeded : {false, true}) {
      const AttributeValue seed = std::string_view(op) == "Dropout" ? AttributeValue(int64_t{7}) : AttributeValue(7.0f);
      const Attributes given = seeded ? attributes({{"seed", seed}}) : Attributes();
      INFO(op << (seeded ? " with a seed" : ""));
      CHECK_FALSE(merges([&](GraphCase& c, OutputRef x, OutputRef) { return Two{c.op(op, {x}, given), c.op(op, {x}, given)}; }));
    }
}

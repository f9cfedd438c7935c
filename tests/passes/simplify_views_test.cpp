#include "passes/graph_case.hpp"
#include "support/catch.hpp"

#include <ctime>


using namespace ge;
using ge::testing::attributes;
using ge::testing::Dim;
using ge::testing::GraphBuild;
using ge::testing::GraphCase;
using Refs = std::vector<OutputRef>;
using Ints = std::vector<int64_t>;

namespace {

constexpr auto pass = "simplify_views";

OutputRef transpose(GraphBuild& b, OutputRef x, Ints perm) { return b.op("Transpose", {x}, attributes({{"perm", std::move(perm)}})); }
OutputRef reshape(GraphBuild& b, OutputRef x, Ints dims) { return b.op("Reshape", {x, b.ints(std::move(dims))}); }
OutputRef squeeze(GraphBuild& b, OutputRef x, Ints axes) { return b.op("Squeeze", {x, b.ints(std::move(axes))}); }
OutputRef unsqueeze(GraphBuild& b, OutputRef x, Ints axes) { return b.op("Unsqueeze", {x, b.ints(std::move(axes))}); }
OutputRef slice(GraphBuild& b, OutputRef x, int64_t start, int64_t end, int64_t axis = 0, int64_t step = 1) {
  return b.op("Slice", {x, b.ints({start}), b.ints({end}), b.ints({axis}), b.ints({step})});
}
OutputRef expand(GraphBuild& b, OutputRef x, Ints dims) { return b.op("Expand", {x, b.ints(std::move(dims))}); }
OutputRef concat(GraphBuild& b, Refs parts, int64_t axis = 0) { return b.op("Concat", std::move(parts), attributes({{"axis", axis}})); }

constexpr int64_t end = INT64_MAX;

/// Checks what Relu(<what build makes of x>) becomes; "" for: it stays. The shape stays what it was.
template <class Build>
void check(std::vector<Dim> dims, const std::string& expected, Build build, bool same_expression = true) {
  GraphCase c;
  const OutputRef x = c.input("x", std::move(dims));
  c.outputs({c.op("Relu", {build(c, x)})});
  infer(c.graph);
  const std::string before = c.text(), shape = to_string(c.graph.type(c.graph.outputs()[0]));
  const size_t changes = c.run(pass);
  INFO("before: " << before);
  CHECK(c.text() == (expected.empty() ? before : "Relu(" + expected + ")"));
  CHECK((changes != 0) == !expected.empty());
  if (same_expression) CHECK(to_string(c.graph.type(c.graph.outputs()[0])) == shape);
}

/// perm of the Transpose that is the first output's producer's input.
Ints perm_left(const GraphCase& c) { return c.graph.node(c.graph.outputs()[0].node).attributes().get_ints("perm"); }

}  // namespace

TEST_CASE("two Transposes are one, or none", "[passes][CR-3]") {
  check({"N", "C", "H"}, "x", [](GraphCase& c, OutputRef x) { return transpose(c, transpose(c, x, {2, 0, 1}), {1, 2, 0}); });
  check({"N", "C"}, "x", [](GraphCase& c, OutputRef x) { return c.op("Transpose", {c.op("Transpose", {x})}); });
  // out[i, j, k] = t[k, i, j] = x[i, k, j]... by axes: perm {2, 0, 1} of perm {2, 1, 0} is {0, 2, 1}
  GraphCase c;
  c.outputs({transpose(c, transpose(c, c.input("x", {"N", "C", "H"}), {2, 1, 0}), {2, 0, 1})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Transpose(x)");
  CHECK(perm_left(c) == Ints{0, 2, 1});
  CHECK(to_string(c.graph.type(c.graph.outputs()[0])) == "float32[N, H, C]");
}

TEST_CASE("longer chains of Transposes are one, whoever else reads their links", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", "C", "H"});
  const OutputRef first = transpose(c, x, {1, 2, 0}), second = transpose(c, first, {1, 2, 0}), third = transpose(c, second, {1, 2, 0});
  c.outputs({second, third, first});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Transpose(x); x; Transpose(x)");
  CHECK(perm_left(c) == Ints{2, 0, 1});
  // 100 rotations of three axes are one rotation.
  GraphCase d;
  OutputRef y = d.input("x", {"N", "C", "H"});
  for (int i = 0; i < 100; ++i) y = transpose(d, y, {1, 2, 0});
  d.outputs({y});
  CHECK(d.run(pass) != 0);
  CHECK(d.text() == "Transpose(x)");
  CHECK(perm_left(d) == Ints{1, 2, 0});
}

TEST_CASE("a Transpose that moves only axes of size 1 is a view", "[passes][CR-3]") {
  check({2, 1, 3, 4}, "Reshape(x, [2, 3, 4, 1])", [](GraphCase& c, OutputRef x) { return transpose(c, x, {0, 2, 3, 1}); });
  check({"N", 1, 3}, "Reshape(x, [0, 3, 1])", [](GraphCase& c, OutputRef x) { return transpose(c, x, {0, 2, 1}); });
  // No Reshape can say two open dims that move.
  check({"N", 1, "H", "W"}, "Unsqueeze(Squeeze(x, [1]), [3])", [](GraphCase& c, OutputRef x) { return transpose(c, x, {0, 2, 3, 1}); });
  check({1, 1, 5}, "x", [](GraphCase& c, OutputRef x) { return transpose(c, x, {1, 0, 2}); });
  check({2, 1, 3, 4}, "", [](GraphCase& c, OutputRef x) { return transpose(c, x, {0, 3, 2, 1}); });
  // C may be 1, or not.
  check({"N", "C", 3}, "", [](GraphCase& c, OutputRef x) { return transpose(c, x, {0, 2, 1}); });
}

TEST_CASE("chains of Reshape, Squeeze, Unsqueeze and Flatten are one view of where they start", "[passes][CR-3]") {
  check({2, 3, 4}, "Reshape(x, [8, 3])", [](GraphCase& c, OutputRef x) { return reshape(c, reshape(c, x, {4, 6}), {8, 3}); });
  check({"N", 3, 4}, "Flatten(x)", [](GraphCase& c, OutputRef x) { return reshape(c, unsqueeze(c, c.op("Flatten", {x}), {2}), {0, 12}); });
  check({"N", 3, 4}, "Reshape(x, [0, 12])", [](GraphCase& c, OutputRef x) { return squeeze(c, reshape(c, x, {0, 12, 1}), {2}); });
  check({"N", 3}, "Unsqueeze(x, [0, 3])", [](GraphCase& c, OutputRef x) { return unsqueeze(c, unsqueeze(c, x, {2}), {0}); });
  check({1, "N", 1, "M"}, "Squeeze(x, [0, 2])", [](GraphCase& c, OutputRef x) { return squeeze(c, squeeze(c, x, {2}), {0}); });
  check({"N", 3, 1}, "Squeeze(x, [2])", [](GraphCase& c, OutputRef x) { return c.op("Flatten", {reshape(c, x, {0, 1, 3})}); });
}

TEST_CASE("a chain of views that ends in the shape it began with is nothing", "[passes][CR-3]") {
  check({"N", "M"}, "x", [](GraphCase& c, OutputRef x) { return squeeze(c, unsqueeze(c, x, {0}), {0}); });
  check({"N", "M"}, "x", [](GraphCase& c, OutputRef x) { return squeeze(c, unsqueeze(c, x, {0}), {-3}); });
  check({2, 6}, "x", [](GraphCase& c, OutputRef x) { return reshape(c, reshape(c, x, {3, 4}), {2, 6}); });
  check({"N", 1, 3}, "x", [](GraphCase& c, OutputRef x) { return unsqueeze(c, squeeze(c, transpose(c, x, {1, 0, 2}), {0}), {1}); });
  // A link has the shape already: {N, 6} -> {N, 2, 3} -> {N, 6} -> {N, 3, 2}... ends where its second link was.
  GraphCase c;
  const OutputRef split = reshape(c, c.op("Exp", {c.input("x", {"N", 6})}), {0, 2, 3});
  c.outputs({c.op("Relu", {split}), c.op("Relu", {reshape(c, c.op("Flatten", {split}), {0, 2, 3})})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Relu(Reshape(Exp(x), [0, 2, 3])); Relu(Reshape(Exp(x), [0, 2, 3]))");
  CHECK(c.graph.node(c.graph.outputs()[1].node).inputs()[0] == split);
}

TEST_CASE("a Reshape to computed dims reads from further back where these do not depend on its input", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", 6}), like = c.input("y", {"N", "K"});
  const OutputRef dims = concat(c, {c.op("Shape", {like}), c.ints({-1})});
  c.outputs({c.op("Reshape", {reshape(c, x, {0, 2, 3}), dims})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Reshape(x, Concat(Shape(y), [-1]))");
}

TEST_CASE("views that are not proven to be one are left alone", "[passes][CR-3]") {
  // Two open dims, neither where it was.
  check({"N", 1, "M", 1}, "", [](GraphCase& c, OutputRef x) { return unsqueeze(c, squeeze(c, x, {1, 3}), {0, 2}); });
  GraphCase c;
  // The shape comes from outside: nobody knows what its zeros copy.
  const OutputRef x = c.input("x", {"N", 6});
  c.outputs({c.op("Reshape", {reshape(c, x, {0, 2, 3}), c.input("s", {65}, DType::int64)}),
             c.op("Reshape", {c.op("Flatten", {c.input_of_unknown_rank("y")}), c.input("t", {65}, DType::int64)})});
  CHECK(c.run(pass) == 0);
  // Steps in between that reorder elements.
  check({2, 3}, "", [](GraphCase& d, OutputRef y) { return reshape(d, transpose(d, reshape(d, y, {3, 2}), {1, 0}), {3, 2}); });
}

TEST_CASE("Slices of Slices are one", "[passes][CR-3]") {
  // Static: x[2:9][1:5] = x[3:7]; x[1::2][1:3] = x[3:7:2] over 10 (positions 3 and 5)
  check({10}, "Slice(x, [3], [7], [0], [1])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 2, 9), 1, 5); });
  check({10}, "Slice(x, [3], [6], [0], [2])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 1, end, 0, 2), 1, 3); });
  // From the end, backwards: x[::-1][1:4] over 10 takes 8, 7, 6; x[::-1][-3:] takes 2, 1, 0
  check({10}, "Slice(x, [8], [5], [0], [-1])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, -1, INT64_MIN, 0, -1), 1, 4); });
  check({10}, "Slice(x, [2], [-9.22337e+18], [0], [-1])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, -1, INT64_MIN, 0, -1), -3, end); });
  check({10}, "Slice(x, [0], [0], [0], [1])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 0, 4), 6, 9); });
}

TEST_CASE("Slices along several axes are one", "[passes][CR-3]") {
  check({"N", "M"}, "Slice(x, [1, 2], [9.22337e+18, 9.22337e+18], [0, 1], [1, 1])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 2, end, 1), 1, end, 0); });
  check({8, "M"}, "Slice(x, [3, -2], [6, 9.22337e+18], [0, 1], [1, 1])",
        [](GraphCase& c, OutputRef x) { return slice(c, slice(c, slice(c, x, 1, 7), -2, end, -1), 2, 5, 0); });
}

TEST_CASE("Slices of open dims are one where starts count from the front", "[passes][CR-3]") {
  check({"N"}, "Slice(x, [5], [9.22337e+18], [0], [1])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 2, end), 3, end); }, false);
  check({"N"}, "Slice(x, [5], [-1], [0], [1])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 2, end), 3, -1); }, false);
  check({"N"}, "Slice(x, [5], [-3], [0], [1])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 2, -1), 3, -2); }, false);
  check({"N"}, "Slice(x, [4], [9.22337e+18], [0], [6])", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 0, end, 0, 2), 2, end, 0, 3); }, false);
  // With few elements the inner start is clamped: x[-5:][2:] of 4 elements is the last two, not three.
  check({"N"}, "", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, -5, end), 2, end); });
  check({"N"}, "", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 2, end), -5, end); });
  check({"N"}, "", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, 2, 7), 1, -1); });
  check({"N"}, "", [](GraphCase& c, OutputRef x) { return slice(c, slice(c, x, -1, INT64_MIN, 0, -1), 1, end); });
  // Bounds from outside.
  check({"N"}, "", [](GraphCase& c, OutputRef x) { return c.op("Slice", {slice(c, x, 2, end), c.input("s", {1}, DType::int64), c.input("e", {1}, DType::int64)}); });
}

TEST_CASE("Expands of Expands are one", "[passes][CR-3]") {
  check({3, 1}, "Expand(x, [2, 3, 4])", [](GraphCase& c, OutputRef x) { return expand(c, expand(c, x, {3, 4}), {2, 3, 4}); });
  // The outer 1 keeps the inner 4.
  check({3, 1}, "Expand(x, [2, 3, 4])", [](GraphCase& c, OutputRef x) { return expand(c, expand(c, x, {3, 4}), {2, 1, 1}); });
  check({"N", 1}, "Expand(x, [5, 1, 4])", [](GraphCase& c, OutputRef x) { return expand(c, expand(c, x, {1, 4}), {5, 1, 4}); });
  check({"N", 1}, "", [](GraphCase& c, OutputRef x) { return expand(c, expand(c, x, {1, 4}), {5, 1, 1}); });
}

TEST_CASE("a Concat of Concats that nobody else reads is one", "[passes][CR-3]") {
  check({"N", 2}, "Concat(x, x, x, x)", [](GraphCase& c, OutputRef x) { return concat(c, {x, concat(c, {x, concat(c, {x, x}, -2)})}); });
  check({"N", 2}, "", [](GraphCase& c, OutputRef x) { return concat(c, {concat(c, {x, x}, 1), concat(c, {x, x}, 1)}); });  // along another axis
  GraphCase c;
  const OutputRef x = c.input("x", {"N"}), inner = concat(c, {x, c.op("Exp", {x})});
  c.outputs({concat(c, {inner, x}), inner});
  CHECK(c.run(pass) == 0);
  GraphCase d;
  const OutputRef y = d.input("y", {"N"}), twice = concat(d, {y, y});
  d.outputs({concat(d, {twice, twice})});
  CHECK(d.run(pass) == 0);
}

TEST_CASE("a Slice of a Concat from border to border is its part, or a Concat of fewer", "[passes][CR-3]") {
  const auto parts = [](GraphCase& c, OutputRef x) { return concat(c, {c.op("Exp", {x}), c.op("Abs", {x}), c.op("Neg", {x})}); };
  check({3}, "Abs(x)", [&](GraphCase& c, OutputRef x) { return slice(c, parts(c, x), 3, 6); });
  check({3}, "Neg(x)", [&](GraphCase& c, OutputRef x) { return slice(c, parts(c, x), -3, end); });
  check({3}, "Concat(Exp(x), Abs(x))", [&](GraphCase& c, OutputRef x) { return slice(c, parts(c, x), 0, -3); });
  check({3}, "", [&](GraphCase& c, OutputRef x) { return slice(c, parts(c, x), 3, 5); });
  check({3}, "", [&](GraphCase& c, OutputRef x) { return slice(c, parts(c, x), 0, 6, 0, 2); });
  // Another axis.
  check({3, 9}, "", [&](GraphCase& c, OutputRef x) { return slice(c, parts(c, x), 3, 6, 1); });
  // Open dims: 4 + N, cut where the 4 end.
  GraphCase c;
  const OutputRef a = c.input("a", {4}), b = c.input("b", {"N"}), both = concat(c, {a, b});
  c.outputs({slice(c, both, 0, 4), slice(c, both, 4, end), slice(c, both, 5, end), slice(c, concat(c, {b, a}), -4, end)});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "a; b; Slice(Concat(a, b), [5], [9.22337e+18], [0], [1]); a");
}

TEST_CASE("a part whose dims the Concat alone proves is left alone", "[passes][CR-3]") {
  // a is [2, M], b [3, 5]: the Concat says M = 5 and checks it.
  GraphCase c;
  const OutputRef both = concat(c, {c.input("a", {2, "M"}), c.input("b", {3, 5})});
  c.outputs({slice(c, both, 0, 2), slice(c, both, 2, 5)});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "Slice(Concat(a, b), [0], [2], [0], [1]); b");
}

TEST_CASE("Split undoes Concat where its borders are those of the parts", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef a = c.input("a", {2, "N"}), b = c.input("b", {3, "N"}), d = c.input("d", {4, "N"});
  SECTION("all parts") {
    const OutputRef s = c.op("Split", {concat(c, {a, b, d}), c.ints({2, 3, 4})}, {}, 3);
    c.outputs({{s.node, 2}, s, {s.node, 1}});
    CHECK(c.run(pass) != 0);
    CHECK(c.text() == "d; a; b");
  }
  SECTION("groups of parts") {
    const OutputRef s = c.op("Split", {concat(c, {a, b, d}), c.ints({5, 4})}, attributes({{"axis", int64_t{-2}}}), 2);
    c.outputs({s, {s.node, 1}});
    CHECK(c.run(pass) != 0);
    CHECK(c.text() == "Concat(a, b); d");
  }
  SECTION("some parts: the others stay") {
    const OutputRef s = c.op("Split", {concat(c, {a, b, d}), c.ints({2, 1, 6})}, {}, 3);
    c.outputs({s, {s.node, 1}});
    CHECK(c.run(pass) != 0);
    CHECK(c.text() == "a; Split(Concat(a, b, d), [2, 1, 6]).1");
  }
  SECTION("groups, but the Concat stays: nothing is gained") {
    const OutputRef both = concat(c, {a, b, d}), s = c.op("Split", {both, c.ints({5, 4})}, {}, 2);
    c.outputs({s, both});
    CHECK(c.run(pass) == 0);
  }
  SECTION("along another axis") {
    const OutputRef s = c.op("Split", {concat(c, {a, b})}, attributes({{"axis", int64_t{1}}}), 2);
    c.outputs({s, {s.node, 1}});
    CHECK(c.run(pass) == 0);
  }
}

TEST_CASE("nothing looks through a node with control edges", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef x = c.input("x", {"N", "M"}), other = c.op("Exp", {x}), inner = transpose(c, x, {1, 0}), outer = transpose(c, inner, {1, 0});
  c.graph.add_control_edge(other.node, inner.node);
  const OutputRef a = unsqueeze(c, x, {0}), b = squeeze(c, a, {0});
  c.graph.add_control_edge(other.node, b.node);
  c.outputs({outer, other, b});
  CHECK(c.run(pass) == 0);
}

TEST_CASE("views in subgraphs are simplified inside; captured values are where chains begin", "[passes][CR-3]") {
  GraphCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {"N", "M"});
  const auto twice = [](GraphBuild& b, const Refs& in) { return Refs{transpose(b, transpose(b, in[0], {1, 0}), {1, 0})}; };
  const auto once = [](GraphBuild& b, const Refs& in) { return Refs{transpose(b, in[0], {1, 0})}; };
  c.outputs({c.branch(p, {x}, twice, twice), transpose(c, c.branch(p, {x}, once, once), {1, 0})});
  CHECK(c.run(pass) != 0);
  CHECK(c.text() == "If(p, x){c0 | c0}; Transpose(If(p, x){Transpose(c0) | Transpose(c0)})");
}

TEST_CASE("100,000 views one after the other, and as many of one value, are simplified in linear time", "[passes][CR-3][CR-10]") {
  const std::clock_t start = std::clock();
  GraphCase c;
  OutputRef y = c.input("x", {"N", "M"});
  const OutputRef perm = c.op("Relu", {y});
  Refs outputs;
  for (int i = 0; i < 100'000; ++i) {
    y = transpose(c, y, {1, 0});
    if (i % 10'000 == 0) outputs.push_back(y);
    if (i % 10 == 0) outputs.push_back(c.op("Relu", {transpose(c, transpose(c, perm, {1, 0}), {1, 0})}));
  }
  outputs.push_back(y);
  c.outputs(outputs);
  CHECK(c.run(pass) != 0);
  CHECK(ge::testing::text(c.graph, c.graph.outputs().back()) == "x");
  CHECK(ge::testing::text(c.graph, c.graph.outputs()[1]) == "Relu(Relu(x))");
  CHECK((std::clock() - start) / CLOCKS_PER_SEC < 60);  // of the processor: others may be busy too
}

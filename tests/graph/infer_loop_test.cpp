// Loop: the body is inferred until its carried types are stable; what changes from one iteration to the next is open.
#include "graph/infer_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

struct Case : InferGraph {
  OutputRef x, trips;
  Case() : x(input("x", {"N", 4})), trips(input("trips", {}, DType::int64)) {}
  /// Types of the body's carried value `i`.
  const TensorType& carried(OutputRef loop, size_t i) const {
    const Graph& body = root.subgraph(root.node(loop.node).subgraphs()[0]);
    return body.type({body.inputs()[2 + i], 0});
  }
};

OutputRef concat(GraphBuild& b, OutputRef p, OutputRef q, int64_t axis) { return b.op("Concat", {p, q}, attributes({{"axis", axis}})); }

}  // namespace

TEST_CASE("A carried value that keeps its shape keeps it exactly", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.loop(k.trips, {}, {k.x}, {}, [](GraphBuild& b, Refs c) { return Refs{c[1], b.op("Relu", {c[2]})}; });
  k.outputs({r});
  const InferResult result = infer(k.root);
  CHECK(to_string(k.type(r)) == "float32[N, 4]");
  CHECK(k.dim(r, 0) == k.dim(k.x, 0));
  CHECK(result.open.empty());
}

TEST_CASE("A dim that grows is open in the body and, as another symbol, behind the loop", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.loop(k.trips, {}, {k.x}, {k.x}, [](GraphBuild& b, Refs c) { return Refs{c[1], concat(b, c[2], c[3], 0)}; });
  k.outputs({r});
  infer(k.root);
  CHECK(k.dim(r, 0).is_symbol());
  CHECK_FALSE(k.dim(r, 0) == k.dim(k.x, 0));
  CHECK_FALSE(k.dim(r, 0) == k.carried(r, 0).shape->at(0));
  CHECK(k.dim(r, 1).is_constant(4));
}

TEST_CASE("A rank that grows is unknown", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.loop(k.trips, {}, {k.x}, {}, [](GraphBuild& b, Refs c) { return Refs{c[1], b.op("Unsqueeze", {c[2], b.ints({0})})}; });
  k.outputs({r});
  infer(k.root);
  CHECK(to_string(k.type(r)) == "float32[?]");
  CHECK(to_string(k.carried(r, 0)) == "float32[?]");
}

TEST_CASE("Two carried values that change places have the dims of neither", "[graph][CR-2]") {
  Case k;
  const OutputRef y = k.input("y", {"M", 4});
  const OutputRef r = k.loop(k.trips, {}, {k.x, y}, {}, [](GraphBuild&, Refs c) { return Refs{c[1], c[3], c[2]}; });
  const OutputRef other{r.node, 1};
  k.outputs({r, other});
  infer(k.root);
  const std::vector<Expr> dims{k.dim(k.x, 0), k.dim(y, 0), k.dim(r, 0), k.dim(other, 0)};
  for (size_t i = 0; i < dims.size(); ++i)
    for (size_t j = 0; j < i; ++j) CHECK_FALSE(dims[i] == dims[j]);
  CHECK(k.dim(r, 1).is_constant(4));
  CHECK(k.dim(other, 1).is_constant(4));
}

TEST_CASE("What grows late, by way of another carried value, is found too", "[graph][CR-2]") {
  Case k;
  const OutputRef a = k.filled({1}, 0), b = k.filled({1}, 0), c = k.filled({1}, 0);
  // c takes b, b takes a, a grows: the third walk sees c change.
  const OutputRef r = k.loop(k.trips, {}, {a, b, c}, {}, [](GraphBuild& g, Refs in) { return Refs{in[1], concat(g, in[2], g.filled({1}, 0), 0), in[2], in[3]}; });
  k.outputs({{r.node, 2}});
  infer(k.root);
  CHECK(k.dim({r.node, 2}, 0).is_symbol());
}

TEST_CASE("Values of carried integers are not those of the first iteration; captures keep theirs", "[graph][CR-2]") {
  Case k;
  const OutputRef start = k.ints({2}), fixed = k.ints({3});
  const OutputRef r = k.loop(k.trips, {}, {start}, {fixed}, [](GraphBuild& b, Refs c) {
    return Refs{c[1], b.op("Add", {c[2], b.ints({1})}), b.op("ConstantOfShape", {c[2]}), b.op("ConstantOfShape", {c[3]})};
  });
  const OutputRef by_carried{r.node, 1}, by_capture{r.node, 2};
  k.outputs({r, by_carried, by_capture});
  infer(k.root);
  CHECK(to_string(k.type(r)) == "int64[1]");
  CHECK_FALSE(k.dim(by_carried, 1).is_constant());
  CHECK(k.dim(by_capture, 1).is_constant(3));
}

TEST_CASE("A scan output has the iterations in front, open, each of its own", "[graph][CR-2]") {
  Case k;
  const auto body = [](GraphBuild& b, Refs c) { return Refs{c[1], c[2], b.op("Relu", {c[2]})}; };
  const OutputRef first{k.loop(k.trips, {}, {k.x}, {}, body).node, 1}, second{k.loop(k.trips, {}, {k.x}, {}, body).node, 1};
  k.outputs({first, second});
  const InferResult result = infer(k.root);
  REQUIRE(k.type(first).rank() == 3);
  CHECK(k.dim(first, 0).is_symbol());
  CHECK(k.dim(first, 1) == k.dim(k.x, 0));
  CHECK(k.dim(first, 2).is_constant(4));
  CHECK_FALSE(k.dim(first, 0) == k.dim(second, 0));
  CHECK_THAT(result.dump(k.root), Contains("(Loop): the trip count is known only at run time"));
}

TEST_CASE("Iteration number and condition are scalars of int64 and bool", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.loop({}, k.input("go", {}, DType::boolean), {}, {}, [](GraphBuild& b, Refs c) { return Refs{b.op("Not", {c[1]}), c[0], c[1]}; });
  k.outputs({r, {r.node, 1}});
  infer(k.root);
  CHECK(to_string(k.type(r)).starts_with("int64["));
  CHECK(k.type(r).rank() == 1);
  CHECK(k.type({r.node, 1}).dtype == DType::boolean);
}

TEST_CASE("A carried value that changes its dtype is refused", "[graph][CR-2]") {
  Case k;
  k.outputs({k.loop(k.trips, {}, {k.x}, {}, [](GraphBuild& b, Refs c) { return Refs{c[1], b.op("Cast", {c[2]}, attributes({{"to", int64_t{7}}}))}; })});
  CHECK_THAT(k.findings(), Contains("(Loop): carried value 0 enters the body as float32 and leaves it as int64"));
}

TEST_CASE("A body walked several times reports each finding and each open size once", "[graph][CR-2]") {
  const bool bad = GENERATE(false, true);
  Case k;
  const OutputRef r = k.loop(k.trips, {}, {k.x}, {k.x}, [&](GraphBuild& b, Refs c) {
    b.op("NonZero", {c[3]});
    if (bad) b.op("Softmax", {c[3]}, attributes({{"axis", int64_t{7}}}));
    return Refs{c[1], concat(b, c[2], c[3], 0)};  // grows: a second walk
  });
  k.outputs({r});
  if (bad) {
    CHECK(count(k.findings(), "(Softmax)") == 1);
    return;
  }
  const InferResult result = infer(k.root);
  CHECK(count(result.dump(k.root), "(NonZero)") == 1);
  CHECK(result.nodes == 2 + 3);  // Loop and NetOutput; NonZero, Concat and NetOutput
}

TEST_CASE("A loop in a loop is inferred for the open dims of the outer one", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.loop(k.trips, {}, {k.x}, {k.x, k.trips}, [](GraphBuild& b, Refs c) {
    const OutputRef inner = b.loop(c[4], {}, {c[2]}, {}, [](GraphBuild& i, Refs d) { return Refs{d[1], i.op("Relu", {d[2]})}; });
    return Refs{c[1], concat(b, inner, c[3], 0)};
  });
  k.outputs({r});
  infer(k.root);
  CHECK(k.dim(r, 0).is_symbol());
  CHECK(k.dim(r, 1).is_constant(4));
}

// If: outputs are the taken branch's where the predicate is constant, else the join of both.
#include "graph/infer_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

struct Case : InferGraph {
  OutputRef x, p;
  Case() : x(input("x", {"N", 4})), p(input("p", {}, DType::boolean)) {}
  Expr predicate() { return root.symbols().find_symbol("p[0]"); }
  Expr number(int64_t value) { return root.symbols().constant(value); }
  /// A bool scalar that no expression stands for.
  OutputRef unknown_predicate() { return op("Less", {input("u", {}), scalar(0)}); }
};

Refs relu(GraphBuild& b, Refs c) { return {b.op("Relu", {c[0]})}; }
Refs exp_of(GraphBuild& b, Refs c) { return {b.op("Exp", {c[0]})}; }
/// [N, 4] → [N, 8]
Refs doubled(GraphBuild& b, Refs c) { return {b.op("Concat", {c[0], c[0]}, attributes({{"axis", int64_t{1}}}))}; }
Refs flat(GraphBuild& b, Refs c) { return {b.op("Reshape", {c[0], b.ints({-1})})}; }
Refs as_int(GraphBuild& b, Refs c) { return {b.op("Cast", {c[0]}, attributes({{"to", int64_t{7}}}))}; }
/// [N, 4] has no axis 7.
Refs contradiction(GraphBuild& b, Refs c) { return {b.op("Softmax", {c[0]}, attributes({{"axis", int64_t{7}}}))}; }

}  // namespace

TEST_CASE("Dims that both branches share stay as they are", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.branch(k.p, {k.x}, relu, exp_of);
  k.outputs({r});
  const InferResult result = infer(k.root);
  CHECK(to_string(k.type(r)) == "float32[N, 4]");
  CHECK(k.dim(r, 0) == k.dim(k.x, 0));
  CHECK(result.open.empty());
}

TEST_CASE("Dims that differ are selected by the predicate", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.branch(k.p, {k.x}, doubled, relu);
  k.outputs({r});
  const InferResult result = infer(k.root);
  CHECK(k.dim(r, 0) == k.dim(k.x, 0));
  CHECK(k.dim(r, 1) == select(k.predicate(), k.number(8), k.number(4)));
  CHECK(result.open.empty());
}

TEST_CASE("Without an expression for the predicate, dims that differ are open", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.branch(k.unknown_predicate(), {k.x}, doubled, relu);
  const OutputRef again = k.branch(k.unknown_predicate(), {k.x}, doubled, relu);
  k.outputs({r, again});
  const InferResult result = infer(k.root);
  CHECK(k.dim(r, 0) == k.dim(k.x, 0));
  CHECK(k.dim(r, 1).is_symbol());
  CHECK_FALSE(k.dim(r, 1) == k.dim(again, 1));
  CHECK_THAT(result.dump(k.root), Contains("(If): sizes depend on the branch taken"));
}

TEST_CASE("Branches of different ranks give an unknown rank, and the compile goes on", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.branch(k.p, {k.x}, flat, relu), after = k.op("Relu", {r});
  k.outputs({after});
  const InferResult result = infer(k.root);
  CHECK(to_string(k.type(r)) == "float32[?]");
  CHECK(to_string(k.type(after)) == "float32[?]");
  CHECK_THAT(result.dump(k.root), Contains("(If): the rank depends on the branch taken"));
}

TEST_CASE("Small integer values are joined element by element", "[graph][CR-2]") {
  Case k;
  const auto pick = [](int64_t a, int64_t b) { return [=](GraphBuild& g, Refs) { return Refs{g.ints({a, b})}; }; };
  const OutputRef sizes = k.branch(k.p, {}, pick(2, 5), pick(3, 5));
  const OutputRef filled = k.op("ConstantOfShape", {sizes});
  const OutputRef unknown = k.branch(k.unknown_predicate(), {}, pick(2, 5), pick(3, 5));
  k.outputs({filled, unknown});
  infer(k.root);
  CHECK(k.dim(filled, 0) == select(k.predicate(), k.number(2), k.number(3)));
  CHECK(k.dim(filled, 1) == k.number(5));
  CHECK_FALSE(k.type(unknown).values.has_value());
}

TEST_CASE("A constant predicate takes its branch, types and values", "[graph][CR-2]") {
  const bool taken = GENERATE(true, false);
  Case k;
  const OutputRef r = k.branch(k.boolean(taken), {k.x}, doubled, flat);
  const OutputRef v = k.branch(k.boolean(taken), {}, [](GraphBuild& b, Refs) { return Refs{b.ints({1})}; }, [](GraphBuild& b, Refs) { return Refs{b.ints({2, 3})}; });
  k.outputs({r, v});
  const InferResult result = infer(k.root);
  CHECK(to_string(k.type(r)) == (taken ? "float32[N, 8]" : "float32[4*N]"));
  CHECK(to_string(k.type(v)) == (taken ? "int64[1]{1}" : "int64[2]{2, 3}"));
  CHECK(result.open.empty());
}

TEST_CASE("A predicate that inference finds constant counts as constant", "[graph][CR-2]") {
  Case k;
  // Exporters write If(rank == 1, Squeeze, Identity).
  const OutputRef rank = k.op("Size", {k.op("Shape", {k.x})});
  const OutputRef r = k.branch(k.op("Equal", {rank, k.constant(Tensor::scalar(1))}), {k.x}, contradiction, relu);
  k.outputs({r});
  infer(k.root);
  CHECK(to_string(k.type(r)) == "float32[N, 4]");
}

TEST_CASE("A contradiction counts in the branch that is taken, and in no other", "[graph][CR-2]") {
  const bool taken = GENERATE(true, false);
  Case k;
  const OutputRef r = taken ? k.branch(k.boolean(true), {k.x}, contradiction, relu) : k.branch(k.boolean(false), {k.x}, contradiction, relu);
  k.outputs({k.op("Relu", {r})});
  if (taken) {
    CHECK_THAT(k.findings(), Contains("(Softmax): "));
  } else {
    CHECK(k.findings() == "");
    CHECK(to_string(k.type(r)) == "float32[N, 4]");
  }
}

TEST_CASE("In a branch that is never taken, an If inside may contradict itself too", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.branch(k.boolean(false), {k.x}, [](GraphBuild& b, Refs c) { return Refs{b.branch(b.boolean(true), {c[0]}, contradiction, relu)}; }, exp_of);
  k.outputs({r});
  CHECK(k.findings() == "");
}

TEST_CASE("A contradiction where the run decides is left to the run, and noted", "[graph][CR-2]") {
  Case k;
  const OutputRef r = k.branch(k.p, {k.x}, contradiction, relu);
  k.outputs({r});
  const InferResult result = infer(k.root);
  CHECK(k.type(r).dtype == DType::float32);
  CHECK_THAT(result.dump(k.root), Contains("(Softmax): cannot run if its branch is taken: "));
}

TEST_CASE("Branches of different dtypes are refused", "[graph][CR-2]") {
  Case k;
  k.outputs({k.branch(k.p, {k.x}, as_int, relu)});
  CHECK_THAT(k.findings(), Contains("(If): output 0 is int64 in one branch and float32 in the other"));
}

TEST_CASE("Conditions of nodes in branches are kept under their graph", "[graph][CR-2]") {
  Case k;
  const OutputRef y = k.input("y", {"M", 4});
  const OutputRef r = k.branch(k.p, {k.x, y}, [](GraphBuild& b, Refs c) { return Refs{b.op("Add", {c[0], c[1]})}; }, relu);
  k.outputs({r});
  const InferResult result = infer(k.root);
  REQUIRE(result.conditions.size() == 1);
  CHECK(result.conditions.begin()->first.graph == k.root.node(r.node).subgraphs()[0]);
}

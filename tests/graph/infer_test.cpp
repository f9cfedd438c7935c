// Inference over a whole graph: symbols of inputs, conditions, open sizes, findings. Ops by themselves are tests/ops.
#include "graph/infer_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

struct Case : InferGraph {
  std::string type(OutputRef ref) const { return to_string(root.type(ref)); }
};

}  // namespace

TEST_CASE("Types go from node to node, with symbolic dims", "[graph][CR-2]") {
  Case k;
  const OutputRef x = k.input("x", {"N", 4});
  const OutputRef t = k.op("Transpose", {x}), m = k.op("MatMul", {x, t}), r = k.op("Relu", {m});
  k.outputs({r});
  const InferResult result = infer(k.root);
  CHECK(k.type(t) == "float32[4, N]");
  CHECK(k.type(r) == "float32[N, N]");
  CHECK(k.dim(r, 0) == k.symbol("N"));
  CHECK(result.open.empty());
  CHECK(result.nodes == 4);
}

TEST_CASE("Distinct symbols are never made one, and what was assumed is written down", "[graph][CR-2]") {
  Case k;
  const OutputRef x = k.input("x", {"N", 4}), y = k.input("y", {"M", 4});
  const OutputRef sum = k.op("Add", {x, y}), back = k.op("Sub", {sum, x});
  k.outputs({sum, back, k.op("Relu", {y})});
  const InferResult result = infer(k.root);
  const Expr n = k.symbol("N"), m = k.symbol("M");
  CHECK_FALSE(n == m);
  CHECK(k.dim(sum, 0) == broadcast(n, m));
  CHECK(k.dim(x, 0) == n);
  CHECK(k.dim(k.root.outputs()[2], 0) == m);
  REQUIRE(result.conditions.contains({GraphId{}, sum.node}));
  CHECK_FALSE(known_true(result.conditions.at({GraphId{}, sum.node})[0].condition));
  CHECK_THAT(result.dump(k.root), Contains("assumes: '" + k.root.node(sum.node).name() + "' (Add): "));
}

TEST_CASE("Sizes that depend on values are fresh symbols, one for each node", "[graph][CR-2]") {
  Case k;
  const OutputRef x = k.input("x", {"N"});
  const OutputRef a = k.op("NonZero", {x}), b = k.op("NonZero", {x}), r = k.op("Relu", {k.op("Cast", {a}, attributes({{"to", int64_t{1}}}))});
  k.outputs({a, b, r});
  const InferResult result = infer(k.root);
  CHECK_FALSE(k.dim(a, 1) == k.dim(b, 1));
  CHECK(k.dim(r, 1) == k.dim(a, 1));  // an unknown stays equal to itself
  CHECK(result.open.size() == 2);
  CHECK_THAT(result.dump(k.root), Contains("4 nodes inferred, 2 with open sizes") || Contains("5 nodes inferred, 2 with open sizes"));
  CHECK_THAT(result.dump(k.root), Contains("(NonZero): sizes depend on values"));
}

TEST_CASE("Elements of small integer inputs become symbols that reach shapes", "[graph][CR-2]") {
  Case k;
  const OutputRef sizes = k.input("sizes", {2}, DType::int64);
  const OutputRef filled = k.op("ConstantOfShape", {sizes}), doubled = k.op("Expand", {k.scalar(1), k.op("Add", {sizes, sizes})});
  k.outputs({filled, doubled});
  infer(k.root);
  const Expr first = k.symbol("sizes[0]"), second = k.symbol("sizes[1]");
  REQUIRE((first && second));
  CHECK(k.dim(filled, 0) == first);
  CHECK(k.dim(filled, 1) == second);
  CHECK(k.dim(doubled, 1) == second * 2);
}

TEST_CASE("Element symbols have their dtype's bounds; large, real and open inputs have none", "[graph][CR-2]") {
  Case k;
  k.input("yes", {}, DType::boolean);
  const OutputRef i32 = k.input("i32", {2}, DType::int32), none = k.input("none", {0}, DType::int64);
  const OutputRef most = k.input("most", {64}, DType::int64), large = k.input("large", {65}, DType::int64), open = k.input("open", {"N"}, DType::int64);
  const OutputRef real = k.input("real", {2}), bytes = k.input("bytes", {2}, DType::uint8), rankless = k.input_of_unknown_rank("rankless", DType::int64);
  k.outputs({i32});
  infer(k.root);
  CHECK(k.symbol("i32[1]").bounds() == Bounds{INT32_MIN, INT32_MAX});
  CHECK(k.symbol("yes[0]").bounds() == Bounds{0, 1});
  CHECK(k.root.type(none).values->empty());
  CHECK(k.root.type(most).values->size() == 64);
  for (OutputRef ref : {large, open, real, bytes, rankless}) CHECK_FALSE(k.root.type(ref).values.has_value());
}

TEST_CASE("Inference run again gives the same types from the same symbols", "[graph][CR-3]") {
  Case k;
  const OutputRef x = k.input("x", {"N", 4}), sizes = k.input("sizes", {2}, DType::int64);
  const OutputRef y = k.op("Reshape", {x, sizes});
  k.outputs({y});
  infer(k.root);
  const Shape before = *k.root.type(y).shape;
  const uint32_t symbols = k.root.symbols().symbol_count();
  infer(k.root);
  CHECK(*k.root.type(y).shape == before);
  CHECK(k.root.symbols().symbol_count() == symbols);
}

TEST_CASE("Shape, Gather, Concat, Reshape chains stay exact", "[graph][CR-2]") {
  Case k;
  const OutputRef x = k.input("x", {"N", 3, "H"});
  const OutputRef shape = k.op("Shape", {x});
  const OutputRef n = k.op("Gather", {shape, k.ints({0})}), h = k.op("Gather", {shape, k.ints({2})});
  const OutputRef y = k.op("Reshape", {x, k.op("Concat", {n, k.op("Mul", {h, k.ints({3})})}, attributes({{"axis", int64_t{0}}}))});
  k.outputs({y});
  const InferResult result = infer(k.root);
  CHECK(k.type(y) == "float32[N, 3*H]");
  CHECK(result.open.empty());
}

TEST_CASE("All nodes that contradict their ops are found at once", "[graph][CR-2]") {
  Case k;
  const OutputRef x = k.input("x", {2, 3}), s = k.input("s", {2}, DType::string);
  k.outputs({k.op("Add", {x, k.filled({4}, 1)}), k.op("Relu", {s}), k.op("Transpose", {x}, attributes({{"perm", std::vector<int64_t>{0, 5}}})), k.op("Relu", {x})});
  const std::string text = k.findings();
  CHECK_THAT(text, Contains("graph 'net' contradicts its operators:"));
  CHECK_THAT(text, Contains("(Add): ") && Contains("(Relu): ") && Contains("(Transpose): "));
  CHECK(count(text, "\n  node '") == 3);
}

TEST_CASE("One mistake gives one finding, whatever reads the node", "[graph][CR-2]") {
  Case k;
  const OutputRef x = k.input("x", {2, 3});
  const OutputRef bad = k.op("Shape", {k.op("Add", {x, k.filled({4}, 1)})});  // int64, had it worked
  const OutputRef index = k.op("Gather", {k.filled({5}, 1), bad});
  const OutputRef inside = k.branch(k.input("p", {}, DType::boolean), {bad}, [](GraphBuild& b, Refs c) { return Refs{b.op("Gather", {b.filled({5}, 1), c[0]})}; },
                                    [](GraphBuild& b, Refs c) { return Refs{b.op("Gather", {b.filled({6}, 1), c[0]})}; });
  k.outputs({k.op("Not", {index}), inside});
  CHECK(count(k.findings(), "\n  node '") == 1);
}

TEST_CASE("An op that is not linked in is a finding", "[graph][CR-2]") {
  Case k;
  k.outputs({k.op("NoSuchOp", {k.input("x", {2})})});
  CHECK_THAT(k.findings(), Contains("(NoSuchOp): op is not registered: link the component that has it"));
}

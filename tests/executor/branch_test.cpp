// If: decided before the run where its predicate is an expression, by a branch task where only the run knows.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

/// float32[] sum of x > 0, which only a run can tell.
OutputRef sum_is_positive(GraphBuild& b, OutputRef x) { return b.op("Greater", {b.op("ReduceSum", {x}, attributes({{"keepdims", int64_t{0}}})), b.scalar(0)}); }

const Tensor up = floats({2}, {1, 2}), down = floats({2}, {-1, -2});

}  // namespace

TEST_CASE("an If over dims is decided before the run, also when the ranks differ", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"});
  const OutputRef large = c.op("Greater", {c.op("Size", {x}), c.constant(Tensor::scalar(2))});
  const OutputRef y = c.branch(
      large, {x}, [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {in[0]})}; },
      [](GraphBuild& b, Refs in) { return Refs{b.op("Unsqueeze", {in[0], b.ints({0})})}; });
  c.outputs({c.op("Add", {y, c.scalar(1)}), large});
  const auto model = c.instance();
  CHECK(model->shown({floats({3}, {1, 2, 3})}) == "float32[3] 0 -1 -2; bool[] 1");
  CHECK(model->segments() == 1);
  CHECK(model->shown({floats({2}, {1, 2})}) == "float32[1, 2] 2 3; bool[] 0");
  CHECK(model->segments() == 1);
}

TEST_CASE("a predicate that is a graph input decides before the run", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2});
  c.outputs({c.branch(
      p, {x}, [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {in[0]})}; }, [](GraphBuild& b, Refs in) { return Refs{b.op("Concat", {in[0], in[0]}, attributes({{"axis", int64_t{0}}}))}; })});
  const auto model = c.instance();
  CHECK(model->shown({bools({}, {1}), up}) == "float32[2] -1 -2");
  CHECK(model->shown({bools({}, {0}), up}) == "float32[4] 1 2 1 2");
  CHECK(model->segments() == 1);
  CHECK(model->instantiations() == 2);
}

TEST_CASE("a predicate that only the run knows becomes a branch task where the sizes agree", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef twice = c.op("Add", {x, x});
  const OutputRef y = c.branch(
      sum_is_positive(c, x), {x, twice}, [](GraphBuild& b, Refs in) { return Refs{b.op("Mul", {in[0], in[1]}), b.scalar(1)}; },
      [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {b.op("Neg", {in[1]})}), b.op("ReduceSum", {in[0]}, attributes({{"keepdims", int64_t{0}}}))}; }, 2);
  c.outputs({y, c.second(y), c.op("Sub", {twice, y})});
  const auto model = c.instance();
  CHECK(model->shown({up}) == "float32[2] 2 8; float32[] 1; float32[2] 0 -4");
  CHECK(model->segments() == 1);
  CHECK(model->shown({down}) == "float32[2] -2 -4; float32[] -3; float32[2] 0 0");
  CHECK(model->segments() == 1);
  CHECK(model->instantiations() == 1);
}

TEST_CASE("branches that differ in size or rank wait for the predicate", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef y = c.branch(
      sum_is_positive(c, x), {x}, [](GraphBuild& b, Refs in) { return Refs{b.op("Unsqueeze", {in[0], b.ints({1})})}; },
      [](GraphBuild& b, Refs in) { return Refs{b.op("Concat", {in[0], in[0]}, attributes({{"axis", int64_t{0}}}))}; });
  c.outputs({c.op("Add", {y, c.scalar(1)}), y});
  const auto model = c.instance();
  CHECK(model->shown({up}) == "float32[2, 1] 2 3; float32[2, 1] 1 2");
  CHECK(model->segments() == 2);
  CHECK(model->shown({down}) == "float32[4] 0 -1 0 -1; float32[4] -1 -2 -1 -2");
  CHECK(model->instantiations() == 3);
  CHECK(model->shown({up}) == "float32[2, 1] 2 3; float32[2, 1] 1 2");
  CHECK(model->instantiations() == 3);
}

TEST_CASE("a branch that cannot run for these sizes matters only when it is taken", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"}), y = c.input("y", {"M"});
  c.outputs({c.branch(
      sum_is_positive(c, x), {x, y}, [](GraphBuild& b, Refs in) { return Refs{b.op("Add", {in[0], in[1]})}; }, [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {in[0]})}; })});
  const auto model = c.instance();
  const Tensor three = floats({3}, {1, 2, 3});
  CHECK(model->shown({up, up}) == "float32[2] 2 4");
  CHECK(model->shown({down, three}) == "float32[2] 1 2");
  CHECK_THAT(model->refusal({up, three}), Contains("Add") && Contains("[2]") && Contains("[3]"));
  CHECK(model->shown({down, three}) == "float32[2] 1 2");
}

TEST_CASE("branches nest", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2}), z = c.input("z", {2});
  const auto inner = [](GraphBuild& b, OutputRef p, OutputRef v, float a, float other) {
    return b.branch(
        p, {v}, [=](GraphBuild& t, Refs in) { return Refs{t.op("Add", {in[0], t.scalar(a)})}; }, [=](GraphBuild& e, Refs in) { return Refs{e.op("Add", {in[0], e.scalar(other)})}; });
  };
  const OutputRef p = sum_is_positive(c, x), q = sum_is_positive(c, z);
  const OutputRef y = c.branch(
      p, {q, x}, [&](GraphBuild& b, Refs in) { return Refs{inner(b, in[0], in[1], 10, 20)}; }, [&](GraphBuild& b, Refs in) { return Refs{inner(b, in[0], in[1], 30, 40)}; });
  c.outputs({c.op("Neg", {y})});
  const auto model = c.instance();
  CHECK(model->shown({up, up}) == "float32[2] -11 -12");
  CHECK(model->shown({up, down}) == "float32[2] -21 -22");
  CHECK(model->shown({down, up}) == "float32[2] -29 -28");
  CHECK(model->shown({down, down}) == "float32[2] -39 -38");
  CHECK(model->segments() == 1);
  CHECK(model->instantiations() == 1);
}

TEST_CASE("branches may give constants, captures, or one value twice", "[executor][SX-17]") {
  for (const bool same_sizes : {true, false}) {
    ModelCase c;
    const OutputRef x = c.input("x", {2});
    const OutputRef y = c.branch(
        sum_is_positive(c, x), {x, c.op("Neg", {x})}, [](GraphBuild& b, Refs) { const OutputRef k = b.filled({2}, 5); return Refs{k, k}; },
        [=](GraphBuild& b, Refs in) { return Refs{in[0], same_sizes ? in[1] : b.filled({1}, 6)}; }, 2);
    c.outputs({y, c.second(y), c.op("Relu", {y}), x});
    const auto model = c.instance();
    CHECK(model->shown({up}) == "float32[2] 5 5; float32[2] 5 5; float32[2] 5 5; float32[2] 1 2");
    CHECK(model->shown({down}) == std::string("float32[2] -1 -2; ") + (same_sizes ? "float32[2] 1 2" : "float32[1] 6") + "; float32[2] 0 0; float32[2] -1 -2");
    CHECK(model->segments() == (same_sizes ? 1 : 2));
  }
}

TEST_CASE("a cut inside a taken branch goes on inside it", "[executor][SX-17][SX-18]") {
  ModelCase c;
  const OutputRef x = c.input("x", {3});
  const OutputRef before = c.op("Mul", {x, x});
  const OutputRef y = c.branch(
      sum_is_positive(c, x), {x, before},
      [](GraphBuild& b, Refs in) {
        const OutputRef at = b.op("Reshape", {b.op("NonZero", {in[0]}), b.ints({-1})});
        return Refs{b.op("Gather", {in[1], at})};
      },
      [](GraphBuild&, Refs in) { return Refs{in[1]}; });
  c.outputs({c.op("Neg", {y}), before});
  const auto model = c.instance();
  CHECK(model->shown({floats({3}, {3, 0, 2})}) == "float32[2] -9 -4; float32[3] 9 0 4");
  CHECK(model->shown({floats({3}, {-3, 0, 2})}) == "float32[3] -9 -0 -4; float32[3] 9 0 4");
  CHECK(model->shown({floats({3}, {0, 5, 0})}) == "float32[1] -25; float32[3] 0 25 0");
}

TEST_CASE("a predicate must have one element", "[executor][CR-10]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"});
  c.outputs({c.branch(
      c.op("Greater", {x, c.scalar(0)}), {x}, [](GraphBuild&, Refs in) { return Refs{in[0]}; }, [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {in[0]})}; })});
  const auto model = c.instance();
  CHECK(model->shown({floats({1}, {-3})}) == "float32[1] 3");
  CHECK(model->shown({floats({1}, {4})}) == "float32[1] 4");
  CHECK_THAT(model->refusal({up}), Contains("predicate") && Contains("[2]"));
}

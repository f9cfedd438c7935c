// Parts that live inside wholes: what Concat, Split and Slice need not copy, and where they must.
#include "executor/model_case.hpp"

#include <ctime>

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

OutputRef concat(GraphBuild& b, Refs parts, int64_t axis = 0) { return b.op("Concat", std::move(parts), attributes({{"axis", axis}})); }
Refs split(GraphBuild& b, OutputRef whole, std::vector<int64_t> sizes, int64_t axis = 0) {
  const size_t count = sizes.size();
  const OutputRef first = b.op("Split", {whole, b.ints(std::move(sizes))}, attributes({{"axis", axis}}), count);
  Refs parts;
  for (uint32_t i = 0; i < count; ++i) parts.push_back({first.node, i});
  return parts;
}
OutputRef slice(GraphBuild& b, OutputRef x, int64_t begin, int64_t end, int64_t axis = 0) { return b.op("Slice", {x, b.ints({begin}), b.ints({end}), b.ints({axis})}); }

/// Runs a model over a poisoned arena; what its first segment's planning came to.
struct Planned {
  MemoryStatistics memory;
  int64_t arena = 0, lower_bound = 0;
  size_t tasks = 0;
  std::string results;
};
Planned planned(ModelCase& c, const std::vector<Tensor>& inputs) {
  Planned out;
  ModelParam param;
  param.on_segment = [&](const Instantiation& plan) {
    if (out.tasks == 0) out = {plan.list.memory, plan.list.arena_bytes, plan.list.arena_lower_bound_bytes, plan.list.tasks.size(), ""};
  };
  const auto model = c.instance(param);
  out.results = model->shown(inputs);
  CHECK(model->shown(inputs) == out.results);
  return out;
}

std::vector<float> ramp(int64_t count, float first = 1) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(first + static_cast<float>(i));
  return values;
}
std::string shown_floats(const std::vector<float>& values) { return show(floats({static_cast<int64_t>(values.size())}, values)); }
std::vector<float> joined(std::vector<float> a, const std::vector<float>& b) { return a.insert(a.end(), b.begin(), b.end()), a; }
std::vector<float> negated(std::vector<float> values) {
  for (float& v : values) v = -v;
  return values;
}

}  // namespace

TEST_CASE("what is made only for a Concat is made in its place", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {16}), y = c.input("y", {32});
  c.outputs({c.op("Neg", {concat(c, {c.op("Neg", {x}), c.op("Neg", {y})})})});
  const Planned p = planned(c, {floats({16}, ramp(16)), floats({32}, ramp(32, 50))});
  CHECK(p.results == shown_floats(joined(ramp(16), ramp(32, 50))));
  CHECK(p.memory.parts == 2);
  CHECK(p.memory.parts_placed == 2);
  CHECK(p.tasks == 3);
  CHECK(p.arena == 48 * 4);  // the whole, nothing beside it
  CHECK(p.lower_bound == 48 * 4);
}

TEST_CASE("a Concat that is the model's output is made in the caller's memory", "[executor][SX-7][SX-8]") {
  ModelCase c;
  const OutputRef x = c.input("x", {16});
  c.outputs({concat(c, {c.op("Neg", {x}), c.op("Abs", {x})})});
  const Planned p = planned(c, {floats({16}, ramp(16))});
  CHECK(p.results == shown_floats(joined(negated(ramp(16)), ramp(16))));
  CHECK(p.memory.parts_placed == 2);
  CHECK(p.arena == 0);
}

TEST_CASE("what is joined into an output is not overwritten after that", "[executor][SX-7][SX-8]") {
  ModelCase c;
  const OutputRef x = c.input("x", {16}), y = c.op("Neg", {x}), whole = concat(c, {y, c.op("Abs", {x})});
  c.outputs({whole, c.op("Neg", {c.op("Relu", {y})})});  // Relu could write over y, which the output holds
  const Planned p = planned(c, {floats({16}, ramp(16))});
  CHECK(p.results == shown_floats(joined(negated(ramp(16)), ramp(16))) + "; " + shown_floats(std::vector<float>(16, -0.0f)));
}

TEST_CASE("parts that are not at multiples of 64 bytes, or not in one piece, are copied", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {15}), m = c.input("m", {2, 16});
  const OutputRef odd = concat(c, {c.op("Neg", {x}), c.op("Abs", {x})});
  const OutputRef columns = concat(c, {c.op("Neg", {m}), c.op("Abs", {m})}, 1);
  c.outputs({c.op("Neg", {odd}), c.op("ReduceMax", {columns}, attributes({{"keepdims", int64_t{0}}}))});
  const Planned p = planned(c, {floats({15}, ramp(15)), floats({2, 16}, ramp(32))});
  CHECK(p.results == shown_floats(joined(ramp(15), negated(ramp(15)))) + "; float32[] 32");
  CHECK(p.memory.parts == 2);         // of the first Concat; the columns are never one piece
  CHECK(p.memory.parts_placed == 1);  // the first part is at offset 0
}

TEST_CASE("an axis of size 1 before the joined one does not hinder", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {1, 1, 16});
  c.outputs({c.op("Neg", {concat(c, {c.op("Neg", {x}), c.op("Abs", {x})}, -1)})});
  CHECK(planned(c, {floats({1, 1, 16}, ramp(16))}).memory.parts_placed == 2);
}

TEST_CASE("inputs, constants, and a value joined twice are copied", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {16}), k = c.filled({16}, 7), y = c.op("Neg", {x});
  c.outputs({c.op("Neg", {concat(c, {x, k, y, y})})});
  const Planned p = planned(c, {floats({16}, ramp(16))});
  const std::vector<float> sevens(16, -7);
  CHECK(p.results == shown_floats(joined(joined(negated(ramp(16)), sevens), joined(ramp(16), ramp(16)))));
  CHECK(p.memory.parts == 4);
  CHECK(p.memory.parts_placed == 1);
}

TEST_CASE("a value that others read too is made inside the whole and stays right", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {16}), y = c.op("Neg", {x}), whole = concat(c, {y, c.op("Abs", {x})});
  // The whole is overwritten while y is still to be read: y must not be part of it then.
  c.outputs({c.op("Add", {c.op("ReduceSum", {c.op("Neg", {whole})}, attributes({{"keepdims", int64_t{0}}})), c.op("Exp", {y})}), c.op("Neg", {whole})});
  const Planned p = planned(c, {floats({16}, std::vector<float>(16, 0))});
  CHECK(p.results == shown_floats(std::vector<float>(16, 1)) + "; " + shown_floats(joined(std::vector<float>(16, 0), std::vector<float>(16, -0.0f))));
}

TEST_CASE("Split and Slice give views, which may be overwritten one by one", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {48}), whole = c.op("Neg", {x});
  const Refs parts = split(c, whole, {16, 32});
  const OutputRef tail = slice(c, parts[1], 16, 32);
  c.outputs({c.op("Neg", {c.op("Neg", {parts[0]})}), c.op("Abs", {c.op("Neg", {tail})})});
  const Planned p = planned(c, {floats({48}, ramp(48))});
  CHECK(p.results == shown_floats(negated(ramp(16))) + "; " + shown_floats(ramp(16, 33)));
  CHECK(p.memory.parts_placed == 3);
  CHECK(p.memory.in_place == 2);
  CHECK(p.arena == 48 * 4);
}

TEST_CASE("a view into an input is read there and never written", "[executor][SX-7][SX-8]") {
  ModelCase c;
  const OutputRef x = c.input("x", {32});
  const OutputRef tail = slice(c, x, 16, 32);
  c.outputs({c.op("Abs", {c.op("Neg", {tail})}), c.op("Neg", {x})});
  const Tensor given_x = floats({32}, ramp(32));
  const Planned p = planned(c, {given_x});
  CHECK(p.results == shown_floats(ramp(16, 17)) + "; " + shown_floats(negated(ramp(32))));
  CHECK(given_x == floats({32}, ramp(32)));
  CHECK(p.memory.parts_placed == 1);
}

TEST_CASE("an output that is a view of a part is copied out", "[executor][SX-7][SX-8]") {
  ModelCase c;
  const OutputRef x = c.input("x", {32}), whole = c.op("Neg", {x});
  const Refs parts = split(c, whole, {16, 16});
  c.outputs({parts[1], c.op("Reshape", {parts[0], c.ints({4, 4})}), whole, parts[1]});
  const Planned p = planned(c, {floats({32}, ramp(32))});
  const std::string second = shown_floats(negated(ramp(16, 17)));
  CHECK(p.results == second + "; " + show(floats({4, 4}, negated(ramp(16)))) + "; " + shown_floats(negated(ramp(32))) + "; " + second);
}

TEST_CASE("sharing never raises the lower bound: a small part of a large value is copied rather than keep it all", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {1600});
  const OutputRef large = c.op("Neg", {x}), part = slice(c, large, 0, 16);
  // While `other` is made, large is dead unless the view holds it.
  const OutputRef other = c.op("Add", {c.op("Exp", {c.op("ReduceSum", {large}, attributes({{"keepdims", int64_t{1}}}))}), c.filled({1600}, 0)});
  c.outputs({c.op("Add", {c.op("ReduceMax", {other}), part})});
  const Planned p = planned(c, {floats({1600}, std::vector<float>(1600, 0))});
  CHECK(p.memory.parts == 1);
  CHECK(p.memory.parts_placed == 0);
  CHECK(p.lower_bound <= 1600 * 4 + 4 * 64);
}

TEST_CASE("a Concat is not made early where that costs more than the copy", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {16}), y = c.input("y", {1600});
  const OutputRef early = c.op("Neg", {x});
  const OutputRef large = c.op("Exp", {y});
  const OutputRef sum = c.op("ReduceSum", {c.op("Add", {large, c.op("ReduceSum", {large}, attributes({{"keepdims", int64_t{1}}}))})}, attributes({{"keepdims", int64_t{1}}}));
  const OutputRef late = c.op("Add", {sum, c.filled({1600}, 1)});
  c.outputs({c.op("Neg", {c.op("Neg", {concat(c, {early, late})})})});
  const Planned p = planned(c, {floats({16}, ramp(16)), floats({1600}, std::vector<float>(1600, 0))});
  // Only late is made in its place: with early there too, the whole would stand beside large.
  CHECK(p.memory.parts_placed == 1);
  CHECK(p.lower_bound == 1616 * 4 + 2 * 64);
  CHECK(p.arena == p.lower_bound);
}

TEST_CASE("parts in loops and branches stay right", "[executor][SX-7][SX-3]") {
  ModelCase c;
  const OutputRef x = c.input("x", {16}), m = c.input("m", {}, DType::int64), y = c.op("Neg", {x});
  const OutputRef looped = c.loop(m, {}, {x, y}, {y}, [](GraphBuild& s, Refs in) {
    // y comes from outside and is joined in each iteration; the parts become the carried values, crosswise.
    const OutputRef whole = s.op("Neg", {concat(s, {s.op("Add", {in[2], in[3]}), in[4]})});
    const Refs parts = split(s, whole, {16, 16});
    return Refs{in[1], parts[1], parts[0]};
  });
  const OutputRef branched = c.branch(c.op("Greater", {c.op("ReduceMax", {looped}, attributes({{"keepdims", int64_t{0}}})), c.scalar(0)}), {y, {looped.node, 1}},
                                      [](GraphBuild& s, Refs in) { return Refs{concat(s, {in[0], s.op("Neg", {in[1]})})}; },
                                      [](GraphBuild& s, Refs in) { return Refs{concat(s, {s.op("Abs", {in[1]}), in[0]})}; });
  c.outputs({looped, {looped.node, 1}, branched});
  const auto model = c.instance();
  // By hand: a, b = x, -x; each iteration: a, b = -(-x) = x, -(a + b).
  const std::vector<float> ones(16, 1), zeros(16, -0.0f), minus(16, -1);
  const auto expect = [&](std::vector<float> a, std::vector<float> b, const std::vector<float>& r) { return shown_floats(a) + "; " + shown_floats(b) + "; " + shown_floats(r); };
  const Tensor given_x = floats({16}, ones);
  CHECK(model->shown({given_x, Tensor::scalar(0)}) == expect(ones, minus, joined(minus, ones)));
  CHECK(model->shown({given_x, Tensor::scalar(1)}) == expect(ones, zeros, joined(minus, std::vector<float>(16, 0))));
  CHECK(model->shown({given_x, Tensor::scalar(2)}) == expect(ones, minus, joined(minus, ones)));
  CHECK(model->shown({given_x, Tensor::scalar(3)}) == expect(ones, zeros, joined(minus, std::vector<float>(16, 0))));
}

TEST_CASE("strings are joined and cut in place like numbers", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {4}, DType::int64);
  const Attributes to_text = attributes({{"to", static_cast<int64_t>(DType::string)}}), to_int = attributes({{"to", static_cast<int64_t>(DType::int64)}});
  const OutputRef whole = concat(c, {c.op("Cast", {x}, to_text), c.op("Cast", {c.op("Neg", {x})}, to_text)});
  c.outputs({c.op("Cast", {slice(c, whole, 4, 8)}, to_int)});
  const Planned p = planned(c, {int64s({4}, {1, 2, 3, 4})});
  CHECK(p.results == "int64[4] -1 -2 -3 -4");
  CHECK(p.memory.parts_placed == 3);
}

TEST_CASE("more parts than one whole takes in are copied", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {16});
  Refs parts;
  for (int i = 0; i < 700; ++i) parts.push_back(c.op("Neg", {x}));
  c.outputs({c.op("ReduceSum", {c.op("Neg", {concat(c, std::move(parts))})}, attributes({{"keepdims", int64_t{0}}}))});
  const Planned p = planned(c, {floats({16}, std::vector<float>(16, 1))});
  CHECK(p.results == "float32[] 11200");
  CHECK(p.memory.parts == 700);
  CHECK(p.memory.parts_placed > 400);
}

TEST_CASE("a hundred thousand tasks are instantiated in seconds, parts among them", "[executor][SX-7]") {
  ModelCase c;
  const OutputRef x = c.input("x", {32});
  OutputRef at = x;
  for (int i = 0; i < 20'000; ++i) {
    const Refs parts = split(c, c.op("Neg", {at}), {16, 16});
    at = concat(c, {c.op("Neg", {parts[1]}), c.op("Abs", {parts[0]})});
  }
  c.outputs({at});
  const auto program = c.program();
  const std::clock_t start = std::clock();
  const auto plan = instantiate(*program, {}, {{{32}}, {}});
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;  // of the processor: others may be busy too
  INFO("took " << took << " s");
  CHECK(plan->list.memory.parts == 80'000);
  CHECK(plan->list.memory.parts_placed > 79'000);
  CHECK(plan->list.arena_bytes == plan->list.arena_lower_bound_bytes);
  CHECK(took < 10);  // about 0.5 s
}

// Programs whose tables lie about kinds: they are refused, or run to some end, and never crash (CR-10).
#include "executor/value_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

/// Every op that has to do with sequences, with a Loop and an If.
GeModel sample() {
  ValueCase c;
  const OutputRef x = c.input("x", {2}), s = c.input_of(ValueKind::sequence, "s"), o = c.input_of(ValueKind::optional, "o"), n = c.position("n");
  const OutputRef grown = c.loop(n, {}, {s}, {x}, [](GraphBuild& b, Refs in) { return Refs{in[1], b.op("SequenceInsert", {in[2], in[3]})}; });
  const OutputRef taken = c.branch(
      c.op("OptionalHasElement", {o}), {o, x}, [](GraphBuild& b, Refs in) { return Refs{b.op("OptionalGetElement", {in[0]})}; },
      [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {in[1]})}; });
  const OutputRef parts = c.op("SplitToSequence", {x}), at_zero = c.op("SequenceAt", {grown, c.ints({0})});
  c.outputs({grown, taken, c.op("Identity", {parts}), c.op("Add", {at_zero, x}), c.op("Optional", {parts}), c.op("SequenceErase", {parts}), c.op("SequenceLength", {grown}),
             c.op("ConcatFromSequence", {parts}, attributes({{"axis", int64_t{0}}}))});
  return c.build();
}

std::vector<Value> inputs_for(const ValueInstance& model) {
  std::vector<Value> inputs;
  for (const PortDescription& port : model.model.inputs()) {
    const std::vector<int64_t> dims(port.rank_known ? port.dims.size() : 1, port.rank_known && port.dims.empty() ? 1 : 2);
    const Tensor tensor = Tensor::zeros(port.dtype, dims);
    if (port.kind == ValueKind::tensor) inputs.emplace_back(tensor);
    else inputs.emplace_back(port.kind, std::vector<Tensor>(held_by(port.kind) == ValueKind::sequence ? 2 : 1, tensor));
  }
  return inputs;
}

/// "" when the model ran.
std::string outcome(const GeModel& model) {
  try {
    ModelParam param;
    param.max_memory_bytes = int64_t{1} << 26;
    ValueInstance instance(ModelCase::load(model), param);
    return instance.refusal(inputs_for(instance));
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("the sample of composite values runs as it is", "[executor][CR-10]") { CHECK(outcome(sample()) == ""); }

TEST_CASE("each value of a program said to be of another kind", "[executor][CR-10][hostile]") {
  const GeModel good = sample();
  size_t refused = 0;
  for (size_t v = 0; v < good.tables.values.size(); ++v)
    for (uint32_t kind = 0; kind < value_kind_count + 1; ++kind) {
      if (good.tables.values[v].kind == kind) continue;
      GeModel lying = good;
      lying.tables.values[v].kind = kind;
      INFO("value " << v << " of kind " << kind);
      const std::string what = outcome(lying);
      CHECK(what.find("internal") == std::string::npos);
      if (kind == value_kind_count) CHECK_THAT(what, Contains("kind is 4, expected 0 to 3"));
      refused += !what.empty();
    }
  CHECK(refused > 50);
}

TEST_CASE("each operand of a program pointed to another value", "[executor][CR-10][hostile]") {
  const GeModel good = sample();
  for (size_t at = 0; at < good.tables.ops.size(); ++at)
    for (uint32_t i = 0; i < good.tables.ops[at].inputs.count; ++i)
      for (uint32_t v = 0; v < good.tables.values.size(); v += 2) {
        GeModel lying = good;
        lying.tables.operands[lying.tables.ops[at].inputs.first + i] = v;
        INFO("op " << at << " input " << i << " is value " << v);
        CHECK_NOTHROW(outcome(lying));
      }
}

TEST_CASE("a composite value has neither a constant nor contents", "[executor][CR-10][hostile]") {
  GeModel lying = sample();
  for (ValueRow& row : lying.tables.values)
    if (row.constant != no_index) row.kind = static_cast<uint32_t>(ValueKind::sequence);
  CHECK_THAT(outcome(lying), Contains("is a sequence, which has neither a constant nor contents"));
}

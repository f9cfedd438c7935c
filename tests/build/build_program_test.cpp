// Graph to program: what the tables hold.
#include "executor/model_case.hpp"

#include <set>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

std::vector<uint32_t> operands(const GeModel& model, RowRange range) {
  const auto all = model.tables.view().operands_of(range);
  return {all.begin(), all.end()};
}
const OpRow& op_named(const GeModel& model, std::string_view op, size_t number = 0) {
  for (const OpRow& row : model.tables.ops)
    if (model.tables.view().text_of(row.op) == op && number-- == 0) return row;
  throw Error(ErrorCode::internal, "no " + std::string(op));
}
std::set<std::string> symbol_names(const GeModel& model) {
  std::set<std::string> names;
  for (const SymbolRow& row : model.tables.symbols) names.insert(std::string(model.tables.view().text_of(row.name)));
  return names;
}

}  // namespace

TEST_CASE("equal expressions and texts are stored once", "[build][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N", 3});
  const OutputRef twice = c.op("Concat", {x, x}, attributes({{"axis", int64_t{0}}}));
  const OutputRef again = c.op("Concat", {c.op("Neg", {x}), x}, attributes({{"axis", int64_t{0}}}));
  c.outputs({c.op("Add", {twice, again})});
  const GeModel model = c.build();
  std::set<std::vector<int64_t>> codes;
  for (uint32_t i = 0; i < model.tables.expressions.size(); ++i) {
    const auto code = model.tables.view().code_of(i);
    codes.insert({code.begin(), code.end()});
  }
  CHECK(codes.size() == model.tables.expressions.size());
  CHECK(codes.size() == 3);  // N, 3, 2*N
  const std::string text(model.tables.text.begin(), model.tables.text.end());
  CHECK(text.find("Concat") != std::string::npos);
  const OpRow &first = op_named(model, "Concat"), &second = op_named(model, "Concat", 1);
  CHECK(first.op.first == second.op.first);
}

TEST_CASE("captures of a branch are the outer values themselves", "[build][SX-17]") {
  ModelCase c;
  const OutputRef p = c.input("p", {}, DType::boolean), x = c.input("x", {2}), k = c.filled({2}, 3);
  c.outputs({c.branch(
      p, {x, k}, [](GraphBuild& b, Refs in) { return Refs{b.op("Add", {in[0], in[1]})}; }, [](GraphBuild&, Refs in) { return Refs{in[1]}; })});
  const GeModel model = c.build();
  const OpRow& branch = op_named(model, "If");
  const auto inputs = operands(model, branch.inputs);
  REQUIRE(inputs.size() == 3);
  CHECK(inputs[0] == model.tables.inputs[0].value);
  CHECK(inputs[1] == model.tables.inputs[1].value);
  CHECK(operands(model, op_named(model, "Add").inputs) == std::vector<uint32_t>{inputs[1], inputs[2]});
  const auto bodies = operands(model, branch.bodies);
  REQUIRE(bodies.size() == 2);
  CHECK(model.tables.ranges[bodies[0]].inputs.count == 0);
  CHECK(operands(model, model.tables.ranges[bodies[1]].outputs) == std::vector<uint32_t>{inputs[2]});
  CHECK(model.tables.ranges[bodies[1]].ops.count == 0);
}

TEST_CASE("a loop's body has inputs of its own and captures by id", "[build][SX-17]") {
  ModelCase c;
  const OutputRef n = c.input("n", {}, DType::int64), x = c.input("x", {2}), y = c.input("y", {2});
  c.outputs({c.loop(n, {}, {x}, {y}, [](GraphBuild& b, Refs in) { return Refs{in[1], b.op("Add", {in[2], in[3]})}; })});
  const GeModel model = c.build();
  const auto inputs = operands(model, op_named(model, "Loop").inputs);
  CHECK(inputs == std::vector<uint32_t>{model.tables.inputs[0].value, no_index, model.tables.inputs[1].value, model.tables.inputs[2].value});
  const RangeRow& body = model.tables.ranges[operands(model, op_named(model, "Loop").bodies)[0]];
  const auto own = operands(model, body.inputs);
  REQUIRE(own.size() == 3);
  CHECK(operands(model, op_named(model, "Add").inputs) == std::vector<uint32_t>{own[2], inputs[3]});
  CHECK(operands(model, body.outputs)[0] == own[1]);
  for (uint32_t value : own) CHECK(std::find(inputs.begin(), inputs.end(), value) == inputs.end());
}

TEST_CASE("symbols name what binds them", "[build][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N", "N", "M"}), s = c.input("s", {2}, DType::int64), idle = c.input("idle", {2}, DType::int64);
  c.outputs({c.op("Expand", {c.scalar(1), s}), c.op("Neg", {x}), c.op("Add", {idle, idle}), c.op("NonZero", {x})});
  const GeModel model = c.build();
  size_t open = 0;
  for (const SymbolRow& row : model.tables.symbols) {
    const std::string name(model.tables.view().text_of(row.name));
    INFO(name);
    if (name == "N") CHECK((row.source == SymbolSource::input_dim && row.input == 0 && row.position == 0));
    else if (name == "M") CHECK((row.source == SymbolSource::input_dim && row.input == 0 && row.position == 2));
    else if (name == "s[0]") CHECK((row.source == SymbolSource::input_element && row.input == 1 && row.position == 0));
    else if (name == "s[1]") CHECK((row.source == SymbolSource::input_element && row.input == 1 && row.position == 1));
    else open += row.source == SymbolSource::open;
  }
  CHECK(open == 1);  // how many elements of x are not 0
  CHECK(model.tables.symbols.size() == 5);
  CHECK(symbol_names(model).count("idle[0]") == 0);
}

TEST_CASE("what inference assumed stands with the op that needs it", "[build][CR-2]") {
  ModelCase c;
  const OutputRef a = c.input("a", {"A"}), b = c.input("b", {"B"});
  c.outputs({c.op("Concat", {a, b}, attributes({{"axis", int64_t{0}}})), c.op("MatMul", {a, b})});
  const GeModel model = c.build();
  CHECK(op_named(model, "Concat").conditions.count == 0);
  const RowRange range = op_named(model, "MatMul").conditions;
  REQUIRE(range.count == 1);
  CHECK(model.tables.conditions.size() == 1);
  CHECK(model.tables.conditions[range.first].what.count > 0);
}

TEST_CASE("ops stand behind what they read and what they must follow", "[build][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  const OutputRef first = c.op("Neg", {x}), second = c.op("Relu", {x});
  c.graph.add_control_edge(second.node, first.node);
  c.outputs({first, second});
  const GeModel model = c.build();
  REQUIRE(model.tables.ops.size() == 2);
  CHECK(model.tables.view().text_of(model.tables.ops[0].op) == "Relu");
  CHECK(model.tables.view().text_of(model.tables.ops[1].op) == "Neg");
}

TEST_CASE("constants are stored once per packing, and only as somebody reads them", "[build][CR-4]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2, 2}), w = c.filled({2, 2}, 3), v = c.filled({2, 2}, 4), unread = c.filled({5}, 1);
  (void)unread;
  c.outputs({c.op("MatMul", {x, w}), c.op("MatMul", {c.op("Neg", {x}), w}), c.op("Add", {w, x}), c.op("MatMul", {x, v})});
  Packing packing;
  packing.choose = [](const Graph& graph, NodeId node, size_t input) -> std::string { return graph.node(node).op() == "MatMul" && input == 1 ? "blocks" : ""; };
  size_t applied = 0;
  packing.apply = [&](const std::string& name, const Tensor& plain) {
    CHECK(name == "blocks");
    ++applied;
    return Tensor::from<uint8_t>(DType::uint8, {3}, std::vector<uint8_t>{1, 2, static_cast<uint8_t>(plain.at<float>(0))});
  };
  const GeModel model = c.build(packing);
  CHECK(applied == 2);
  std::multiset<std::string> stored;
  for (size_t i = 0; i < model.tables.constants.size(); ++i)
    stored.insert(std::string(model.tables.view().text_of(model.tables.constants[i].packing)) + " " + show(model.constants[i]));
  CHECK(stored == std::multiset<std::string>{"blocks uint8[3] 1 2 3", "blocks uint8[3] 1 2 4", " float32[2, 2] 3 3 3 3"});
  CHECK(operands(model, op_named(model, "MatMul").inputs)[1] == operands(model, op_named(model, "MatMul", 1).inputs)[1]);
  const ValueRow& packed = model.tables.values[operands(model, op_named(model, "MatMul").inputs)[1]];
  CHECK(static_cast<DType>(packed.dtype) == DType::float32);  // the value stays what the op reads
  CHECK(packed.dims.count == 2);
}

TEST_CASE("the same graph gives the same file", "[build][CR-9]") {
  const auto bytes = [] {
    ModelCase c;
    const OutputRef x = c.input("x", {"N", "M"}), s = c.input("s", {2}, DType::int64);
    const OutputRef y = c.branch(
        c.op("Greater", {c.op("Size", {x}), c.constant(Tensor::scalar(3))}), {x, c.filled({2}, 1)}, [](GraphBuild& b, Refs in) { return Refs{b.op("Neg", {in[0]})}; },
        [](GraphBuild&, Refs in) { return Refs{in[0]}; });
    c.outputs({y, c.op("Reshape", {x, s}), c.op("NonZero", {y})});
    return write_om_bytes(c.build(), "{}");
  };
  CHECK(bytes() == bytes());
}

#include "ops/infer_case.hpp"

#include <set>

using namespace ge;
using namespace ge::testing;

TEST_CASE("every registered op describes itself and checks its arity", "[ops][CR-2]") {
  for (const Registered& item : op_schemas().list()) {
    CAPTURE(item.key);
    const OpSchema* schema = find_schema("", item.key);
    REQUIRE(schema != nullptr);
    CHECK(op_key(schema->domain, schema->name) == item.key);
    CHECK(schema->version >= 1);
    CHECK_FALSE(schema->doc.empty());
    CHECK((schema->infer_fn != nullptr || schema->control_flow != ControlFlow::none || item.key == "Data" || item.key == "NetOutput"));
    for (size_t i : schema->content_inputs) CHECK(i < schema->inputs.size());
    std::set<std::string> names;
    for (const AttributeRule& rule : schema->attributes) CHECK(names.insert(rule.name).second);
    Symbols s;
    if (schema->min_inputs() > 0) CHECK(mentions(s.op(item.key).error(), {"0 inputs", "expected"}));
  }
}

TEST_CASE("inputs that decide shapes are marked as content", "[ops][CR-2]") {
  const auto marked = [](const char* op) { return find_schema("", op)->content_inputs; };
  using List = std::vector<size_t>;
  CHECK(marked("Reshape") == List{1});
  CHECK(marked("Slice") == List{1, 2, 3, 4});
  CHECK(marked("Pad") == List{1, 3});
  CHECK(marked("ConstantOfShape") == List{0});
  CHECK(marked("Range") == List{0, 1, 2});
  CHECK(marked("Resize") == List{1, 2, 3});
  for (const char* op : {"Expand", "Tile", "Squeeze", "Unsqueeze", "Split", "OneHot", "Trilu", "CumSum", "ReduceSum", "ReduceMax"})
    CHECK(marked(op) == List{1});
}

TEST_CASE("the graph's own nodes", "[ops][CR-2]") {
  Symbols s;
  const std::vector<int64_t> numbers{3, 4};
  CHECK(s.op("Const").set("value", Tensor::ints(numbers)).text() == "int64[2]{3, 4}");
  CHECK(s.op("Const").set("value", Tensor::zeros(DType::float32, {2, 3})).text() == "float32[2, 3]");
  CHECK(s.op("Const").set("value", Tensor::zeros(DType::int64, {65})).text() == "int64[65]");
  CHECK(mentions(s.op("Const").error(), {"'value'", "tensor", "missing"}));
  CHECK(s.op("NetOutput").error(0) == "");
  CHECK(s.op("NetOutput").in({2}).in({3}, DType::int64).error(0) == "");
  CHECK(find_schema("", "Data")->infer_fn == nullptr);
}

TEST_CASE("If and Loop take any number of captures, none included", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("If").in({}, DType::boolean).error(2) == "");
  CHECK(s.op("If").in({}, DType::boolean).in({2}).in({3}, DType::int64).error(1) == "");
  CHECK(mentions(s.op("If").in({}).error(1), {"input 0 (cond) is float32", "bool"}));
  CHECK(s.op("Loop").absent().absent().set("_carried", int64_t{0}).error(1) == "");
  CHECK(s.op("Loop").scalar(3).absent().in({2}).set("_carried", int64_t{1}).error(1) == "");
  CHECK(find_schema("", "If")->subgraphs == std::vector<std::string>{"then_branch", "else_branch"});
  CHECK(find_schema("", "Loop")->control_flow == ControlFlow::loop);
  CHECK(find_schema("", "NoSuchOp") == nullptr);
}

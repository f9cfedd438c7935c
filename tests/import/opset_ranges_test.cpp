#include "ge/import/opset_ranges.hpp"
#include "ge/ops/schema.hpp"
#include "support/catch.hpp"

// That the opsets are ONNX's is checked by tests/conformance/check_operators.py.
using namespace ge;

TEST_CASE("every linked operator of ai.onnx says the opsets in which it is taken", "[import][CR-1]") {
  for (const Registered& item : op_schemas().list()) {
    const OpSchema& schema = op_schemas().at(item.key);
    if (!schema.domain.empty() || schema.name == "Data" || schema.name == "Const" || schema.name == "NetOutput") continue;
    CAPTURE(schema.name);
    const onnx::OpsetRange* range = onnx::opset_range(schema.name);
    REQUIRE(range != nullptr);
    CHECK(range->op == schema.name);
    CHECK((range->first >= onnx::oldest_opset && range->last <= onnx::newest_opset));
    CHECK((schema.version >= range->first && schema.version <= range->last));
    CHECK(range->becomes.empty());
  }
}

TEST_CASE("operators that import turns into others name linked ones", "[import][CR-1]") {
  size_t count = 0;
  for (const onnx::OpsetRange& range : onnx::opset_ranges()) {
    if (range.becomes.empty()) continue;
    CAPTURE(range.op);
    ++count;
    CHECK(find_schema("", std::string(range.becomes)) != nullptr);
  }
  CHECK(count >= 4);
  CHECK(onnx::opset_range("Upsample")->last == 9);
  CHECK(onnx::opset_range("Scatter")->becomes == "ScatterElements");
}

TEST_CASE("names that ai.onnx does not have, have no opsets", "[import][CR-1]") {
  for (const char* name : {"", "A", "NoSuchOperator", "Zz", "abs", "Abs2"}) CHECK(onnx::opset_range(name) == nullptr);
  CHECK(onnx::opset_range("Abs") != nullptr);
  CHECK(onnx::opset_range("Xor") != nullptr);
}

// Model files that were changed on purpose and sealed again: checksums hold, so all else has to.
#include "fuzz/reseal.hpp"
#include "hostile/outcome.hpp"
#include "hostile/small_models.hpp"
#include "support/catch.hpp"

#include <cstring>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

size_t keep(uint8_t*, size_t size, size_t) { return size; }

uint8_t* raw(std::string& bytes) { return reinterpret_cast<uint8_t*>(bytes.data()); }

/// A model with one op, its model file, and the rows of one of the file's tables for changing.
template <class Row>
std::span<Row> table_of(std::string& om, om::SectionId id) {
  om::Header header;
  std::memcpy(&header, om.data(), sizeof header);
  for (uint32_t i = 0; i < header.section_count; ++i) {
    om::SectionEntry entry;
    std::memcpy(&entry, om.data() + sizeof header + i * sizeof entry, sizeof entry);
    if (entry.id == id) return {reinterpret_cast<Row*>(om.data() + entry.offset), entry.size / sizeof(Row)};
  }
  throw std::logic_error("no such section");
}

}  // namespace

TEST_CASE("a model file that says wrong sizes for an op's outputs is refused when it runs", "[hostile][CR-10]") {
  // y: float32[2, 4] = Relu(x: float32[2, 4]); each dim of y is made larger in turn.
  OnnxGraph g("g");
  g.input("x", DType::float32, {"2", "4"}).node(OnnxNode("Relu", {"x"}, {"h"})).node(OnnxNode("Neg", {"h"}, {"y"})).output("y");
  const std::string good = compiled(OnnxModel(g).opset(17).bytes());
  REQUIRE(load_and_run(good).refusal == "");
  std::string bad = good;
  size_t refused = 0;
  const auto values = table_of<ValueRow>(bad, om::SectionId::values);
  const auto operands = table_of<uint32_t>(bad, om::SectionId::operands);
  for (const ValueRow& value : values) {
    if (value.constant != no_index || value.dims.count != 2) continue;
    std::swap(operands[value.dims.first], operands[value.dims.first + 1]);  // [4, 2]
    fuzz::reseal(raw(bad), bad.size());
    const std::string refusal = load_and_run(bad).refusal;
    CHECK_THAT(refusal, Contains("the model file says that output 0 is float32[4, 2], but the op gives float32[2, 4]") || Contains("the model file says that output 0 is float32[2, 4], but the op gives float32[4, 2]"));
    refused += refusal.empty() ? 0 : 1;
    bad = good;
  }
  CHECK(refused >= 2);
}

TEST_CASE("model files changed at random and sealed again run or are refused", "[hostile][CR-10]") {
  const unsigned seed = GENERATE(range(1u, 5u));
  CAPTURE(seed);
  std::minstd_rand random(seed);
  size_t ran = 0, loaded = 0;
  for (const auto& [name, onnx] : small_models()) {
    const std::string om = compiled(onnx);
    for (unsigned round = 0; round < 300; ++round) {
      std::string bytes = om;
      bytes.resize(bytes.size() + 64);
      for (unsigned changes = 1 + random() % 2; changes > 0; --changes) bytes.resize(fuzz::mutate_section(raw(bytes), om.size(), om.size() + 64, random, keep));
      fuzz::reseal(raw(bytes), bytes.size());
      INFO(name << ", seed " << seed << ", round " << round);
      Outcome outcome;
      REQUIRE_NOTHROW(outcome = load_and_run(bytes));
      ran += outcome.taken() ? 1 : 0;
      loaded += outcome.refusal.find("damaged") == std::string::npos ? 1 : 0;
    }
  }
  CHECK(ran > 0);
  CHECK(loaded > 100);
}

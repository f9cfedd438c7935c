// Loops that collect slices of types of which several elements share a byte.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Refs = std::vector<OutputRef>;

namespace {

OutputRef cast(GraphBuild& b, OutputRef x, DType to) { return b.op("Cast", {x}, attributes({{"to", static_cast<int64_t>(to)}})); }

/// x doubled three times; what it was before each as int4[3, 3], and that as float32. `condition` of the sum of the next x.
template <class Condition>
std::vector<Tensor> collected(Condition condition) {
  ModelCase c;
  const OutputRef x = c.input("x", {3});
  const OutputRef y = c.loop(c.constant(Tensor::scalar(3)), OutputRef{}, {x}, {}, [&](GraphBuild& b, Refs in) {
    const OutputRef next = b.op("Add", {in[2], in[2]});
    return Refs{condition(b, in[1], next), next, cast(b, in[2], DType::int4)};
  });
  c.outputs({c.second(y), cast(c, c.second(y), DType::float32)});
  return c.instance()->run({floats({3}, {1, 2, 3})});
}

void check(const std::vector<Tensor>& out) {
  CHECK(out[0] == tensor<uint8_t>(DType::int4, {3, 3}, {0x21, 0x23, 0x64, 0x84, 0x0c}));
  CHECK(show(out[1]) == "float32[3, 3] 1 2 3 2 4 6 4 -8 -4");
}

}  // namespace

TEST_CASE("a static loop collects slices that end within a byte", "[executor][CR-9]") {
  check(collected([](GraphBuild&, OutputRef given, OutputRef) { return given; }));
}

TEST_CASE("an unrolled loop collects slices that end within a byte", "[executor][CR-9]") {
  check(collected([](GraphBuild& b, OutputRef, OutputRef next) {
    return b.op("Less", {b.op("ReduceSum", {next}, attributes({{"keepdims", int64_t{0}}})), b.scalar(1000)});
  }));
}

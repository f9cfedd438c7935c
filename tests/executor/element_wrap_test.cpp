// Dims computed from integers that wrap: expressions are mathematical, tensors are not.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;

TEST_CASE("a dim computed from an element that wraps is the wrapped one", "[executor][CR-2][CR-9]") {
  ModelCase c;
  const OutputRef x = c.input("x", {}, DType::int64);
  const OutputRef four = c.op("Min", {c.op("Mul", {x, c.ints({4})}), c.ints({4})});
  const OutputRef size = c.op("Max", {four, c.ints({0})});
  c.outputs({c.op("Neg", {c.op("Expand", {c.filled({1}, 1), size})}), size});
  const auto model = c.instance();
  CHECK(model->shown({int64s({}, {1})}) == "float32[4] -1 -1 -1 -1; int64[1] 4");
  CHECK(model->segments() == 1);
  CHECK(model->shown({int64s({}, {int64_t{1} << 62})}) == "float32[0]; int64[1] 0");                    // 2^64 wraps to 0
  CHECK(model->shown({int64s({}, {(int64_t{1} << 62) + 1})}) == "float32[4] -1 -1 -1 -1; int64[1] 4");  // to 4
  CHECK(model->shown({int64s({}, {INT64_MIN + 2})}) == "float32[4] -1 -1 -1 -1; int64[1] 4");           // to 8
  const uint64_t made = model->instantiations();
  CHECK(model->shown({int64s({}, {int64_t{1} << 62})}) == "float32[0]; int64[1] 0");
  CHECK(model->instantiations() == made);
}

// Shape arithmetic runs before the run, on the host engine; elements of inputs decide dims.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

TEST_CASE("Shape, Gather, Concat and Reshape of open dims leave no task but the data's", "[executor][CR-2][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N", "M", 2});
  const OutputRef shape = c.op("Shape", {x});
  const OutputRef n = c.op("Gather", {shape, c.ints({0})}), m = c.op("Gather", {shape, c.ints({1})});
  const OutputRef target = c.op("Concat", {c.op("Mul", {n, m}), c.ints({2})}, attributes({{"axis", int64_t{0}}}));
  c.outputs({c.op("Neg", {c.op("Reshape", {x, target})})});
  const auto model = c.instance();
  CHECK(model->shown({floats({2, 1, 2}, {1, 2, 3, 4})}) == "float32[2, 2] -1 -2 -3 -4");
  CHECK(model->segments() == 1);
  CHECK(model->ops_on("host") == 5);
  CHECK(model->ops_on("reference") == 2);
  CHECK(model->model.statistics().tasks_last_run == 1);  // Neg: the Reshape is a view
  CHECK(model->shown({floats({1, 3, 2}, {1, 2, 3, 4, 5, 6})}) == "float32[3, 2] -1 -2 -3 -4 -5 -6");
}

TEST_CASE("shape values that are outputs are written by the run", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N", 3});
  const OutputRef shape = c.op("Shape", {x});
  c.outputs({shape, c.op("Add", {shape, c.ints({10, 20})}), c.op("Size", {x}), c.op("Cast", {shape}, attributes({{"to", int64_t{1}}}))});
  const auto model = c.instance();
  CHECK(model->shown({floats({2, 3}, std::vector<float>(6))}) == "int64[2] 2 3; int64[2] 12 23; int64[] 6; float32[2] 2 3");
  CHECK(model->shown({floats({1, 3}, std::vector<float>(3))}) == "int64[2] 1 3; int64[2] 11 23; int64[] 3; float32[2] 1 3");
}

TEST_CASE("a shape that is a graph input decides dims", "[executor][CR-2]") {
  for (const DType dtype : {DType::int64}) {
    ModelCase c;
    const OutputRef x = c.input("x", {6}), shape = c.input("shape", {2}, dtype);
    c.outputs({c.op("Neg", {c.op("Reshape", {x, shape})})});
    const auto model = c.instance();
    const Tensor data = floats({6}, {1, 2, 3, 4, 5, 6});
    CHECK(model->shown({data, int64s({2}, {2, 3})}) == "float32[2, 3] -1 -2 -3 -4 -5 -6");
    CHECK(model->segments() == 1);
    CHECK(model->shown({data, int64s({2}, {3, 2})}) == "float32[3, 2] -1 -2 -3 -4 -5 -6");
    CHECK(model->instantiations() == 2);
    CHECK(model->shown({data, int64s({2}, {2, 3})}) == "float32[2, 3] -1 -2 -3 -4 -5 -6");
    CHECK(model->instantiations() == 2);
    CHECK(model->shown({data, int64s({2}, {-1, 1})}) == "float32[6, 1] -1 -2 -3 -4 -5 -6");
    CHECK_THAT(model->refusal({data, int64s({2}, {4, 2})}), Contains("Reshape"));
    CHECK(model->shown({data, int64s({2}, {2, 3})}) == "float32[2, 3] -1 -2 -3 -4 -5 -6");
  }
}

TEST_CASE("elements that reach no dim need no instantiation of their own", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2}, DType::int64);
  c.outputs({c.op("Add", {x, c.op("Mul", {x, x})})});
  const auto model = c.instance();
  CHECK(model->shown({int64s({2}, {2, 3})}) == "int64[2] 6 12");
  CHECK(model->shown({int64s({2}, {-1, 10})}) == "int64[2] 0 110");
  CHECK(model->instantiations() == 1);
}

TEST_CASE("of one input, only the elements that reach a dim are part of the key", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef s = c.input("s", {3}, DType::int64);
  const OutputRef first = c.op("Gather", {s, c.ints({0})}), rest = c.op("Slice", {s, c.ints({1}), c.ints({3})});
  c.outputs({c.op("Expand", {c.scalar(2), first}), c.op("Add", {rest, rest})});
  const auto model = c.instance();
  CHECK(model->shown({int64s({3}, {3, 1, 2})}) == "float32[3] 2 2 2; int64[2] 2 4");
  CHECK(model->shown({int64s({3}, {3, 7, 8})}) == "float32[3] 2 2 2; int64[2] 14 16");
  CHECK(model->instantiations() == 1);
  CHECK(model->shown({int64s({3}, {1, 7, 8})}) == "float32[1] 2; int64[2] 14 16");
  CHECK(model->instantiations() == 2);
}

TEST_CASE("int32 and bool elements decide too", "[executor][CR-2]") {
  ModelCase c;
  const OutputRef n = c.input("n", {1}, DType::int32), wide = c.input("wide", {}, DType::boolean);
  const OutputRef length = c.op("Add", {c.op("Cast", {n}, attributes({{"to", int64_t{7}}})), c.op("Where", {wide, c.ints({2}), c.ints({0})})});
  c.outputs({c.op("Expand", {c.scalar(1), length})});
  const auto model = c.instance();
  CHECK(model->shown({int32s({1}, {1}), bools({}, {0})}) == "float32[1] 1");
  CHECK(model->shown({int32s({1}, {1}), bools({}, {1})}) == "float32[3] 1 1 1");
  CHECK(model->shown({int32s({1}, {2}), bools({}, {0})}) == "float32[2] 1 1");
  CHECK(model->segments() == 1);
}

TEST_CASE("a shape that is too large for any tensor is refused", "[executor][CR-10]") {
  ModelCase c;
  const OutputRef shape = c.input("shape", {2}, DType::int64);
  c.outputs({c.op("Expand", {c.scalar(1), shape})});
  ModelParam param;
  param.max_memory_bytes = 1 << 20;
  const auto model = c.instance(param);
  for (const auto& dims : std::vector<std::vector<int64_t>>{{1 << 20, 1 << 20}, {INT64_MAX, 2}, {1 << 19, 1}}) {
    INFO(dims_to_string(dims));
    CHECK(model->refusal({int64s({2}, dims)}) != "");
    CHECK(model->code == ErrorCode::out_of_memory);
  }
  CHECK(model->refusal({int64s({2}, {-3, 2})}) != "");
  CHECK(model->shown({int64s({2}, {1, 2})}) == "float32[1, 2] 1 1");
}

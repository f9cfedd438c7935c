// Inputs that contradict the model and runs that fail: a named error, and the instance goes on.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

std::string refusal(Instance& model, const std::vector<InputTensor>& in, size_t outputs = 1) {
  std::vector<OutputTensor> out(outputs);
  try {
    model.model.NnExecute(in, out);
  } catch (const Error& error) {
    model.code = error.code();
    return error.what();
  }
  return "";
}

/// The CPU with little memory.
class SmallDevice final : public Device {
 public:
  std::string_view name() const noexcept override { return "small"; }
  std::byte* allocate(int64_t size_bytes) override {
    if (size_bytes > 1024) throw Error(ErrorCode::out_of_memory, "no " + std::to_string(size_bytes) + " bytes left");
    ++live;
    return cpu_device().allocate(size_bytes);
  }
  void release(std::byte* memory) noexcept override { --live, cpu_device().release(memory); }
  void copy(std::byte* to, const std::byte* from, int64_t size_bytes) noexcept override { cpu_device().copy(to, from, size_bytes); }
  void fill(std::byte* to, int value, int64_t size_bytes) noexcept override { cpu_device().fill(to, value, size_bytes); }
  RunResult execute(const TaskList& list, const std::byte* args, const RunContext& context) noexcept override { return cpu_device().execute(list, args, context); }
  int live = 0;
};

}  // namespace

TEST_CASE("wrong inputs are refused by name", "[executor][CR-10]") {
  ModelCase c;
  const OutputRef a = c.input("a", {"N", 3}), b = c.input("b", {3}, DType::int64);
  c.outputs({c.op("Add", {a, c.op("Cast", {b}, attributes({{"to", int64_t{1}}}))})});
  const auto model = c.instance();
  const Tensor good_a = floats({1, 3}, {1, 2, 3}), good_b = int64s({3}, {10, 20, 30});
  const std::string sum = "float32[1, 3] 11 22 33";
  CHECK(model->shown({good_a, good_b}) == sum);

  const auto expect = [&](const std::vector<InputTensor>& in, auto matcher) {
    CHECK_THAT(refusal(*model, in), matcher);
    CHECK(model->code == ErrorCode::invalid_argument);
    CHECK(model->shown({good_a, good_b}) == sum);
  };
  expect({given(good_a)}, Contains("2 inputs") && Contains("1 were given"));
  expect({given(good_a), given(good_b), given(good_b)}, Contains("2 inputs") && Contains("3 were given"));
  expect({given(good_a), given(floats({3}, {1, 2, 3}))}, Contains("input 1 'b'") && Contains("float32") && Contains("int64"));
  const Tensor flat = floats({3}, {1, 2, 3});
  expect({given(flat), given(good_b)}, Contains("'a'") && Contains("[3]") && Contains("rank 2"));
  const Tensor wide = floats({1, 4}, {1, 2, 3, 4});
  expect({given(wide), given(good_b)}, Contains("'a'") && Contains("[1, 4]") && Contains("expected 3 on axis 1"));
  InputTensor in = given(good_a);
  in.size_bytes = 8;
  expect({in, given(good_b)}, Contains("input 0 'a'") && Contains("8 bytes") && Contains("12"));
  in = given(good_a), in.data = nullptr;
  expect({in, given(good_b)}, Contains("input 0 'a'") && Contains("null"));
  const std::vector<int64_t> negative{-1, 3}, huge{INT64_MAX, 3};
  in = given(good_a), in.dims = negative;
  expect({in, given(good_b)}, Contains("input 0 'a'") && Contains("[-1, 3]"));
  in.dims = huge;
  expect({in, given(good_b)}, Contains("input 0 'a'") && Contains("64-bit"));

  CHECK_THAT(refusal(*model, {given(good_a), given(good_b)}, 2), Contains("1 outputs") && Contains("2"));
}

TEST_CASE("a run that fails names node and op, and the instance goes on", "[executor][CR-9][SX-18]") {
  ModelCase c;
  const OutputRef data = c.input("data", {3}), at = c.input("at", {2}, DType::int64), by = c.input("by", {2}, DType::int32);
  const OutputRef picked = c.op("Gather", {data, at});
  c.outputs({picked, c.op("Div", {c.op("Cast", {picked}, attributes({{"to", int64_t{6}}})), by})});
  const auto model = c.instance();
  const std::vector<Tensor> good{floats({3}, {7, 8, 9}), int64s({2}, {2, -3}), int32s({2}, {2, -3})};
  CHECK(model->shown(good) == "float32[2] 9 7; int32[2] 4 -2");
  for (const int64_t index : {int64_t{3}, int64_t{-4}, INT64_MAX, INT64_MIN}) {
    CHECK_THAT(model->refusal({good[0], int64s({2}, {0, index}), good[2]}), Contains("(Gather)") && Contains("'Gather_3'"));
    CHECK(model->code == ErrorCode::run_failed);
    CHECK(model->shown(good) == "float32[2] 9 7; int32[2] 4 -2");
  }
  CHECK_THAT(model->refusal({good[0], good[1], int32s({2}, {1, 0})}), Contains("(Div)") && Contains("zero"));
  CHECK(model->code == ErrorCode::run_failed);
  CHECK(model->shown(good) == "float32[2] 9 7; int32[2] 4 -2");
  CHECK(model->instantiations() == 1);
}

TEST_CASE("a division by zero that is known before the run is an error of the run or of the sizes, never a signal", "[executor][CR-9]") {
  for (const char* op : {"Div", "Mod"}) {
    ModelCase c;
    c.may_be_zero("N");
    const OutputRef x = c.input("x", {"N"});
    c.outputs({c.op(op, {c.ints({6}), c.op("Shape", {x})})});
    const auto model = c.instance();
    CHECK(model->shown({floats({4}, {0, 0, 0, 0})}) == (op == std::string("Div") ? "int64[1] 1" : "int64[1] 2"));
    CHECK_THAT(model->refusal({floats({0}, {})}), Contains(op));
    CHECK(model->shown({floats({3}, {0, 0, 0})}) == (op == std::string("Div") ? "int64[1] 2" : "int64[1] 0"));
  }
}

TEST_CASE("a failure behind a cut leaves the instance usable", "[executor][CR-9]") {
  ModelCase c;
  const OutputRef x = c.input("x", {3}), data = c.input("data", {2});
  const OutputRef at = c.op("Reshape", {c.op("NonZero", {x}), c.ints({-1})});
  c.outputs({c.op("Gather", {data, at})});
  const auto model = c.instance();
  CHECK(model->shown({floats({3}, {1, 1, 0}), floats({2}, {5, 6})}) == "float32[2] 5 6");
  CHECK_THAT(model->refusal({floats({3}, {1, 0, 1}), floats({2}, {5, 6})}), Contains("(Gather)"));
  CHECK(model->shown({floats({3}, {0, 1, 0}), floats({2}, {5, 6})}) == "float32[1] 6");
  CHECK(model->shown({floats({3}, {1, 1, 0}), floats({2}, {7, 6})}) == "float32[2] 7 6");
}

TEST_CASE("a failure inside a loop names the op of the body", "[executor][CR-9]") {
  ModelCase c;
  const OutputRef data = c.input("data", {3}), x = c.input("x", {}, DType::int64);
  c.outputs({c.loop(c.constant(Tensor::scalar(2)), {}, {x}, {data}, [](GraphBuild& b, std::vector<OutputRef> in) {
    const OutputRef picked = b.op("Gather", {in[3], in[2]});
    return std::vector<OutputRef>{in[1], b.op("Cast", {picked}, attributes({{"to", int64_t{7}}}))};
  })});
  const auto model = c.instance();
  CHECK(model->shown({floats({3}, {1, 2, 0}), int64s({}, {0})}) == "int64[] 2");
  CHECK_THAT(model->refusal({floats({3}, {9, 2, 0}), int64s({}, {0})}), Contains("(Gather)"));
  CHECK(model->shown({floats({3}, {1, 2, 0}), int64s({}, {1})}) == "int64[] 0");
}

TEST_CASE("intermediate tensors beyond the limit are refused with the sizes", "[executor][CR-10]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N", 1}), y = c.input("y", {1, "M"});
  c.outputs({c.op("ReduceSum", {c.op("Relu", {c.op("Add", {x, y})})}, attributes({{"keepdims", int64_t{0}}}))});
  ModelParam param;
  param.max_memory_bytes = 100'000;
  const auto model = c.instance(param);
  const auto run = [&](int64_t n, int64_t m) { return model->refusal({Tensor::zeros(DType::float32, {n, 1}), Tensor::zeros(DType::float32, {1, m})}); };
  CHECK(run(100, 100) == "");
  CHECK_THAT(run(1000, 1000), Contains("4000000 bytes") && Contains("100000") && Contains("max_memory"));
  CHECK(model->code == ErrorCode::out_of_memory);
  CHECK(run(100, 100) == "");
}

TEST_CASE("the limit on memory holds for all tensors of a run together", "[executor][CR-10]") {
  // Each output of 40,000 bytes is within the limit, four of them are not; nor is what a shape that no longer runs held.
  ModelCase c;
  const OutputRef x = c.input("x", {"N"});
  c.outputs({c.op("Neg", {x}), c.op("Abs", {x}), c.op("Exp", {x}), c.op("Relu", {x})});
  ModelParam param;
  param.max_memory_bytes = 100'000;
  const auto model = c.instance(param);
  CHECK(model->refusal({Tensor::zeros(DType::float32, {5000})}) == "");
  CHECK_THAT(model->refusal({Tensor::zeros(DType::float32, {10'000})}), Contains("40000 bytes more") && Contains("limit is 100000") && Contains("max_memory"));
  CHECK(model->code == ErrorCode::out_of_memory);
  CHECK(model->refusal({Tensor::zeros(DType::float32, {5000})}) == "");
}

TEST_CASE("memory that the device cannot give ends the run, and the instance goes on", "[executor][CR-10]") {
  SmallDevice device;
  {
    ModelCase c;
    const OutputRef n = c.input("n", {1}, DType::int64), x = c.input("x", {4});
    const OutputRef large = c.op("Expand", {c.op("Neg", {c.op("Slice", {x, c.ints({0}), c.ints({1})})}), n});
    const OutputRef found = c.op("NonZero", {x});
    c.outputs({c.op("ReduceSum", {large}), c.op("Expand", {c.scalar(1), n}), found});
    ModelParam param;
    param.device = &device;
    const auto model = c.instance(param);
    const std::string good = "float32[1] -2; float32[2] 1 1; int64[1, 1] 0";
    CHECK(model->shown({int64s({1}, {2}), floats({4}, {1, 0, 0, 0})}) == good);
    CHECK_THAT(model->refusal({int64s({1}, {int64_t{1} << 58}), floats({4}, {1, 0, 0, 0})}), Contains("bytes left"));
    CHECK(model->code == ErrorCode::out_of_memory);
    CHECK(model->shown({int64s({1}, {2}), floats({4}, {1, 0, 0, 0})}) == good);
    CHECK(device.live > 0);
  }
  CHECK(device.live == 0);
}

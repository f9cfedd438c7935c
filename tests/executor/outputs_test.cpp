// What may be an output, and whose memory it is written to.
#include "executor/model_case.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// Runs with memory that the caller owns, `bytes` from `data`.
std::string run_into(Instance& model, const std::vector<Tensor>& inputs, std::vector<OutputTensor>& out) {
  std::vector<InputTensor> in;
  for (const Tensor& t : inputs) in.push_back(given(t));
  try {
    model.model.NnExecute(in, out);
  } catch (const Error& error) {
    model.code = error.code();
    return error.what();
  }
  return "";
}
OutputTensor memory(void* data, int64_t capacity_bytes) {
  OutputTensor out;
  out.data = data, out.capacity_bytes = capacity_bytes;
  return out;
}

std::unique_ptr<Instance> negation() {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"});
  c.outputs({c.op("Neg", {x})});
  return c.instance();
}

}  // namespace

TEST_CASE("one value may be several outputs, an input or a constant one", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2}), k = c.filled({3}, 7);
  const OutputRef y = c.op("Neg", {x}), view = c.op("Reshape", {y, c.ints({2, 1})});
  c.outputs({y, y, x, k, c.op("Reshape", {x, c.ints({1, 2})}), view, c.op("Unsqueeze", {view, c.ints({0})}), x, c.op("Identity", {k})});
  CHECK(c.instance()->shown({floats({2}, {1, 2})}) ==
        "float32[2] -1 -2; float32[2] -1 -2; float32[2] 1 2; float32[3] 7 7 7; float32[1, 2] 1 2; float32[2, 1] -1 -2; float32[1, 2, 1] -1 -2; float32[2] 1 2; float32[3] 7 7 7");
}

TEST_CASE("an output stays right when ops after it read it", "[executor][SX-3]") {
  ModelCase c;
  const OutputRef x = c.input("x", {4});
  const OutputRef a = c.op("Neg", {x}), b = c.op("Relu", {a}), d = c.op("Abs", {c.op("Reshape", {a, c.ints({2, 2})})});
  c.outputs({b, a, c.op("Neg", {b}), d});
  CHECK(c.instance()->shown({floats({4}, {1, -2, 3, -4})}) == "float32[4] 0 2 0 4; float32[4] -1 2 -3 4; float32[4] -0 -2 -0 -4; float32[2, 2] 1 2 3 4");
}

TEST_CASE("ranks 0 and sizes 0", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {}), z = c.input("z", {0, 3});
  c.outputs({c.op("Neg", {x}), c.op("Reshape", {x, c.ints({1, 1})}), c.op("Neg", {z}), z, c.op("Concat", {z, c.filled({1, 3}, 2)}, attributes({{"axis", int64_t{0}}})),
             c.op("ReduceSum", {z}, attributes({{"keepdims", int64_t{0}}}))});
  const auto model = c.instance();
  CHECK(model->shown({floats({}, {3}), floats({0, 3}, {})}) == "float32[] -3; float32[1, 1] 3; float32[0, 3]; float32[0, 3]; float32[1, 3] 2 2 2; float32[] 0");
  CHECK(model->shown({floats({}, {4}), floats({0, 3}, {})}) == "float32[] -4; float32[1, 1] 4; float32[0, 3]; float32[0, 3]; float32[1, 3] 2 2 2; float32[] 0");
}

TEST_CASE("a model with nothing to run", "[executor][SX-17]") {
  ModelCase c;
  const OutputRef x = c.input("x", {"N"});
  c.outputs({x});
  CHECK(c.instance()->shown({floats({2}, {1, 2})}) == "float32[2] 1 2");
  ModelCase none;
  none.outputs({none.ints({4, 5})});
  CHECK(none.instance()->shown({}) == "int64[2] 4 5");
}

TEST_CASE("outputs go straight to the caller's memory", "[executor][SX-8]") {
  const auto model = negation();
  std::vector<float> y(5, 77);
  std::vector<OutputTensor> out{memory(y.data(), 20)};
  CHECK(run_into(*model, {floats({3}, {1, 2, 3})}, out) == "");
  CHECK(y == std::vector<float>{-1, -2, -3, 77, 77});
  CHECK(out[0].data == y.data());
  CHECK_FALSE(out[0].lent);
  CHECK(out[0].size_bytes == 12);
  CHECK(out[0].dtype == DType::float32);
  CHECK(std::vector<int64_t>(out[0].shape().begin(), out[0].shape().end()) == std::vector<int64_t>{3});
  CHECK(model->model.statistics().tasks_last_run == 1);  // no copy
  CHECK(model->model.statistics().arena_bytes == 0);
}

TEST_CASE("lent memory is good until the next run", "[executor][SX-8]") {
  const auto model = negation();
  std::vector<OutputTensor> out(1);
  CHECK(run_into(*model, {floats({3}, {1, 2, 3})}, out) == "");
  CHECK(out[0].lent);
  CHECK(reinterpret_cast<uintptr_t>(out[0].data) % 64 == 0);
  CHECK(show(taken(out[0])) == "float32[3] -1 -2 -3");
  // What was lent is handed in again as it is: the instance lends anew, also where it needs more.
  CHECK(run_into(*model, {Tensor::zeros(DType::float32, {1000})}, out) == "");
  CHECK(out[0].lent);
  CHECK(out[0].size_bytes == 4000);
  // Own memory again.
  std::vector<float> y(3);
  out[0] = memory(y.data(), 12);
  CHECK(run_into(*model, {floats({3}, {1, 2, 3})}, out) == "");
  CHECK(y == std::vector<float>{-1, -2, -3});
}

TEST_CASE("the caller's memory must be large enough, aligned and not an input's", "[executor][SX-8][CR-10]") {
  const auto model = negation();
  alignas(64) float block[16] = {1, 2, 3, 4};
  auto* bytes = reinterpret_cast<std::byte*>(block);
  const Tensor x = floats({3}, {1, 2, 3});

  std::vector<OutputTensor> out{memory(block + 8, 11)};
  CHECK_THAT(run_into(*model, {x}, out), Contains("output 0 'out0' needs 12 bytes") && Contains("has 11"));
  CHECK(model->code == ErrorCode::invalid_argument);
  out[0] = memory(bytes + 33, 31);
  CHECK_THAT(run_into(*model, {x}, out), Contains("output 0 'out0'") && Contains("aligned"));

  const std::vector<int64_t> dims{3};
  const InputTensor in{block + 4, DType::float32, dims, 12};
  for (const int offset : {0, 4, 8, -4, -8}) {
    INFO("output at " << offset << " bytes from a 12 byte input");
    out[0] = memory(bytes + 16 + offset, 12);
    CHECK_THROWS_WITH(model->model.NnExecute(std::vector<InputTensor>{in}, out), Contains("overlaps") && Contains("input 0 'x'"));
  }
  for (const int offset : {12, -12}) {
    out[0] = memory(bytes + 16 + offset, 12);
    CHECK_NOTHROW(model->model.NnExecute(std::vector<InputTensor>{in}, out));
  }
}

TEST_CASE("outputs may not overlap each other", "[executor][SX-8][CR-10]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2});
  c.outputs({c.op("Neg", {x}), c.op("Add", {x, x})});
  const auto model = c.instance();
  float block[4];
  const Tensor in = floats({2}, {1, 2});
  std::vector<OutputTensor> out{memory(block, 8), memory(block + 1, 8)};
  CHECK_THAT(run_into(*model, {in}, out), Contains("output 1 'out1' overlaps") && Contains("output 0 'out0'"));
  out = {memory(block + 1, 8), memory(block, 8)};
  CHECK_THAT(run_into(*model, {in}, out), Contains("output 1 'out1' overlaps") && Contains("output 0 'out0'"));
  out = {memory(block + 2, 8), memory(block, 8)};
  CHECK(run_into(*model, {in}, out) == "");
  CHECK(std::vector<float>(block, block + 4) == std::vector<float>{2, 4, -1, -2});
}

TEST_CASE("outputs of early segments may be the caller's too", "[executor][SX-8]") {
  ModelCase c;
  const OutputRef x = c.input("x", {3});
  const OutputRef early = c.op("Neg", {x}), where = c.op("NonZero", {x});
  c.outputs({early, where, c.op("Abs", {early}), early});
  const auto model = c.instance();
  std::vector<float> a(3), b(3);
  std::vector<OutputTensor> out(4);
  out[0] = memory(a.data(), 12), out[2] = memory(b.data(), 12);
  for (int round = 0; round < 2; ++round) {
    CHECK(run_into(*model, {floats({3}, {0, 5, -6})}, out) == "");
    CHECK(show(floats({3}, a)) == "float32[3] -0 -5 6");
    CHECK(show(floats({3}, b)) == "float32[3] 0 5 6");
    CHECK(show(taken(out[1])) == "int64[1, 2] 1 2");
    CHECK(show(taken(out[3])) == "float32[3] -0 -5 6");
  }
}

TEST_CASE("an input that is not aligned to its elements is copied", "[executor][SX-8]") {
  ModelCase c;
  const OutputRef x = c.input("x", {2}, DType::float64);
  c.outputs({c.op("Neg", {x}), x});
  const auto model = c.instance();
  alignas(8) std::byte block[24];
  const double values[] = {1, 2};
  std::memcpy(block + 1, values, 16);
  const std::vector<int64_t> dims{2};
  std::vector<OutputTensor> out(2);
  model->model.NnExecute(std::vector<InputTensor>{{block + 1, DType::float64, dims, 16}}, out);
  CHECK(model->model.statistics().inputs_copied == 1);
  CHECK(show(taken(out[0])) == "float64[2] -1 -2");
  CHECK(show(taken(out[1])) == "float64[2] 1 2");
  CHECK(model->shown({doubles({2}, {3, 4})}) == "float64[2] -3 -4; float64[2] 3 4");
  CHECK(model->model.statistics().inputs_copied == 0);
}

#include "support/catch.hpp"
#include "support/run_kernel.hpp"

using namespace ge;
using namespace ge::testing;

namespace {

Tensor u8(std::vector<int64_t> dims, std::vector<uint8_t> values) { return tensor<uint8_t>(DType::uint8, std::move(dims), std::move(values)); }
Tensor i8(std::vector<int64_t> dims, std::vector<int8_t> values) { return tensor<int8_t>(DType::int8, std::move(dims), std::move(values)); }
Tensor i32(std::vector<int64_t> dims, std::vector<int32_t> values) { return tensor<int32_t>(DType::int32, std::move(dims), std::move(values)); }
Tensor scalar(float value) { return floats({}, {value}); }
Tensor run(const char* op, const std::vector<Tensor>& inputs, DType to, std::vector<int64_t> dims, Attributes attributes = {}) {
  return KernelRunner(op, std::move(attributes)).run(inputs, {{to, std::move(dims)}})[0];
}

}  // namespace

TEST_CASE("MatMulInteger takes zero points of a matrix, of rows and of columns", "[kernels][CR-9]") {
  const Tensor a = u8({2, 2}, {1, 2, 3, 4}), b = i8({2, 2}, {5, -6, 7, 8});
  CHECK(run("MatMulInteger", {a, b}, DType::int32, {2, 2}) == i32({2, 2}, {19, 10, 43, 14}));
  // a - 1 = [[0, 1], [2, 3]], b - -1 = [[6, -5], [8, 9]]
  CHECK(run("MatMulInteger", {a, b, u8({}, {1}), i8({1}, {-1})}, DType::int32, {2, 2}) == i32({2, 2}, {8, 9, 36, 17}));
  // rows of a less 1 and 3: [[0, 1], [0, 1]]; columns of b less 5 and 0: [[0, -6], [2, 8]]
  CHECK(run("MatMulInteger", {a, b, u8({2}, {1, 3}), i8({2}, {5, 0})}, DType::int32, {2, 2}) == i32({2, 2}, {2, 8, 2, 8}));
  CHECK(run("MatMulInteger", {a, b, u8({2, 1}, {1, 3}), i8({1, 2}, {5, 0})}, DType::int32, {2, 2}) == i32({2, 2}, {2, 8, 2, 8}));
  CHECK_THROWS_AS(run("MatMulInteger", {a, b, u8({3}, {1, 2, 3})}, DType::int32, {2, 2}), Error);
  // Vectors, and batches of the left operand.
  CHECK(run("MatMulInteger", {u8({2}, {1, 2}), b, u8({}, {1})}, DType::int32, {2}) == i32({2}, {7, 8}));
  CHECK(run("MatMulInteger", {u8({2, 1, 2}, {1, 2, 3, 4}), b, u8({2, 1, 1}, {1, 3})}, DType::int32, {2, 1, 2}) == i32({2, 1, 2}, {7, 8, 7, 8}));
}

TEST_CASE("sums of integer products wrap at 32 bits", "[kernels][CR-9]") {
  constexpr int64_t k = 33100;  // 255 * 255 * k = 2152327500, beyond 2^31
  const std::vector<uint8_t> most(k, 255);
  constexpr auto wrapped = static_cast<int32_t>(static_cast<uint32_t>(255 * 255 * k));
  static_assert(wrapped < 0);
  CHECK(run("MatMulInteger", {u8({1, k}, most), u8({k, 1}, most)}, DType::int32, {1, 1}) == i32({1, 1}, {wrapped}));
  CHECK(run("ConvInteger", {u8({1, 1, k}, most), u8({1, 1, k}, most)}, DType::int32, {1, 1, 1}) == i32({1, 1, 1}, {wrapped}));
}

TEST_CASE("ConvInteger pads with the zero point", "[kernels][CR-9]") {
  Attributes padded;
  padded.set("pads", std::vector<int64_t>{1, 1});
  const Tensor x = u8({1, 1, 3}, {2, 3, 4}), w = i8({2, 1, 2}, {1, 1, 2, 3});
  // x - 1 = 1, 2, 3 between zeros.
  CHECK(run("ConvInteger", {x, w, u8({}, {1})}, DType::int32, {1, 2, 4}, padded) == i32({1, 2, 4}, {1, 3, 5, 3, 3, 8, 13, 6}));
  // The second output channel less 2: weights 0, 1.
  CHECK(run("ConvInteger", {x, w, u8({}, {1}), i8({2}, {0, 2})}, DType::int32, {1, 2, 4}, padded) == i32({1, 2, 4}, {1, 3, 5, 3, 1, 2, 3, 0}));
  Attributes grouped;
  grouped.set("group", int64_t{2});
  CHECK(run("ConvInteger", {u8({1, 2, 1}, {3, 5}), i8({2, 1, 1}, {2, -1}), {}, {}}, DType::int32, {1, 2, 1}, grouped) == i32({1, 2, 1}, {6, -5}));
}

TEST_CASE("QLinearMatMul scales, rounds ties to even, adds the zero point and saturates", "[kernels][CR-9]") {
  const Tensor a = u8({1, 1}, {1}), zero = u8({}, {0});
  const auto times = [&](std::vector<uint8_t> b, float y_scale, uint8_t y_zero_point) {
    const auto n = static_cast<int64_t>(b.size());
    return run("QLinearMatMul", {a, scalar(1), zero, u8({1, n}, std::move(b)), scalar(1), zero, scalar(y_scale), u8({}, {y_zero_point})}, DType::uint8, {1, n});
  };
  CHECK(times({1, 3, 5, 255}, 2, 1) == u8({1, 4}, {1, 3, 3, 129}));  // 0.5, 1.5, 2.5, 127.5 and 1
  CHECK(times({200, 255}, 0.5f, 0) == u8({1, 2}, {255, 255}));
  // Two rows and two columns with scales and zero points of their own: a - zp = [[1], [2]], b - zp = [[3, 4]]
  CHECK(run("QLinearMatMul", {u8({2, 1}, {2, 4}), floats({2}, {1, 2}), u8({2}, {1, 2}), i8({1, 2}, {2, 6}), floats({2}, {1, 3}), i8({2}, {-1, 2}), scalar(1), i8({}, {-1})},
            DType::int8, {2, 2}) == i8({2, 2}, {2, 11, 11, 47}));
  // y_zero_point's dtype decides; the lowest value of int8.
  CHECK(run("QLinearMatMul", {u8({1, 1}, {200}), scalar(1), zero, i8({1, 1}, {-100}), scalar(1), i8({}, {0}), scalar(1), i8({}, {0})}, DType::int8, {1, 1}) == i8({1, 1}, {-128}));
}

TEST_CASE("QLinearMatMul of float8", "[kernels][CR-9]") {
  const auto f8 = [](std::vector<int64_t> dims, std::vector<uint8_t> codes) { return tensor<uint8_t>(DType::float8e4m3fn, std::move(dims), std::move(codes)); };
  // [1, 0.5] . [2, 4] = 4, times 2 * 1 / 4 = 2; e4m3fn: 1 = 0x38, 0.5 = 0x30, 2 = 0x40, 4 = 0x48.
  CHECK(run("QLinearMatMul", {f8({1, 2}, {0x38, 0x30}), scalar(2), f8({}, {0}), f8({2, 1}, {0x40, 0x48}), scalar(1), f8({}, {0}), scalar(4), f8({}, {0})}, DType::float8e4m3fn,
            {1, 1}) == f8({1, 1}, {0x40}));
}

TEST_CASE("QLinearConv with scales of output channels and a bias", "[kernels][CR-9]") {
  const Tensor x = u8({1, 1, 2}, {12, 14}), w = i8({2, 1, 1}, {3, -5});
  // x - 10 = 2, 4; times 3 plus 1: 7, 13, times 0.5 * 2 / 1; times -5 plus 0: -10, -20, times 0.5 * 0.5 = -2.5, -5.
  CHECK(run("QLinearConv", {x, scalar(0.5f), u8({}, {10}), w, floats({2}, {2, 0.5f}), i8({2}, {0, 0}), scalar(1), u8({}, {100}), i32({2}, {1, 0})}, DType::uint8, {1, 2, 2}) ==
        u8({1, 2, 2}, {107, 113, 98, 95}));
  CHECK(run("QLinearConv", {x, scalar(0.5f), u8({}, {10}), w, scalar(1), i8({2}, {1, -1}), scalar(1), u8({}, {100})}, DType::uint8, {1, 2, 2}) ==
        u8({1, 2, 2}, {102, 104, 96, 92}));  // weights 2, -4: 4, 8, -8, -16, halved
}

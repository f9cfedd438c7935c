#include "kernels/kernel_values.hpp"
#include "support/catch.hpp"

#include <cmath>

// Einsum, Det.
using namespace ge;
using namespace ge::testing;

namespace {

Ints einsum(const char* equation, const std::vector<Tensor>& inputs, Ints out) {
  return values_of<int64_t>(KernelRunner("Einsum", attributes({{"equation", std::string(equation)}})).run(inputs, {{DType::int64, std::move(out)}})[0]);
}
Floats det(Ints dims, Floats values) {
  const Ints out(dims.begin(), dims.end() - 2);
  return run_floats("Det", {floats(std::move(dims), std::move(values))}, out);
}

}  // namespace

TEST_CASE("Einsum: products, sums, transposes and diagonals", "[kernels][CR-9]") {
  const Tensor a = int64s({2, 2}, {1, 2, 3, 4}), b = int64s({2, 3}, {1, 0, 2, 0, 1, 3}), v = int64s({2}, {5, 7});
  CHECK(einsum("ij,jk->ik", {a, b}, {2, 3}) == Ints{1, 2, 8, 3, 4, 18});
  CHECK(einsum(" i j , j k -> k i ", {a, b}, {3, 2}) == Ints{1, 3, 2, 4, 8, 18});
  CHECK(einsum("ij->ji", {a}, {2, 2}) == Ints{1, 3, 2, 4});
  CHECK(einsum("ij->", {a}, {}) == Ints{10});
  CHECK(einsum("ij->j", {a}, {2}) == Ints{4, 6});
  const Tensor cube = int64s({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(einsum("ijk->", {cube}, {}) == Ints{36});
  CHECK(einsum("ijk,kij->", {cube, cube}, {}) == Ints{1 + 2 * 5 + 3 * 2 + 4 * 6 + 5 * 3 + 6 * 7 + 7 * 4 + 64});
  CHECK(einsum("ii->i", {a}, {2}) == Ints{1, 4});
  CHECK(einsum("ii", {a}, {}) == Ints{5});
  CHECK(einsum("i,i", {v, v}, {}) == Ints{74});
  CHECK(einsum("i,j->ij", {v, v}, {2, 2}) == Ints{25, 35, 35, 49});
  CHECK(einsum("ij,i,j->", {a, v, v}, {}) == Ints{1 * 25 + 2 * 35 + 3 * 35 + 4 * 49});
  CHECK(einsum(",i->i", {Tensor::scalar(3), v}, {2}) == Ints{15, 21});
  CHECK(einsum("", {Tensor::scalar(3)}, {}) == Ints{3});
}

TEST_CASE("Einsum: without an arrow the letters that occur once, capitals first", "[kernels][CR-9]") {
  const Tensor a = int64s({2, 2}, {1, 2, 3, 4});
  CHECK(einsum("ba", {a}, {2, 2}) == Ints{1, 3, 2, 4});
  CHECK(einsum("aB", {a}, {2, 2}) == Ints{1, 3, 2, 4});
  CHECK(einsum("ij,jk", {a, a}, {2, 2}) == Ints{7, 10, 15, 22});
  CHECK(einsum("i...", {a}, {2, 2}) == Ints{1, 3, 2, 4});  // the ellipsis comes first
}

TEST_CASE("Einsum: the ellipsis is aligned at its last axis and broadcasts", "[kernels][CR-9]") {
  const Tensor x = int64s({2, 1, 2}, {1, 2, 3, 4}), y = int64s({3, 2}, {1, 1, 2, 0, 0, 5});
  CHECK(einsum("...i,...i->...", {x, y}, {2, 3}) == Ints{3, 2, 10, 7, 6, 20});
  CHECK(einsum("...ij->...ji", {x}, {2, 2, 1}) == Ints{1, 2, 3, 4});
  CHECK(einsum("...->", {x}, {}) == Ints{10});
  CHECK(einsum("i...->...", {y}, {2}) == Ints{3, 6});
  CHECK(einsum("i,i->i", {int64s({1}, {10}), int64s({2}, {1, 2})}, {2}) == Ints{10, 20});  // a letter of one element too
}

TEST_CASE("Einsum: no elements, long sums, wrapping integers", "[kernels][CR-9][CR-10]") {
  CHECK(einsum("ij->i", {int64s({2, 0}, {})}, {2}) == Ints{0, 0});
  CHECK(einsum("ij,jk->ik", {int64s({2, 0}, {}), int64s({0, 1}, {})}, {2, 1}) == Ints{0, 0});
  CHECK(einsum("i,i", {int64s({2}, {INT64_MAX, INT64_MIN}), int64s({2}, {INT64_MAX, 1})}, {}) == Ints{1 + INT64_MIN});
  const Ints ones(1500, 1);
  CHECK(einsum("i,i", {int64s({1500}, ones), int64s({1500}, ones)}, {}) == Ints{1500});
  CHECK(einsum("ij->j", {int64s({750, 2}, ones)}, {2}) == Ints{750, 750});
  const auto bytes = KernelRunner("Einsum", attributes({{"equation", std::string("i->")}})).run({tensor<uint8_t>(DType::uint8, {2}, {200, 100})}, {{DType::uint8, {}}})[0];
  CHECK(bytes.at<uint8_t>(0) == 44);
  const auto large = KernelRunner("Einsum", attributes({{"equation", std::string("i->")}})).run({tensor<uint64_t>(DType::uint64, {2}, {UINT64_MAX - 5, 2})}, {{DType::uint64, {}}})[0];
  CHECK(large.at<uint64_t>(0) == UINT64_MAX - 3);
  CHECK(run_floats("Einsum", {floats({3}, {1e8f, 1, -1e8f})}, {}, attributes({{"equation", std::string("i->")}})) == Floats{1});  // added in double
}

TEST_CASE("Det: by elimination with row exchanges", "[kernels][CR-9]") {
  CHECK(det({2, 2}, {1, 2, 3, 4}) == Floats{-2});
  CHECK(det({2, 2}, {0, 1, 1, 0}) == Floats{-1});
  CHECK(det({1, 1}, {-7}) == Floats{-7});
  CHECK(det({3, 3}, {0, 2, 0, 0, 0, 3, 4, 0, 0}) == Floats{24});
  CHECK(det({3, 3}, {1, 2, 3, 2, 4, 6, 1, 0, 1}) == Floats{0});
  CHECK(det({2, 2, 2}, {1, 0, 0, 1, 2, 0, 0, 3}) == Floats{1, 6});
  CHECK(det({2, 0, 0}, {}) == Floats{1, 1});
  CHECK(det({0, 2, 2}, {}).empty());
  CHECK(std::isnan(det({2, 2}, {nan_value, 1, 1, 1})[0]));
}

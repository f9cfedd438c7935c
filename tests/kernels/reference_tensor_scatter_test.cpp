#include "support/catch.hpp"
#include "support/run_kernel.hpp"

using namespace ge;
using namespace ge::testing;

namespace {

Attributes set(const char* mode, int64_t axis = -2) {
  Attributes attributes;
  attributes.set("mode", std::string(mode));
  attributes.set("axis", axis);
  return attributes;
}

Tensor scatter(const Attributes& attributes, const Tensor& cache, const Tensor& update, const Tensor& write = {}) {
  return KernelRunner("TensorScatter", attributes).run({cache, update, write}, {{cache.dtype(), cache.dims()}})[0];
}

}  // namespace

TEST_CASE("TensorScatter writes from each sample's place on", "[kernels][CR-9]") {
  // Two samples of two rows [3]; one entry each.
  const Tensor cache = int64s({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(scatter(set("linear", 2), cache, int64s({2, 2, 1}, {-1, -2, -3, -4}), int64s({2}, {2, 0})) ==
        int64s({2, 2, 3}, {1, 2, -1, 4, 5, -2, -3, 8, 9, -4, 11, 12}));
  CHECK(scatter(set("linear", 1), cache, int64s({2, 1, 3}, {-1, -2, -3, -4, -5, -6}), int64s({2}, {1, 0})) ==
        int64s({2, 2, 3}, {1, 2, 3, -1, -2, -3, -4, -5, -6, 10, 11, 12}));
  CHECK(scatter(set("linear"), cache, int64s({2, 1, 3}, {-1, -2, -3, -4, -5, -6})) == int64s({2, 2, 3}, {-1, -2, -3, 4, 5, 6, -4, -5, -6, 10, 11, 12}));
}

TEST_CASE("TensorScatter goes round the end, from any index", "[kernels][CR-9]") {
  const Tensor cache = int64s({3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), update = int64s({3, 2, 1}, {10, 20, 30, 40, 50, 60});
  CHECK(scatter(set("circular"), cache, update, int64s({3}, {2, -1, INT64_MIN})) == int64s({3, 3, 1}, {20, 2, 10, 40, 5, 30, 7, 50, 60}));
}

TEST_CASE("TensorScatter refuses to write outside of the cache", "[kernels][CR-9][CR-10]") {
  const Tensor cache = int64s({1, 3, 1}, {1, 2, 3}), update = int64s({1, 2, 1}, {10, 20});
  CHECK(scatter(set("linear"), cache, update, int64s({1}, {1})) == int64s({1, 3, 1}, {1, 10, 20}));
  for (int64_t first : {int64_t{2}, int64_t{-1}, INT64_MAX, INT64_MIN})
    CHECK_THROWS_WITH(scatter(set("linear"), cache, update, int64s({1}, {first})), "an index is out of range");
}

TEST_CASE("TensorScatter of no elements", "[kernels][CR-9]") {
  CHECK(scatter(set("linear"), int64s({0, 3, 1}, {}), int64s({0, 2, 1}, {}), int64s({0}, {})) == int64s({0, 3, 1}, {}));
  CHECK(scatter(set("circular"), int64s({1, 0, 2}, {}), int64s({1, 0, 2}, {}), int64s({1}, {5})) == int64s({1, 0, 2}, {}));
  CHECK(scatter(set("linear"), int64s({1, 2, 1}, {1, 2}), int64s({1, 0, 1}, {}), int64s({1}, {2})) == int64s({1, 2, 1}, {1, 2}));
}

TEST_CASE("TensorScatter moves elements of any width", "[kernels][CR-9]") {
  // Five 4-bit numbers 1 2 3 4 5, lowest bits first; 15 and 14 over the third and fourth.
  const auto nibbles = [](std::vector<int64_t> dims, std::vector<uint8_t> bytes) { return tensor<uint8_t>(DType::uint4, std::move(dims), std::move(bytes)); };
  const Tensor packed = scatter(set("linear"), nibbles({1, 5, 1}, {0x21, 0x43, 0x05}), nibbles({1, 2, 1}, {0xEF}), int64s({1}, {1}));
  CHECK(packed.at<uint8_t>(0) == 0xF1);
  CHECK(packed.at<uint8_t>(1) == 0x4E);
  CHECK((packed.at<uint8_t>(2) & 0xF) == 0x5);
  CHECK(scatter(set("linear"), tensor<uint8_t>(DType::float8e5m2, {1, 3, 1}, {1, 2, 3}), tensor<uint8_t>(DType::float8e5m2, {1, 1, 1}, {9}), int64s({1}, {2})) ==
        tensor<uint8_t>(DType::float8e5m2, {1, 3, 1}, {1, 2, 9}));
  CHECK(scatter(set("linear"), Tensor::strings({1, 2, 1}, {"a", "b"}), Tensor::strings({1, 1, 1}, {"c"}), int64s({1}, {1})) == Tensor::strings({1, 2, 1}, {"a", "c"}));
}

#include "ge/base/tensor.hpp"

#include "support/catch.hpp"

#include <array>

using namespace ge;

namespace {

template <class Body>
std::pair<ErrorCode, std::string> error_of(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  FAIL("no error");
  return {};
}

template <class T>
Tensor of(DType dtype, std::vector<int64_t> dims, std::vector<T> values) {
  return Tensor::from<T>(dtype, std::move(dims), std::span<const T>(values));
}

}  // namespace

TEST_CASE("element_count multiplies dims and notices overflow and negative dims", "[base]") {
  using Dims = std::vector<int64_t>;
  CHECK(element_count(Dims{}) == 1);
  CHECK(element_count(Dims{2, 3}) == 6);
  CHECK(element_count(Dims{INT64_MAX, INT64_MAX, 0}) == 0);
  CHECK(element_count(Dims{INT64_MAX, 2}) == std::nullopt);
  CHECK(element_count(Dims{3, -1}) == std::nullopt);
  CHECK(element_count(Dims{0, -1}) == std::nullopt);
  CHECK(dims_to_string(Dims{1, 3}) == "[1, 3]");
  CHECK(dims_to_string(Dims{}) == "[]");
}

TEST_CASE("a tensor holds its dtype, dims and elements", "[base]") {
  const Tensor t = of<float>(DType::float32, {2, 2}, {1, 2, 3, 4});
  CHECK(t);
  CHECK(t.dtype() == DType::float32);
  CHECK(t.dims() == std::vector<int64_t>{2, 2});
  CHECK(t.count() == 4);
  CHECK(t.bytes().size() == 16);
  CHECK(t.at<float>(3) == 4);
  CHECK(Tensor::scalar(7).dims().empty());
  CHECK(Tensor::scalar(7).at<int64_t>(0) == 7);
  CHECK(Tensor::ints(std::vector<int64_t>{5, 6}).dims() == std::vector<int64_t>{2});
  CHECK_FALSE(Tensor());
}

TEST_CASE("zeros are zero and aligned to 64 bytes, also when there are none", "[base]") {
  for (int64_t n : {0, 1, 15, 16, 1000}) {
    const Tensor t = Tensor::zeros(DType::float32, {n});
    CHECK(reinterpret_cast<uintptr_t>(t.bytes().data()) % 64 == 0);
    CHECK(t.bytes().size() == static_cast<size_t>(n) * 4);
    for (std::byte b : t.bytes()) REQUIRE(b == std::byte{0});
  }
}

TEST_CASE("copies share the bytes and keep the owner alive", "[base]") {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3});
  Tensor copy;
  {
    const Tensor first(DType::float32, {3}, std::as_bytes(std::span(*owner)), owner);
    copy = first;
    CHECK(copy.bytes().data() == first.bytes().data());
  }
  const std::weak_ptr<std::vector<float>> watch = owner;
  owner.reset();
  CHECK_FALSE(watch.expired());
  CHECK(copy.at<float>(2) == 3);
  copy = {};
  CHECK(watch.expired());
}

TEST_CASE("unaligned bytes are read", "[base]") {
  const int64_t value = 0x0102030405060708;
  auto block = std::make_shared<std::array<std::byte, 9>>();
  std::memcpy(block->data() + 1, &value, 8);
  const Tensor t(DType::int64, {}, std::span(*block).subspan(1), block);
  CHECK(t.at<int64_t>(0) == value);
  CHECK(t.to_ints() == std::vector<int64_t>{value});
}

TEST_CASE("a size that does not fit is refused with both numbers", "[base]") {
  const std::vector<float> values{1, 2, 3};
  const auto [code, text] = error_of([&] { Tensor(DType::float32, {2, 2}, std::as_bytes(std::span(values)), nullptr); });
  CHECK(code == ErrorCode::invalid_argument);
  CHECK(text == "a tensor of float32[2, 2] has 16 bytes, found 12");
  CHECK(error_of([] { Tensor::zeros(DType::float32, {-1}); }).first == ErrorCode::invalid_argument);
  CHECK(error_of([] { Tensor::zeros(DType::float32, {INT64_MAX}); }).first == ErrorCode::invalid_argument);
  CHECK(error_of([] { Tensor::zeros(DType::undefined, {1}); }).first == ErrorCode::invalid_argument);
}

TEST_CASE("integers and bools widen to int64, floats and integers to double", "[base]") {
  using Ints = std::vector<int64_t>;
  using Doubles = std::vector<double>;
  CHECK(of<int8_t>(DType::int8, {2}, {-1, 127}).to_ints() == Ints{-1, 127});
  CHECK(of<uint8_t>(DType::uint8, {1}, {255}).to_ints() == Ints{255});
  CHECK(of<int16_t>(DType::int16, {1}, {-300}).to_ints() == Ints{-300});
  CHECK(of<uint16_t>(DType::uint16, {1}, {65535}).to_ints() == Ints{65535});
  CHECK(of<int32_t>(DType::int32, {1}, {INT32_MIN}).to_ints() == Ints{INT32_MIN});
  CHECK(of<uint32_t>(DType::uint32, {1}, {UINT32_MAX}).to_ints() == Ints{UINT32_MAX});
  CHECK(of<uint64_t>(DType::uint64, {1}, {UINT64_MAX}).to_ints() == Ints{-1});
  CHECK(of<uint8_t>(DType::boolean, {2}, {0, 1}).to_ints() == Ints{0, 1});
  CHECK(of<float>(DType::float32, {1}, {1.5f}).to_ints() == std::nullopt);
  CHECK(of<uint8_t>(DType::int4, {2}, {0x21}).to_ints() == std::nullopt);

  CHECK(of<float>(DType::float32, {1}, {1.5f}).to_doubles() == Doubles{1.5});
  CHECK(of<double>(DType::float64, {1}, {1e300}).to_doubles() == Doubles{1e300});
  CHECK(of<uint16_t>(DType::float16, {1}, {0x3c00}).to_doubles() == Doubles{1.0});
  CHECK(of<uint16_t>(DType::bfloat16, {1}, {0x3f80}).to_doubles() == Doubles{1.0});
  CHECK(of<uint64_t>(DType::uint64, {1}, {uint64_t{1} << 63}).to_doubles() == Doubles{9223372036854775808.0});
  CHECK(of<uint8_t>(DType::float8e5m2, {1}, {0}).to_doubles() == std::nullopt);
  CHECK(Tensor::strings({1}, {"a"}).to_doubles() == std::nullopt);
}

TEST_CASE("equality looks at dtype, dims and content", "[base]") {
  const Tensor a = of<int32_t>(DType::int32, {2}, {1, 2});
  CHECK(a == of<int32_t>(DType::int32, {2}, {1, 2}));
  CHECK_FALSE(a == of<int32_t>(DType::int32, {2}, {1, 3}));
  CHECK_FALSE(a == of<int32_t>(DType::int32, {2, 1}, {1, 2}));
  CHECK_FALSE(a == of<int32_t>(DType::uint32, {2}, {1, 2}));
  CHECK(Tensor::zeros(DType::float32, {0}) == Tensor::zeros(DType::float32, {0}));
  CHECK(Tensor() == Tensor());
  CHECK(Tensor::strings({2}, {"a", "bc"}) == Tensor::strings({2}, {"a", "bc"}));
  CHECK_FALSE(Tensor::strings({2}, {"a", "bc"}) == Tensor::strings({2}, {"a", "bd"}));
}

TEST_CASE("string tensors keep their characters, short and long", "[base]") {
  Tensor t;
  {
    const std::vector<std::string> texts{"", "short", std::string(1000, 'x')};
    t = Tensor::strings({3}, texts);
  }
  CHECK(t.at<StringRef>(0).view().empty());
  CHECK(t.at<StringRef>(1).view() == "short");
  CHECK(t.at<StringRef>(2).view() == std::string(1000, 'x'));
}

#include "ge/base/six_bits.hpp"
#include "support/catch.hpp"

using namespace ge;

namespace {

Tensor codes(std::vector<uint8_t> values) {
  const auto n = static_cast<int64_t>(values.size());
  return Tensor::from<uint8_t>(DType::float6e2m3, {n}, values);
}
std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (int value : values) out.push_back(static_cast<char>(value));
  return out;
}

}  // namespace

TEST_CASE("floats of 6 bits are packed four to three bytes, as ONNX's own packing does", "[base][CR-1]") {
  const std::vector<uint8_t> elements{1, 2, 3, 63, 32, 21, 42};
  const std::string stream = bytes({0x81, 0x30, 0xfc, 0x60, 0xa5, 0x02});
  CHECK(pack_six_bits(codes(elements)) == stream);
  CHECK(unpack_six_bits(DType::float6e2m3, {7}, std::as_bytes(std::span(stream))) == codes(elements));
}

TEST_CASE("every count of 6-bit floats comes back, with zeros after the last", "[base][CR-1]") {
  for (int64_t n = 0; n < 70; ++n) {
    std::vector<uint8_t> elements;
    for (int64_t i = 0; i < n; ++i) elements.push_back(static_cast<uint8_t>(i * 37 % 64));
    const std::string stream = pack_six_bits(codes(elements));
    REQUIRE(static_cast<int64_t>(stream.size()) == (n * 6 + 7) / 8);
    CHECK(unpack_six_bits(DType::float6e2m3, {n}, std::as_bytes(std::span(stream))) == codes(elements));
    if (n % 4 != 0) CHECK(static_cast<unsigned char>(stream.back()) >> (n * 6 % 8) == 0);
  }
  const std::string one = "a";
  CHECK_THROWS_AS(unpack_six_bits(DType::float6e3m2, {2}, std::as_bytes(std::span(one))), Error);
}

#include "ge/base/dtype.hpp"

#include "support/catch.hpp"

#include <set>
#include <string>

using namespace ge;

TEST_CASE("the numbers of dtypes are those of ONNX's TensorProto.DataType", "[base]") {
  CHECK(dtype_from_onnx(1) == DType::float32);
  CHECK(dtype_from_onnx(7) == DType::int64);
  CHECK(dtype_from_onnx(9) == DType::boolean);
  CHECK(dtype_from_onnx(16) == DType::bfloat16);
  CHECK(dtype_from_onnx(22) == DType::int4);
  CHECK(dtype_from_onnx(28) == DType::float6e3m2);
  for (int64_t none : {int64_t{0}, int64_t{-1}, int64_t{29}, int64_t{257}, INT64_MAX}) CHECK(dtype_from_onnx(none) == std::nullopt);
}

TEST_CASE("every dtype has a name of its own that leads back to it", "[base]") {
  std::set<std::string> names;
  for (int64_t number = 1; number < static_cast<int64_t>(dtype_count); ++number) {
    const DType dtype = *dtype_from_onnx(number);
    CHECK(names.insert(std::string(to_string(dtype))).second);
    CHECK(dtype_from_name(to_string(dtype)) == dtype);
    CHECK(bits_of(dtype) != 0);
  }
  CHECK(to_string(DType::boolean) == "bool");
  CHECK(to_string(static_cast<DType>(200)) == "undefined");
  CHECK(dtype_from_name("float") == std::nullopt);
  CHECK(dtype_from_name("undefined") == std::nullopt);
  CHECK(bits_of(DType::undefined) == 0);
}

TEST_CASE("bytes of elements are rounded up where several share a byte", "[base]") {
  CHECK(bytes_for(DType::float32, 3) == 12);
  CHECK(bytes_for(DType::boolean, 3) == 3);
  CHECK(bytes_for(DType::complex128, 2) == 32);
  CHECK(bytes_for(DType::string, 2) == 32);
  CHECK(bytes_for(DType::int4, 0) == 0);
  CHECK(bytes_for(DType::int4, 1) == 1);
  CHECK(bytes_for(DType::uint4, 2) == 1);
  CHECK(bytes_for(DType::float4e2m1, 3) == 2);
  CHECK(bytes_for(DType::uint2, 4) == 1);
  CHECK(bytes_for(DType::int2, 5) == 2);
  CHECK(bytes_for(DType::int4, INT64_MAX) == INT64_MAX / 2 + 1);
  CHECK(bytes_for(DType::uint8, INT64_MAX) == INT64_MAX);
  CHECK(bytes_for(DType::float16, INT64_MAX) == std::nullopt);
  CHECK(bytes_for(DType::float32, -1) == std::nullopt);
}

TEST_CASE("classes of dtypes are disjoint and complete", "[base]") {
  for (unsigned i = 1; i < dtype_count; ++i) {
    const auto d = static_cast<DType>(i);
    const bool other = d == DType::string || d == DType::boolean || contains(dtypes::complex, d);
    CHECK(is_signed_int(d) + is_unsigned_int(d) + is_float(d) + other == 1);
    CHECK(contains(dtypes::all, d));
  }
  CHECK_FALSE(contains(dtypes::all, DType::undefined));
  CHECK(contains(dtypes::numeric, DType::bfloat16));
  CHECK_FALSE(contains(dtypes::numeric, DType::boolean));
  CHECK_FALSE(contains(dtypes::float_ieee, DType::bfloat16));
}

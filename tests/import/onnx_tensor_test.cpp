#include "import/onnx_writer.hpp"
#include "support/catch.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

OnnxModel with(const ProtoBytes& tensor) {
  OnnxGraph g;
  return OnnxModel(g.initializer(tensor).output("w")).opset(21);
}
Tensor imported(const ProtoBytes& tensor) {
  const auto graph = import_onnx(with(tensor));
  return *graph->constant_value(graph->outputs()[0]);
}
ProtoBytes header(DType dtype, const std::vector<int64_t>& dims) { return tensor_header("w", static_cast<int64_t>(dtype), dims); }
template <class T>
Tensor tensor_of(DType dtype, std::vector<int64_t> dims, std::vector<T> values) {
  return Tensor::from<T>(dtype, std::move(dims), values);
}

}  // namespace

TEST_CASE("raw data is a view of the file, for every dtype that lies in the file as in memory", "[import][CR-1]") {
  for (unsigned i = 1; i < dtype_count; ++i) {
    const auto dtype = static_cast<DType>(i);
    if (dtype == DType::string || contains(dtypes::float6, dtype)) continue;
    CAPTURE(std::string(to_string(dtype)));
    const auto size = static_cast<size_t>(*bytes_for(dtype, 6));
    std::string raw(size, '\1');
    ProtoBytes proto = header(dtype, {2, 3});
    auto model = std::make_shared<const std::string>(with(proto.bytes(9, raw)).bytes());
    const auto graph = import_onnx_bytes(std::as_bytes(std::span(*model)), model, "");
    const Tensor& tensor = *graph->constant_value(graph->outputs()[0]);
    CHECK(tensor.dtype() == dtype);
    CHECK(tensor.dims() == std::vector<int64_t>{2, 3});
    CHECK(tensor.bytes().size() == size);
    const auto* begin = reinterpret_cast<const std::byte*>(model->data());
    CHECK((tensor.bytes().data() > begin && tensor.bytes().data() < begin + model->size()));
    CHECK(tensor.owner() == model);
  }
}

TEST_CASE("floats of 6 bits are packed in raw data, one to an entry in int32_data", "[import][CR-1]") {
  const Tensor expected = tensor_of<uint8_t>(DType::float6e3m2, {3}, {1, 2, 63});
  CHECK(imported(header(DType::float6e3m2, {3}).bytes(9, std::string("\x81\xf0\x03", 3))) == expected);
  CHECK(imported(header(DType::float6e3m2, {3}).packed_integers(5, {1, 2, 63})) == expected);
  CHECK_THAT(import_error(with(header(DType::float6e3m2, {3}).bytes(9, "ab"))), Contains("2 bytes of raw_data, expected 3"));
  CHECK_THAT(import_error(with(header(DType::float6e3m2, {1}).packed_integers(5, {64}))), Contains("64, which is no float6e3m2"));
}

TEST_CASE("typed fields are decoded, packed or not", "[import][CR-1]") {
  CHECK(imported(header(DType::float32, {2}).packed<float>(4, {1.5f, -2})) == tensor_of<float>(DType::float32, {2}, {1.5f, -2}));
  CHECK(imported(header(DType::float32, {2}).float32(4, 1.5f).float32(4, -2)) == tensor_of<float>(DType::float32, {2}, {1.5f, -2}));
  CHECK(imported(header(DType::complex64, {1}).packed<float>(4, {1, 2})) == tensor_of<float>(DType::complex64, {1}, {1, 2}));
  CHECK(imported(header(DType::float64, {2}).packed<double>(10, {1.5, -2})) == tensor_of<double>(DType::float64, {2}, {1.5, -2}));
  CHECK(imported(header(DType::complex128, {1}).packed<double>(10, {1.5, -2})) == tensor_of<double>(DType::complex128, {1}, {1.5, -2}));
  CHECK(imported(header(DType::int64, {2}).packed_integers(7, {-1, 300})) == tensor_of<int64_t>(DType::int64, {2}, {-1, 300}));
  CHECK(imported(header(DType::int64, {2}).integer(7, -1).integer(7, 300)) == tensor_of<int64_t>(DType::int64, {2}, {-1, 300}));
  CHECK(imported(header(DType::uint64, {1}).packed_integers(11, {-1})) == tensor_of<uint64_t>(DType::uint64, {1}, {UINT64_MAX}));
  CHECK(imported(header(DType::uint32, {1}).packed_integers(11, {UINT32_MAX})) == tensor_of<uint32_t>(DType::uint32, {1}, {UINT32_MAX}));
  CHECK(imported(header(DType::int32, {2}).packed_integers(5, {-7, 7})) == tensor_of<int32_t>(DType::int32, {2}, {-7, 7}));
  CHECK(imported(header(DType::int16, {1}).packed_integers(5, {-32768})) == tensor_of<int16_t>(DType::int16, {1}, {-32768}));
  CHECK(imported(header(DType::uint16, {1}).packed_integers(5, {65535})) == tensor_of<uint16_t>(DType::uint16, {1}, {65535}));
  CHECK(imported(header(DType::int8, {2}).packed_integers(5, {-128, 127})) == tensor_of<int8_t>(DType::int8, {2}, {-128, 127}));
  CHECK(imported(header(DType::uint8, {1}).packed_integers(5, {255})) == tensor_of<uint8_t>(DType::uint8, {1}, {255}));
  CHECK(imported(header(DType::boolean, {3}).packed_integers(5, {1, 0, 256})) == tensor_of<uint8_t>(DType::boolean, {3}, {1, 0, 1}));
  CHECK(imported(header(DType::float16, {1}).packed_integers(5, {0x3c00})) == tensor_of<uint16_t>(DType::float16, {1}, {0x3c00}));
  CHECK(imported(header(DType::bfloat16, {1}).packed_integers(5, {0x3f80})) == tensor_of<uint16_t>(DType::bfloat16, {1}, {0x3f80}));
  CHECK(imported(header(DType::float8e5m2, {1}).packed_integers(5, {0x80})) == tensor_of<uint8_t>(DType::float8e5m2, {1}, {0x80}));
  CHECK(imported(header(DType::int4, {3}).packed_integers(5, {0xf1, 0x02})) == tensor_of<uint8_t>(DType::int4, {3}, {0xf1, 0x02}));
  CHECK(imported(header(DType::uint2, {5}).packed_integers(5, {0x1b, 0x02})) == tensor_of<uint8_t>(DType::uint2, {5}, {0x1b, 0x02}));
  CHECK(imported(header(DType::string, {2}).bytes(6, "a").bytes(6, "")) == Tensor::strings({2}, {"a", ""}));
  CHECK(imported(header(DType::float32, {0, 5})).count() == 0);
  CHECK(imported(header(DType::boolean, {2}).bytes(9, std::string("\2\0", 2))) == tensor_of<uint8_t>(DType::boolean, {2}, {1, 0}));
}

TEST_CASE("data that does not fit dims and type is a finding", "[import][CR-1][CR-10]") {
  const auto error = [](const ProtoBytes& tensor) { return import_error(with(tensor)); };
  CHECK_THAT(error(header(DType::float32, {2}).bytes(9, "1234567")), Contains("initializer 'w'") && Contains("7 bytes of raw_data, expected 8"));
  CHECK_THAT(error(header(DType::float32, {2}).packed<float>(4, {1})), Contains("float_data has 1 entries, expected 2"));
  CHECK_THAT(error(header(DType::int64, {2})), Contains("int64_data has 0 entries, expected 2"));
  CHECK_THAT(error(header(DType::string, {2}).bytes(6, "a")), Contains("string_data has 1 entries, expected 2"));
  CHECK_THAT(error(header(DType::string, {1}).bytes(9, "a")), Contains("expected string_data"));
  CHECK_THAT(error(header(DType::int8, {1}).packed_integers(5, {128})), Contains("128, which is no int8"));
  CHECK_THAT(error(header(DType::uint8, {1}).packed_integers(5, {-1})), Contains("-1, which is no uint8"));
  CHECK_THAT(error(header(DType::float32, {-1}).bytes(9, "")), Contains("dims [-1] do not give a 64-bit size"));
  CHECK_THAT(error(header(DType::float32, {INT64_MAX, 4}).bytes(9, "")), Contains("do not give a 64-bit size"));
  CHECK_THAT(error(header(DType::float32, {INT64_C(1) << 60}).bytes(9, "")), Contains("expected 4611686018427387904"));
  CHECK_THAT(error(tensor_header("w", 99, {1})), Contains("data type 99"));
  CHECK_THAT(error(header(DType::float32, {1}).message(3, ProtoBytes())), Contains("segmented"));
  CHECK_THAT(error(header(DType::float32, {1}).bytes(4, "abc")), Contains("multiple of 4"));
}

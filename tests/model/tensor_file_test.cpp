#include "ge/model/tensor_file.hpp"
#include "support/catch.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ge;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// A file name in the temporary folder, removed at the end.
struct TemporaryFile {
  std::string path = (fs::temp_directory_path() / "ge_tensor_XXXXXX").string();
  TemporaryFile() {
    const int fd = ::mkstemp(path.data());
    if (fd < 0) throw std::runtime_error("mkstemp");
    ::close(fd);
  }
  ~TemporaryFile() { fs::remove(path); }
};

Tensor parse_pb(std::string text) {
  auto block = std::make_shared<std::vector<char>>(text.begin(), text.end());
  return parse_tensor_pb(std::as_bytes(std::span(*block)), block);
}
Tensor parse_np(std::string text) {
  auto block = std::make_shared<std::vector<char>>(text.begin(), text.end());
  return parse_npy(std::as_bytes(std::span(*block)), block);
}
/// An .npy file with this header.
std::string npy(std::string header, const std::string& data, char major = 1) {
  header += '\n';
  std::string text("\x93NUMPY", 6);
  text += major;
  text += '\0';
  text += static_cast<char>(header.size());
  text += '\0';
  if (major > 1) text += std::string(2, '\0');
  return text + header + data;
}
template <class T>
Tensor of(DType dtype, std::vector<int64_t> dims, std::vector<T> values) {
  return Tensor::from<T>(dtype, std::move(dims), values);
}

}  // namespace

TEST_CASE("tensors of every dtype survive a .pb file", "[model][CR-7]") {
  const TemporaryFile file;
  for (unsigned i = 1; i < dtype_count; ++i) {
    const auto dtype = static_cast<DType>(i);
    CAPTURE(std::string(to_string(dtype)));
    Tensor tensor = Tensor::strings({2, 1}, {"a", std::string("b\0c", 3)});
    if (dtype != DType::string) {
      tensor = Tensor::zeros(dtype, {3, 1});
      for (size_t k = 0; k < tensor.bytes().size(); ++k) tensor.mutable_data()[k] = std::byte{1};
    }
    write_tensor_pb(file.path, tensor, "t");
    CHECK(read_tensor_pb(file.path) == tensor);
  }
  for (const std::vector<int64_t>& dims : {std::vector<int64_t>{}, {0}, {2, 0, 3}}) {
    write_tensor_pb(file.path, Tensor::zeros(DType::int32, dims), "");
    CHECK(read_tensor_pb(file.path).dims() == dims);
  }
}

TEST_CASE("typed fields of .pb files are decoded", "[model][CR-7]") {
  CHECK(parse_pb(std::string("\x08\x02\x10\x01\x22\x08\x00\x00\x80\x3f\x00\x00\x00\x40", 14)) == of<float>(DType::float32, {2}, {1, 2}));
  CHECK(parse_pb(std::string("\x0a\x01\x02\x10\x01\x25\x00\x00\x80\x3f\x25\x00\x00\x00\x40", 15)) == of<float>(DType::float32, {2}, {1, 2}));
  CHECK(parse_pb(std::string("\x08\x02\x10\x07\x3a\x03\x05\xac\x02", 9)) == of<int64_t>(DType::int64, {2}, {5, 300}));
  CHECK(parse_pb(std::string("\x08\x01\x10\x0a\x2a\x02\x80\x78", 8)) == of<uint16_t>(DType::float16, {1}, {0x3c00}));
  CHECK(parse_pb(std::string("\x08\x03\x10\x16\x28\x21\x28\x03", 8)) == of<uint8_t>(DType::int4, {3}, {0x21, 0x03}));
  CHECK(parse_pb(std::string("\x08\x01\x10\x03\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 15)) == of<int8_t>(DType::int8, {1}, {-1}));
  CHECK(parse_pb(std::string("\x10\x08\x32\x02hi", 6)) == Tensor::strings({}, {"hi"}));
}

TEST_CASE("what is no single tensor is refused", "[model][CR-7][CR-10]") {
  CHECK_THROWS_WITH(parse_pb(std::string("\x10\x01\x1a\x02\x10\x01", 6)), Contains("SequenceProto"));  // SequenceProto{elem_type, tensor_values}
  CHECK_THROWS_WITH(parse_pb(std::string("\x10\x01", 2)), Contains("SequenceProto"));                  // an empty one
  CHECK_THROWS_WITH(parse_pb(std::string("\x0a\x03opt\x10\x03\x2a\x02\x08\x01", 11)), Contains("OptionalProto"));  // {name, elem_type, sequence_value}
  CHECK_THROWS_WITH(parse_pb(""), Contains("data type 0"));
  CHECK_THROWS_WITH(parse_pb(std::string("\x08\x02\x10\x01\x4a\x03xyz", 9)), Contains("float32[2] has 3 bytes of raw_data, expected 8"));
  CHECK_THROWS_WITH(parse_pb(std::string("\x08\x02\x10\x01\x4a\x7fxyz", 9)), Contains("127 bytes where 3 are left"));
  CHECK_THROWS_WITH(parse_pb(std::string("\x08\x02\x10\x07\x38\x05", 6)), Contains("8 bytes of data, expected 16"));
  CHECK_THROWS_WITH(parse_pb("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), Contains("more than 64 bits"));
  CHECK_THROWS_WITH(parse_pb(std::string("\x08\x01\x10\x01\x70\x01", 6)), Contains("external data"));
  CHECK_THROWS_WITH(read_tensor_pb("/nonexistent/x.pb"), Contains("/nonexistent/x.pb") && Contains("No such file"));
  const std::string good = serialize_tensor_pb(of<float>(DType::float32, {2}, {1, 2}), "name");
  for (size_t size = 0; size < good.size(); ++size) CHECK_THROWS_AS(parse_pb(good.substr(0, size)), Error);
}

TEST_CASE("sequences and optionals are read from their messages", "[model][CR-7]") {
  const auto field = [](char id, const std::string& bytes) { return std::string{static_cast<char>(id << 3 | 2), static_cast<char>(bytes.size())} + bytes; };
  const auto parse = [](const std::string& bytes, ValueKind kind) { return parse_value_pb(std::as_bytes(std::span(bytes)), nullptr, kind); };
  const Tensor one = of<float>(DType::float32, {1}, {5}), two = of<float>(DType::float32, {2}, {6, 7});
  const std::string first = field(3, serialize_tensor_pb(one, "")), second = field(3, serialize_tensor_pb(two, ""));
  const std::string name = field(1, "name"), tensors = "\x10\x01", sequences = "\x10\x03";

  const std::string both = name + tensors + first + second;
  CHECK(parse(both, ValueKind::sequence).tensors == std::vector<Tensor>{one, two});
  CHECK(parse(name, ValueKind::sequence).tensors.empty());
  CHECK(parse(name, ValueKind::sequence).present);
  CHECK(parse(name + tensors + first, ValueKind::optional).tensors == std::vector<Tensor>{one});
  CHECK_FALSE(parse(name, ValueKind::optional).present);
  CHECK(parse(name + sequences + field(5, both), ValueKind::optional_sequence).tensors == std::vector<Tensor>{one, two});
  const Value empty = parse(name + sequences + field(5, ""), ValueKind::optional_sequence);
  CHECK(empty.present);
  CHECK(empty.tensors.empty());
  CHECK_FALSE(parse(name, ValueKind::optional_sequence).present);
  CHECK(parse(serialize_tensor_pb(two, "x"), ValueKind::tensor).tensors == std::vector<Tensor>{two});

  CHECK_THROWS_WITH(parse(both, ValueKind::optional), Contains("OptionalProto") && Contains("2 elements, expected at most one"));
  CHECK_THROWS_WITH(parse(name + sequences + field(5, both), ValueKind::sequence), Contains("SequenceProto") && Contains("elements are of kind 3, expected tensors"));
  CHECK_THROWS_WITH(parse(name + field(6, ""), ValueKind::sequence), Contains("an element of another kind (field 6)"));
  CHECK_THROWS_WITH(parse(name + tensors + first, ValueKind::optional_sequence), Contains("elements are of kind 1, expected sequences"));
  for (size_t size = 0; size < both.size(); ++size) {
    try {
      parse(both.substr(0, size), ValueKind::sequence);  // whole fields are fine
    } catch (const Error& error) {
      CHECK(error.code() != ErrorCode::internal);
    }
  }
}

TEST_CASE("tensors survive an .npy file", "[model][CR-7]") {
  const TemporaryFile file;
  for (const DType dtype : {DType::boolean, DType::int8, DType::int16, DType::int32, DType::int64, DType::uint8, DType::uint16, DType::uint32, DType::uint64,
                            DType::float16, DType::float32, DType::float64, DType::complex64, DType::complex128})
    for (const std::vector<int64_t>& dims : {std::vector<int64_t>{}, {3}, {2, 3}, {2, 0}}) {
      CAPTURE(std::string(to_string(dtype)), dims.size());
      Tensor tensor = Tensor::zeros(dtype, dims);
      for (size_t k = 0; k < tensor.bytes().size(); ++k) tensor.mutable_data()[k] = std::byte{1};
      write_npy(file.path, tensor);
      CHECK(fs::file_size(file.path) % 64 == tensor.bytes().size() % 64);  // the elements start at a multiple of 64
      CHECK(read_npy(file.path) == tensor);
    }
  CHECK_THROWS_WITH(write_npy(file.path, Tensor::zeros(DType::bfloat16, {1})), Contains("bfloat16"));
  CHECK_THROWS_WITH(write_npy("/nonexistent/x.npy", Tensor::scalar(1)), Contains("/nonexistent/x.npy"));
}

TEST_CASE(".npy headers of all versions and both orders are read", "[model][CR-7]") {
  const Tensor expected = of<uint8_t>(DType::uint8, {2, 3}, {1, 2, 3, 4, 5, 6});
  for (const char major : {1, 2, 3})
    CHECK(parse_np(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", "\1\2\3\4\5\6", major)) == expected);
  CHECK(parse_np(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "\1\4\2\5\3\6")) == expected);
  CHECK(parse_np(npy("{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<u1\"}", "\1\2\3\4\5\6")).dims() == std::vector<int64_t>{6});
  CHECK(parse_np(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (1, 2, 3), }", "\1\4\2\5\3\6")).at<uint8_t>(1) == 2);
}

TEST_CASE(".npy files that are no plain little endian arrays are refused", "[model][CR-7][CR-10]") {
  const auto with = [](const std::string& header) { return npy(header, "\1\2\3\4"); };
  CHECK_THROWS_WITH(parse_np("PK\3\4 a zip file"), Contains("does not start"));
  CHECK_THROWS_WITH(parse_np(with("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}")), Contains("'>f4'"));
  CHECK_THROWS_WITH(parse_np(with("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}")), Contains("'|O'"));
  CHECK_THROWS_WITH(parse_np(with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}")), Contains("no plain numbers"));
  CHECK_THROWS_WITH(parse_np(with("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}")), Contains("4 bytes of elements, expected 8"));
  CHECK_THROWS_WITH(parse_np(with("{'descr': '<f4', 'fortran_order': False, 'shape': (x,)}")), Contains("tuple of sizes"));
  CHECK_THROWS_WITH(parse_np(with("{'descr': '<f4', 'fortran_order': False, 'shape': (1")), Contains("tuple of sizes"));
  CHECK_THROWS_WITH(parse_np(with("{'descr': '<f4', 'fortran_order': False}")), Contains("'shape'"));
  CHECK_THROWS_WITH(parse_np(npy("", "", 4)), Contains("version 4"));
  const std::string good = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "\1\2\3\4");
  for (size_t size = 0; size < good.size(); ++size) CHECK_THROWS_AS(parse_np(good.substr(0, size)), Error);
}

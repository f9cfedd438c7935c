#pragma once
#include "ge/base/error.hpp"

#include <protozero/pbf_reader.hpp>

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace ge::onnx {

using Bytes = std::span<const std::byte>;

/// Where a message lies, for reading it later and for error messages.
struct Message {
  Bytes bytes;
  const std::byte* file_begin = nullptr;
};

/// Walks the fields of one protobuf message: `while (fields.next()) switch (fields.id()) {…}`; each turn takes the
/// field's value with one getter, or skip(). Checks what protozero leaves to its caller (wire types, 64-bit lengths).
/// Whatever is malformed throws Error(invalid_model) with message type, field and offset in the file.
class Fields {
 public:
  Fields(const Message& message, const char* type)
      : reader_(reinterpret_cast<const char*>(message.bytes.data()), message.bytes.size()), message_(message), type_(type) {}

  bool next() {
    return checked([&] { return reader_.next(); });
  }
  uint32_t id() const { return reader_.tag(); }
  void skip() {
    if (is(protozero::pbf_wire_type::length_delimited)) check_length();
    checked([&] { reader_.skip(); });
  }

  Message message() {
    need(protozero::pbf_wire_type::length_delimited, "bytes");
    check_length();
    const auto view = checked([&] { return reader_.get_view(); });
    return {{reinterpret_cast<const std::byte*>(view.data()), view.size()}, message_.file_begin};
  }
  Bytes bytes() { return message().bytes; }
  std::string_view text() {
    const Bytes b = bytes();
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }
  int64_t integer() {
    need(protozero::pbf_wire_type::varint, "an integer");
    return checked([&] { return reader_.get_int64(); });
  }
  float float32() {
    need(protozero::pbf_wire_type::fixed32, "a float");
    return checked([&] { return reader_.get_float(); });
  }
  double float64() {
    need(protozero::pbf_wire_type::fixed64, "a double");
    return checked([&] { return reader_.get_double(); });
  }
  /// Calls `take(int64_t)` for each element of a repeated integer field's record, packed or not.
  template <class Take>
  void each_integer(Take&& take) {
    if (!is(protozero::pbf_wire_type::length_delimited)) return take(integer());
    const std::string_view packed = text();
    const char* at = packed.data();
    const char* const end = at + packed.size();
    while (at != end) take(static_cast<int64_t>(checked([&] { return protozero::decode_varint(&at, end); })));
  }
  /// Calls `take(bytes)` for the whole elements of a record of a repeated float or double field, packed or not.
  template <class T, class Take>
  void elements(Take&& take) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    if (is(protozero::pbf_wire_type::length_delimited)) {
      const Bytes packed = bytes();
      if (packed.size() % sizeof(T) != 0) fail("a packed record of " + std::to_string(packed.size()) + " bytes, expected a multiple of " + std::to_string(sizeof(T)));
      return take(packed);
    }
    T value;
    if constexpr (sizeof(T) == 4) value = float32();
    else value = float64();
    take(std::as_bytes(std::span(&value, 1)));
  }

  [[noreturn]] void fail(const std::string& what) const {
    const auto* at = reinterpret_cast<const std::byte*>(reader_.data().data());
    throw Error(ErrorCode::invalid_model, "not a valid ONNX file: " + what + " in " + type_ + " field " + std::to_string(reader_.tag()) +
                                              ", near offset " + std::to_string(at - message_.file_begin) +
                                              "; the file is damaged or cut short");
  }

 private:
  bool is(protozero::pbf_wire_type type) const { return reader_.has_wire_type(type); }
  void need(protozero::pbf_wire_type type, const char* what) const {
    if (!is(type)) fail("wire type " + std::to_string(static_cast<int>(reader_.wire_type())) + " where " + what + " is expected");
  }
  /// protozero cuts lengths to 32 bits; a longer field would be misread as a short one.
  void check_length() const {
    const auto rest = reader_.data();
    const char* at = rest.data();
    const uint64_t length = checked([&] { return protozero::decode_varint(&at, rest.data() + rest.size()); });
    const auto left = static_cast<uint64_t>(rest.data() + rest.size() - at);
    if (length > left) fail("a length of " + std::to_string(length) + " bytes where " + std::to_string(left) + " are left");
    if (length > UINT32_MAX) fail("a field of " + std::to_string(length) + " bytes; at most 4 GiB are read (store larger weights as external data)");
  }
  template <class Body>
  std::invoke_result_t<Body&> checked(Body&& body) const {
    try {
      return body();
    } catch (const protozero::exception& error) {
      fail(error.what());
    }
  }

  protozero::pbf_reader reader_;
  Message message_;
  const char* type_;
};

}  // namespace ge::onnx

#pragma once
#include "ge/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace ge {

/// A field of a protobuf message: `number` holds varints and fixed values, `bytes` length-delimited ones.
struct WireField {
  enum Type : uint8_t { varint = 0, fixed64 = 1, length_delimited = 2, fixed32 = 5 };
  uint64_t id = 0;
  uint8_t type = 0;
  uint64_t number = 0;
  std::span<const std::byte> bytes;

  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

/// Walks the fields of one protobuf message, strictly: what does not fit throws Error(corrupt_file).
class WireReader {
 public:
  explicit WireReader(std::span<const std::byte> message) : rest_(message) {}

  bool next(WireField& field) {
    if (rest_.empty()) return false;
    const uint64_t key = varint();
    field = {key >> 3, static_cast<uint8_t>(key & 7), 0, {}};
    if (field.id == 0 || field.id > 0x1fffffff) fail("field number " + std::to_string(field.id));
    switch (field.type) {
      case WireField::varint: field.number = varint(); break;
      case WireField::fixed64: std::memcpy(&field.number, take(8).data(), 8); break;
      case WireField::fixed32: std::memcpy(&field.number, take(4).data(), 4); break;
      case WireField::length_delimited: field.bytes = take(varint()); break;
      default: fail("wire type " + std::to_string(field.type) + " of field " + std::to_string(field.id));
    }
    return true;
  }

  bool empty() const { return rest_.empty(); }
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      const auto byte = static_cast<uint64_t>(take(1)[0]);
      if (shift == 63 && byte > 1) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fail("an integer of more than 64 bits");
  }

 private:
  std::span<const std::byte> take(uint64_t size) {
    if (size > rest_.size()) fail("a length of " + std::to_string(size) + " bytes where " + std::to_string(rest_.size()) + " are left");
    const auto taken = rest_.first(static_cast<size_t>(size));
    rest_ = rest_.subspan(static_cast<size_t>(size));
    return taken;
  }
  [[noreturn]] static void fail(const std::string& what) {
    throw Error(ErrorCode::corrupt_file, "not a serialised TensorProto: found " + what);
  }

  std::span<const std::byte> rest_;
};

}  // namespace ge

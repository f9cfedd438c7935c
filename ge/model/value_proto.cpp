#include "ge/base/mapped_file.hpp"
#include "ge/model/tensor_file.hpp"
#include "ge/model/wire_reader.hpp"

#include <optional>

// onnx.proto's SequenceProto and OptionalProto: the fields that may hold elements have the same numbers in both.
namespace ge {
namespace {

enum Field : uint64_t { elem_type = 2, tensor_value = 3, sequence_value = 5 };
/// Numbers of elem_type (SequenceProto.DataType, OptionalProto.DataType); 0 where there is no element.
enum Element : uint64_t { none = 0, tensor = 1, sequence = 3 };

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuse(ValueKind kind, ErrorCode code, const std::string& what) { throw Error(code, "cannot take the file's " + std::string(is_optional(kind) ? "OptionalProto" : "SequenceProto") + ": " + what); }

/// Calls take(bytes) for each element of the message: fields `field`, of the kind `expected`.
template <class Take>
void for_elements(Bytes message, ValueKind kind, Field field, Element expected, const Take& take) {
  WireReader reader(message);
  for (WireField f; reader.next(f);) {
    if (f.id == elem_type && f.number != none && f.number != expected)
      refuse(kind, ErrorCode::unsupported, "its elements are of kind " + std::to_string(f.number) + ", expected " + (expected == tensor ? "tensors (1)" : "sequences (3)"));
    if (f.id < tensor_value || f.id > tensor_value + 4) continue;
    if (f.id != field || f.type != WireField::length_delimited) refuse(kind, ErrorCode::unsupported, "it has an element of another kind (field " + std::to_string(f.id) + ")");
    take(f.bytes);
  }
}

std::vector<Tensor> tensors_of(Bytes message, const std::shared_ptr<const void>& owner, ValueKind kind) {
  std::vector<Tensor> tensors;
  for_elements(message, kind, tensor_value, tensor, [&](Bytes bytes) { tensors.push_back(parse_tensor_pb(bytes, owner)); });
  return tensors;
}

}  // namespace

Value parse_value_pb(Bytes bytes, std::shared_ptr<const void> owner, ValueKind kind) {
  if (kind == ValueKind::tensor) return Value(parse_tensor_pb(bytes, std::move(owner)));
  if (kind == ValueKind::sequence) return Value(kind, tensors_of(bytes, owner, kind));
  if (kind == ValueKind::optional) {
    std::vector<Tensor> held = tensors_of(bytes, owner, kind);
    if (held.size() > 1) refuse(kind, ErrorCode::corrupt_file, "it has " + std::to_string(held.size()) + " elements, expected at most one");
    return held.empty() ? Value::nothing(kind) : Value(kind, std::move(held));
  }
  std::optional<Bytes> inner;
  for_elements(bytes, kind, sequence_value, sequence, [&](Bytes message) {
    if (inner) refuse(kind, ErrorCode::corrupt_file, "it has more than one element");
    inner = message;
  });
  return inner ? Value(kind, tensors_of(*inner, owner, ValueKind::sequence)) : Value::nothing(kind);
}

Value read_value_pb(const std::string& path, ValueKind kind) {
  return in_context([&] { return "reading " + std::string(to_string(kind)) + " file '" + path + "'"; }, [&] {
    const auto file = MappedFile::open(path);
    return parse_value_pb(file->bytes(), file, kind);
  });
}

}  // namespace ge

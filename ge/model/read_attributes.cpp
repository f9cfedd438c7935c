#include "ge/model/attribute_value.hpp"
#include "ge/model/string_block.hpp"

#include <bit>

namespace ge {
namespace {

float to_float(int64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

std::string text_at(const Program& program, std::span<const int64_t> pair) {
  return std::string(program.text_of({static_cast<uint32_t>(pair[0]), static_cast<uint32_t>(pair[1])}));
}

}  // namespace

AttributeValue plain_attribute(const Program& program, const AttributeRow& row) {
  const auto payload = program.numbers.subspan(row.payload.first, row.payload.count);
  switch (row.kind) {
    case AttributeKind::integer: return payload[0];
    case AttributeKind::real: return to_float(payload[0]);
    case AttributeKind::text: return text_at(program, payload);
    case AttributeKind::integers: return std::vector<int64_t>(payload.begin(), payload.end());
    case AttributeKind::reals: {
      std::vector<float> values;
      values.reserve(payload.size());
      for (int64_t bits : payload) values.push_back(to_float(bits));
      return values;
    }
    case AttributeKind::texts: {
      std::vector<std::string> values;
      for (size_t i = 0; i < payload.size(); i += 2) values.push_back(text_at(program, payload.subspan(i, 2)));
      return values;
    }
    case AttributeKind::tensor: break;
  }
  throw Error(ErrorCode::internal, "a tensor attribute has no value without the weights");
}

Tensor constant_tensor(const Program& program, const ConstantRow& row, std::span<const std::byte> weights,
                       const std::shared_ptr<const void>& owner) {
  const auto dims = program.numbers.subspan(row.dims.first, row.dims.count);
  std::vector<int64_t> own_dims(dims.begin(), dims.end());
  if (row.size > weights.size() || row.offset > weights.size() - row.size)
    throw Error(ErrorCode::corrupt_file, "a tensor attribute is bytes " + std::to_string(row.offset) + " + " + std::to_string(row.size) +
                                             " of weights that have " + std::to_string(weights.size()));
  const auto bytes = weights.subspan(row.offset, row.size);
  if (static_cast<DType>(row.dtype) != DType::string) return Tensor(static_cast<DType>(row.dtype), std::move(own_dims), bytes, owner);
  std::vector<std::string> texts;
  for (const StringRef& text : read_string_block(bytes, static_cast<uint64_t>(element_count(dims).value_or(0)))) texts.emplace_back(text.view());
  return Tensor::strings(std::move(own_dims), std::move(texts));
}

Attributes read_attributes(const Program& program, const OpRow& op, std::span<const std::byte> weights,
                           const std::shared_ptr<const void>& owner) {
  Attributes attributes;
  for (const AttributeRow& row : program.attributes.subspan(op.attributes.first, op.attributes.count)) {
    if (row.kind == AttributeKind::tensor)
      attributes.set(program.text_of(row.name), constant_tensor(program, program.constants[static_cast<size_t>(program.numbers[row.payload.first])], weights, owner));
    else
      attributes.set(program.text_of(row.name), plain_attribute(program, row));
  }
  return attributes;
}

}  // namespace ge

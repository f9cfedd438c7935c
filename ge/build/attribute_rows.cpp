#include "ge/build/attribute_rows.hpp"

#include <bit>

namespace ge {

uint32_t AttributeRows::add_constant(const Tensor& tensor, const std::string& packing) {
  ConstantRow row;
  row.size = tensor.bytes().size();
  row.packing = writer_.text(packing);
  row.dims = writer_.numbers(tensor.dims());
  model_.tables.constants.push_back(row);
  model_.constants.push_back(tensor);
  return static_cast<uint32_t>(model_.constants.size() - 1);
}

AttributeRow AttributeRows::row(const Attributes::Item& item) {
  AttributeRow row;
  row.name = writer_.text(item.name);
  row.kind = static_cast<AttributeKind>(item.value.index());
  std::vector<int64_t> words;
  const auto add_real = [&](float value) { words.push_back(std::bit_cast<uint32_t>(value)); };
  const auto add_text = [&](const std::string& value) {
    const TextRef ref = writer_.text(value);
    words.push_back(ref.first);
    words.push_back(ref.count);
  };
  switch (row.kind) {
    case AttributeKind::integer: words.push_back(std::get<int64_t>(item.value)); break;
    case AttributeKind::real: add_real(std::get<float>(item.value)); break;
    case AttributeKind::text: add_text(std::get<std::string>(item.value)); break;
    case AttributeKind::integers: words = std::get<std::vector<int64_t>>(item.value); break;
    case AttributeKind::reals:
      for (float value : std::get<std::vector<float>>(item.value)) add_real(value);
      break;
    case AttributeKind::texts:
      for (const std::string& value : std::get<std::vector<std::string>>(item.value)) add_text(value);
      break;
    case AttributeKind::tensor: {
      const Tensor& tensor = std::get<Tensor>(item.value);
      row.dtype = static_cast<uint32_t>(tensor.dtype());
      words.push_back(add_constant(tensor, ""));
      break;
    }
  }
  row.payload = writer_.numbers(words);
  return row;
}

RowRange AttributeRows::write(const Attributes& attributes) {
  std::vector<AttributeRow> rows;
  for (const auto& item : attributes) rows.push_back(row(item));
  const RowRange range{static_cast<uint32_t>(model_.tables.attributes.size()), static_cast<uint32_t>(rows.size())};
  model_.tables.attributes.insert(model_.tables.attributes.end(), rows.begin(), rows.end());
  return range;
}

}  // namespace ge

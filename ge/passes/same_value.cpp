#include "ge/passes/same_value.hpp"

#include <algorithm>
#include <bit>

namespace ge {
namespace {

size_t hash_bytes(const void* data, size_t size) { return std::hash<std::string_view>{}({static_cast<const char*>(data), size}); }

template <class T>
size_t hash_all(const std::vector<T>& values) { return hash_bytes(values.data(), values.size() * sizeof(T)); }

struct HashValue {
  size_t operator()(int64_t value) const { return std::hash<int64_t>{}(value); }
  size_t operator()(float value) const { return std::hash<uint32_t>{}(std::bit_cast<uint32_t>(value)); }
  size_t operator()(const std::string& value) const { return std::hash<std::string>{}(value); }
  size_t operator()(const std::vector<int64_t>& values) const { return hash_all(values); }
  size_t operator()(const std::vector<float>& values) const { return hash_all(values); }
  size_t operator()(const std::vector<std::string>& values) const {
    size_t hash = values.size();
    for (const std::string& value : values) hash = mix(hash, (*this)(value));
    return hash;
  }
  size_t operator()(const Tensor& value) const { return quick_hash(value); }
};

bool is_default(const OpSchema& schema, const Attributes::Item& item) {
  const AttributeRule* rule = schema.find_attribute(item.name);
  return rule != nullptr && rule->has_default && same_bits(rule->sample, item.value);
}

/// Those that say something, by name.
std::vector<const Attributes::Item*> stated(const OpSchema& schema, const Attributes& attributes) {
  std::vector<const Attributes::Item*> items;
  for (const auto& item : attributes)
    if (!is_default(schema, item)) items.push_back(&item);
  return items;
}

/// Strings lie elsewhere: their bytes are addresses.
size_t hash_strings(const Tensor& tensor, int64_t at_most) {
  size_t hash = 0;
  for (int64_t i = 0; i < std::min(tensor.count(), at_most); ++i) hash = mix(hash, std::hash<std::string_view>{}(tensor.at<StringRef>(i).view()));
  return hash;
}

size_t hash_type(const Tensor& tensor) { return mix(static_cast<size_t>(tensor.dtype()), hash_all(tensor.dims())); }

}  // namespace

bool same_bits(const AttributeValue& a, const AttributeValue& b) {
  if (a.index() != b.index()) return false;
  if (const auto* number = std::get_if<float>(&a)) return std::bit_cast<uint32_t>(*number) == std::bit_cast<uint32_t>(std::get<float>(b));
  if (const auto* numbers = std::get_if<std::vector<float>>(&a)) {
    const auto& others = std::get<std::vector<float>>(b);
    return numbers->size() == others.size() && (numbers->empty() || std::memcmp(numbers->data(), others.data(), numbers->size() * sizeof(float)) == 0);
  }
  return a == b;
}

bool same_attributes(const OpSchema& schema, const Attributes& a, const Attributes& b) {
  const auto first = stated(schema, a), second = stated(schema, b);
  return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [](const auto* x, const auto* y) { return x->name == y->name && same_bits(x->value, y->value); });
}

size_t hash_of(const OpSchema& schema, const Attributes& attributes) {
  size_t hash = 0;
  for (const auto* item : stated(schema, attributes))
    hash = mix(mix(hash, std::hash<std::string>{}(item->name)), std::visit(HashValue{}, item->value));
  return hash;
}

size_t quick_hash(const Tensor& tensor) {
  if (tensor.dtype() == DType::string) return mix(hash_type(tensor), hash_strings(tensor, 16));
  const auto bytes = tensor.bytes();
  const size_t end = std::min<size_t>(256, bytes.size());
  return mix(mix(hash_type(tensor), hash_bytes(bytes.data(), end)), hash_bytes(bytes.data() + (bytes.size() - end), end));
}

size_t full_hash(const Tensor& tensor) {
  if (tensor.dtype() == DType::string) return mix(hash_type(tensor), hash_strings(tensor, tensor.count()));
  return mix(hash_type(tensor), hash_bytes(tensor.bytes().data(), tensor.bytes().size()));
}

}  // namespace ge

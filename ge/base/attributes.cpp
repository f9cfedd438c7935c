#include "ge/base/attributes.hpp"

#include <algorithm>

namespace ge {
namespace {

constexpr std::string_view kinds[] = {"int", "float", "string", "ints", "floats", "strings", "tensor"};


template <class T>
const T* typed(const Attributes& attributes, std::string_view name) {
  const AttributeValue* value = attributes.find(name);
  if (value == nullptr) return nullptr;
  if (const T* typed_value = std::get_if<T>(value)) return typed_value;
  throw Error(ErrorCode::invalid_model, "attribute '" + std::string(name) + "' is of kind " + std::string(kind_name(*value)) +
                                            ", expected " + std::string(kinds[AttributeValue(T{}).index()]));
}

std::string join(const auto& items, auto&& print) {
  std::string text = "[";
  size_t shown = 0;
  for (const auto& item : items) {
    if (shown == 16) {
      text += ", … " + std::to_string(items.size()) + " in all";
      break;
    }
    text += (shown++ ? ", " : "") + print(item);
  }
  return text + "]";
}

}  // namespace

std::string_view kind_name(const AttributeValue& value) noexcept { return kinds[value.index()]; }

std::string to_string(const AttributeValue& value) {
  const auto number = [](auto x) { return std::to_string(x); };
  const auto quoted = [](const std::string& x) { return "'" + x + "'"; };
  switch (value.index()) {
    case 0: return number(std::get<0>(value));
    case 1: return number(std::get<1>(value));
    case 2: return quoted(std::get<2>(value));
    case 3: return join(std::get<3>(value), number);
    case 4: return join(std::get<4>(value), number);
    case 5: return join(std::get<5>(value), quoted);
    default: break;
  }
  const Tensor& tensor = std::get<6>(value);
  return std::string(to_string(tensor.dtype())) + dims_to_string(tensor.dims());
}

void Attributes::set(std::string_view name, AttributeValue value) {
  auto it = std::lower_bound(items_.begin(), items_.end(), name, [](const Item& a, std::string_view b) { return a.name < b; });
  if (it != items_.end() && it->name == name)
    it->value = std::move(value);
  else
    items_.insert(it, Item{std::string(name), std::move(value)});
}

void Attributes::erase(std::string_view name) {
  std::erase_if(items_, [&](const Item& item) { return item.name == name; });
}

const AttributeValue* Attributes::find(std::string_view name) const noexcept {
  auto it = std::lower_bound(items_.begin(), items_.end(), name, [](const Item& a, std::string_view b) { return a.name < b; });
  return it != items_.end() && it->name == name ? &it->value : nullptr;
}

int64_t Attributes::get_int(std::string_view name, int64_t otherwise) const {
  const auto* value = typed<int64_t>(*this, name);
  return value ? *value : otherwise;
}
float Attributes::get_float(std::string_view name, float otherwise) const {
  const auto* value = typed<float>(*this, name);
  return value ? *value : otherwise;
}
std::string Attributes::get_string(std::string_view name, std::string_view otherwise) const {
  const auto* value = typed<std::string>(*this, name);
  return value ? *value : std::string(otherwise);
}
std::vector<int64_t> Attributes::get_ints(std::string_view name, std::vector<int64_t> otherwise) const {
  const auto* value = typed<std::vector<int64_t>>(*this, name);
  return value ? *value : otherwise;
}
std::vector<float> Attributes::get_floats(std::string_view name, std::vector<float> otherwise) const {
  const auto* value = typed<std::vector<float>>(*this, name);
  return value ? *value : otherwise;
}
std::vector<std::string> Attributes::get_strings(std::string_view name, std::vector<std::string> otherwise) const {
  const auto* value = typed<std::vector<std::string>>(*this, name);
  return value ? *value : otherwise;
}
const Tensor* Attributes::get_tensor(std::string_view name) const { return typed<Tensor>(*this, name); }

int64_t Attributes::need_int(std::string_view name) const {
  const auto* value = typed<int64_t>(*this, name);
  if (value == nullptr) throw Error(ErrorCode::invalid_model, "attribute '" + std::string(name) + "' (int) is missing");
  return *value;
}

}  // namespace ge

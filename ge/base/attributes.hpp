#pragma once
#include "ge/base/tensor.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ge {

/// A node attribute's value. Subgraphs are not attributes: a node holds them by id.
using AttributeValue = std::variant<int64_t, float, std::string, std::vector<int64_t>, std::vector<float>,
                                    std::vector<std::string>, Tensor>;

GE_API std::string_view kind_name(const AttributeValue& value) noexcept;  // "int", "float", "string", "ints", …
GE_API std::string to_string(const AttributeValue& value);

/// Named values, sorted by name. Getters return what is there or the given default; a value of another kind throws
/// Error(invalid_model) that names the attribute, the kind found and the kind expected.
class GE_API Attributes {
 public:
  struct Item {
    std::string name;
    AttributeValue value;
    friend bool operator==(const Item&, const Item&) = default;
  };
  void set(std::string_view name, AttributeValue value);
  void erase(std::string_view name);
  const AttributeValue* find(std::string_view name) const noexcept;
  bool has(std::string_view name) const noexcept { return find(name) != nullptr; }

  int64_t get_int(std::string_view name, int64_t otherwise) const;
  float get_float(std::string_view name, float otherwise) const;
  std::string get_string(std::string_view name, std::string_view otherwise) const;
  std::vector<int64_t> get_ints(std::string_view name, std::vector<int64_t> otherwise = {}) const;
  std::vector<float> get_floats(std::string_view name, std::vector<float> otherwise = {}) const;
  std::vector<std::string> get_strings(std::string_view name, std::vector<std::string> otherwise = {}) const;
  /// Null when absent.
  const Tensor* get_tensor(std::string_view name) const;
  /// Throws Error(invalid_model) when absent.
  int64_t need_int(std::string_view name) const;

  bool empty() const noexcept { return items_.empty(); }
  size_t size() const noexcept { return items_.size(); }
  auto begin() const noexcept { return items_.begin(); }
  auto end() const noexcept { return items_.end(); }
  friend bool operator==(const Attributes&, const Attributes&) = default;

 private:
  std::vector<Item> items_;
};

}  // namespace ge

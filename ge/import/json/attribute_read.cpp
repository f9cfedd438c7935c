#include "ge/import/json/attribute.hpp"
#include "ge/import/json/numbers.hpp"
#include "ge/import/json/tensor.hpp"
#include "ge/import/json/text.hpp"

#include <algorithm>
#include <cstring>
#include <bit>

namespace ge::json {
namespace {

std::optional<float> any_float(Value value) {
  if (const auto number = read_float<float>(value)) return number;
  if (!value.is(Kind::string) || !value.text().starts_with("0x")) return std::nullopt;
  const std::string_view digits = value.text().substr(2);
  uint32_t bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return std::bit_cast<float>(bits);
}

class Reader {
 public:
  Reader(Findings& findings, MemoryBudget& budget) : findings_(findings), budget_(budget) {}

  std::optional<AttributeValue> read(const Place& place, Value value) {
    switch (value.kind()) {
      case Kind::boolean:
      case Kind::integer: return AttributeValue(value.integer());
      case Kind::real: return wrapped(read_one<float>(place, value, read_float<float>, "a float32"));
      case Kind::string: return wrapped(read_string(place, value, findings_));
      case Kind::array: return list(place, value);
      case Kind::object: return object(place, value);
      default: break;
    }
    findings_.expected(place, value, "an integer within 64 bits, a number, a string, a list of one of them, or an object");
    return std::nullopt;
  }

 private:
  template <class T>
  static std::optional<AttributeValue> wrapped(std::optional<T> value) {
    if (!value) return std::nullopt;
    return AttributeValue(std::move(*value));
  }

  template <class T, class Read>
  std::optional<T> read_one(const Place& place, Value value, Read read, const char* expected) {
    std::optional<T> out = read(value);
    if (!out) findings_.expected(place, value, expected);
    return out;
  }

  template <class T, class Read>
  std::optional<AttributeValue> each(const Place& place, Value value, Read read) {
    if (!value.is(Kind::array)) {
      findings_.expected(place, value, "an array");
      return std::nullopt;
    }
    budget_.add(value.size() * sizeof(T));
    std::vector<T> out;
    out.reserve(value.size());
    bool good = true;
    value.each_item([&](Value item, size_t i) {
      if (!good) return;
      std::optional<T> one = read(Place(place, i), item);
      good = one.has_value();
      if (good) out.push_back(std::move(*one));
    });
    if (!good) return std::nullopt;
    return AttributeValue(std::move(out));
  }

  std::optional<AttributeValue> ints(const Place& place, Value value) {
    return each<int64_t>(place, value, [&](const Place& at, Value item) { return read_one<int64_t>(at, item, read_integer<int64_t>, "an integer within 64 bits"); });
  }
  std::optional<AttributeValue> floats(const Place& place, Value value) {
    return each<float>(place, value, [&](const Place& at, Value item) { return read_one<float>(at, item, any_float, "a float32"); });
  }
  std::optional<AttributeValue> strings(const Place& place, Value value) {
    return each<std::string>(place, value, [&](const Place& at, Value item) {
      auto text = read_string(at, item, findings_);
      if (text) budget_.add(text->size());
      return text;
    });
  }
  template <class T>
  std::optional<AttributeValue> packed(const Place& place, Value value) {
    const auto bytes = read_bytes(place, value, findings_, budget_);
    if (!bytes) return std::nullopt;
    if (bytes->size() % sizeof(T) != 0) {
      findings_.add(place, "has " + std::to_string(bytes->size()) + " bytes, expected a multiple of " + std::to_string(sizeof(T)));
      return std::nullopt;
    }
    budget_.add(bytes->size());
    std::vector<T> out(bytes->size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), bytes->data(), bytes->size());
    budget_.release(bytes->size());
    return AttributeValue(std::move(out));
  }

  /// The kind of a plain list is that of its items: strings where the first is one, floats where any has a fraction.
  std::optional<AttributeValue> list(const Place& place, Value value) {
    if (value.size() == 0) {
      findings_.add(place, "an empty list does not say of what; write {\"ints\": []}, {\"floats\": []} or {\"strings\": []}");
      return std::nullopt;
    }
    if (value.first().is(Kind::string)) return strings(place, value);
    bool fraction = false;
    value.each_item([&](Value item, size_t) { fraction |= item.is(Kind::real); });
    return fraction ? floats(place, value) : ints(place, value);
  }

  std::optional<AttributeValue> object(const Place& place, Value value) {
    static constexpr std::string_view keys[] = {"float", "floats", "ints", "strings", "tensor", "data", "base64"};
    std::optional<Value> found[std::size(keys)];
    findings_.members(place, value, keys, found);
    const auto& [one, several, integers, texts, tensor, data, base64] = found;
    const auto is_packed = [](const std::optional<Value>& list) { return list && list->is(Kind::string); };
    if (tensor && value.size() == 1 + size_t{data.has_value()} + size_t{base64.has_value()})
      return wrapped(read_tensor(place, *tensor, data, base64, findings_, budget_));
    if (value.size() == 1 && one) return wrapped(read_one<float>(Place(place, "float"), *one, any_float, "a float32"));
    if (value.size() == 1 && several) return is_packed(several) ? packed<float>(Place(place, "floats"), *several) : floats(Place(place, "floats"), *several);
    if (value.size() == 1 && integers) return is_packed(integers) ? packed<int64_t>(Place(place, "ints"), *integers) : ints(Place(place, "ints"), *integers);
    if (value.size() == 1 && texts) return strings(Place(place, "strings"), *texts);
    findings_.add(place, "expected one of the keys float, floats, ints, strings, or 'tensor' with 'data' or 'base64'");
    return std::nullopt;
  }

  Findings& findings_;
  MemoryBudget& budget_;
};

}  // namespace

std::optional<AttributeValue> read_attribute(const Place& place, Value value, Findings& findings, MemoryBudget& budget) {
  return Reader(findings, budget).read(place, value);
}

Attributes read_attributes(const Place& place, Value value, Findings& findings, MemoryBudget& budget) {
  Attributes out;
  if (!value.is(Kind::object)) {
    findings.expected(place, value, "an object of attributes");
    return out;
  }
  // Sorted first: setting them in another order would move the others each time.
  std::vector<std::pair<std::string_view, Value>> members;
  members.reserve(value.size());
  budget.add(value.size() * (sizeof(members[0]) + sizeof(Attributes::Item)));
  value.each_member([&](std::string_view key, Value member) { members.emplace_back(key, member); });
  const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(members.begin(), members.end(), by_key)) std::stable_sort(members.begin(), members.end(), by_key);
  for (size_t i = 0; i < members.size(); ++i) {
    const auto& [key, member] = members[i];
    const Place at(place, key);
    const auto name = bytes_of(key);
    if (name && out.has(*name)) {
      findings.add(at, "this attribute stands twice");
      continue;
    }
    if (!name) {
      findings.add(at, "a ␛ in this name is not followed by two hexadecimal digits (0 to 9, A to F)");
      continue;
    }
    if (auto read = read_attribute(at, member, findings, budget)) out.set(*name, std::move(*read));
  }
  budget.release(value.size() * sizeof(members[0]));
  return out;
}

}  // namespace ge::json

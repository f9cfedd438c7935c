#pragma once
#include "ge/base/attributes.hpp"
#include "ge/import/json/findings.hpp"

namespace ge::json {

/// 1 (int), 1.0 (float), "text", [1, 2], [1.0, 2.0], ["a"]; what these cannot say is an object with one key:
/// {"float": "nan"}, {"floats": [1.0, "inf"]}, {"ints": []}, {"strings": []}, {"tensor": …}; ints and floats in a string
/// are little-endian in base64.
void append_attribute(std::string& out, const AttributeValue& value);
/// nullopt with a finding. Reads true and false as 1 and 0.
std::optional<AttributeValue> read_attribute(const Place& place, Value value, Findings& findings, MemoryBudget& budget);

/// {"name": value, …}, sorted by name.
void append_attributes(std::string& out, const Attributes& attributes);
Attributes read_attributes(const Place& place, Value value, Findings& findings, MemoryBudget& budget);

}  // namespace ge::json

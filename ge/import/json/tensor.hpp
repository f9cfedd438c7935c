#pragma once
#include "ge/base/tensor.hpp"
#include "ge/import/json/findings.hpp"

namespace ge::json {

/// {"tensor": "float32[2]", "data": [1.0, 2.5]}: row-major numbers (bools 0 and 1, strings as strings) where there are
/// few and numbers say all; else {"tensor": "int4[9]", "base64": "…"}: the bytes as stored. {"tensor": null} is none.
void append_tensor(std::string& out, const Tensor& tensor);

/// `data` or `base64` is there. nullopt, with a finding, when they do not fit the type.
std::optional<Tensor> read_tensor(const Place& place, Value type, std::optional<Value> data, std::optional<Value> base64,
                                  Findings& findings, MemoryBudget& budget);

/// The bytes of a string value in base64. nullopt with a finding.
std::optional<std::string> read_bytes(const Place& place, Value text, Findings& findings, MemoryBudget& budget);
/// A string value's bytes. nullopt with a finding.
std::optional<std::string> read_string(const Place& place, Value value, Findings& findings);

}  // namespace ge::json

#include "tools/operator_table.hpp"

#include "ge/import/opset_ranges.hpp"
#include "ge/kernels/kernel.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/function_bodies.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ge::tools {
namespace {

/// "sequence", "tensor or sequence", …
std::string kinds_text(KindSet kinds) {
  std::string text;
  for (unsigned i = 0; i < value_kind_count; ++i)
    if (contains(kinds, static_cast<ValueKind>(i))) text.append(text.empty() ? "" : " or ").append(to_string(static_cast<ValueKind>(i)));
  return text;
}

std::vector<std::pair<std::string, std::string>> types_of(const OpSchema& schema) {
  std::vector<std::pair<std::string, DTypeSet>> dtypes;
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const std::vector<Formal>* formals : {&schema.inputs, &schema.outputs})
    for (const Formal& formal : *formals) {
      const bool tensor = formal.kinds == kinds::tensor;
      if (!tensor) kinds.emplace_back(formal.name, kinds_text(formal.kinds) + " of " + (formal.type_var.empty() ? dtypes_text(formal.types) : formal.type_var));
      if (!tensor && formal.type_var.empty()) continue;
      const std::string& label = formal.type_var.empty() ? formal.name : formal.type_var;
      const auto same = std::find_if(dtypes.begin(), dtypes.end(), [&](const auto& entry) { return entry.first == label; });
      if (same == dtypes.end()) dtypes.emplace_back(label, formal.types);
      else same->second |= formal.types;
    }
  std::vector<std::pair<std::string, std::string>> types;
  for (const auto& [label, set] : dtypes) types.emplace_back(label, dtypes_text(set));
  types.insert(types.end(), kinds.begin(), kinds.end());
  return types;
}

std::vector<std::string> engines_of(const OpSchema& schema) {
  std::vector<std::string> names;
  for (const Kernel* kernel : kernels_of(schema.domain, schema.name))
    if (std::find(names.begin(), names.end(), kernel->engine) == names.end()) names.push_back(kernel->engine);
  if (schema.control_flow != ControlFlow::none || schema.by_walk) names.push_back("executor");
  if (function_bodies().find(op_key(schema.domain, schema.name)) != nullptr) names.push_back("body");
  return names;
}

OperatorRow row_of(const std::string& key, const OpSchema& schema) {
  OperatorRow row{key, schema.domain, schema.name, schema.doc, schema.version, 0, 0, "", types_of(schema), engines_of(schema)};
  if (const onnx::OpsetRange* range = schema.domain.empty() ? onnx::opset_range(schema.name) : nullptr) row.first = range->first, row.last = range->last;
  return row;
}

nlohmann::ordered_json formal_json(const Formal& formal) {
  nlohmann::ordered_json types = nlohmann::ordered_json::array(), kinds = nlohmann::ordered_json::array();
  for (unsigned i = 0; i < value_kind_count; ++i)
    if (contains(formal.kinds, static_cast<ValueKind>(i))) kinds.push_back(to_string(static_cast<ValueKind>(i)));
  for (unsigned i = 1; i < dtype_count; ++i)
    if (contains(formal.types, static_cast<DType>(i))) types.push_back(to_string(static_cast<DType>(i)));
  return {{"name", formal.name}, {"type_var", formal.type_var}, {"optional", formal.optional}, {"variadic", formal.variadic}, {"kinds", std::move(kinds)},
          {"dtypes", std::move(types)}};
}

nlohmann::ordered_json attribute_json(const AttributeRule& rule) {
  nlohmann::ordered_json json{{"name", rule.name}, {"kind", kind_name(rule.sample)}, {"required", rule.required}};
  if (!rule.has_default) return json;
  std::visit([&]<class T>(const T& value) {
    if constexpr (std::is_same_v<T, Tensor>) json["default"] = to_string(AttributeValue(value));
    else json["default"] = value;
  }, rule.sample);
  return json;
}

nlohmann::ordered_json row_json(const OperatorRow& row) {
  nlohmann::ordered_json json{{"name", row.name}, {"domain", row.domain}};
  if (row.first != 0) json["opsets"] = {row.first, row.last};
  if (!row.becomes.empty()) {
    json["becomes"] = row.becomes;
    return json;
  }
  const OpSchema& schema = *find_schema(row.domain, row.name);
  json.update({{"doc", row.doc}, {"version", row.version}, {"engines", row.engines}, {"deterministic", schema.deterministic}});
  for (const char* list : {"inputs", "outputs", "attributes", "types"}) json[list] = nlohmann::ordered_json::array();
  for (const Formal& formal : schema.inputs) json["inputs"].push_back(formal_json(formal));
  for (const Formal& formal : schema.outputs) json["outputs"].push_back(formal_json(formal));
  for (const AttributeRule& rule : schema.attributes) json["attributes"].push_back(attribute_json(rule));
  for (const auto& [label, types] : row.types) json["types"].push_back({label, types});
  json["subgraphs"] = schema.subgraphs;
  json["content_inputs"] = schema.content_inputs;
  return json;
}

}  // namespace

std::string dtypes_text(DTypeSet types) {
  static constexpr std::pair<const char*, DTypeSet> sets[] = {
      {"all", dtypes::all}, {"numeric", dtypes::numeric}, {"floats", dtypes::floats}, {"ints", dtypes::ints}, {"signed ints", dtypes::signed_ints},
      {"unsigned ints", dtypes::unsigned_ints}, {"complex", dtypes::complex},
      {"float8", dtype_set(DType::float8e4m3fn, DType::float8e4m3fnuz, DType::float8e5m2, DType::float8e5m2fnuz)},
      {"int4s", dtype_set(DType::int4, DType::uint4)}, {"int2s", dtype_set(DType::int2, DType::uint2)}};
  std::string text;
  const auto add = [&](std::string_view name) { text.append(text.empty() ? "" : ", ").append(name); };
  for (const auto& [name, set] : sets)
    if ((types & set) == set) add(name), types &= ~set;
  for (unsigned i = 1; i < dtype_count; ++i)
    if (contains(types, static_cast<DType>(i))) add(to_string(static_cast<DType>(i)));
  return text;
}

std::vector<OperatorRow> operator_table() {
  std::vector<OperatorRow> rows;
  for (const Registered& item : op_schemas().list()) rows.push_back(row_of(item.key, op_schemas().at(item.key)));
  for (const onnx::OpsetRange& range : onnx::opset_ranges()) {
    const std::string name(range.op);
    if (!range.becomes.empty()) rows.push_back({name, "", name, "", 0, range.first, range.last, std::string(range.becomes), {}, {}});
  }
  std::sort(rows.begin(), rows.end(), [](const OperatorRow& a, const OperatorRow& b) { return a.key < b.key; });
  return rows;
}

std::string operators_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const OperatorRow& row : operator_table()) list.push_back(row_json(row));
  return list.dump(1) + "\n";
}

}  // namespace ge::tools

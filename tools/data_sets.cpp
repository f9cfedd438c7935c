#include "tools/data_sets.hpp"

#include "ge/model/tensor_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace ge::tools {
namespace {

/// K of "<before>K<after>"; nullopt for other names.
std::optional<unsigned> number_in(std::string_view name, std::string_view before, std::string_view after) {
  if (!name.starts_with(before) || !name.ends_with(after) || name.size() <= before.size() + after.size()) return std::nullopt;
  name = name.substr(before.size(), name.size() - before.size() - after.size());
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

std::vector<std::filesystem::path> entries_of(const std::string& folder) {
  std::error_code failed;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) paths.push_back(it->path());
  if (failed) throw Error(ErrorCode::io, "cannot read the folder '" + folder + "': " + failed.message());
  return paths;
}

}  // namespace

std::vector<DataSet> find_data_sets(const std::string& folder) {
  std::vector<DataSet> sets;
  for (const auto& path : entries_of(folder))
    if (const auto number = number_in(path.filename().string(), "test_data_set_", "")) sets.push_back({*number, path.filename().string(), path.string()});
  if (sets.empty()) throw Error(ErrorCode::io, "'" + folder + "' has no folder test_data_set_0, test_data_set_1, …; expected ONNX's test layout");
  std::sort(sets.begin(), sets.end(), [](const DataSet& a, const DataSet& b) { return a.number < b.number; });
  return sets;
}

std::map<unsigned, Value> read_values(const DataSet& set, const std::string& role, const std::vector<ValueKind>& kinds) {
  std::map<unsigned, Value> values;
  for (const auto& path : entries_of(set.folder))
    if (const auto number = number_in(path.filename().string(), role + "_", ".pb"))
      values.emplace(*number, read_value_pb(path.string(), *number < kinds.size() ? kinds[*number] : ValueKind::tensor));
  return values;
}

Tensor as_model_dtype(const Tensor& tensor, DType in_model) {
  if (in_model != DType::bfloat16 || tensor.dtype() != DType::uint16) return tensor;
  static const int noted = std::puts("note: uint16 tensors of the data sets are taken as the bits of bfloat16, which the model has there");
  (void)noted;
  return Tensor(DType::bfloat16, tensor.dims(), tensor.bytes(), tensor.owner());
}

Value as_model_dtype(Value value, DType in_model) {
  for (Tensor& tensor : value.tensors) tensor = as_model_dtype(tensor, in_model);
  return value;
}

}  // namespace ge::tools

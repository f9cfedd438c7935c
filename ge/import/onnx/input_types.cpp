#include "ge/import/onnx/input_types.hpp"

#include <algorithm>

namespace ge::onnx {
namespace {

/// Dims of inputs fit int32, so that shape arithmetic which exporters do in int32 stays known; instantiate checks it.
constexpr Bounds dim_bounds{0, INT32_MAX};

[[noreturn]] void refuse(const std::string& input, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, "input_shape of input '" + input + "': " + what);
}

std::string declared(const std::vector<Dimension>& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + (dims[i].value ? std::to_string(*dims[i].value) : dims[i].param.empty() ? "?" : std::string(dims[i].param));
  return text + "]";
}

bool is_static(const Dimension& dim) { return dim.value && *dim.value >= 0; }

/// Values that options give to named dims, with the input that gave them.
using NamedValues = std::map<std::string_view, std::pair<int64_t, std::string>>;

void check_override(const std::string& name, const std::vector<int64_t>& shape, const ValueInfo& input, NamedValues& named) {
  for (const int64_t dim : shape)
    if (dim < -1) refuse(name, "dim " + std::to_string(dim) + " in " + dims_to_string(shape) + ", expected -1 (stays as declared) or a size");
  if (!input.dims) return;
  const auto& dims = *input.dims;
  if (shape.size() != dims.size())
    refuse(name, "rank " + std::to_string(shape.size()) + " " + dims_to_string(shape) + ", but the model declares rank " + std::to_string(dims.size()) + " " + declared(dims));
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) continue;
    if (is_static(dims[i]) && shape[i] != *dims[i].value)
      refuse(name, "dim " + std::to_string(i) + " is " + std::to_string(shape[i]) + ", but the model declares " + declared(dims));
    if (dims[i].value || dims[i].param.empty()) continue;
    const auto [it, fresh] = named.try_emplace(dims[i].param, shape[i], name);
    if (!fresh && it->second.first != shape[i])
      refuse(name, "dim " + std::to_string(i) + " (" + std::string(dims[i].param) + ") is " + std::to_string(shape[i]) + ", but input '" + it->second.second +
                       "' gives " + std::to_string(it->second.first));
  }
}

}  // namespace

std::vector<TensorType> input_types(const GraphDraft& root, const ImportOptions& options, SymbolTable& symbols) {
  NamedValues named;
  for (const auto& [name, shape] : options.input_shapes) {
    const auto it = std::find(root.input_names.begin(), root.input_names.end(), name);
    if (it == root.input_names.end()) {
      std::string text = "the model has no such input; it has";
      for (const std::string& known : root.input_names) text += " '" + known + "'";
      refuse(name, text);
    }
    const ValueInfo& input = root.inputs[static_cast<size_t>(it - root.input_names.begin())];
    if (input.kind != ValueKind::tensor) refuse(name, "it is a " + input.kind_name + ", whose shapes are those of each run");
    check_override(name, shape, input, named);
  }

  std::map<std::string_view, Expr> by_name;  // all named dims first, so that no unnamed one takes their names
  for (const ValueInfo& input : root.inputs)
    for (const Dimension& dim : input.dims.value_or(std::vector<Dimension>()))
      if (input.kind == ValueKind::tensor && !dim.value && !dim.param.empty() && !by_name.contains(dim.param)) {
        const auto given = named.find(dim.param);
        by_name[dim.param] = given != named.end() ? symbols.constant(given->second.first) : symbols.symbol(dim.param, dim_bounds);
      }

  std::vector<TensorType> types;
  for (size_t k = 0; k < root.inputs.size(); ++k) {
    const ValueInfo& input = root.inputs[k];
    TensorType& type = types.emplace_back();
    type.dtype = *dtype_from_onnx(input.elem_type);
    type.kind = *input.kind;
    if (!type.is_tensor()) {
      // Dims that are not fixed may differ from one tensor inside to the next, named ones too.
      if (input.dims) type.shape.emplace();
      for (const Dimension& dim : input.dims.value_or(std::vector<Dimension>())) type.shape->push_back(is_static(dim) ? symbols.constant(*dim.value) : Expr());
      continue;
    }
    const auto given = options.input_shapes.find(root.input_names[k]);
    if (!input.dims && given == options.input_shapes.end()) continue;
    const std::vector<Dimension> dims = input.dims.value_or(std::vector<Dimension>(given == options.input_shapes.end() ? 0 : given->second.size()));
    type.shape.emplace();
    for (size_t i = 0; i < dims.size(); ++i) {
      const int64_t option = given == options.input_shapes.end() ? -1 : given->second[i];
      if (option >= 0) type.shape->push_back(symbols.constant(option));
      else if (is_static(dims[i])) type.shape->push_back(symbols.constant(*dims[i].value));
      else if (!dims[i].value && !dims[i].param.empty()) type.shape->push_back(by_name[dims[i].param]);
      else type.shape->push_back(symbols.symbol(root.input_names[k] + "_" + std::to_string(i), dim_bounds));
    }
  }
  return types;
}

}  // namespace ge::onnx

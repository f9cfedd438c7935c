#include "ge/import/onnx/proto.hpp"

#include <algorithm>
#include <cctype>

namespace ge::onnx {
namespace {

constexpr size_t max_rank = 255;

void read_external_entry(const Message& message, TensorProto& tensor) {
  std::string_view key, value;
  for (Fields f(message, "StringStringEntryProto"); f.next();) switch (f.id()) {
      case 1: key = f.text(); break;
      case 2: value = f.text(); break;
      default: f.skip();
    }
  tensor.external[key] = value;
}

/// A name ties dims together. "?" and the like, which exporters write for every dim that they do not know, is none.
std::string_view dim_name(std::string_view param) {
  const bool has_letter = std::any_of(param.begin(), param.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; });
  return has_letter ? param : std::string_view();
}

std::vector<Dimension> read_shape(const Message& message) {
  std::vector<Dimension> dims;
  for (Fields f(message, "TensorShapeProto"); f.next();) {
    if (f.id() != 1) {
      f.skip();
      continue;
    }
    if (dims.size() == max_rank) f.fail("more than 255 dims");
    Dimension& dim = dims.emplace_back();
    for (Fields d(f.message(), "TensorShapeProto.Dimension"); d.next();) switch (d.id()) {
        case 1: dim = {d.integer(), {}}; break;
        case 2: dim = {std::nullopt, dim_name(d.text())}; break;
        default: d.skip();
      }
  }
  return dims;
}

/// Deeper nesting than optional(sequence(tensor)) is read no further.
constexpr int max_type_depth = 3;

ValueInfo read_nested_type(const Message& message, int depth);

/// TypeProto.Sequence, TypeProto.Optional: field 1 is the type of what is inside.
ValueInfo read_inner_type(const Message& message, const char* what, int depth) {
  ValueInfo inner;
  for (Fields f(message, what); f.next();) {
    if (f.id() == 1 && depth < max_type_depth) inner = read_nested_type(f.message(), depth + 1);
    else f.skip();
  }
  return inner;
}

ValueInfo read_nested_type(const Message& message, int depth) {
  ValueInfo value;
  const auto around = [&](const char* name, ValueInfo inner, bool allowed, ValueKind kind) {
    value = std::move(inner);
    value.kind_name = value.kind == ValueKind::tensor ? name : name + std::string(" of ") + value.kind_name;
    value.kind = allowed ? std::optional(kind) : std::nullopt;
  };
  for (Fields f(message, "TypeProto"); f.next();) {
    switch (f.id()) {
      case 1: {
        value.kind_name = "tensor";
        value.kind = ValueKind::tensor;
        for (Fields t(f.message(), "TypeProto.Tensor"); t.next();) switch (t.id()) {
            case 1: value.elem_type = t.integer(); break;
            case 2: value.dims = read_shape(t.message()); break;
            default: t.skip();
          }
        continue;
      }
      case 4: {
        ValueInfo inner = read_inner_type(f.message(), "TypeProto.Sequence", depth);
        const bool allowed = inner.kind == ValueKind::tensor;
        around("sequence", std::move(inner), allowed, ValueKind::sequence);
        continue;
      }
      case 9: {
        ValueInfo inner = read_inner_type(f.message(), "TypeProto.Optional", depth);
        const bool allowed = inner.kind && !is_optional(*inner.kind);
        const ValueKind kind = optional_of(inner.kind.value_or(ValueKind::tensor));
        around("optional", std::move(inner), allowed, kind);
        continue;
      }
      case 5: value.kind_name = "map"; break;
      case 7: value.kind_name = "opaque"; break;
      case 8: value.kind_name = "sparse tensor"; break;
      default: break;
    }
    f.skip();
  }
  return value;
}

ValueInfo read_value_info(const Message& message) {
  ValueInfo value;
  std::string_view name;
  for (Fields f(message, "ValueInfoProto"); f.next();) switch (f.id()) {
      case 1: name = f.text(); break;
      case 2: value = read_type(f.message()); break;
      default: f.skip();
    }
  value.name = name;
  return value;
}

}  // namespace

ValueInfo read_type(const Message& message) { return read_nested_type(message, 1); }

TensorProto read_tensor(const Message& message) {
  TensorProto tensor;
  tensor.message = message;
  for (Fields f(message, "TensorProto"); f.next();) switch (f.id()) {
      case 1:
        f.each_integer([&](int64_t dim) {
          if (tensor.dims.size() == max_rank) f.fail("more than 255 dims");
          tensor.dims.push_back(dim);
        });
        break;
      case 2: tensor.data_type = f.integer(); break;
      case 3: tensor.has_segment = true, f.skip(); break;
      case 8: tensor.name = f.text(); break;
      case 9: tensor.raw = f.bytes(); break;
      case 13: read_external_entry(f.message(), tensor); break;
      case 14: tensor.is_external = f.integer() == 1; break;
      default: f.skip();
    }
  return tensor;
}

GraphProto read_graph(const Message& message) {
  GraphProto graph;
  for (Fields f(message, "GraphProto"); f.next();) switch (f.id()) {
      case 1: graph.nodes.push_back(f.message()); break;
      case 2: graph.name = f.text(); break;
      case 5: graph.initializers.push_back(read_tensor(f.message())); break;
      case 11: graph.inputs.push_back(read_value_info(f.message())); break;
      case 12: graph.outputs.push_back(read_value_info(f.message())); break;
      case 15: graph.sparse_initializers.push_back(f.message()); break;
      default: f.skip();
    }
  return graph;
}

}  // namespace ge::onnx

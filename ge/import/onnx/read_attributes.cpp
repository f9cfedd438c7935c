#include "ge/import/onnx/drafter.hpp"
#include "ge/import/onnx/sparse_tensor.hpp"

namespace ge::onnx {
namespace {

/// The fields of an AttributeProto that hold values.
struct Values {
  float f = 0;
  int64_t i = 0;
  std::string_view s;
  std::optional<Message> tensor, graph, type, sparse_tensor;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string> strings;
};

Values read_values(const Message& message) {
  Values v;
  for (Fields f(message, "AttributeProto"); f.next();) switch (f.id()) {
      case 2: v.f = f.float32(); break;
      case 3: v.i = f.integer(); break;
      case 4: v.s = f.text(); break;
      case 5: v.tensor = f.message(); break;
      case 6: v.graph = f.message(); break;
      case 7:
        f.elements<float>([&](Bytes bytes) {
          const size_t old = v.floats.size();
          v.floats.resize(old + bytes.size() / sizeof(float));
          if (!bytes.empty()) std::memcpy(v.floats.data() + old, bytes.data(), bytes.size());
        });
        break;
      case 8: f.each_integer([&](int64_t value) { v.ints.push_back(value); }); break;
      case 9: v.strings.emplace_back(f.text()); break;
      case 14: v.type = f.message(); break;
      case 22: v.sparse_tensor = f.message(); break;
      default: f.skip();
    }
  return v;
}

/// Nodes of the graph and its subgraphs.
size_t size_of(const GraphDraft& graph) {
  size_t size = graph.nodes.size();
  for (const NodeDraft& node : graph.nodes)
    for (const auto& [name, subgraph] : node.subgraphs) size += size_of(*subgraph);
  return size;
}

const char* unsupported_kind(AttributeType type) {
  switch (type) {
    case AttributeType::tensors: return "a list of tensors";
    case AttributeType::graphs: return "a list of graphs";
    case AttributeType::sparse_tensors: return "a list of sparse tensors";
    case AttributeType::type_protos: return "a list of types";
    default: return "of no known kind";
  }
}

}  // namespace

void Drafter::read_attributes(const std::vector<AttributeProto>& protos, const Scope& scope, NodeDraft& draft) {
  std::set<std::string_view> seen;
  for (const AttributeProto& proto : protos) {
    if (!seen.insert(proto.name).second)
      finding(draft.where(), "attribute '" + std::string(proto.name) + "' is given twice");
    else if (proto.ref_name.empty())
      read_attribute(proto, scope, draft);
    else
      refer_attribute(proto, scope, draft);
  }
}

/// ONNX FunctionProto: the value is the caller's; when the call does not give it, the attribute is absent.
void Drafter::refer_attribute(const AttributeProto& proto, const Scope& scope, NodeDraft& draft) {
  if (scope.call == nullptr)
    return finding(draft.where(), "attribute '" + std::string(proto.name) + "' refers to '" + std::string(proto.ref_name) + "', which only nodes of functions may do");
  if (const auto value = scope.call->attributes.find(proto.ref_name); value != scope.call->attributes.end())
    draft.attributes.set(proto.name, value->second);
  else if (const auto graph = scope.call->graphs.find(proto.ref_name); graph != scope.call->graphs.end()) {
    growth_.add(size_of(*graph->second), draft.where());
    draft.subgraphs[std::string(proto.name)] = graph->second;
  }
}

void Drafter::read_attribute(const AttributeProto& proto, const Scope& scope, NodeDraft& draft) {
  const std::string name(proto.name);
  Values v = read_values(proto.message);
  switch (proto.type) {
    case AttributeType::float_: return draft.attributes.set(name, v.f);
    case AttributeType::int_: return draft.attributes.set(name, v.i);
    case AttributeType::string: return draft.attributes.set(name, std::string(v.s));
    case AttributeType::floats: return draft.attributes.set(name, std::move(v.floats));
    case AttributeType::ints: return draft.attributes.set(name, std::move(v.ints));
    case AttributeType::strings: return draft.attributes.set(name, std::move(v.strings));
    case AttributeType::tensor:
    case AttributeType::sparse_tensor: {
      const bool is_sparse = proto.type == AttributeType::sparse_tensor;
      const std::optional<Message>& tensor = is_sparse ? v.sparse_tensor : v.tensor;
      if (!tensor) return finding(draft.where(), "attribute '" + name + "' is a " + (is_sparse ? "sparse " : "") + "tensor without a value");
      try {
        draft.attributes.set(name, is_sparse ? make_dense(read_sparse_tensor(*tensor), source_) : make_tensor(read_tensor(*tensor), source_));
      } catch (const Error& error) {
        finding(draft.where(), "attribute '" + name + "': " + error.what());
      }
      return;
    }
    case AttributeType::graph:
      if (!v.graph) return finding(draft.where(), "attribute '" + name + "' is a graph without a value");
      draft.subgraphs[name] = std::make_shared<GraphDraft>(graph(*v.graph, {scope.call, scope.opsets, scope.depth + 1}, false));
      return;
    case AttributeType::type_proto: {
      const ValueInfo type = v.type ? read_type(*v.type) : ValueInfo();
      const auto dtype = dtype_from_onnx(type.elem_type);
      if (!type.kind || !dtype)
        return finding(draft.where(), "attribute '" + name + "' is the type of a " + (type.kind_name.empty() ? "value that is not given" : type.kind_name) +
                                          ", expected a tensor, a sequence of tensors or an optional of these, with an element type");
      return draft.attributes.set(name, kind_text(*type.kind, std::string(to_string(*dtype))));
    }
    default: finding(draft.where(), "attribute '" + name + "' is " + unsupported_kind(proto.type) + ", which is not supported");
  }
}

}  // namespace ge::onnx

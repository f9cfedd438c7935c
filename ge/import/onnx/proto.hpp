#pragma once
#include "ge/base/value_kind.hpp"
#include "ge/import/onnx/fields.hpp"

#include <map>
#include <vector>

/// The messages of onnx.proto (IR version 14) that import reads, as views into the mapped file. What may be large or
/// nested (nodes, tensor data, attribute values, subgraphs) stays a Message, read when it is needed.
namespace ge::onnx {

struct TensorProto {
  std::string_view name;
  int64_t data_type = 0;
  std::vector<int64_t> dims;
  std::optional<Bytes> raw;
  std::map<std::string_view, std::string_view> external;  ///< location, offset, length, checksum
  bool is_external = false;
  bool has_segment = false;
  Message message;  ///< whole, for the typed data fields
};

struct Dimension {
  std::optional<int64_t> value;  ///< else `param`; both empty: unknown
  std::string_view param;
};

/// A ValueInfoProto. `kind_name` is "tensor", "sequence", "sequence of map", …, "" when no type is given.
struct ValueInfo {
  std::string_view name;
  std::string kind_name;
  std::optional<ValueKind> kind;  ///< nullopt: a kind that no value here has, or none is given
  int64_t elem_type = 0;          ///< of the tensor, or of the tensors inside
  std::optional<std::vector<Dimension>> dims;  ///< the same; nullopt: rank unknown
};

/// The numbers of AttributeProto.AttributeType.
enum class AttributeType : int64_t {
  undefined = 0, float_ = 1, int_ = 2, string = 3, tensor = 4, graph = 5, floats = 6, ints = 7, strings = 8, tensors = 9,
  graphs = 10, sparse_tensor = 11, sparse_tensors = 12, type_proto = 13, type_protos = 14,
};

struct AttributeProto {
  std::string_view name;
  std::string_view ref_name;  ///< in functions: the attribute of the call whose value this one has
  AttributeType type = AttributeType::undefined;
  Message message;
};

struct NodeProto {
  std::string_view op_type, domain, name, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<AttributeProto> attributes;
};

struct GraphProto {
  std::string_view name;
  std::vector<Message> nodes;
  std::vector<TensorProto> initializers;
  std::vector<ValueInfo> inputs, outputs;
  std::vector<Message> sparse_initializers;
};

using OpsetVersions = std::map<std::string_view, int64_t>;  ///< by domain, "" for ai.onnx

struct FunctionProto {
  std::string_view name, domain, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<AttributeProto> default_attributes;
  std::vector<Message> nodes;
  OpsetVersions opsets;
};

struct ModelProto {
  size_t size_bytes = 0;
  int64_t ir_version = 0;
  OpsetVersions opsets;
  std::optional<Message> graph;
  std::vector<FunctionProto> functions;
};

ModelProto read_model(const Message& message);
GraphProto read_graph(const Message& message);
NodeProto read_node(const Message& message);
TensorProto read_tensor(const Message& message);
/// A TypeProto, as a ValueInfo without a name.
ValueInfo read_type(const Message& message);

/// "ai.onnx" is another spelling of "".
inline std::string_view plain_domain(std::string_view domain) { return domain == "ai.onnx" ? std::string_view() : domain; }

}  // namespace ge::onnx

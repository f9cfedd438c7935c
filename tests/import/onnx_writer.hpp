#pragma once
#include "ge/base/tensor.hpp"
#include "ge/import/onnx.hpp"

#include <cctype>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Writes .onnx bytes for tests:
//
//   OnnxGraph g;
//   g.input("x", DType::float32, {"N", "3"}).initializer("w", floats({3}, {1, 2, 3}));
//   g.node(OnnxNode("Add", {"x", "w"}, {"y"})).output("y");
//   auto graph = import_onnx(OnnxModel(g).opset(13));
namespace ge::testing {

/// The bytes of a protobuf message, field by field.
class ProtoBytes {
 public:
  ProtoBytes& integer(uint64_t field, int64_t value) {
    varint(field << 3);
    varint(static_cast<uint64_t>(value));
    return *this;
  }
  ProtoBytes& float32(uint64_t field, float value) {
    varint(field << 3 | 5);
    out_.append(reinterpret_cast<const char*>(&value), 4);
    return *this;
  }
  ProtoBytes& bytes(uint64_t field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    out_.append(value);
    return *this;
  }
  ProtoBytes& message(uint64_t field, const ProtoBytes& value) { return bytes(field, value.str()); }
  ProtoBytes& packed_integers(uint64_t field, const std::vector<int64_t>& values) {
    ProtoBytes inner;
    for (const int64_t value : values) inner.varint(static_cast<uint64_t>(value));
    return bytes(field, inner.str());
  }
  template <class T>
  ProtoBytes& packed(uint64_t field, const std::vector<T>& values) {
    return bytes(field, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  const std::string& str() const { return out_; }

  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>(value | 0x80));
    out_.push_back(static_cast<char>(value));
  }

 private:
  std::string out_;
};

/// TensorProto without data.
inline ProtoBytes tensor_header(const std::string& name, int64_t data_type, const std::vector<int64_t>& dims) {
  ProtoBytes p;
  for (const int64_t dim : dims) p.integer(1, dim);
  return p.integer(2, data_type).bytes(8, name);
}

/// TensorProto with raw_data (strings: string_data).
inline ProtoBytes tensor_proto(const std::string& name, const Tensor& tensor) {
  ProtoBytes p = tensor_header(name, static_cast<int64_t>(tensor.dtype()), tensor.dims());
  if (tensor.dtype() != DType::string) return p.bytes(9, {reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()});
  for (int64_t i = 0; i < tensor.count(); ++i) p.bytes(6, tensor.at<StringRef>(i).view());
  return p;
}

class OnnxGraph;

class OnnxNode {
 public:
  OnnxNode(const std::string& op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, const std::string& domain = "") {
    for (const std::string& name : inputs) proto_.bytes(1, name);
    for (const std::string& name : outputs) proto_.bytes(2, name);
    proto_.bytes(4, op);
    if (!domain.empty()) proto_.bytes(7, domain);
  }
  OnnxNode& name(const std::string& value) { return proto_.bytes(3, value), *this; }
  OnnxNode& attribute(const ProtoBytes& proto) { return proto_.message(5, proto), *this; }
  OnnxNode& set(const std::string& n, int64_t value) { return attribute(start(n, 2).integer(3, value)); }
  OnnxNode& set(const std::string& n, int value) { return set(n, int64_t{value}); }
  OnnxNode& set(const std::string& n, float value) { return attribute(start(n, 1).float32(2, value)); }
  OnnxNode& set(const std::string& n, const std::string& value) { return attribute(start(n, 3).bytes(4, value)); }
  OnnxNode& set(const std::string& n, const char* value) { return set(n, std::string(value)); }
  OnnxNode& set(const std::string& n, const std::vector<int64_t>& values) { return attribute(start(n, 7).packed_integers(8, values)); }
  OnnxNode& set(const std::string& n, const std::vector<float>& values) { return attribute(start(n, 6).packed(7, values)); }
  OnnxNode& set(const std::string& n, const std::vector<std::string>& values) {
    ProtoBytes p = start(n, 8);
    for (const std::string& value : values) p.bytes(9, value);
    return attribute(p);
  }
  OnnxNode& set(const std::string& n, const Tensor& value) { return attribute(start(n, 4).message(5, tensor_proto("", value))); }
  OnnxNode& set(const std::string& n, const OnnxGraph& graph);
  /// In a function: the value of the call's attribute `referred`; `type` is an AttributeProto.AttributeType.
  OnnxNode& refer(const std::string& n, const std::string& referred, int64_t type) { return attribute(start(n, type).bytes(21, referred)); }
  const ProtoBytes& proto() const { return proto_; }

  static ProtoBytes start(const std::string& n, int64_t type) { return ProtoBytes().bytes(1, n).integer(20, type); }

 private:
  ProtoBytes proto_;
};

class OnnxGraph {
 public:
  explicit OnnxGraph(const std::string& name = "g") { proto_.bytes(2, name); }
  OnnxGraph& node(const OnnxNode& n) { return proto_.message(1, n.proto()), *this; }
  OnnxGraph& initializer(const std::string& name, const Tensor& value) { return initializer(tensor_proto(name, value)); }
  OnnxGraph& initializer(const ProtoBytes& tensor) { return proto_.message(5, tensor), *this; }
  OnnxGraph& sparse_initializer(const ProtoBytes& tensor) { return proto_.message(15, tensor), *this; }
  /// Dims: "3" is static, "N" a dim_param, "" unknown.
  OnnxGraph& input(const std::string& name, DType dtype, const std::vector<std::string>& dims) {
    ProtoBytes shape;
    for (const std::string& dim : dims) {
      ProtoBytes d;
      if (!dim.empty() && (std::isdigit(static_cast<unsigned char>(dim[0])) != 0 || dim[0] == '-')) d.integer(1, std::stoll(dim));
      else if (!dim.empty()) d.bytes(2, dim);
      shape.message(1, d);
    }
    return value(11, name, ProtoBytes().message(1, ProtoBytes().integer(1, static_cast<int64_t>(dtype)).message(2, shape)));
  }
  OnnxGraph& input_unknown_rank(const std::string& name, DType dtype) {
    return value(11, name, ProtoBytes().message(1, ProtoBytes().integer(1, static_cast<int64_t>(dtype))));
  }
  /// `type` is a TypeProto.
  OnnxGraph& value(uint64_t field, const std::string& name, const ProtoBytes& type) {
    return proto_.message(field, ProtoBytes().bytes(1, name).message(2, type)), *this;
  }
  OnnxGraph& output(const std::string& name) { return proto_.message(12, ProtoBytes().bytes(1, name)), *this; }
  const ProtoBytes& proto() const { return proto_; }

 private:
  ProtoBytes proto_;
};

inline OnnxNode& OnnxNode::set(const std::string& n, const OnnxGraph& graph) { return attribute(start(n, 5).message(6, graph.proto())); }

class OnnxFunction {
 public:
  OnnxFunction(const std::string& domain, const std::string& name, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
    proto_.bytes(1, name).bytes(10, domain);
    for (const std::string& input : inputs) proto_.bytes(4, input);
    for (const std::string& output : outputs) proto_.bytes(5, output);
  }
  OnnxFunction& node(const OnnxNode& n) { return proto_.message(7, n.proto()), *this; }
  OnnxFunction& opset(int64_t version, const std::string& domain = "") {
    return proto_.message(9, ProtoBytes().bytes(1, domain).integer(2, version)), *this;
  }
  OnnxFunction& attribute(const std::string& name) { return proto_.bytes(6, name), *this; }
  OnnxFunction& default_attribute(const ProtoBytes& attribute) { return proto_.message(11, attribute), *this; }
  const ProtoBytes& proto() const { return proto_; }

 private:
  ProtoBytes proto_;
};

class OnnxModel {
 public:
  explicit OnnxModel(const OnnxGraph& graph) { proto_.integer(1, 8).message(7, graph.proto()); }
  OnnxModel& opset(int64_t version, const std::string& domain = "") {
    return proto_.message(8, ProtoBytes().bytes(1, domain).integer(2, version)), *this;
  }
  OnnxModel& function(const OnnxFunction& f) { return proto_.message(25, f.proto()), *this; }
  const std::string& bytes() const { return proto_.str(); }

 private:
  ProtoBytes proto_;
};

inline std::unique_ptr<Graph> import_onnx(std::string bytes, const ImportOptions& options = {}, const std::string& folder = "") {
  // An exact heap block, so that a sanitizer sees any read past the end.
  auto block = std::make_shared<std::vector<char>>(bytes.begin(), bytes.end());
  return import_onnx_bytes(std::as_bytes(std::span(*block)), block, folder, options);
}
inline std::unique_ptr<Graph> import_onnx(const OnnxModel& model, const ImportOptions& options = {}) { return import_onnx(model.bytes(), options); }

/// The only live node with that op.
inline const Node& only(const Graph& graph, std::string_view op) {
  const Node* found = nullptr;
  for (const Node& node : graph.nodes())
    if (!node.dead() && node.op() == op) {
      if (found != nullptr) throw std::runtime_error("several nodes of op " + std::string(op));
      found = &node;
    }
  if (found == nullptr) throw std::runtime_error("no node of op " + std::string(op));
  return *found;
}
inline size_t count_ops(const Graph& graph, std::string_view op) {
  size_t n = 0;
  for (const Node& node : graph.nodes()) n += !node.dead() && node.op() == op;
  return n;
}
/// The message of the Error that the import raises, "" when it raises none.
inline std::string import_error(const OnnxModel& model, const ImportOptions& options = {}) {
  try {
    import_onnx(model, options);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace ge::testing

#include "ge/import/onnx/proto.hpp"

// Field numbers are those of the public onnx.proto. Fields that say nothing about what a model computes (doc strings,
// metadata, value_info, device placement, training info) are skipped.
namespace ge::onnx {
namespace {

void read_opset(const Message& message, OpsetVersions& into) {
  std::string_view domain;
  int64_t version = 0;
  for (Fields f(message, "OperatorSetIdProto"); f.next();) switch (f.id()) {
      case 1: domain = f.text(); break;
      case 2: version = f.integer(); break;
      default: f.skip();
    }
  into[plain_domain(domain)] = version;
}

AttributeProto read_attribute(const Message& message) {
  AttributeProto a;
  a.message = message;
  AttributeType guess = AttributeType::undefined;  // files of IR version 1 have no type field
  for (Fields f(message, "AttributeProto"); f.next();) {
    switch (f.id()) {
      case 1: a.name = f.text(); continue;
      case 20: a.type = static_cast<AttributeType>(f.integer()); continue;
      case 21: a.ref_name = f.text(); continue;
      case 2: guess = AttributeType::float_; break;
      case 3: guess = AttributeType::int_; break;
      case 4: guess = AttributeType::string; break;
      case 5: guess = AttributeType::tensor; break;
      case 6: guess = AttributeType::graph; break;
      case 7: guess = AttributeType::floats; break;
      case 8: guess = AttributeType::ints; break;
      case 9: guess = AttributeType::strings; break;
      default: break;
    }
    f.skip();
  }
  if (a.type == AttributeType::undefined) a.type = guess;
  return a;
}

FunctionProto read_function(const Message& message) {
  FunctionProto function;
  for (Fields f(message, "FunctionProto"); f.next();) switch (f.id()) {
      case 1: function.name = f.text(); break;
      case 4: function.inputs.push_back(f.text()); break;
      case 5: function.outputs.push_back(f.text()); break;
      case 7: function.nodes.push_back(f.message()); break;
      case 9: read_opset(f.message(), function.opsets); break;
      case 10: function.domain = plain_domain(f.text()); break;
      case 11: function.default_attributes.push_back(read_attribute(f.message())); break;
      case 13: function.overload = f.text(); break;
      default: f.skip();
    }
  return function;
}

}  // namespace

NodeProto read_node(const Message& message) {
  NodeProto node;
  for (Fields f(message, "NodeProto"); f.next();) switch (f.id()) {
      case 1: node.inputs.push_back(f.text()); break;
      case 2: node.outputs.push_back(f.text()); break;
      case 3: node.name = f.text(); break;
      case 4: node.op_type = f.text(); break;
      case 5: node.attributes.push_back(read_attribute(f.message())); break;
      case 7: node.domain = plain_domain(f.text()); break;
      case 8: node.overload = f.text(); break;
      default: f.skip();
    }
  return node;
}

ModelProto read_model(const Message& message) {
  ModelProto model;
  model.size_bytes = message.bytes.size();
  for (Fields f(message, "ModelProto"); f.next();) switch (f.id()) {
      case 1: model.ir_version = f.integer(); break;
      case 7: model.graph = f.message(); break;
      case 8: read_opset(f.message(), model.opsets); break;
      case 25: model.functions.push_back(read_function(f.message())); break;
      default: f.skip();
    }
  return model;
}

}  // namespace ge::onnx

#include "conformance/model_operators.hpp"

#include "ge/base/mapped_file.hpp"
#include "ge/model/wire_reader.hpp"

namespace ge::conformance {
namespace {

using Bytes = std::span<const std::byte>;
using Names = std::set<std::pair<std::string, std::string>>;

// Field numbers of onnx.proto.
namespace field {
constexpr uint64_t model_graph = 7, model_functions = 25, graph_node = 1, graph_input = 11, graph_output = 12, node_op = 4, node_attribute = 5, node_domain = 7,
                   attribute_graph = 6, attribute_graphs = 11, function_name = 1, function_node = 7, function_domain = 10, value_type = 2;
}  // namespace field

/// Calls `take(bytes)` for each length-delimited field of that number.
template <class Take>
void for_each(Bytes message, uint64_t number, Take&& take) {
  WireReader reader(message);
  for (WireField f; reader.next(f);)
    if (f.id == number && f.type == WireField::length_delimited) take(f.bytes);
}

std::string text(Bytes message, uint64_t number) {
  std::string found;
  for_each(message, number, [&](Bytes bytes) { found.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size()); });
  return found;
}

std::string plain_domain(std::string domain) { return domain == "ai.onnx" ? "" : domain; }

void add_nodes(Bytes message, uint64_t node_field, Names& into) {
  for_each(message, node_field, [&](Bytes node) {
    into.emplace(plain_domain(text(node, field::node_domain)), text(node, field::node_op));
    for_each(node, field::node_attribute, [&](Bytes attribute) {
      for (const uint64_t graphs : {field::attribute_graph, field::attribute_graphs})
        for_each(attribute, graphs, [&](Bytes graph) { add_nodes(graph, field::graph_node, into); });
    });
  });
}

void add_kinds(Bytes value, std::set<std::string>& into) {
  for_each(value, field::value_type, [&](Bytes type) {
    WireReader reader(type);
    for (WireField f; reader.next(f);) {
      if (f.id == 4) into.emplace("sequence");
      if (f.id == 5) into.emplace("map");
      if (f.id == 8) into.emplace("sparse tensor");
      if (f.id == 9) into.emplace("optional");
    }
  });
}

}  // namespace

ModelOperators read_model_operators(const std::string& path) {
  const auto file = MappedFile::open(path);
  ModelOperators found;
  Names own;
  for_each(file->bytes(), field::model_functions, [&](Bytes function) {
    own.emplace(plain_domain(text(function, field::function_domain)), text(function, field::function_name));
    add_nodes(function, field::function_node, found.ops);
  });
  for_each(file->bytes(), field::model_graph, [&](Bytes graph) {
    add_nodes(graph, field::graph_node, found.ops);
    for (const uint64_t values : {field::graph_input, field::graph_output}) for_each(graph, values, [&](Bytes value) { add_kinds(value, found.kinds); });
  });
  for (const auto& name : own) found.ops.erase(name);
  return found;
}

}  // namespace ge::conformance

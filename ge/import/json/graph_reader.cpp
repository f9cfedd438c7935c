#include "ge/import/json/graph_reader.hpp"

#include "ge/import/json/attribute.hpp"
#include "ge/import/json/numbers.hpp"
#include "ge/import/json/tensor.hpp"

namespace ge::json {
namespace {

/// What a node, its edges and the work of verify() take on top of its names and attributes: measured, rounded up.
constexpr size_t node_bytes = 600, output_bytes = 150, edge_bytes = 120, graph_bytes = 2048;

std::optional<uint32_t> small_index(Value value) { return read_integer<uint32_t>(value); }

}  // namespace

Graph& GraphReader::root(std::string_view before) {
  if (!root_) throw Error(ErrorCode::invalid_model, "'name' (of the graph, a string) has to stand before '" + std::string(before) + "'");
  return *root_;
}

void GraphReader::no_object(std::string_view place, Value value) { findings_.expected(Place(place.empty() ? "the document" : place), value, "an object"); }

void GraphReader::member(std::string_view key, Value value) {
  const Place place(key);
  if (key == "format") {
    format_ = value.is(Kind::string) && value.text() == "ge graph";
    if (!format_) findings_.expected(place, value, "'ge graph'");
  } else if (key == "version") {
    version_ = value.is(Kind::integer) && value.integer() == 1;
    if (!version_) findings_.expected(place, value, "1, the only version of this form that there is");
  } else if (key == "name") {
    if (root_) return findings_.add(place, "this key stands twice");
    root_ = std::make_unique<Graph>(read_string(place, value, findings_).value_or("graph"));
    expressions_ = std::make_unique<ExpressionReader>(root_->symbols(), budget_);
  } else if (key == "symbols" || key == "expressions" || key == "graphs") {
    findings_.expected(place, value, "an array");
  } else {
    findings_.add(Place("the document"), "key '" + std::string(key.substr(0, 60)) + "' is not known; the keys are format, version, name, symbols, expressions, graphs");
  }
}

void GraphReader::symbol(size_t index, Value value) {
  SymbolTable& symbols = root("symbols").symbols();
  const Place list("symbols"), place(list, index);
  if (graph_count_ > 0 || expressions_->definitions() > 0) throw Error(ErrorCode::invalid_model, "'symbols' has to stand before 'expressions' and 'graphs'");
  static constexpr std::string_view keys[] = {"name", "min", "max"};
  std::optional<Value> found[3];
  if (!findings_.members(place, value, keys, found)) return;
  if (!found[0]) return findings_.add(place, "has no 'name'");
  const auto name = read_string(Place(place, "name"), *found[0], findings_);
  Bounds bounds;
  const auto read_bound = [&](const char* key, const std::optional<Value>& given, int64_t& bound) {
    if (!given) return;
    const auto number = read_integer<int64_t>(*given);
    if (!number) findings_.expected(Place(place, key), *given, "an integer within 64 bits");
    bound = number.value_or(bound);
  };
  read_bound("min", found[1], bounds.lo);
  read_bound("max", found[2], bounds.hi);
  if (!name) return;
  if (name->empty()) return findings_.add(place, "the name of a symbol is empty");
  if (symbols.find_symbol(*name)) return findings_.add(place, "symbol '" + *name + "' stands twice");
  if (bounds.lo > bounds.hi) return findings_.add(place, "'min' is " + std::to_string(bounds.lo) + ", more than 'max', " + std::to_string(bounds.hi));
  budget_.add(200 + 2 * name->size());
  symbols.symbol(*name, bounds);
}

void GraphReader::expression(size_t index, Value value) {
  root("expressions");
  const Place list("expressions"), place(list, index);
  if (graph_count_ > 0) throw Error(ErrorCode::invalid_model, "'expressions' has to stand before 'graphs'");
  budget_.add(sizeof(Expr) * 2);
  Expr read = root_->symbols().constant(0);
  const auto text = read_string(place, value, findings_);
  try {
    if (text) read = expressions_->expression(*text);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_model) throw;
    findings_.add(place, error.what());
  }
  expressions_->define(read);
}

void GraphReader::begin_graph(size_t index) {
  Graph& first = root("graphs");
  budget_.add(graph_bytes);
  number_ = index;
  ++graph_count_;
  graph_ = index == 0 ? &first : nullptr;
  output_names_.reset();
}

/// Subgraphs begin at their name; one that comes without it (a finding) begins at its first node.
Graph& GraphReader::graph() {
  if (graph_ != nullptr) return *graph_;
  findings_.add(Place(graphs(), number_), "'name' is missing, or does not stand before the nodes");
  graph_ = &root_->add_subgraph("");
  return *graph_;
}

void GraphReader::graph_member(std::string_view key, Value value) {
  const Place list = graphs(), outer(list, number_), place(outer, key);
  if (key == "name" && number_ > 0) {
    if (graph_ != nullptr) return findings_.add(place, "stands twice, or after the nodes");
    graph_ = &root_->add_subgraph(read_string(place, value, findings_).value_or(""));
  } else if (key == "outputs") {
    if (output_names_) return findings_.add(place, "this key stands twice");
    output_names_.emplace();
    if (!value.is(Kind::array)) return findings_.expected(place, value, "an array of names");
    value.each_item([&](Value item, size_t i) {
      auto name = read_string(Place(place, i), item, findings_);
      budget_.add(sizeof(std::string) + name.value_or("").size());
      output_names_->push_back(std::move(name).value_or(""));
    });
  } else if (key == "nodes") {
    findings_.expected(place, value, "an array");
  } else {
    findings_.add(outer, "key '" + std::string(key.substr(0, 60)) + "' is not known; the keys are " + (number_ > 0 ? "name, " : "") + "nodes, outputs" +
                             (number_ == 0 && key == "name" ? " (the root's name stands at the top of the document)" : ""));
  }
}

void GraphReader::node(size_t index, Value value) {
  Graph& into = graph();
  line_ = index;
  const Place list = graphs(), outer(list, number_), nodes(outer, "nodes"), place(nodes, index);
  static constexpr std::string_view keys[] = {"name", "op", "domain", "inputs", "after", "attributes", "subgraphs", "outputs"};
  std::optional<Value> found[std::size(keys)];
  if (!findings_.members(place, value, keys, found)) return;
  const auto& [name, op, domain, inputs, after, attributes, subgraphs, outputs] = found;
  NodeSpec spec;
  const auto text = [&](const std::optional<Value>& given, const char* key, bool required) {
    if (!given && required) findings_.add(place, "has no '" + std::string(key) + "'");
    return given ? read_string(Place(place, key), *given, findings_).value_or("") : std::string();
  };
  spec.name = text(name, "name", true);
  spec.op = text(op, "op", true);
  spec.domain = text(domain, "domain", false);
  if (name && spec.name.empty()) findings_.add(place, "its name is empty");
  if (spec.name.empty()) return;
  if (names_.find(spec.name) != nullptr) return findings_.add(Place(place, "name"), "another node is named '" + spec.name + "'");
  budget_.add(node_bytes + 3 * spec.name.size() + 2 * spec.op.size());

  const NodeId id(static_cast<uint32_t>(into.node_count()));
  if (inputs) read_inputs(Place(place, "inputs"), *inputs, id, spec);
  if (after) read_controls(Place(place, "after"), *after, id);
  if (attributes) spec.attributes = read_attributes(Place(place, "attributes"), *attributes, findings_, budget_);
  if (subgraphs) read_subgraphs(Place(place, "subgraphs"), *subgraphs, spec);
  std::vector<TensorType> types;
  if (outputs) read_outputs(Place(place, "outputs"), *outputs, spec, types);
  add(spec, types);
}

void GraphReader::add(const NodeSpec& spec, const std::vector<TensorType>& types) {
  Graph& into = graph();
  const bool is_data = spec.op == op_types::data && spec.domain.empty();
  NodeId id;
  if (is_data) {
    if (spec.outputs.size() != 1 || !spec.inputs.empty() || !spec.subgraphs.empty())
      findings_.add(Place(Place(Place(graphs(), number_), "nodes"), line_), "a Data node has one output, no inputs and no subgraphs");
    id = into.add_input(spec.name, types.empty() ? TensorType() : types[0]).node;
    if (!spec.outputs.empty()) into.set_output_name({id, 0}, spec.outputs[0]);
    for (const auto& [name, value] : spec.attributes) into.set_attribute(id, name, value);
  } else {
    id = into.add_node(spec);
    for (uint32_t i = 0; i < types.size(); ++i) into.set_type({id, i}, types[i]);
  }
  names_.add(into, id);
}

void GraphReader::read_inputs(const Place& place, Value value, NodeId id, NodeSpec& spec) {
  if (!value.is(Kind::array)) return findings_.expected(place, value, "an array");
  budget_.add(value.size() * edge_bytes);
  value.each_item([&](Value item, size_t i) { read_reference(Place(place, i), item, {id, static_cast<uint32_t>(i)}, spec); });
}

void GraphReader::read_reference(const Place& place, Value value, InputRef at, NodeSpec& spec) {
  spec.inputs.push_back({});
  if (value.is(Kind::null)) return;
  const bool pair = value.is(Kind::array) && value.size() == 2 && value.first().is(Kind::string) && small_index(value.first().next());
  if (!pair && !value.is(Kind::string)) return findings_.expected(place, value, "the name of a node, [name, number of its output], or null for an input that is not given");
  const auto name = read_string(place, pair ? value.first() : value, findings_);
  const uint32_t output = pair ? *small_index(value.first().next()) : 0;
  if (!name) return;
  if (const NodeNames::Entry* entry = names_.find(*name)) {
    spec.inputs.back() = resolve(place, *entry, output);
    return;
  }
  budget_.add(sizeof(Ahead) + name->size());
  ahead_.push_back({at, *name, output, line_});
}

OutputRef GraphReader::resolve(const Place& place, const NodeNames::Entry& entry, uint32_t output) {
  const Node& node = entry.graph->node(entry.node);
  if (entry.graph != graph_) {
    findings_.add(place, "node '" + node.name() + "' stands in another graph; a subgraph gets values through its Data nodes");
    return {};
  }
  if (output >= node.outputs().size()) {
    findings_.add(place, "node '" + node.name() + "' has no output " + std::to_string(output) + ", only " + std::to_string(node.outputs().size()) + " outputs");
    return {};
  }
  return {entry.node, output};
}

void GraphReader::read_controls(const Place& place, Value value, NodeId id) {
  if (!value.is(Kind::array)) return findings_.expected(place, value, "an array of names");
  value.each_item([&](Value item, size_t i) {
    auto name = read_string(Place(place, i), item, findings_);
    if (!name) return;
    budget_.add(sizeof(Control) + edge_bytes + name->size());
    controls_.push_back({id, line_, i, std::move(*name)});
  });
}

void GraphReader::read_subgraphs(const Place& place, Value value, NodeSpec& spec) {
  if (!value.is(Kind::array)) return findings_.expected(place, value, "an array of numbers");
  value.each_item([&](Value item, size_t i) {
    const auto number = small_index(item);
    if (!number || *number == 0) return findings_.expected(Place(place, i), item, "the number of a graph in 'graphs', 1 or more (0 is the root)");
    budget_.add(64);
    if (!owners_.emplace(*number, number_).second) return findings_.add(Place(place, i), "graph " + std::to_string(*number) + " belongs to another node already");
    spec.subgraphs.push_back(GraphId(*number - 1));
  });
}

void GraphReader::read_outputs(const Place& place, Value value, NodeSpec& spec, std::vector<TensorType>& types) {
  if (!value.is(Kind::array)) return findings_.expected(place, value, "an array");
  budget_.add(value.size() * output_bytes);
  types.resize(value.size());
  value.each_item([&](Value item, size_t i) {
    spec.outputs.emplace_back();
    if (item.is(Kind::null)) return;
    const Place at(place, i);
    static constexpr std::string_view keys[] = {"name", "type"};
    std::optional<Value> found[2];
    if (!findings_.members(at, item, keys, found)) return;
    if (!found[0]) return findings_.add(at, "has no 'name'");
    spec.outputs.back() = read_string(Place(at, "name"), *found[0], findings_).value_or("");
    budget_.add(spec.outputs.back().size());
    if (found[1]) types[i] = read_type(Place(at, "type"), *found[1]);
  });
}

TensorType GraphReader::read_type(const Place& place, Value value) {
  const auto text = read_string(place, value, findings_);
  if (!text) return {};
  TensorType type;
  try {
    type = expressions_->type(*text);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_model) throw;
    findings_.add(place, error.what());
    return {};
  }
  for (size_t i = 0; type.shape && i < type.rank(); ++i)
    if (const Expr dim = (*type.shape)[i]; dim && dim.is_constant() && dim.value() < 0) {
      findings_.add(place, "dim " + std::to_string(i) + " is " + std::to_string(dim.value()) + ", expected 0 or more, or a symbol");
      return {};
    }
  if (type.values) {
    const auto dims = type.shape ? constant_dims(*type.shape) : std::nullopt;
    const auto count = dims ? element_count(*dims) : std::nullopt;
    const bool integers = type.dtype == DType::int64 || type.dtype == DType::int32 || type.dtype == DType::boolean;
    if (!integers || !count || static_cast<uint64_t>(*count) != type.values->size()) {
      findings_.add(place, describe(value) + " gives " + std::to_string(type.values->size()) + " elements; elements are given one for each place of an int64, int32 or bool tensor whose dims are numbers");
      return {};
    }
  }
  budget_.add(sizeof(Expr) * ((type.shape ? type.rank() : 0) + (type.values ? type.values->size() : 0)));
  return type;
}

}  // namespace ge::json

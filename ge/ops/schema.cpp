#include "ge/ops/schema.hpp"

#include <algorithm>

namespace ge {

GE_DEFINE_REGISTRY(op_schemas, OpSchema, "op")

OpSchema& OpSchema::in(std::string n, DTypeSet types, std::string type_var) {
  inputs.push_back({std::move(n), types, std::move(type_var), false, false});
  return *this;
}
OpSchema& OpSchema::optional_in(std::string n, DTypeSet types, std::string type_var) {
  inputs.push_back({std::move(n), types, std::move(type_var), true, false});
  return *this;
}
OpSchema& OpSchema::variadic_in(std::string n, DTypeSet types, std::string type_var) {
  inputs.push_back({std::move(n), types, std::move(type_var), false, true});
  return *this;
}
OpSchema& OpSchema::out(std::string n, DTypeSet types, std::string type_var) {
  outputs.push_back({std::move(n), types, std::move(type_var), false, false});
  return *this;
}
OpSchema& OpSchema::optional_out(std::string n, DTypeSet types, std::string type_var) {
  outputs.push_back({std::move(n), types, std::move(type_var), true, false});
  return *this;
}
OpSchema& OpSchema::variadic_out(std::string n, DTypeSet types, std::string type_var) {
  outputs.push_back({std::move(n), types, std::move(type_var), false, true});
  return *this;
}
OpSchema& OpSchema::attribute(std::string n, AttributeValue by_default) {
  attributes.push_back({std::move(n), std::move(by_default), false, true});
  return *this;
}
OpSchema& OpSchema::optional_attribute(std::string n, AttributeValue sample) {
  attributes.push_back({std::move(n), std::move(sample), false, false});
  return *this;
}
OpSchema& OpSchema::required_attribute(std::string n, AttributeValue sample) {
  attributes.push_back({std::move(n), std::move(sample), true, false});
  return *this;
}
OpSchema& OpSchema::subgraph(std::string n) {
  subgraphs.push_back(std::move(n));
  return *this;
}
OpSchema& OpSchema::content(size_t input) {
  content_inputs.push_back(input);
  return *this;
}
OpSchema& OpSchema::control(ControlFlow kind) {
  control_flow = kind;
  return *this;
}
OpSchema& OpSchema::nondeterministic() {
  deterministic = false;
  return *this;
}
OpSchema& OpSchema::of(KindSet kinds) {
  (outputs.empty() ? inputs : outputs).back().kinds = kinds;
  return *this;
}
OpSchema& OpSchema::done_by_walk() {
  by_walk = true;
  return *this;
}
OpSchema& OpSchema::infer(InferFn fn) {
  infer_fn = fn;
  return *this;
}

static size_t least(const std::vector<Formal>& formals) {
  size_t n = 0;
  for (size_t i = 0; i < formals.size(); ++i)
    if (!formals[i].optional) n = i + 1;
  return n;
}
static size_t most(const std::vector<Formal>& formals) {
  return !formals.empty() && formals.back().variadic ? SIZE_MAX : formals.size();
}
size_t OpSchema::min_inputs() const { return least(inputs); }
size_t OpSchema::max_inputs() const { return most(inputs); }
size_t OpSchema::min_outputs() const { return least(outputs); }
size_t OpSchema::max_outputs() const { return most(outputs); }
const Formal& OpSchema::input_formal(size_t i) const { return inputs[std::min(i, inputs.size() - 1)]; }
const Formal& OpSchema::output_formal(size_t i) const { return outputs[std::min(i, outputs.size() - 1)]; }

const AttributeRule* OpSchema::find_attribute(std::string_view n) const {
  for (const AttributeRule& rule : attributes)
    if (rule.name == n) return &rule;
  return nullptr;
}

bool OpSchema::needs_content(size_t input) const {
  return std::find(content_inputs.begin(), content_inputs.end(), input) != content_inputs.end();
}

std::string op_key(std::string_view domain, std::string_view name) {
  return domain.empty() ? std::string(name) : std::string(domain) + "::" + std::string(name);
}

const OpSchema* find_schema(std::string_view domain, std::string_view name) { return op_schemas().find(op_key(domain, name)); }

OpSchema make_schema(std::string domain, std::string name, int64_t version, std::string doc, OpSchema rest) {
  rest.domain = std::move(domain);
  rest.name = std::move(name);
  rest.version = version;
  rest.doc = std::move(doc);
  return rest;
}

}  // namespace ge

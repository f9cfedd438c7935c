#include "ge/ops/schema.hpp"

#include <map>

namespace ge {
namespace {

std::string range(size_t lo, size_t hi) {
  if (lo == hi) return std::to_string(lo);
  return hi == SIZE_MAX ? "at least " + std::to_string(lo) : std::to_string(lo) + " to " + std::to_string(hi);
}

void check_arity(const OpSchema& schema, const InferContext& context) {
  if (context.input_count() < schema.min_inputs() || context.input_count() > schema.max_inputs())
    context.fail("has " + std::to_string(context.input_count()) + " inputs, expected " + range(schema.min_inputs(), schema.max_inputs()));
  if (context.output_count() < schema.min_outputs() || context.output_count() > schema.max_outputs())
    context.fail("has " + std::to_string(context.output_count()) + " outputs, expected " + range(schema.min_outputs(), schema.max_outputs()));
}

std::string names(DTypeSet types) {
  std::string text;
  for (unsigned i = 1; i < dtype_count; ++i)
    if (contains(types, static_cast<DType>(i))) text += (text.empty() ? "" : ", ") + std::string(to_string(static_cast<DType>(i)));
  return text;
}

std::string names(KindSet kinds) {
  std::string text;
  for (unsigned i = 0; i < value_kind_count; ++i)
    if (contains(kinds, static_cast<ValueKind>(i))) text += (text.empty() ? "" : " or ") + std::string(to_string(static_cast<ValueKind>(i)));
  return text;
}

void check_kind(const InferContext& context, const char* which, size_t i, const Formal& formal, const TensorType& type) {
  if (!contains(formal.kinds, type.kind))
    context.fail(std::string(which) + " " + std::to_string(i) + " (" + formal.name + ") is " + to_string(type) + ", expected a " + names(formal.kinds));
}

void check_inputs(const OpSchema& schema, const InferContext& context) {
  std::map<std::string, std::pair<DType, size_t>> bound;
  for (size_t i = 0; i < context.input_count(); ++i) {
    const Formal& formal = schema.input_formal(i);
    if (!context.has_input(i)) {
      if (!formal.optional) context.fail("input " + std::to_string(i) + " (" + formal.name + ") is missing");
      continue;
    }
    check_kind(context, "input", i, formal, context.input(i));
    const DType dtype = context.dtype(i);
    if (!contains(formal.types, dtype))
      context.fail("input " + std::to_string(i) + " (" + formal.name + ") is " + std::string(to_string(dtype)) + ", expected one of " +
                   names(formal.types));
    if (formal.type_var.empty()) continue;
    const auto [it, fresh] = bound.try_emplace(formal.type_var, dtype, i);
    if (!fresh && it->second.first != dtype)
      context.fail("input " + std::to_string(i) + " (" + formal.name + ") is " + std::string(to_string(dtype)) + ", expected " +
                   std::string(to_string(it->second.first)) + " as input " + std::to_string(it->second.second));
  }
}

void check_attributes(const OpSchema& schema, const InferContext& context) {
  for (const auto& [name, value] : context.attributes()) {
    if (name.starts_with('_')) continue;  // marks of the compiler and of users, not of the op
    const AttributeRule* rule = schema.find_attribute(name);
    if (rule == nullptr) context.fail("attribute '" + name + "' is not one of this op's");
    if (rule->sample.index() != value.index())
      context.fail("attribute '" + name + "' is of kind " + std::string(kind_name(value)) + ", expected " +
                   std::string(kind_name(rule->sample)));
  }
  for (const AttributeRule& rule : schema.attributes)
    if (rule.required && !context.attributes().has(rule.name))
      context.fail("attribute '" + rule.name + "' (" + std::string(kind_name(rule.sample)) + ") is missing");
}

void check_outputs(const OpSchema& schema, const InferContext& context) {
  for (size_t i = 0; i < context.output_count(); ++i) {
    const DType dtype = context.results()[i].dtype;
    if (!context.has_output(i) || dtype == DType::undefined) continue;
    const Formal& formal = schema.output_formal(i);
    check_kind(context, "output", i, formal, context.results()[i]);
    if (!contains(formal.types, dtype))
      context.fail("output " + std::to_string(i) + " (" + formal.name + ") would be " + std::string(to_string(dtype)) + ", expected one of " +
                   names(formal.types));
  }
}

}  // namespace

void check_and_infer(const OpSchema& schema, InferContext& context) {
  check_arity(schema, context);
  check_inputs(schema, context);
  check_attributes(schema, context);
  if (schema.infer_fn == nullptr) return;
  schema.infer_fn(context);
  check_outputs(schema, context);
}

}  // namespace ge

#include "ge/ops/schema.hpp"

namespace ge {
namespace {

OpSchema any() {
  OpSchema schema;
  schema.variadic_in("inputs").variadic_out("outputs");
  schema.inputs.back().optional = true;
  schema.outputs.back().optional = true;
  return schema;
}

}  // namespace
}  // namespace ge

REGISTER_OP("test", "Any", 1, "for tests: takes and gives any number of values", ge::any());

// If (25) and Loop (25), in the IR's closed form: what a branch or body reads from outside is an input of the node. Their
// output types follow from their subgraphs, so inference is the graph's business.
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// A variadic input that may be empty, and whose members may be absent or of any types.
OpSchema with_rest(OpSchema schema, std::string name) {
  schema.variadic_in(std::move(name));
  schema.inputs.back().optional = true;
  return schema;
}
OpSchema with_outputs(OpSchema schema) {
  schema.variadic_out("outputs");
  schema.outputs.back().optional = true;
  return schema;
}

REGISTER_OP("", "If", 25, "runs one of two graphs",
            with_outputs(with_rest(OpSchema().in("cond", dtypes::boolean), "captures"))
                .subgraph("then_branch")
                .subgraph("else_branch")
                .control(ControlFlow::branch));
REGISTER_OP("", "Loop", 25, "runs a graph again and again",
            with_outputs(with_rest(OpSchema().optional_in("M", dtype_set(DType::int64)).optional_in("cond", dtypes::boolean),
                                   "carried_and_captures"))
                .attribute("_carried", int64_t{0})
                .subgraph("body")
                .control(ControlFlow::loop));

}  // namespace
}  // namespace ge

// If (25), Loop (25) and SequenceMap (17), in the IR's closed form: what a branch or body reads from outside is an input of the node. Their
// output types follow from their subgraphs, so inference is the graph's business.
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// A variadic input that may be empty, and whose members may be absent or of any types.
OpSchema with_rest(OpSchema schema, std::string name) {
  schema.variadic_in(std::move(name)).of(kinds::any);
  schema.inputs.back().optional = true;
  return schema;
}
OpSchema with_outputs(OpSchema schema) {
  schema.variadic_out("outputs").of(kinds::any);
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
// Of its inputs, "_carried" are its own: sequences, whose elements the body gets one by one, and what every call of the
// body gets. The captures follow.
REGISTER_OP("", "SequenceMap", 17, "runs a graph for each element of a sequence",
            with_rest(OpSchema().in("input_sequence").of(kinds::sequence), "additional_inputs_and_captures")
                .variadic_out("out_sequence")
                .of(kinds::sequence)
                .attribute("_carried", int64_t{0})
                .subgraph("body")
                .control(ControlFlow::map));

}  // namespace
}  // namespace ge

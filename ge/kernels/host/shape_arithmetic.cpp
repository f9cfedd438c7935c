/// Shape arithmetic: where instantiate knows every element of an op's outputs (Shape, and what is computed from it),
/// nothing is left to run; a reader that needs the bytes finds them among the task list's constants.
#include "ge/kernels/kernel.hpp"

namespace ge {
namespace {

bool outputs_known(const KernelQuery& query) { return query.outputs_known; }

void prepare_known(const KernelSite& site, TaskBuilder& tasks) {
  for (size_t i = 0; i < site.outputs.size(); ++i)
    if (site.has_output(i)) tasks.known(i);
}

#define GE_HOST_KERNEL(op) \
  REGISTER_CPU_KERNEL("host", "", op, "", "known before the run", {.supports = outputs_known, .prepare = prepare_known})

GE_HOST_KERNEL("Add");
GE_HOST_KERNEL("And");
GE_HOST_KERNEL("Cast");
GE_HOST_KERNEL("Concat");
GE_HOST_KERNEL("ConstantOfShape");
GE_HOST_KERNEL("Div");
GE_HOST_KERNEL("Equal");
GE_HOST_KERNEL("Expand");
GE_HOST_KERNEL("Gather");
GE_HOST_KERNEL("Greater");
GE_HOST_KERNEL("GreaterOrEqual");
GE_HOST_KERNEL("Identity");
GE_HOST_KERNEL("Less");
GE_HOST_KERNEL("LessOrEqual");
GE_HOST_KERNEL("Max");
GE_HOST_KERNEL("Min");
GE_HOST_KERNEL("Mod");
GE_HOST_KERNEL("Mul");
GE_HOST_KERNEL("Neg");
GE_HOST_KERNEL("Not");
GE_HOST_KERNEL("Or");
GE_HOST_KERNEL("Range");
GE_HOST_KERNEL("ReduceMax");
GE_HOST_KERNEL("ReduceMin");
GE_HOST_KERNEL("ReduceProd");
GE_HOST_KERNEL("ReduceSum");
GE_HOST_KERNEL("Reshape");
GE_HOST_KERNEL("Shape");
GE_HOST_KERNEL("Size");
GE_HOST_KERNEL("Slice");
GE_HOST_KERNEL("Split");
GE_HOST_KERNEL("Squeeze");
GE_HOST_KERNEL("Sub");
GE_HOST_KERNEL("Tile");
GE_HOST_KERNEL("Transpose");
GE_HOST_KERNEL("Unsqueeze");
GE_HOST_KERNEL("Where");

}  // namespace
}  // namespace ge

/// Repeats, at compile time, the choice that instantiate makes for each node, and keeps what became of every candidate.
#include "ge/kernels/kernel.hpp"
#include "ge/session/report/gather.hpp"

#include <algorithm>

namespace ge {

CompileReport::Choice kernel_choice(const Graph& graph, const Node& node, const std::vector<std::string>& engines) {
  using Verdict = CompileReport::Verdict;
  std::vector<DType> in, out;
  bool outputs_known = !node.outputs().empty();
  for (OutputRef ref : node.inputs()) in.push_back(ref ? graph.type(ref).dtype : DType::undefined);
  for (const NodeOutput& output : node.outputs()) {
    out.push_back(output.name.empty() ? DType::undefined : output.type.dtype);
    // Elements that are expressions have numbers once the sizes of a run are known.
    outputs_known &= output.name.empty() || output.type.values.has_value();
  }
  const Target target;
  const KernelQuery query{node.domain(), node.op(), node.attributes(), in, out, target, outputs_known};

  CompileReport::Choice choice;
  bool chosen = false;
  for (const Kernel* kernel : kernels_of(node.domain(), node.op())) {
    Verdict verdict = Verdict::not_needed;
    if (!engines.empty() && std::find(engines.begin(), engines.end(), kernel->engine) == engines.end()) verdict = Verdict::not_allowed;
    else if (kernel->supports != nullptr && !kernel->supports(query)) verdict = Verdict::not_supported;
    else if (!chosen) chosen = true, verdict = Verdict::chosen;
    choice.push_back({kernel->engine, kernel->variant, verdict});
  }
  return choice;
}

}  // namespace ge

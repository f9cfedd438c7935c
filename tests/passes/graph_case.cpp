#include "passes/graph_case.hpp"

namespace ge::testing {

size_t GraphCase::run(const std::string& pass, ConstantEvaluator* evaluator, int64_t fold_limit_bytes) {
  PassOptions options;
  for (const Registered& item : passes().list())
    if (item.key != pass) options.disabled.insert(item.key);
  infer(graph);
  PassContext context{evaluator, fold_limit_bytes};
  for (const PassCount& count : run_passes(graph, context, options).passes)
    if (count.name == pass) return count.changes;
  return 0;
}

std::vector<Tensor> FloatEvaluator::evaluate(const Graph& graph, NodeId id, std::span<const Tensor> inputs) {
  ++calls;
  const std::string& op = graph.node(id).op();
  if ((op != "Add" && op != "Mul" && op != "Neg") || inputs[0].dtype() != DType::float32)
    throw Error(ErrorCode::unsupported, "the test evaluates only Add, Mul and Neg on floats");
  const Tensor& a = inputs[0];
  const Tensor& b = inputs.back();
  if (a.dims() != b.dims()) throw Error(ErrorCode::run_failed, "the test does not broadcast");
  std::vector<float> out;
  for (int64_t i = 0; i < a.count(); ++i) {
    const float x = a.at<float>(i), y = b.at<float>(i);
    out.push_back(op == "Add" ? x + y : op == "Mul" ? x * y : -x);
  }
  return {Tensor::from<float>(DType::float32, a.dims(), std::span<const float>(out))};
}
}  // namespace ge::testing

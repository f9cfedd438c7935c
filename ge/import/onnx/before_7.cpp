#include "ge/import/onnx/before_7.hpp"

#include <algorithm>

namespace ge::onnx {
namespace {

// The same since opset 1 up to opset 7, but for type constraints, documentation, "consumed_inputs" and attributes whose
// default keeps the old meaning (ONNX's changelog, "Operator Changelog"). Later changes have steps of their own.
constexpr std::string_view unchanged[] = {
    "Abs", "ArgMax", "ArgMin", "AveragePool", "Ceil", "Clip", "Constant", "Conv", "ConvTranspose", "DepthToSpace", "Elu", "Exp", "Flatten", "Floor",
    "Gather", "GlobalAveragePool", "GlobalMaxPool", "HardSigmoid", "Hardmax", "Identity", "If", "InstanceNormalization", "LRN", "LeakyRelu", "Log",
    "LogSoftmax", "Loop", "LpNormalization", "MatMul", "Max", "MaxPool", "MaxRoiPool", "Mean", "Min", "Neg", "Not", "RandomNormal", "RandomNormalLike",
    "RandomUniform", "RandomUniformLike", "Reciprocal", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin",
    "ReduceProd", "ReduceSum", "ReduceSumSquare", "Relu", "Shape", "Sigmoid", "Size", "Slice", "Softmax", "Softplus", "Softsign", "SpaceToDepth", "Sqrt",
    "Squeeze", "Sum", "Tanh", "TopK", "Transpose", "Unsqueeze",
};

// Changed between opset 1 and 7; upgrade_before_7.cpp and upgrade_broadcast.cpp have a step for each.
constexpr std::string_view upgraded[] = {
    "Add", "And", "BatchNormalization", "Cast", "Concat", "Div", "Dropout", "Equal", "GRU", "Gemm", "GlobalLpPool", "Greater", "LSTM", "Less", "LpPool",
    "Mul", "Or", "PRelu", "Pad", "Pow", "RNN", "Reshape", "Selu", "Split", "Sub", "Tile", "Upsample", "Xor",
};

static_assert(std::ranges::is_sorted(unchanged) && std::ranges::is_sorted(upgraded), "the tables are searched by halves");

}  // namespace

bool known_before_7(std::string_view op) { return std::ranges::binary_search(unchanged, op) || std::ranges::binary_search(upgraded, op); }

void take_old_forms(GraphDraft& root, Diagnostics& findings) {
  for (NodeDraft& node : root.nodes) {
    for (auto& [attribute, subgraph] : node.subgraphs) take_old_forms(*subgraph, findings);
    if (!node.domain.empty() || node.version < 1 || node.version > 6) continue;
    if (!known_before_7(node.op))
      findings.add(node.where(), "is no op of opset " + std::to_string(node.version) +
                                     " that is supported; correct the model's opset_import, or convert it to opset 7 or newer with onnx.version_converter");
    if (node.version < 6) node.attributes.erase("consumed_inputs");
  }
}

}  // namespace ge::onnx

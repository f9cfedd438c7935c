#include "conformance/case_rules.hpp"

#include "ge/import/opset_ranges.hpp"
#include "ge/kernels/kernel.hpp"
#include "ge/ops/schema.hpp"
#include "ge/passes/function_bodies.hpp"
#include "tools/data_sets.hpp"

#include <algorithm>
#include <map>

namespace ge::conformance {
namespace {

/// Cases that cannot be run as they are written in ONNX up to 1.12, where bfloat16 tensors are stored as uint16.
const std::set<std::string> contradictory_bfloat16 = {"test_castlike_BFLOAT16_to_FLOAT", "test_castlike_BFLOAT16_to_FLOAT_expanded",
                                                      "test_castlike_FLOAT_to_BFLOAT16", "test_castlike_FLOAT_to_BFLOAT16_expanded"};

bool has_uint16_data(const OnnxCase& c) {
  for (const tools::DataSet& set : tools::find_data_sets(c.folder))
    for (const char* kind : {"input", "output"})
      for (const auto& [index, value] : tools::read_values(set, kind, {}))
        if (!value.tensors.empty() && value.tensors[0].dtype() == DType::uint16) return true;
  return false;
}

/// Dropout in training mode. With ratio 0 (test_training_dropout_zero_ratio) nothing is random.
const std::set<std::string> random_dropouts = {"test_training_dropout", "test_training_dropout_default", "test_training_dropout_mask",
                                               "test_training_dropout_default_mask"};

// Every op of the model zoo, Loop, all reductions, all pooling, the shape ops.
constexpr std::string_view required[] = {
    "Add", "AveragePool", "BatchNormalization", "Cast", "Clip", "Concat", "Constant", "ConstantOfShape", "Conv", "ConvTranspose", "Div", "Equal", "Expand",
    "Flatten", "Gather", "GlobalAveragePool", "GlobalMaxPool", "HardSigmoid", "Identity", "If", "LSTM", "LeakyRelu", "Log", "Loop", "MatMul", "Max", "MaxPool",
    "Mul", "Neg", "Not", "Pad", "Pow", "Range", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
    "ReduceSum", "ReduceSumSquare", "Relu", "Reshape", "Resize", "Shape", "Sigmoid", "Size", "Slice", "Softmax", "Split", "Sqrt", "Squeeze", "Sub", "Tile",
    "Transpose", "Unsqueeze",
};
static_assert(std::ranges::is_sorted(required));

bool can_run(const std::string& op) {
  if (op == "Constant") return true;
  const onnx::OpsetRange* range = onnx::opset_range(op);
  const std::string name(range != nullptr && !range->becomes.empty() ? range->becomes : op);
  const OpSchema* schema = find_schema("", name);
  if (schema == nullptr) return false;
  if (function_bodies().find(name) != nullptr) return true;
  // The host engine only writes down what is known before the run.
  const auto kernels = kernels_of("", name);
  return schema->control_flow != ControlFlow::none || schema->by_walk || std::ranges::any_of(kernels, [](const Kernel* kernel) { return kernel->engine != "host"; });
}

}  // namespace

std::optional<std::string> skip_reason(const OnnxCase& c, const ModelOperators& model) {
  if (c.only_url) return "the model is only an address on the network";
  for (const auto& [domain, op] : model.ops) {
    if (domain == "ai.onnx.preview.training") return "training: domain ai.onnx.preview.training";
    if (op == "ImageDecoder") return "ImageDecoder reads image files";
  }
  if (contradictory_bfloat16.contains(c.name) && has_uint16_data(c)) return "the data has an input of other dims than the model declares (bfloat16 as uint16, ONNX up to 1.12)";
  return std::nullopt;
}

std::optional<std::string> missing_operator(const ModelOperators& model) {
  for (const auto& [domain, op] : model.ops)
    if (domain.empty() && !can_run(op)) return op;
  return std::nullopt;
}

std::optional<std::string> not_yet_reason(const ModelOperators& model) {
  for (const char* kind : {"map", "sparse tensor"})
    if (model.kinds.contains(kind)) return std::string(kind) + " as input or output";
  return std::nullopt;
}

std::string random_rule(const OnnxCase& c, const std::set<std::string>& ops) {
  // Written out as RandomUniformLike < p, Bernoulli has the same outputs.
  if (c.name.starts_with("test_bernoulli")) return "zero_or_one";
  if (random_dropouts.contains(c.name)) return "dropout";
  for (const char* op : {"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial", "Bernoulli"})
    if (ops.contains(op)) return "finite";
  return "";
}

Wider wider_tolerance(const OnnxCase& c) {
  static const std::map<std::string, Wider> wider{
      // Expected sums were rounded to float16 at each step: two units in the last place.
      {"test_attention_4d_causal_fp16_expanded", {0x1p-9, 0}},
      // Expected outputs near 0 were computed in float32 from numbers up to 100: a unit in the last place of those.
      {"test_dft_inverse", {0, 0x1p-17}},
      {"test_dft_inverse_opset19", {0, 0x1p-17}},
  };
  const auto it = wider.find(c.name);
  return it == wider.end() ? Wider() : it->second;
}

bool is_required(const std::string& op) { return std::ranges::binary_search(required, op); }

std::set<std::string> required_but_not_run(const std::set<std::string>& ran) {
  std::set<std::string> lost;
  for (const std::string_view op : required)
    if (!ran.contains(std::string(op))) lost.emplace(op);
  return lost;
}

}  // namespace ge::conformance

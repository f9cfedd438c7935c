#include "ge/passes/fold_work.hpp"

#include "ge/ops/infer_context.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace ge {
namespace {

double count_of(const Tensor& tensor) { return tensor ? static_cast<double>(tensor.count()) : 0; }

double outputs_of(const Node& node) {
  double sum = 0;
  for (const NodeOutput& output : node.outputs()) {
    const auto dims = output.type.shape ? constant_dims(*output.type.shape) : std::nullopt;
    if (dims) sum += static_cast<double>(element_count(*dims).value_or(0));
  }
  return sum;
}

/// Ops that do no more than a fixed number of steps for each element they read or write.
bool is_linear(std::string_view op) {
  static const std::set<std::string_view> others{
      "AveragePool", "Conv", "ConvInteger", "ConvTranspose", "DFT", "DeformConv", "Einsum", "GRU", "Gemm", "LRN", "LSTM", "LpPool", "MatMul",
      "MatMulInteger", "MaxPool", "MaxRoiPool", "MaxUnpool", "NonMaxSuppression", "QLinearConv", "QLinearMatMul", "RNN", "Resize", "RoiAlign", "STFT",
      "Attention", "Det", "TfIdfVectorizer"};
  return !others.contains(op);
}

}  // namespace

double folding_work(const Node& node, std::span<const Tensor> inputs) {
  double read = 0, largest = 1;
  for (const Tensor& input : inputs) {
    read += count_of(input);
    largest = std::max(largest, count_of(input));
  }
  const double written = outputs_of(node), linear = read + written;
  if (node.domain().empty() && is_linear(node.op())) return linear;
  if (inputs.size() >= 2 && written > 0) {
    // A[m,k] * B[k,n] -> m*n outputs: k is the root of the product of both sizes by the outputs'.
    if (node.is("MatMul") || node.is("Gemm")) return linear + written * std::sqrt(count_of(inputs[0]) * count_of(inputs[1]) / written);
    // Each output element takes one filter's elements.
    if (node.is("Conv") && inputs[1] && !inputs[1].dims().empty())
      return linear + written * count_of(inputs[1]) / static_cast<double>(std::max<int64_t>(1, inputs[1].dims()[0]));
  }
  // Each output may take all of an input; recurrent ops multiply each input by all weights.
  return linear + std::max(written, count_of(inputs.empty() ? Tensor() : inputs[0])) * largest;
}

}  // namespace ge

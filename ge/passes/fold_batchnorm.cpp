/// Maps of a product's channels by constants go into the product: BatchNormalization for inference, and Mul, Add, Sub
/// and Div by constants, behind Conv, ConvTranspose, Gemm and MatMul with constant weights.
///
/// Before: Relu(BatchNormalization(Conv(x, W), s, b, m, v))      After: Relu(Conv(x, W', B'))
///
/// With f = s / sqrt(v + epsilon):  W' = W * f for each output channel,  B' = (B - m) * f + b.
///
///  1. From the product follow the only reader as long as it is such a map, and compose the maps in double. A value that
///     somebody else reads (another node, the graph's output, a control edge) ends the walk.
///  2. Round the new weights once. Weights that would not be finite stay as they are, and so do float16 and bfloat16,
///     where the second rounding would show.
///
/// MatMul has no bias: what is shifted becomes one Add behind it. Weights that others read too are copied where the copy
/// has at most context.fold_limit_bytes and context.fold_growth_bytes.
#include "ge/passes/channel_affine.hpp"
#include "ge/passes/facts.hpp"
#include "ge/passes/pass.hpp"

#include <algorithm>
#include <cmath>

namespace ge {
namespace {

/// Output channels in a weight tensor: [groups, rows, channels, inner], where channel c of group g is output channel
/// g * channels + c.
struct WeightLayout {
  int64_t groups, rows, channels, inner;
};

/// A product of an input with constant weights.
struct Product {
  NodeId node;
  Tensor weights;
  WeightLayout layout;
  ChannelAxis axis;
  std::vector<double> bias;  ///< one a channel
  bool has_bias;             ///< the node has such an input

  size_t channels() const { return axis.channels; }
};

bool foldable_dtype(DType dtype) { return dtype == DType::float32 || dtype == DType::float64; }

std::optional<WeightLayout> layout_of(const Node& node, const Tensor& weights) {
  const auto& dims = weights.dims();
  const auto inner = [&](size_t from) {
    int64_t product = 1;
    for (size_t d = from; d < dims.size(); ++d) product *= dims[d];
    return product;
  };
  const Attributes& attributes = node.attributes();
  if (node.is("Conv") && dims.size() >= 3) return WeightLayout{1, 1, dims[0], inner(1)};
  if (node.is("ConvTranspose") && dims.size() >= 3) {
    const int64_t groups = attributes.get_int("group", 1);
    if (groups < 1 || dims[0] % groups != 0) return std::nullopt;
    return WeightLayout{groups, dims[0] / groups, dims[1], inner(2)};
  }
  if (node.is("Gemm") && dims.size() == 2) return attributes.get_int("transB", 0) != 0 ? WeightLayout{1, 1, dims[0], dims[1]} : WeightLayout{1, dims[0], dims[1], 1};
  if (node.is("MatMul") && dims.size() == 2) return WeightLayout{1, dims[0], dims[1], 1};
  return std::nullopt;
}

std::optional<Product> read_product(const Graph& graph, const Node& node) {
  if (!node.is("Conv") && !node.is("ConvTranspose") && !node.is("Gemm") && !node.is("MatMul")) return std::nullopt;
  const Tensor* weights = graph.constant_value(node.inputs()[1]);
  if (weights == nullptr || weights->count() == 0 || !foldable_dtype(weights->dtype())) return std::nullopt;
  const auto layout = layout_of(node, *weights);
  if (!layout) return std::nullopt;

  const bool is_conv = node.is("Conv") || node.is("ConvTranspose");
  const auto channels = static_cast<size_t>(layout->groups * layout->channels);
  ChannelAxis axis{channels, is_conv ? weights->dims().size() - 2 : 0, weights->dims().size()};
  if (node.is("MatMul")) {
    const TensorType& type = graph.type(node.output());
    axis.rank = type.has_rank() ? std::optional(type.rank()) : std::nullopt;
  }
  Product product{node.id(), *weights, *layout, axis, std::vector<double>(channels, 0.0), node.inputs().size() > 2 && node.inputs()[2]};
  if (!product.has_bias) return product;
  const Tensor* bias = graph.constant_value(node.inputs()[2]);
  // C of Gemm broadcasts to [m, n]; that of a convolution is one value a channel.
  const auto elements = bias == nullptr ? std::nullopt : is_conv ? bias->to_doubles() : along_channels(*bias, axis);
  if (!elements || elements->size() != channels) return std::nullopt;
  const double beta = node.is("Gemm") ? static_cast<double>(node.attributes().get_float("beta", 1.0f)) : 1.0;
  for (size_t c = 0; c < channels; ++c) product.bias[c] = beta * (*elements)[c];
  return product;
}

/// The maps behind a product, up to and including node `last`.
struct Chain {
  NodeId last;
  size_t length = 0;
  size_t normalizations = 0;  ///< BatchNormalizations among them
  ChannelAffine affine;
};

Chain follow(const Graph& graph, const Product& product, const std::vector<bool>& ordered) {
  Chain chain{product.node, 0, 0, ChannelAffine(product.channels())};
  while (graph.user_count(chain.last) == 1) {
    const auto users = graph.users(chain.last);
    if (users.empty() || ordered[users[0].node.value]) break;
    const Node& next = graph.node(users[0].node);
    const auto affine = channel_affine(graph, next, users[0].slot, product.axis);
    if (!affine) break;
    chain.affine.then(*affine);
    chain.last = next.id();
    chain.normalizations += next.is("BatchNormalization");
    ++chain.length;
  }
  return chain;
}

/// nullopt where an element would not be finite.
template <class T>
std::optional<Tensor> scaled(const Product& product, const std::vector<double>& scale) {
  const auto& [groups, rows, channels, inner] = product.layout;
  Tensor out = Tensor::zeros(product.weights.dtype(), product.weights.dims());
  auto* to = reinterpret_cast<T*>(out.mutable_data());
  int64_t at = 0;
  for (int64_t g = 0; g < groups; ++g)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t c = 0; c < channels; ++c)
        for (int64_t i = 0; i < inner; ++i, ++at) {
          to[at] = static_cast<T>(static_cast<double>(product.weights.at<T>(at)) * scale[static_cast<size_t>(g * channels + c)]);
          if (!std::isfinite(to[at])) return std::nullopt;
        }
  return out;
}

std::optional<Tensor> as_vector(DType dtype, const std::vector<double>& values) {
  const std::vector<int64_t> dims{static_cast<int64_t>(values.size())};
  const std::vector<float> rounded(values.begin(), values.end());
  const bool wide = dtype == DType::float64;
  if (std::any_of(values.begin(), values.end(), [&](double v) { return !std::isfinite(wide ? v : static_cast<float>(v)); })) return std::nullopt;
  return wide ? Tensor::from<double>(dtype, dims, std::span(values)) : Tensor::from<float>(dtype, dims, std::span(rounded));
}

class Folding {
 public:
  Folding(Graph& graph, PassContext& context) : graph_(graph), context_(context), ordered_(nodes_with_control_edges(graph)) {}

  Patch run() {
    for (uint32_t i = 0; i < ordered_.size(); ++i) {
      const Node& node = graph_.node(NodeId(i));
      if (node.dead() || ordered_[i]) continue;
      if (const auto product = read_product(graph_, node)) fold(*product);
    }
    return std::move(patch_);
  }

 private:
  void fold(const Product& product) {
    const Chain chain = follow(graph_, product, ordered_);
    if (chain.length == 0) return;
    std::vector<double> bias = chain.affine.shift;
    for (size_t c = 0; c < bias.size(); ++c) bias[c] += product.bias[c] * chain.affine.scale[c];
    const bool has_bias = product.has_bias || chain.affine.shifts();
    const bool is_matmul = graph_.node(product.node).is("MatMul");
    // An Add behind MatMul stays one: nothing would be gained.
    if (is_matmul && has_bias && chain.length == 1 && chain.normalizations == 0) return;

    const auto new_bias = as_vector(product.weights.dtype(), bias);
    if (!new_bias || !may_copy(product, chain)) return;
    const auto weights = new_weights(product, chain);
    if (weights) put(product, chain, *weights, has_bias ? *new_bias : Tensor());
  }

  /// Whether new weights may stand beside the old ones, which others go on reading; counts them where they do.
  bool may_copy(const Product& product, const Chain& chain) {
    if (!chain.affine.scales() || graph_.user_count(graph_.node(product.node).inputs()[1].node) == 1) return true;
    const auto bytes = static_cast<int64_t>(product.weights.bytes().size());
    if (bytes > std::min(context_.fold_limit_bytes, context_.fold_growth_bytes)) return false;
    context_.fold_growth_bytes -= bytes;
    return true;
  }

  std::optional<OutputRef> new_weights(const Product& product, const Chain& chain) {
    const OutputRef old = graph_.node(product.node).inputs()[1];
    if (!chain.affine.scales()) return old;
    auto tensor = product.weights.dtype() == DType::float32 ? scaled<float>(product, chain.affine.scale) : scaled<double>(product, chain.affine.scale);
    if (!tensor) return std::nullopt;
    return graph_.add_constant(graph_.tensor_name(old), std::move(*tensor));
  }

  /// The new product, and behind MatMul its Add.
  void put(const Product& product, const Chain& chain, OutputRef weights, Tensor bias) {
    const Node& old = graph_.node(product.node);
    const std::string name = old.name();
    const OutputRef result = graph_.node(chain.last).output();
    const std::string tensor_name = graph_.tensor_name(result);
    const bool adds = old.is("MatMul") && bias;
    NodeSpec spec{old.op(), name, "", old.attributes(), {old.inputs()[0], weights}, {adds ? graph_.tensor_name(old.output()) : tensor_name}, {}};
    if (old.is("Gemm")) spec.attributes.erase("beta");
    const OutputRef added = bias ? graph_.add_constant(name + ".bias", std::move(bias)) : OutputRef{};
    if (added && !adds) spec.inputs.push_back(added);
    OutputRef folded{graph_.add_node(std::move(spec)), 0};
    if (adds) folded = {graph_.add_node({"Add", name + ".add", "", {}, {folded, added}, {tensor_name}, {}}), 0};

    context_.matches += chain.normalizations;
    patch_.replace(result, folded);
    for (NodeId id = product.node; id != chain.last; id = graph_.users(id)[0].node) patch_.remove(id);
    patch_.remove(chain.last);
  }

  Graph& graph_;
  PassContext& context_;
  std::vector<bool> ordered_;  ///< by node: has control edges
  Patch patch_;
};

Patch fold_batchnorm(Graph& graph, PassContext& context) { return Folding(graph, context).run(); }

}  // namespace
}  // namespace ge

REGISTER_PASS("fold_batchnorm", 70, "puts scales and shifts of channels into the weights before them", ge::fold_batchnorm);

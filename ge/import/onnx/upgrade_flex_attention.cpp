#include "ge/import/onnx/inline_graph.hpp"

#include <algorithm>
#include <array>

// FlexAttention becomes the operators that it is made of, with its two subgraphs in between, so that nothing later knows it
// (ai.onnx.preview FlexAttention 1).
//
//   scores = (Q * scale) @ K^T          Q[B, Hq, L, E], K[B, Hkv, S, E]
//   probs  = Softmax(score_mod(scores))
//   Y      = prob_mod(probs) @ V        V[B, Hkv, S, Ev]
//
// Heads h = k * G + g of Q share head k of K and V (grouped query attention): seen as [B, Hkv, G * L, E], Q has as many
// heads as they have. What lies between the products is done in the softmax precision.
namespace ge::onnx {
namespace {

using Names = std::vector<std::string>;

Attributes with(const char* name, AttributeValue value) {
  Attributes attributes;
  attributes.set(name, std::move(value));
  return attributes;
}

/// Writes the nodes that take the place of `u.node`.
class FlexAttention {
 public:
  explicit FlexAttention(Upgrade& u) : u_(u), node_(u.node), dtype_(u.dtype(0)) {}

  void write() {
    if (!is_sound()) return;
    const std::string q = node_.inputs[0], k = node_.inputs[1], v = node_.inputs[2];
    const auto [batch, heads, length, head_size] = dims_of(q);
    const auto [k_batch, k_heads, k_length, k_size] = dims_of(k);
    const auto [v_batch, v_heads, v_length, v_size] = dims_of(v);
    const std::string rows = add("Mul", {add("Div", {heads, k_heads}), length});

    const std::string scaled = add("Mul", {q, like_q(scale(head_size))});
    const std::string grouped = reshape(scaled, {batch, k_heads, rows, head_size});
    const std::string keys = add("Transpose", {reshape(k, {batch, k_heads, k_length, k_size})}, with("perm", std::vector<int64_t>{0, 1, 3, 2}));
    const std::string products = reshape(add("MatMul", {grouped, keys}), {batch, heads, length, k_length});

    const std::string scores = modified("score_mod", precise(products));
    const std::string probs = modified("prob_mod", add("Softmax", {scores}, with("axis", int64_t{-1})));
    const std::string values = precise(reshape(v, {batch, k_heads, v_length, v_size}));
    const std::string mixed = add("MatMul", {reshape(probs, {batch, k_heads, rows, k_length}), values});
    const std::string y = like_q(reshape(mixed, {batch, heads, length, v_size}));
    add_named("Identity", {y}, node_.outputs[0]);
  }

 private:
  /// Checks what the nodes do not check later, and finds the precision.
  bool is_sound() {
    const size_t findings = found_;
    if (node_.inputs.size() != 3 || !node_.has_input(0) || !node_.has_input(1) || !node_.has_input(2)) find("has " + std::to_string(node_.inputs.size()) + " inputs, expected 3 (Q, K, V)");
    if (node_.outputs.size() != 1 || node_.outputs[0].empty()) find("has " + std::to_string(node_.outputs.size()) + " outputs, expected 1");
    for (size_t i = 0; i < 3; ++i)
      if (const auto rank = u_.rank(i); rank && *rank != 4) find("input " + std::to_string(i) + " has rank " + std::to_string(*rank) + ", expected rank 4");
    for (const auto& [name, value] : node_.attributes)
      if (name != "scale" && name != "softmax_precision") find("attribute '" + name + "' is not one of this op's");
    for (const auto& [name, graph] : node_.subgraphs) {
      if (name != "score_mod" && name != "prob_mod") find("attribute '" + name + "' is a graph, which this op does not take");
      if (graph->input_names.size() != 1 || graph->output_names.size() != 1)
        find("its " + name + " has " + std::to_string(graph->input_names.size()) + " inputs and " + std::to_string(graph->output_names.size()) + " outputs, expected 1 of each");
    }
    constexpr DTypeSet floats = dtype_set(DType::float32, DType::float64, DType::float16, DType::bfloat16);
    if (dtype_ != DType::undefined && !contains(floats, dtype_)) find("input 0 (Q) is " + std::string(to_string(dtype_)) + ", expected float16, bfloat16, float32 or float64");
    if (found_ != findings) return false;
    precision_ = default_precision();
    if (node_.attributes.has("softmax_precision")) precision_ = dtype_from_onnx(node_.attributes.need_int("softmax_precision")).value_or(DType::undefined);
    if (!contains(floats, precision_)) find("attribute 'softmax_precision' is " + std::to_string(node_.attributes.get_int("softmax_precision", 0)) + ", expected a float16, bfloat16, float32 or float64");
    return found_ == findings;
  }

  /// float64 for float64, else float32. Where Q's dtype is not known, what a subgraph says that it takes, else float64,
  /// which has room for all.
  DType default_precision() const {
    if (dtype_ != DType::undefined) return dtype_ == DType::float64 ? DType::float64 : DType::float32;
    for (const auto& [name, graph] : node_.subgraphs)
      if (const auto declared = dtype_from_onnx(graph->inputs[0].elem_type)) return *declared;
    return node_.subgraphs.empty() ? DType::float64 : DType::float32;
  }

  void find(std::string what) {
    u_.finding(std::move(what));
    ++found_;
  }

  void add_node(const std::string& op, Names inputs, Names outputs, Attributes attributes = {}) {
    NodeDraft node;
    node.op = op;
    node.name = node_.name + "/" + op + "_" + std::to_string(u_.instead.size());
    node.version = any_version;
    node.inputs = std::move(inputs);
    node.outputs = std::move(outputs);
    node.attributes = std::move(attributes);
    u_.instead.push_back(std::move(node));
  }
  void add_named(const std::string& op, Names inputs, const std::string& output) { add_node(op, std::move(inputs), {output}); }
  std::string add(const std::string& op, Names inputs, Attributes attributes = {}) {
    const std::string output = u_.new_name(op);
    add_node(op, std::move(inputs), {output}, std::move(attributes));
    return output;
  }

  /// The dims of a value, as lists of one number each; a rank other than 4 does not pass the Split.
  std::array<std::string, 4> dims_of(const std::string& value) {
    if (parts_.empty()) parts_ = u_.add_constant("parts", Tensor::ints(std::vector<int64_t>{1, 1, 1, 1}));
    const std::array dims{u_.new_name("dim0"), u_.new_name("dim1"), u_.new_name("dim2"), u_.new_name("dim3")};
    add_node("Split", {add("Shape", {value}), parts_}, {dims.begin(), dims.end()}, with("axis", int64_t{0}));
    return dims;
  }
  std::string reshape(const std::string& value, Names dims) {
    return add("Reshape", {value, add("Concat", std::move(dims), with("axis", int64_t{0}))}, with("allowzero", int64_t{1}));
  }

  std::string cast(const std::string& value, DType to) { return add("Cast", {value}, with("to", static_cast<int64_t>(to))); }
  std::string like_q(const std::string& value) {
    return dtype_ == DType::undefined ? add("CastLike", {value, node_.inputs[0]}) : cast(value, dtype_);
  }
  std::string precise(const std::string& value) { return cast(value, precision_); }

  std::string scale(const std::string& head_size) {
    if (!node_.attributes.has("scale")) return add("Reciprocal", {add("Sqrt", {cast(head_size, DType::float64)})});
    const float value = node_.attributes.get_float("scale", 1);
    return u_.add_constant("scale", Tensor::from<float>(DType::float32, {}, std::span<const float>(&value, 1)));
  }

  std::string modified(const char* name, const std::string& value) {
    const auto graph = node_.subgraphs.find(name);
    return graph == node_.subgraphs.end() ? value : inline_graph(u_, *graph->second, {value})[0];
  }

  Upgrade& u_;
  const NodeDraft& node_;
  DType dtype_, precision_ = DType::float32;
  std::string parts_;
  size_t found_ = 0;
};

void open_flex_attention(Upgrade& u) { FlexAttention(u).write(); }

}  // namespace

REGISTER_ONNX_UPGRADE_OF("ai.onnx.preview", FlexAttention, any_version, "becomes the operators it is made of", open_flex_attention);

}  // namespace ge::onnx

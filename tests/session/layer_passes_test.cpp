// Random stacks of convolutions, pools, paddings and maps of channels, with open dims: fold_batchnorm, fold_pad and all
// passes together stay within the numeric contract. A failure prints its seed.
#include "session/with_passes.hpp"

using namespace ge;
using namespace ge::testing;

namespace {

using Ints = std::vector<int64_t>;

class RandomLayers {
 public:
  RandomLayers(uint32_t seed, DType dtype) : random_(seed), dtype_(dtype), channels(2 * (1 + below(2))) {}

  void fill(GraphBuild& b) {
    OutputRef x = b.input("x", {"N", static_cast<int>(channels), "H", "W"}, dtype_);
    Layer layer{x, channels};
    std::vector<OutputRef> outputs;
    for (int i = 0; i < 5; ++i) {
      if (below(2)) layer = pad(b, layer);
      layer = below(3) ? convolution(b, layer) : pool(b, layer);
      if (below(8) == 0) outputs.push_back(layer.value);
      for (uint32_t n = below(4); n > 0; --n) layer = map(b, layer);
      if (below(2)) layer.value = b.op(below(2) ? "Relu" : "Tanh", {layer.value});
      if (below(8) == 0) outputs.push_back(layer.value);
    }
    outputs.push_back(layer.value);
    OutputRef rows = b.op("Flatten", {b.op("GlobalAveragePool", {layer.value})});
    for (int i = 0; i < 2; ++i) outputs.push_back(matrix(b, rows, layer.channels));
    b.outputs(outputs);
  }
  Tensor random_tensor(Ints dims, float lo = -1, float hi = 1) {
    std::vector<double> values(static_cast<size_t>(*element_count(dims)));
    for (double& value : values) value = static_cast<double>(lo + (hi - lo) * static_cast<float>(below(1001)) / 1000);
    if (dtype_ == DType::float64) return doubles(std::move(dims), values);
    return tensor<float>(DType::float32, std::move(dims), std::vector<float>(values.begin(), values.end()));
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

 private:
  struct Layer {
    OutputRef value;
    int64_t channels;
  };

  OutputRef weights(GraphBuild& b, Ints dims, float lo = -1, float hi = 1) { return b.constant(random_tensor(std::move(dims), lo, hi)); }
  OutputRef scalar(GraphBuild& b, float value) { return dtype_ == DType::float64 ? b.constant(doubles({}, {static_cast<double>(value)})) : b.scalar(value); }
  Ints pads(int64_t most) {
    Ints out;
    for (int i = 0; i < 4; ++i) out.push_back(below(static_cast<uint32_t>(most + 1)));
    return out;
  }

  Layer pad(GraphBuild& b, Layer in) {
    const Ints p = pads(2);
    std::vector<OutputRef> inputs{in.value};
    const bool by_axes = below(2);
    inputs.push_back(by_axes ? b.ints({p[1], p[0], p[3], p[2]}) : b.ints({0, 0, p[0], p[1], 0, 0, p[2], p[3]}));
    const uint32_t kind = below(6);
    inputs.push_back(kind == 0 ? scalar(b, 0.5f) : kind == 1 ? scalar(b, -INFINITY) : kind == 2 ? OutputRef{} : scalar(b, 0));
    // Infinite padding is for MaxPool alone: it comes next.
    if (by_axes) inputs.push_back(b.ints({-1, 2}));
    in.value = b.op("Pad", std::move(inputs));
    return kind == 1 ? Layer{b.op("MaxPool", {in.value}, attributes({{"kernel_shape", Ints{3, 3}}})), in.channels} : in;
  }
  Layer convolution(GraphBuild& b, Layer in) {
    const int64_t group = in.channels % 2 == 0 && below(2) ? 2 : 1, out = 2 * (1 + below(3));
    auto attrs = attributes({{"group", group}, {"kernel_shape", Ints{3, 3}}});
    if (below(2)) attrs.set("pads", pads(2));
    if (below(3) == 0) attrs.set("strides", Ints{2, 1});
    if (below(4) == 0) attrs.set("auto_pad", std::string(below(2) ? "SAME_UPPER" : "VALID")), attrs.erase("pads");
    const bool transposed = below(4) == 0;
    if (transposed && attrs.has("pads")) attrs.set("pads", Ints{1, 0, 0, 1});
    std::vector<OutputRef> inputs{in.value, transposed ? weights(b, {in.channels, out / group, 3, 3}) : weights(b, {out, in.channels / group, 3, 3})};
    if (below(2)) inputs.push_back(weights(b, {out}));
    return {b.op(transposed ? "ConvTranspose" : "Conv", std::move(inputs), std::move(attrs)), out};
  }
  Layer pool(GraphBuild& b, Layer in) {
    auto attrs = attributes({{"kernel_shape", Ints{3, 3}}});
    if (below(2)) attrs.set("pads", pads(1));
    if (below(2)) attrs.set("strides", Ints{2, 2});
    if (below(4) == 0) attrs.set("ceil_mode", int64_t{1});
    const bool mean = below(2);
    if (mean && below(2)) attrs.set("count_include_pad", int64_t{1});
    return {b.op(mean ? "AveragePool" : "MaxPool", {in.value}, std::move(attrs)), in.channels};
  }
  Layer map(GraphBuild& b, Layer in) {
    if (below(3) == 0)
      return {b.op("BatchNormalization", {in.value, weights(b, {in.channels}, 0.5f, 2), weights(b, {in.channels}), weights(b, {in.channels}), weights(b, {in.channels}, 0.25f, 3)}), in.channels};
    static constexpr const char* ops[] = {"Add", "Sub", "Mul", "Div"};
    const std::string op = ops[below(4)];
    const std::vector<Ints> shapes{{in.channels, 1, 1}, {1, in.channels, 1, 1}, {}, {1}, {1, 1}};
    const OutputRef constant = weights(b, shapes[below(5)], 0.5f, 2);
    const bool swap = op != "Div" && below(2);
    return {b.op(op, {swap ? constant : in.value, swap ? in.value : constant}), in.channels};
  }
  OutputRef matrix(GraphBuild& b, OutputRef rows, int64_t k) {
    OutputRef y;
    if (below(2)) {
      const bool transposed = below(2);
      auto attrs = attributes({{"transB", int64_t{transposed}}, {"alpha", 0.5f}, {"beta", 2.0f}});
      std::vector<OutputRef> inputs{rows, weights(b, transposed ? Ints{3, k} : Ints{k, 3})};
      if (below(2)) inputs.push_back(weights(b, below(2) ? Ints{3} : Ints{1}));
      y = b.op("Gemm", std::move(inputs), std::move(attrs));
    } else {
      y = b.op("MatMul", {rows, weights(b, {k, 3})});
    }
    for (uint32_t n = below(4); n > 0; --n) {
      if (below(3) == 0)
        y = b.op("BatchNormalization", {y, weights(b, {3}), weights(b, {3}), weights(b, {3}), weights(b, {3}, 0.25f, 3)});
      else
        y = b.op(below(2) ? "Mul" : "Add", {y, weights(b, below(2) ? Ints{3} : Ints{1, 1})});
    }
    return y;
  }

  std::mt19937 random_;
  DType dtype_;

 public:
  const int64_t channels;  ///< of the input
};

}  // namespace

TEST_CASE("layers stay within the numeric contract when constants are folded into weights and pads", "[session][CR-3][CR-9]") {
  std::map<std::string, size_t> graphs;
  size_t compared = 0;
  for (uint32_t seed = 1; seed <= seeds(160); ++seed) {
    // In float64 only the fold itself can be wrong; in float32 what one layer rounds the next ones may enlarge.
    const DType dtype = seed % 2 ? DType::float64 : DType::float32;
    const double tolerance = dtype == DType::float64 ? 1e-10 : 1e-3;
    INFO("seed " << seed << ", " << to_string(dtype));
    WithPasses c([&](GraphBuild& b) { RandomLayers(seed, dtype).fill(b); });
    const auto plain = c.compiled(all_but({}));
    for (const std::set<std::string>& disabled : {all_but({"fold_batchnorm"}), all_but({"fold_pad"}), std::set<std::string>{}}) {
      const auto folded = c.compiled(disabled);
      for (const auto& [pass, changes] : c.changes) graphs[pass] += changes != 0;
      INFO(c.shown);
      RandomLayers random(seed + 1'000'000, dtype);
      for (const int64_t size : {12, 17}) {
        const std::vector<Tensor> inputs{random.random_tensor({1 + size % 2, RandomLayers(seed, dtype).channels, size, size + 1})};
        std::vector<Tensor> expected;
        try {
          expected = plain->run(inputs);
        } catch (const Error&) {
          continue;  // too small for a window
        }
        ++compared;
        CHECK(difference(expected, folded->run(inputs), tolerance, tolerance) == "");
      }
    }
  }
  INFO(compared << " runs compared");
  CHECK(compared > 6 * seeds(160) / 2);
  CHECK(graphs["fold_batchnorm"] > seeds(160) / 2);
  CHECK(graphs["fold_pad"] > seeds(160) / 2);
}

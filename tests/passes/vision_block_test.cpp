// One block of a vision transformer at its usual size, x [1, 197, 192], written out as exporters do. (A public bug of
// this kind: results of such a block changed with a change of fusion.) The expected numbers come from numpy in float64,
// per half of the block; the parameters from a generator that both sides have.
#include "passes/compiled_case.hpp"
#include "passes/recognise_case.hpp"

#include <map>

using namespace ge;
using namespace ge::testing;

namespace {

constexpr int64_t tokens = 197, width = 192, heads = 3, head = 64;

/// s ← 1664525 s + 1013904223 mod 2³² (Numerical Recipes), as ((s / 2⁸) / 2²⁴ - 1/2) · scale + offset.
Tensor numbers(uint32_t seed, std::vector<int64_t> dims, float scale, float offset = 0) {
  std::vector<float> values(static_cast<size_t>(*element_count(dims)));
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<double>(seed >> 8) / 16777216.0 - 0.5) * scale + offset;
  }
  return Tensor::from<float>(DType::float32, std::move(dims), std::span<const float>(values));
}

class Block {
 public:
  explicit Block(GraphBuild& b) : b_(b) {}

  /// Outputs: the first norm, what the attention half gives, what the block gives.
  void fill() {
    const OutputRef x = b_.input("x", {1, "tokens", width});
    const OutputRef normal = norm(x, 2), middle = op("Add", x, linear(attention(linear(normal, 4, {width, 3 * width})), 6, {width, width}));
    const OutputRef hidden = gelu(linear(norm(middle, 8), 10, {width, 2 * width}));
    b_.outputs({normal, middle, op("Add", middle, linear(hidden, 12, {2 * width, width}))});
  }

 private:
  OutputRef op(const char* type, OutputRef a, OutputRef b) { return b_.op(type, {a, b}); }
  OutputRef mean(OutputRef x) { return op("ReduceMean", x, b_.ints({-1})); }
  OutputRef norm(OutputRef x, uint32_t seed) {
    const OutputRef d = op("Sub", x, mean(x)), variance = op("Add", mean(op("Pow", d, b_.scalar(2))), b_.scalar(1e-6f));
    const OutputRef scaled = op("Mul", op("Div", d, b_.op("Sqrt", {variance})), b_.constant(numbers(seed, {width}, 1, 1)));
    return op("Add", scaled, b_.constant(numbers(seed + 1, {width}, 1)));
  }
  OutputRef linear(OutputRef x, uint32_t seed, std::vector<int64_t> dims) {
    const int64_t to = dims[1];
    return op("Add", op("MatMul", x, b_.constant(numbers(seed, std::move(dims), 0.25f))), b_.constant(numbers(seed + 1, {to}, 0.25f)));
  }
  OutputRef transpose(OutputRef x, std::vector<int64_t> perm) { return b_.op("Transpose", {x}, attributes({{"perm", std::move(perm)}})); }
  OutputRef attention(OutputRef qkv) {
    const OutputRef split = transpose(op("Reshape", qkv, b_.ints({1, -1, 3, heads, head})), {2, 0, 3, 1, 4});
    const auto part = [&](int64_t which) { return b_.op("Gather", {split, b_.constant(Tensor::scalar(which))}, attributes({{"axis", int64_t{0}}})); };
    const OutputRef q = part(0), k = part(1), v = part(2);
    const OutputRef scores = op("Mul", op("MatMul", q, transpose(k, {0, 1, 3, 2})), b_.scalar(0.125f));
    const OutputRef e = b_.op("Exp", {op("Sub", scores, op("ReduceMax", scores, b_.ints({-1})))});
    const OutputRef weights = op("Div", e, op("ReduceSum", e, b_.ints({-1})));
    return op("Reshape", transpose(op("MatMul", weights, v), {0, 2, 1, 3}), b_.ints({1, -1, width}));
  }
  OutputRef gelu(OutputRef x) {
    const OutputRef erf = b_.op("Erf", {op("Div", x, b_.scalar(1.41421356f))});
    return op("Mul", op("Mul", x, op("Add", erf, b_.scalar(1))), b_.scalar(0.5f));
  }

  GraphBuild& b_;
};

struct Expected {
  std::vector<std::pair<int64_t, double>> elements;
  double mean_size;  ///< of all absolute values
};
const Expected expected[] = {
    {{{0, -0.92730763}, {1, -0.37420478}, {191, 0.45486985}, {192, 0.59881481}, {9999, 1.7892432}, {20000, -0.2100317}, {37823, 0.47595156}}, 0.9150436045},
    {{{0, -0.89429397}, {1, -0.24133155}, {191, 0.5293735}, {192, 1.4124408}, {9999, 1.22044}, {20000, -0.2814704}, {37823, 0.50225263}}, 1.032052297},
    {{{0, 0.89230539}, {1, 0.21119311}, {191, 0.19953058}, {192, 1.4447652}, {9999, 0.68367538}, {20000, 0.16158287}, {37823, 0.69104296}}, 1.297837792},
};

bool near(double found, double wanted) { return std::fabs(found - wanted) <= 1e-5 + 1e-4 * std::fabs(wanted); }

}  // namespace

TEST_CASE("a vision transformer block gives numpy's numbers, with all passes and with none", "[passes][CR-3][CR-9]") {
  for (const CompileOptions& options : {CompileOptions{}, no_passes()}) {
    INFO((options.disabled_passes.empty() ? "all passes" : "no passes"));
    const auto found = compiled([](GraphBuild& b) { Block(b).fill(); }, options)->run({numbers(1, {1, tokens, width}, 4)});
    for (size_t i = 0; i < found.size(); ++i) {
      INFO("output " << i);
      REQUIRE(found[i].dims() == std::vector<int64_t>{1, tokens, width});
      const auto values = *found[i].to_doubles();
      double sum = 0;
      for (double value : values) sum += std::fabs(value);
      CHECK(near(sum / static_cast<double>(values.size()), expected[i].mean_size));
      for (const auto& [at, wanted] : expected[i].elements) {
        INFO("element " << at << " is " << values[static_cast<size_t>(at)] << ", expected " << wanted);
        CHECK(near(values[static_cast<size_t>(at)], wanted));
      }
    }
  }
}

TEST_CASE("the norms, the Softmax and the GELU of a vision transformer block are recognised", "[passes][CR-3]") {
  auto graph = std::make_unique<Graph>("block");
  GraphBuild b(*graph);
  Block(b).fill();
  const Compiled result = compile_graph(std::move(graph));
  std::map<std::string, size_t> matches;
  for (const PassCount& count : result.passes.passes)
    if (count.matches > 0) matches[count.name] = count.matches;
  CHECK(matches == std::map<std::string, size_t>{{"recognise_gelu", 1}, {"recognise_layer_norm", 2}, {"recognise_softmax", 1}});
  using Catch::Matchers::Contains;
  CHECK_THAT(result.passes.dump(), Contains("2 matches"));
  CHECK_THAT(result.metadata_json, Contains("\"recognised\"") && Contains("\"recognise_layer_norm\": 2"));
}

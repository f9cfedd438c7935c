// Arithmetic that simplifies, and arithmetic that only looks as if: whole compiles against the graph that no pass has
// touched, and against figures worked out by hand. Among the cases are known mistakes of other compilers.
#include "session/with_passes.hpp"

#include <cmath>

using namespace ge;
using namespace ge::testing;

namespace {

using Ints = std::vector<int64_t>;

/// All outputs of the graph compiled with all passes, and with none, which must be the same text.
std::string run(const WithPasses::Fill& fill, const std::vector<Tensor>& inputs) {
  WithPasses c(fill);
  const std::string plain = c.compiled(all_but({}))->shown(inputs), all = c.compiled({})->shown(inputs);
  INFO(c.shown);
  CHECK(all == plain);
  return all;
}

class RandomArithmetic {
 public:
  RandomArithmetic(uint32_t seed, DType dtype) : random_(seed), dtype_(dtype) {}

  void fill(GraphBuild& b) {
    b.graph.symbols().symbol("N", {0, INT32_MAX});
    pool_ = {b.input("x", {"N", 3}, dtype_), b.input("y", {"N", 3}, dtype_)};
    for (int i = 0; i < 12; ++i) pool_.push_back(op(b));
    std::vector<OutputRef> outputs{pool_.back()};
    for (int i = 0; i < 3; ++i) outputs.push_back(pick());
    b.outputs(outputs);
  }
  /// Small numbers and, for floats, what is special.
  Tensor values(int64_t n) {
    static constexpr float special[] = {0.0f, -0.0f, 1, -1, 0.5f, INFINITY, NAN, 3e38f};
    std::vector<float> out;
    for (int64_t i = 0; i < 3 * n; ++i) out.push_back(dtype_ == DType::float32 && below(3) == 0 ? special[below(8)] : static_cast<float>(below(9)) - 4);
    if (dtype_ == DType::float32) return tensor<float>(dtype_, {n, 3}, out);
    return tensor<int64_t>(dtype_, {n, 3}, std::vector<int64_t>(out.begin(), out.end()));
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }

 private:
  OutputRef pick() { return pool_[pool_.size() - 1 - std::min(below(static_cast<uint32_t>(pool_.size())), below(4))]; }
  OutputRef constant(GraphBuild& b) {
    static constexpr float numbers[] = {0.0f, -0.0f, 1, 1, -1, 2};
    const float number = numbers[below(6)];
    const std::vector<Ints> shapes{{}, {1}, {3}, {1, 3}};
    const Ints dims = shapes[below(4)];
    if (dtype_ == DType::float32) return b.filled(dims, number);
    return b.constant(tensor<int64_t>(dtype_, dims, std::vector<int64_t>(static_cast<size_t>(*element_count(dims)), static_cast<int64_t>(number))));
  }
  OutputRef op(GraphBuild& b) {
    static constexpr const char* binary[] = {"Add", "Sub", "Mul", "Max", "Min", "Add", "Sub", "Mul"};
    switch (below(8)) {
      case 0: return b.op("Neg", {pick()});
      case 1: return b.op(below(2) ? "Relu" : "Identity", {pick()});
      case 2: return clip(b);
      case 3: return b.op("Cast", {b.op("Cast", {pick()}, attributes({{"to", below(2) ? int64_t{9} : int64_t{1}}}))}, attributes({{"to", static_cast<int64_t>(dtype_)}}));
      case 4: return b.op(below(2) ? "Max" : "Min", {pick(), pick(), constant(b)});
      default: {
        const OutputRef x = pick(), other = below(2) ? constant(b) : pick();
        const bool division = dtype_ == DType::float32 && below(5) == 0, swap = below(2);
        return b.op(division ? "Div" : binary[below(8)], {swap ? other : x, swap ? x : other});
      }
    }
  }
  OutputRef clip(GraphBuild& b) {
    const auto bound = [&]() -> OutputRef {
      if (below(3) == 0) return {};
      if (dtype_ == DType::float32) return b.scalar(static_cast<float>(below(3)));
      return b.constant(Tensor::scalar(below(3)));
    };
    const OutputRef low = bound(), high = bound();
    return b.op("Clip", {pick(), low, high});
  }

  std::mt19937 random_;
  DType dtype_;
  std::vector<OutputRef> pool_;
};

/// "" where all elements have the same bits, whatever NaN they are.
std::string changed_bits(const std::vector<Tensor>& expected, const std::vector<Tensor>& found) {
  std::string text = difference(expected, found, 0, 0);
  for (size_t k = 0; text.empty() && k < expected.size(); ++k)
    for (size_t i = 0; i < static_cast<size_t>(expected[k].count()); ++i) {
      const double a = (*expected[k].to_doubles())[i], b = (*found[k].to_doubles())[i];
      if (a == a && std::signbit(a) != std::signbit(b)) text = "output " + std::to_string(k) + ": the sign of a zero";
    }
  return text;
}

}  // namespace

TEST_CASE("random arithmetic keeps every bit through all passes", "[session][CR-3][CR-9]") {
  size_t changed = 0;
  for (uint32_t seed = 1; seed <= seeds(200); ++seed)
    for (const DType dtype : {DType::float32, DType::int64}) {
      INFO("seed " << seed << ", " << to_string(dtype));
      WithPasses c([&](GraphBuild& b) { RandomArithmetic(seed, dtype).fill(b); });
      const auto plain = c.compiled(all_but({}));
      const std::string before = c.shown;
      const auto all = c.compiled({});
      INFO("before: " << before << "\nafter: " << c.shown);
      changed += c.changes["merge_common"] != 0;
      RandomArithmetic random(seed + 1'000'000, dtype);
      for (const int64_t n : {4, 0, 1}) {
        const std::vector<Tensor> inputs{random.values(n), random.values(n)};
        CHECK(changed_bits(plain->run(inputs), all->run(inputs)) == "");
      }
    }
  CHECK(changed > seeds(200) / 4);
}

TEST_CASE("x - (x + 1) is -1", "[session][CR-3]") {
  CHECK(run([](GraphBuild& b) {
          const OutputRef x = b.input("x", {2});
          b.outputs({b.op("Sub", {x, b.op("Add", {x, b.scalar(1)})}), b.op("Sub", {b.op("Add", {x, b.scalar(1)}), x})});
        }, {floats({2}, {3, 8})}) == "float32[2] -1 -1; float32[2] 1 1");
}

TEST_CASE("Gemm with a transposed C keeps the Transpose", "[session][CR-3]") {
  // [1 2] × [[1 0], [0 1]] + [[10 30], [20 40]] for two equal rows
  CHECK(run([](GraphBuild& b) {
          const OutputRef eye = b.constant(floats({2, 2}, {1, 0, 0, 1}));
          b.outputs({b.op("Gemm", {b.input("a", {2, 2}), eye, b.op("Transpose", {b.input("c", {2, 2})})})});
        }, {floats({2, 2}, {1, 2, 1, 2}), floats({2, 2}, {10, 20, 30, 40})}) == "float32[2, 2] 11 32 21 42");
}

TEST_CASE("a Concat of one input is that input", "[session][CR-3]") {
  CHECK(run([](GraphBuild& b) { b.outputs({b.op("Neg", {b.op("Concat", {b.input("x", {"N"})}, attributes({{"axis", int64_t{0}}}))})}); }, {floats({2}, {1, 2})}) == "float32[2] -1 -2");
}

TEST_CASE("Relu before Clip with absent or computed bounds", "[session][CR-3]") {
  CHECK(run([](GraphBuild& b) {
          const OutputRef x = b.op("Relu", {b.input("x", {4})}), low = b.input("low", {}), high = b.input("high", {});
          b.outputs({b.op("Clip", {x}), b.op("Clip", {x, {}, high}), b.op("Clip", {x, low}), b.op("Clip", {x, low, b.scalar(1)})});
        }, {floats({4}, {-2, 0.5f, 1.5f, 9}), floats({}, {-1}), floats({}, {2})}) ==
        "float32[4] 0 0.5 1.5 9; float32[4] 0 0.5 1.5 2; float32[4] 0 0.5 1.5 9; float32[4] 0 0.5 1 1");
}

TEST_CASE("Casts to a narrower type in between are no detour", "[session][CR-3]") {
  // 0.5 as int32 is 0, so false; as bool it is true.
  CHECK(run([](GraphBuild& b) {
          const OutputRef x = b.input("x", {3});
          const auto cast = [&](OutputRef v, int64_t to) { return b.op("Cast", {v}, attributes({{"to", to}})); };
          b.outputs({cast(cast(x, 6), 9), cast(x, 9), cast(cast(x, 6), 1)});
        }, {floats({3}, {0.5f, -1.5f, 0})}) == "bool[3] 0 1 0; bool[3] 1 1 0; float32[3] 0 -1 0");
}

TEST_CASE("an Add of a constant that enlarges a convolution's output stays an Add", "[session][CR-3]") {
  CHECK(run([](GraphBuild& b) {
          const OutputRef y = b.op("Conv", {b.input("x", {1, 1, "W"}), b.constant(floats({1, 1, 1}, {2}))});
          b.outputs({b.op("Add", {y, b.constant(floats({2, 1, 1}, {10, 20}))}), b.op("Mul", {b.constant(floats({1, 3, 1}, {1, 2, 3})), y})});
        }, {floats({1, 1, 2}, {1, 2})}) == "float32[2, 1, 2] 12 14 22 24; float32[1, 3, 2] 2 4 4 8 6 12");
}

TEST_CASE("Expands and Tiles of constants do not bloat a model, however many there are", "[session][CR-3][CR-10]") {
  const auto bytes_of_constants = [](const Graph& graph) {
    size_t bytes = 0;
    for (const Node& node : graph.nodes())
      if (const Tensor* tensor = node.dead() ? nullptr : graph.constant_value(node.output())) bytes += tensor->bytes().size();
    return bytes;
  };
  auto graph = std::make_unique<Graph>("large");
  GraphBuild b(*graph);
  std::vector<OutputRef> outputs;
  const OutputRef large = b.ints({1 << 13, 1 << 13}), small = b.ints({1 << 10, 1 << 10});
  outputs.push_back(b.op("Expand", {b.scalar(1), large}));  // 256 MiB
  outputs.push_back(b.op("Tile", {b.filled({1, 1}, 1), large}));
  outputs.push_back(b.op("ConstantOfShape", {large}));
  for (int i = 0; i < 40; ++i) outputs.push_back(b.op("Expand", {b.scalar(static_cast<float>(i)), small}));  // 4 MiB each
  // As much in between, but nothing of it stays.
  for (int i = 0; i < 40; ++i) outputs.push_back(b.op("ReduceMax", {b.op("Expand", {b.scalar(static_cast<float>(-i)), b.ints({1 << 9, 1 << 9})})}));
  b.outputs(outputs);
  CompileOptions options;
  options.stop_after = CompileStage::passes;
  const Compiled compiled = compile_graph(std::move(graph), options);
  CHECK(bytes_of_constants(*compiled.graph) <= (size_t{64} << 20) + (size_t{1} << 16));
  CHECK(bytes_of_constants(*compiled.graph) > (size_t{32} << 20));
}

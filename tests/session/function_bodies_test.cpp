// What bodies compute, against figures worked out with plain loops in numpy, element by element. Each case runs with
// static and with symbolic dims.
#include "passes/compiled_case.hpp"

#include <cmath>
#include <functional>

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;
using Refs = std::vector<OutputRef>;

namespace {

/// Inputs of the node under test; a tensor without elements and dtype stands for an absent one.
struct NodeCase {
  std::string op;
  std::vector<Tensor> inputs;
  Attributes attrs{};
  size_t outputs = 1;
};

std::vector<Tensor> run(const NodeCase& test, bool symbolic) {
  std::vector<Tensor> given_inputs;
  const auto model = compiled([&](GraphBuild& b) {
    Refs in;
    for (size_t i = 0; i < test.inputs.size(); ++i) {
      const Tensor& t = test.inputs[i];
      if (!t) {
        in.push_back({});
        continue;
      }
      Shape shape;
      for (size_t axis = 0; axis < t.dims().size(); ++axis)
        shape.push_back(symbolic ? b.graph.symbols().symbol("i" + std::to_string(i) + "_" + std::to_string(axis)) : b.graph.symbols().constant(t.dims()[axis]));
      in.push_back(b.graph.add_input("in" + std::to_string(i), {t.dtype(), shape, std::nullopt}));
    }
    const OutputRef first = b.op(test.op, in, test.attrs, test.outputs);
    Refs out;
    for (uint32_t i = 0; i < test.outputs; ++i) out.push_back({first.node, i});
    b.outputs(out);
  });
  for (const Tensor& t : test.inputs)
    if (t) given_inputs.push_back(t);
  return model->run(given_inputs);
}

struct Figures {
  std::vector<int64_t> dims;
  std::vector<double> elements;
};

void check(const NodeCase& test, const std::vector<Figures>& expected, double tolerance = 1e-5) {
  for (const bool symbolic : {false, true}) {
    INFO(test.op << (symbolic ? ", symbolic dims" : ", static dims"));
    const std::vector<Tensor> got = run(test, symbolic);
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      INFO("output " << i << ": " << show(got[i]));
      CHECK(got[i].dims() == expected[i].dims);
      const auto elements = *got[i].to_doubles();
      REQUIRE(elements.size() == expected[i].elements.size());
      for (size_t k = 0; k < elements.size(); ++k) CHECK(std::fabs(elements[k] - expected[i].elements[k]) <= tolerance * (1 + std::fabs(expected[i].elements[k])));
    }
  }
}

}  // namespace

TEST_CASE("Attention with groups, a past, a causal mask, a float mask and a soft cap", "[session][CR-9]") {
  const std::vector<Tensor> in{floats({1, 2, 2, 2}, {1, -1, .5f, 2, 0, 1, -2, .5f}), floats({1, 1, 2, 2}, {1, .5f, -1, 2}), floats({1, 1, 2, 1}, {3, -2}),
                               floats({2, 3}, {0, .5f, -1, 1, 0, .25f}), floats({1, 1, 1, 2}, {.25f, -.5f}), floats({1, 1, 1, 1}, {10})};
  const Figures y{{1, 2, 2, 1}, {5.849029, 1.139408, 4.884179, 1.308216}};
  const Figures k{{1, 1, 3, 2}, {.25, -.5, 1, .5, -1, 2}}, v{{1, 1, 3, 1}, {10, 3, -2}};
  const Figures raw{{1, 2, 2, 3}, {0.375, 0.25, -1.5, -0.4375, 0.75, 1.75, -0.25, 0.25, 1, -0.375, -0.875, 1.5}};
  const Figures probability{{1, 2, 2, 3}, {0.4070042, 0.5929958, 0, 0.1751738, 0.2074643, 0.6173618, 0.2691684, 0.7308316, 0, 0.2517567, 0.05742719, 0.6908161}};
  const auto with_mode = [](int64_t mode) {
    return attributes({{"is_causal", int64_t{1}}, {"scale", 0.5f}, {"softcap", 3.0f}, {"qk_matmul_output_mode", mode}});
  };
  check({"Attention", in, with_mode(0), 4}, {y, k, v, raw});
  check({"Attention", in, with_mode(3), 4}, {y, k, v, probability});
}

TEST_CASE("Attention over a cache outside sees the valid keys of each sample", "[session][CR-9]") {
  // The first query of sample 0 comes before its only key: a row of zeros.
  check({"Attention", {floats({2, 1, 2, 1}, {1, 2, -1, .5f}), floats({2, 1, 3, 1}, {1, 2, 3, .5f, -1, 1}), floats({2, 1, 3, 1}, {1, 10, 100, 2, 20, 200}), {}, {}, {}, int64s({2}, {1, 3})},
         attributes({{"is_causal", int64_t{1}}})},
        {{{2, 1, 2, 1}, {0, 1, 16.71634, 97.32013}}});
}

TEST_CASE("Attention by heads packed in the last axis, in a window", "[session][CR-9]") {
  const Attributes attrs = attributes({{"q_num_heads", int64_t{1}}, {"kv_num_heads", int64_t{1}}, {"left_window_size", int64_t{1}}, {"right_window_size", int64_t{0}}});
  check({"Attention", {floats({1, 3, 1}, {1, 2, -1}), floats({1, 3, 1}, {1, .5f, 2}), floats({1, 3, 1}, {1, 10, 100})}, attrs}, {{{1, 3, 1}, {1, 3.420473, 26.4183}}});
}

TEST_CASE("a mask that ends before the keys masks the rest, and a masked row is zero", "[session][CR-9]") {
  // One key is left, then none.
  check({"Attention", {floats({1, 1, 2, 1}, {1, 2}), floats({1, 1, 3, 1}, {1, 2, 3}), floats({1, 1, 3, 1}, {7, 8, 9}), bools({2, 2}, {0, 1, 0, 0})}, {}},
        {{{1, 1, 2, 1}, {8, 0}}});
}

TEST_CASE("RotaryEmbedding turns halves or neighbours, all or some", "[session][CR-9]") {
  const Tensor positions = int64s({1, 2}, {2, 0});
  check({"RotaryEmbedding", {floats({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), floats({3, 1}, {1, .5f, .25f}), floats({3, 1}, {0, .75f, -1}), positions},
         attributes({{"rotary_embedding_dim", int64_t{2}}})},
        {{{1, 1, 2, 4}, {2.25, -0.5, 3, 4, 5, 6, 7, 8}}});
  check({"RotaryEmbedding", {floats({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), floats({1, 2, 2}, {1, .5f, 0, .25f}), floats({1, 2, 2}, {0, .75f, -1, .5f})},
         attributes({{"interleaved", int64_t{1}}, {"num_heads", int64_t{1}}})},
        {{{1, 2, 4}, {1, 2, -1.5, 4.25, 6, -5, -2.25, 5.5}}});
}

TEST_CASE("LinearAttention updates its state by rule and reads it by group", "[session][CR-9]") {
  const Tensor q = floats({1, 2, 2}, {1, 2, .5f, -1}), k = floats({1, 2, 1}, {.5f, 2}), v = floats({1, 2, 2}, {1, 2, 3, -1}), past = floats({1, 1, 1, 2}, {2, 4});
  const auto heads = [](const char* rule, float scale) {
    return attributes({{"q_num_heads", int64_t{2}}, {"kv_num_heads", int64_t{1}}, {"update_rule", std::string(rule)}, {"scale", scale}});
  };
  check({"LinearAttention", {q, k, v, past, floats({1, 2, 1}, {std::log(.5f), std::log(.25f)}), floats({1, 2, 1}, {1, .5f})}, heads("gated_delta", 0.5f), 2},
        {{{1, 2, 4}, {0.625, 1.25, 1.25, 2.5, 0.671875, -0.40625, -1.34375, 0.8125}}, {{1, 1, 1, 2}, {2.6875, -1.625}}});
  check({"LinearAttention", {q, k, v, past}, heads("linear", 0), 2}, {{{1, 2, 4}, {2.5, 5, 5, 10, 4.25, 1.5, -8.5, -3}}, {{1, 1, 1, 2}, {8.5, 3}}});
}

TEST_CASE("CausalConvWithState starts from its state", "[session][CR-9]") {
  const std::vector<Tensor> in{floats({1, 2, 4}, {1, 2, 3, 4, -1, 0, 1, 2}), floats({2, 1, 3}, {1, 2, 3, .5f, 0, -1}), floats({2}, {1, -1}), floats({1, 2, 2}, {10, 20, 0, 1})};
  const Figures state{{1, 2, 2}, {3, 4, 1, 2}};
  check({"CausalConvWithState", in, {}, 2}, {{{1, 2, 4}, {54, 29, 15, 21, 0, -0.5, -2.5, -3}}, state});
  check({"CausalConvWithState", in, attributes({{"activation", std::string("silu")}}), 2}, {{{1, 2, 4}, {54, 29, 15, 21, 0, -0.1887703, -0.1896455, -0.1422776}}, state});
}

TEST_CASE("bodies give no elements for none", "[session][CR-9]") {
  check({"CausalConvWithState", {floats({1, 2, 0}, {}), floats({2, 1, 3}, {1, 2, 3, 4, 5, 6}), {}, floats({1, 2, 2}, {1, 2, 3, 4})}, {}, 2}, {{{1, 2, 0}, {}}, {{1, 2, 2}, {1, 2, 3, 4}}});
  // No keys: rows of zeros. No queries: no rows.
  const Attributes causal = attributes({{"is_causal", int64_t{1}}});
  check({"Attention", {floats({1, 2, 1, 1}, {1, 2}), floats({1, 1, 0, 1}, {}), floats({1, 1, 0, 1}, {})}, causal}, {{{1, 2, 1, 1}, {0, 0}}});
  check({"Attention", {floats({1, 1, 0, 1}, {}), floats({1, 1, 2, 1}, {1, 2}), floats({1, 1, 2, 1}, {3, 4})}, causal}, {{{1, 1, 0, 1}, {}}});
  check({"LinearAttention", {floats({1, 0, 2}, {}), floats({1, 0, 1}, {}), floats({1, 0, 1}, {}), floats({1, 1, 1, 1}, {7})},
         attributes({{"q_num_heads", int64_t{2}}, {"kv_num_heads", int64_t{1}}, {"update_rule", std::string("linear")}}), 2},
        {{{1, 0, 2}, {}}, {{1, 1, 1, 1}, {7}}});
  check({"GroupNormalization", {floats({0, 2, 3}, {}), floats({2}, {1, 1}), floats({2}, {0, 0})}, attributes({{"num_groups", int64_t{2}}})}, {{{0, 2, 3}, {}}});
}

TEST_CASE("GroupNormalization, MeanVarianceNormalization and LpNormalization", "[session][CR-9]") {
  check({"GroupNormalization", {floats({1, 4, 2}, {1, 2, 3, 6, -1, 0, 0, 5}), floats({4}, {1, 2, -1, .5f}), floats({4}, {0, 1, 0, -1})}, attributes({{"num_groups", int64_t{2}}, {"epsilon", 0.5f}})},
        {{{1, 4, 2}, {-1, -0.5, 1, 4, 0.8164966, 0.4082483, -1.204124, -0.1835034}}});
  check({"MeanVarianceNormalization", {floats({2, 2}, {1, 5, 3, 5})}, attributes({{"axes", std::vector<int64_t>{0}}})}, {{{2, 2}, {-1, 0, 1, 0}}});
  check({"LpNormalization", {floats({2, 3}, {3, 0, 4, 0, 0, 0})}, {}}, {{{2, 3}, {.6, 0, .8, 0, 0, 0}}});
  check({"LpNormalization", {floats({2, 2}, {1, -2, 3, -2})}, attributes({{"p", int64_t{1}}, {"axis", int64_t{0}}})}, {{{2, 2}, {.25, -.5, .75, -.5}}});
}

TEST_CASE("losses leave out what is to be ignored", "[session][CR-9]") {
  std::vector<float> logs;
  for (double p : {.5, .25, .25, .125, .5, .375, .2, .3, .5}) logs.push_back(static_cast<float>(std::log(p)));
  const Tensor log_probabilities = floats({3, 3}, logs), target = int64s({3}, {1, -1, 2}), weight = floats({3}, {1, 2, 4});
  const auto reduced = [](const char* how) { return attributes({{"ignore_index", int64_t{-1}}, {"reduction", std::string(how)}}); };
  check({"NegativeLogLikelihoodLoss", {log_probabilities, target, weight}, reduced("none")}, {{{3}, {2.772589, 0, 2.772589}}});
  check({"NegativeLogLikelihoodLoss", {log_probabilities, target, weight}, reduced("mean")}, {{{}, {0.9241962}}});
  check({"NegativeLogLikelihoodLoss", {log_probabilities, target}, reduced("mean")}, {{{}, {1.039721}}});
  check({"NegativeLogLikelihoodLoss", {log_probabilities, target, weight}, reduced("sum")}, {{{}, {5.545177}}});
  check({"SoftmaxCrossEntropyLoss", {floats({2, 3}, {1, 2, 3, 0, 0, -1}), int32s({2}, {2, 0})}, {}, 2},
        {{{}, {0.6348004}}, {{2, 3}, {-2.407606, -1.407606, -0.407606, -0.8619948, -0.8619948, -1.861995}}});
}

TEST_CASE("a loss refuses classes that are not there, but for the one to ignore", "[session][CR-9][CR-10]") {
  const Tensor x = floats({2, 3}, {-1, -2, -3, -4, -5, -6});
  for (const char* op : {"NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"})
    for (const int32_t target : {-1, -3, 3, INT32_MIN}) {
      INFO(op << " of class " << target);
      CHECK_THROWS_AS(check({op, {x, int32s({2}, {0, target})}, {}}, {{{}, {0}}}), Error);
    }
  check({"NegativeLogLikelihoodLoss", {x, int32s({2}, {1, -1})}, attributes({{"ignore_index", int64_t{-1}}, {"reduction", std::string("sum")}})}, {{{}, {2}}});
}

TEST_CASE("windows are periodic or symmetric, in any type", "[session][CR-9]") {
  const Attributes symmetric = attributes({{"periodic", int64_t{0}}});
  const Tensor six = int32s({}, {6}), five = int64s({}, {5}), one = int64s({}, {1});
  check({"HannWindow", {six}, {}}, {{{6}, {0, .25, .75, 1, .75, .25}}});
  check({"HammingWindow", {five}, symmetric}, {{{5}, {0.08695652, 0.5434783, 1, 0.5434783, 0.08695652}}});
  check({"BlackmanWindow", {five}, symmetric}, {{{5}, {0, 0.34, 1, 0.34, 0}}});
  check({"HannWindow", {one}, symmetric}, {{{1}, {1}}});
  check({"HannWindow", {int64s({}, {0})}, {}}, {{{0}, {}}});
  check({"HannWindow", {six}, attributes({{"output_datatype", static_cast<int64_t>(DType::uint8)}})}, {{{6}, {0, 0, 0, 1, 0, 0}}});
}

TEST_CASE("CenterCropPad cuts and pads about the middle", "[session][CR-9]") {
  // 5 columns to 2: the window starts at (5 - 2) / 2 = 1; 2 rows to 5: one row before, two behind.
  check({"CenterCropPad", {floats({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), int64s({2}, {5, 2})}, {}}, {{{5, 2}, {0, 0, 2, 3, 7, 8, 0, 0, 0, 0}}});
  check({"CenterCropPad", {bools({1}, {1}), int64s({1}, {3})}, {}}, {{{3}, {0, 1, 0}}});
  check({"CenterCropPad", {int64s({2, 2}, {1, 2, 3, 4}), int32s({1}, {3})}, attributes({{"axes", std::vector<int64_t>{-1}}})}, {{{2, 3}, {1, 2, 0, 3, 4, 0}}});
}

TEST_CASE("CenterCropPad fills up with empty strings", "[session][CR-9]") {
  CHECK(run({"CenterCropPad", {Tensor::strings({1}, {"a"}), int64s({1}, {2})}, {}}, false)[0] == Tensor::strings({2}, {"a", ""}));
}

TEST_CASE("AffineGrid maps centres or corners", "[session][CR-9]") {
  // x' = 2x + y + 10, y' = -x + 3y, over 1 x 2 pixels: centres x = -.5, .5 and y = 0; corners x = -1, 1, and one row at -1.
  const Tensor theta = floats({1, 2, 3}, {2, 1, 10, -1, 3, 0}), size = int64s({4}, {1, 1, 1, 2});
  check({"AffineGrid", {theta, size}, {}}, {{{1, 1, 2, 2}, {9, .5, 11, -.5}}});
  check({"AffineGrid", {theta, size}, attributes({{"align_corners", int64_t{1}}})}, {{{1, 1, 2, 2}, {7, -2, 11, -4}}});
  // (x, y, z) of D, H, W = 2, 1, 1 given back as (z, x + 1, y).
  check({"AffineGrid", {floats({1, 3, 4}, {0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0}), int64s({5}, {1, 1, 2, 1, 1})}, {}}, {{{1, 2, 1, 1, 3}, {-.5, 1, 0, .5, 1, 0}}});
}

TEST_CASE("SwiGLU is Swish times a value", "[session][CR-9]") {
  // 2 / (1 + e^-1) · 3 with alpha 0.5
  const Attributes half = attributes({{"alpha", 0.5f}});
  check({"SwiGLU", {doubles({1}, {2}), doubles({1}, {3})}, half}, {{{1}, {4.386351471780029}}}, 1e-9);
}

TEST_CASE("without the pass, an op that no kernel runs is refused", "[session][CR-3]") {
  CompileOptions options;
  options.disabled_passes = {"expand_functions"};
  const auto build = [](GraphBuild& b) {
    const OutputRef x = b.input("x", {2});
    b.outputs({b.op("SwiGLU", {x, x})});
  };
  CHECK_THROWS_WITH(compiled(build, options), Contains("SwiGLU") && Contains("no linked kernel") && Contains("expand_functions"));
}

TEST_CASE("a rank that never gets known is refused with the reason", "[session][CR-3]") {
  const auto build = [](GraphBuild& b) {
    const OutputRef x = b.input_of_unknown_rank("x");
    b.outputs({b.op("Attention", {x, x, x})});
  };
  CHECK_THROWS_WITH(compiled(build), Contains("Attention") && Contains("rank of 'x'"));
}

// Shapes of the ops that are made of others (ge/passes/bodies): from the operators' documentation (ONNX, opset 28).
#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;

TEST_CASE("Attention gives Y like Q, the present caches and the scores", "[ops][CR-2]") {
  Symbols s;
  const Inferred plain = s.op("Attention").in({s.N, 8, s.H, 64}).in({s.N, 2, s.W, 64}).in({s.N, 2, s.W, 32}).run(4);
  CHECK(plain[0] == "float32[N, 8, H, 32]");
  CHECK(plain[1] == "float32[N, 2, W, 64]");
  CHECK(plain[2] == "float32[N, 2, W, 32]");
  CHECK(plain[3] == "float32[N, 8, H, W]");
  const Inferred past = s.op("Attention").in({s.N, 8, 1, 64}).in({s.N, 2, 1, 64}).in({s.N, 2, 1, 64}, DType::float16).absent()
                            .in({s.N, 2, s.W, 64}).in({s.N, 2, s.W, 64}, DType::float16).run(4);
  CHECK(past[1] == "float32[N, 2, W + 1, 64]");
  CHECK(past[2] == "float16[N, 2, W + 1, 64]");
  CHECK(past[3] == "float32[N, 8, 1, W + 1]");
}

TEST_CASE("Attention unpacks inputs of three axes by its numbers of heads", "[ops][CR-2]") {
  Symbols s;
  const auto packed = [&] { return s.op("Attention").in({s.N, s.H, 512}).in({s.N, s.W, 128}).in({s.N, s.W, 64}); };
  const Inferred out = packed().set("q_num_heads", int64_t{8}).set("kv_num_heads", int64_t{2}).run(4);
  CHECK(out[0] == "float32[N, H, 256]");
  CHECK(out[1] == "float32[N, 2, W, 64]");
  CHECK(out[2] == "float32[N, 2, W, 32]");
  CHECK(out[3] == "float32[N, 8, H, W]");
  CHECK(mentions(packed().error(), {"rank 3", "q_num_heads"}));
  CHECK(mentions(packed().set("q_num_heads", int64_t{7}).set("kv_num_heads", int64_t{2}).error(), {"512", "q_num_heads 7"}));
  CHECK(mentions(packed().set("q_num_heads", int64_t{0}).set("kv_num_heads", int64_t{2}).error(), {"'q_num_heads' is 0"}));
}

TEST_CASE("Attention refuses what does not fit together", "[ops][CR-2][CR-10]") {
  Symbols s;
  const auto node = [&] { return s.op("Attention").in({2, 4, 3, 8}).in({2, 2, 5, 8}).in({2, 2, 5, 8}); };
  CHECK(node().error().empty());
  CHECK(mentions(s.op("Attention").in({2, 3, 3, 8}).in({2, 2, 5, 8}).in({2, 2, 5, 8}).error(), {"3 heads of queries", "2 heads of keys"}));
  CHECK(mentions(s.op("Attention").in({2, 4, 3, 8}).in({2, 2, 5, 7}).in({2, 2, 5, 8}).error(), {"head size of K", "is 7, expected 8"}));
  CHECK(mentions(node().in({3, 6}).error(), {"6 keys", "at most 5"}));
  CHECK(mentions(node().absent().in({2, 2, 1, 8}).error(), {"past_key and past_value"}));
  CHECK(mentions(node().absent().in({2, 2, 1, 8}).in({2, 2, 1, 8}).in({2}, DType::int64).error(), {"nonpad_kv_seqlen"}));
  CHECK(mentions(node().set("qk_matmul_output_mode", int64_t{4}).error(), {"is 4, expected 0 to 3"}));
  CHECK(mentions(node().set("softmax_precision", int64_t{7}).error(), {"int64, expected a float type"}));
  CHECK(mentions(node().set("left_window_size", int64_t{-2}).error(), {"'left_window_size' is -2"}));
  // No heads at all are no division by zero.
  CHECK(s.op("Attention").in({2, 0, 3, 8}).in({2, 0, 5, 8}).in({2, 0, 5, 8}).text() == "float32[2, 0, 3, 8]");
}

TEST_CASE("RotaryEmbedding keeps the shape and checks its caches", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("RotaryEmbedding").in({s.N, 4, s.H, 8}).in({50, 4}).in({50, 4}).in({s.N, s.H}, DType::int64).text() == "float32[N, 4, H, 8]");
  CHECK(mentions(s.op("RotaryEmbedding").in({2, 4, 3, 8}).in({50, 3}).in({50, 4}).in({2, 3}, DType::int64).error(), {"cos_cache", "is 3, expected 4"}));
  CHECK(mentions(s.op("RotaryEmbedding").in({2, 4, 3, 7}).in({2, 3, 3}).in({2, 3, 3}).error(), {"7 by 2"}));
  CHECK(mentions(s.op("RotaryEmbedding").in({2, 3, 8}).in({2, 3, 4}).in({2, 3, 4}).error(), {"num_heads"}));
  CHECK(mentions(s.op("RotaryEmbedding").in({2, 4, 3, 8}).in({2, 3, 5}).in({2, 3, 5}).set("rotary_embedding_dim", int64_t{10}).error(), {"at least rotary_embedding_dim 10"}));
  // One angle for each token of X, not what would broadcast.
  CHECK(s.op("RotaryEmbedding").in({s.N, s.H, 16}).in({s.N, s.H, 4}).in({s.N, s.H, 4}).set("num_heads", int64_t{2}).text() == "float32[N, H, 16]");
  CHECK(mentions(s.op("RotaryEmbedding").in({1, 4, 3, 8}).in({2, 3, 4}).in({2, 3, 4}).error(), {"the batch of cos_cache", "is 2, expected 1"}));
  CHECK(mentions(s.op("RotaryEmbedding").in({2, 4, 3, 8}).in({2, 3, 4}).in({2, 1, 4}).error(), {"the length of sin_cache", "is 1, expected 3"}));
  CHECK(mentions(s.op("RotaryEmbedding").in({2, 4, 3, 8}).in({50, 4}).in({50, 4}).in({2, 4}, DType::int64).error(), {"the length of position_ids", "is 4, expected 3"}));
}

TEST_CASE("ops with a state give it back in its own type", "[ops][CR-2]") {
  Symbols s;
  const auto linear = [&](const char* rule) {
    return s.op("LinearAttention").in({s.N, s.H, 64}, DType::float16).in({s.N, s.H, 32}, DType::float16).in({s.N, s.H, 16}, DType::float16)
        .set("q_num_heads", int64_t{8}).set("kv_num_heads", int64_t{4}).set("update_rule", std::string(rule));
  };
  const Inferred out = linear("linear").in({s.N, 4, 8, 4}).run(2);
  CHECK(out[0] == "float16[N, H, 32]");
  CHECK(out[1] == "float32[N, 4, 8, 4]");
  CHECK(linear("linear").run(2)[1] == "float16[N, 4, 8, 4]");
  CHECK(mentions(linear("gated").error(2), {"decay"}));
  CHECK(mentions(linear("delta").error(2), {"beta"}));
  CHECK(mentions(linear("cubic").error(2), {"'cubic'", "gated_delta"}));
  const Inferred conv = s.op("CausalConvWithState").in({s.N, 4, s.W}).in({4, 1, 3}).run(2);
  CHECK(conv[0] == "float32[N, 4, W]");
  CHECK(conv[1] == "float32[N, 4, 2]");
  CHECK(mentions(s.op("CausalConvWithState").in({1, 4, 9}).in({4, 1, 0}).error(2), {"no taps"}));
}

TEST_CASE("losses have the target's shape or none", "[ops][CR-2]") {
  Symbols s;
  const auto loss = [&](const char* how) { return s.op("SoftmaxCrossEntropyLoss").in({s.N, 5, s.H}).in({s.N, s.H}, DType::int32).set("reduction", std::string(how)); };
  CHECK(loss("none").run(2)[0] == "float32[N, H]");
  CHECK(loss("mean").run(2)[0] == "float32[]");
  CHECK(loss("sum").run(2)[1] == "float32[N, 5, H]");
  CHECK(mentions(loss("max").error(2), {"'max'", "none, sum, mean"}));
  CHECK(mentions(s.op("NegativeLogLikelihoodLoss").in({3, 5, 2}).in({3, 4}, DType::int64).error(), {"dim 1 of the target", "is 4, expected 2"}));
  CHECK(mentions(s.op("NegativeLogLikelihoodLoss").in({3, 5}).in({3}, DType::int64).in({4}).error(), {"number of weights", "is 4, expected 5"}));
}

TEST_CASE("sizes that come as values are dims", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("HannWindow").scalar(s.N).text() == "float32[N]");
  CHECK(s.op("HammingWindow").scalar(5, DType::int32).set("output_datatype", int64_t{11}).text() == "float64[5]");
  CHECK(s.op("BlackmanWindow").in({}, DType::int64).run().wanted == std::vector<size_t>{0});
  CHECK(mentions(s.op("HannWindow").scalar(-1).error(), {"is -1"}));
  CHECK(s.op("CenterCropPad").in({s.N, 5, 7}).values({s.H, 3}).ints("axes", {-1, 1}).text() == "float32[N, 3, H]");
  CHECK(s.op("CenterCropPad").in({3, 5}).values({s.H, 3}).text() == "float32[H, 3]");
  CHECK(s.op("CenterCropPad").rankless().in({2}, DType::int64).run().unknowns == 2);
  CHECK(mentions(s.op("CenterCropPad").in({3, 5}).values({3}).error(), {"1 elements", "2 axes"}));
  CHECK(s.op("AffineGrid").in({s.N, 2, 3}).values({s.N, 3, s.H, s.W}).text() == "float32[N, H, W, 2]");
  CHECK(s.op("AffineGrid").in({s.N, 3, 4}).values({s.N, 3, 5, s.H, s.W}).text() == "float32[N, 5, H, W, 3]");
  CHECK(mentions(s.op("AffineGrid").in({1, 2, 3}).values({1, 1, 1, 1, 1}).error(), {"dim 1 of theta", "is 2, expected 3"}));
  CHECK(mentions(s.op("AffineGrid").in({1, 2, 3}).values({1, 1, 1}).error(), {"3 elements"}));
}

TEST_CASE("TensorScatter has room for what it writes", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("TensorScatter").in({s.N, 4, 10, 8}).in({s.N, 4, s.H, 8}).in({s.N}, DType::int64).text() == "float32[N, 4, 10, 8]");
  CHECK(mentions(s.op("TensorScatter").in({2, 4, 10}).in({2, 5, 10}).error(), {"5 long", "room for 4"}));
  CHECK(mentions(s.op("TensorScatter").in({2, 4, 10}).in({2, 4, 9}).error(), {"dim 2 of update", "is 9, expected 10"}));
  CHECK(mentions(s.op("TensorScatter").in({2, 4}).in({1, 4}).set("axis", int64_t{0}).error(), {"the batch"}));
}

TEST_CASE("normalizations check their axes", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("MeanVarianceNormalization").in({s.N, 3, s.H, s.W}).text() == "float32[N, 3, H, W]");
  CHECK_FALSE(s.op("MeanVarianceNormalization").in({s.N, 3, s.H}).error().empty());  // axes 0, 2, 3 by default
  CHECK(s.op("LpNormalization").in({s.N, 3}, DType::bfloat16).text() == "bfloat16[N, 3]");
  CHECK(mentions(s.op("LpNormalization").in({3}).set("p", int64_t{3}).error(), {"'p' is 3, expected 1 or 2"}));
  CHECK(s.op("SwiGLU").in({s.N, 3}).in({s.N, 3}).text() == "float32[N, 3]");
  CHECK(mentions(s.op("SwiGLU").in({2, 3}).in({2, 1}).error(), {"dim 1 of input 1 (B)", "is 1, expected 3"}));
}

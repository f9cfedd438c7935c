#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;

TEST_CASE("Conv counts windows symbolically", "[ops][CR-2]") {
  Symbols s;
  const auto conv = [&] { return s.op("Conv").in({s.N, 3, s.H, 224}).in({64, 3, 7, 7}); };
  const auto plain = conv().ints("strides", {2, 2}).ints("pads", {3, 3, 3, 3}).run();
  CHECK(plain.dim(0, 0) == s.N);
  CHECK(plain.dim(0, 1).is_constant(64));
  CHECK(plain.dim(0, 2) == floor_div(s.H - 1, 2) + 1);
  CHECK(plain.dim(0, 3).is_constant(112));
  CHECK(plain.conditions.empty());  // H is at least 1, with its padding 7
  CHECK(conv().run().conditions.size() == 1);
  CHECK(conv().set("auto_pad", std::string("SAME_UPPER")).ints("strides", {2, 2}).type().shape->at(2) == ceil_div(s.H, 2));
  CHECK(s.op("Conv").rankless().in({64, 3, 7}).type().shape->at(1).is_constant(64));
  CHECK(s.op("Conv").rankless().rankless().text() == "float32[?]");
  CHECK(s.op("Conv").in({1, 4, 8}).in({6, 2, 3}).in({6}).set("group", int64_t{2}).text() == "float32[1, 6, 6]");
  CHECK(mentions(s.op("Conv").in({1, 4, 8}).in({6, 3, 3}).error(), {"channel count", "is 4, expected 3"}));
  CHECK(mentions(s.op("Conv").in({1, 4, 2}).in({6, 4, 3}).error(), {"spatial axis 0 has 2", "at least the 3"}));
  CHECK(mentions(s.op("Conv").in({1, 4}).in({6, 4, 3}).error(), {"input 0 (X)", "rank 2", "expected rank at least 3"}));
  CHECK(mentions(conv().ints("strides", {1}).error(), {"'strides' has 1 values, expected 2"}));
  CHECK(mentions(conv().ints("strides", {0, 1}).error(), {"'strides' has the value 0"}));
  CHECK(mentions(conv().ints("kernel_shape", {5, 7}).error(), {"dim 2 of W", "is 7, expected 5"}));
  CHECK(mentions(conv().in({3}).error(), {"input 2 (B)", "is 3, expected 64"}));
}

TEST_CASE("pools round as asked and ignore windows behind the input", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("MaxPool").in({s.N, 8, 112, 112}).ints("kernel_shape", {3, 3}).ints("strides", {2, 2}).ints("pads", {1, 1, 1, 1}).text() ==
        "float32[N, 8, 56, 56]");
  const auto indices = s.op("MaxPool").in({s.N, 8, 4}).ints("kernel_shape", {2}).run(2);
  CHECK(indices[1] == "int64[N, 8, 3]");
  CHECK(s.op("AveragePool").rankless().ints("kernel_shape", {2, 2}).type().rank() == 4);
  CHECK(mentions(s.op("AveragePool").in({1, 1, 4}).error(), {"kernel_shape", "missing"}));
  CHECK(s.op("GlobalAveragePool").in({s.N, 8, s.H, s.W}).text() == "float32[N, 8, 1, 1]");
  for (int64_t in = 1; in <= 9; ++in)
    for (int64_t kernel = 1; kernel <= 3; ++kernel)
      for (int64_t stride = 1; stride <= 3; ++stride)
        for (int64_t begin = 0; begin < kernel; ++begin)
          for (int64_t end = 0; end < kernel; ++end)
            for (int64_t ceil : {0, 1}) {
              if (in + begin + end < kernel) continue;
              int64_t count = 0;  // windows that begin inside and, rounding down, end inside
              for (int64_t at = -begin; ceil ? at - stride + kernel < in + end && at < in : at + kernel <= in + end; at += stride) ++count;
              const auto found = s.op("MaxPool")
                                     .in({1, 1, in})
                                     .ints("kernel_shape", {kernel})
                                     .ints("strides", {stride})
                                     .ints("pads", {begin, end})
                                     .set("ceil_mode", ceil)
                                     .type()
                                     .shape->at(2);
              if (!found.is_constant(count))
                FAIL("in " << in << " kernel " << kernel << " stride " << stride << " pads " << begin << "," << end << " ceil " << ceil
                           << ": " << to_string(found) << ", expected " << count);
            }
}

TEST_CASE("ConvTranspose undoes the counting of Conv", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("ConvTranspose").in({s.N, 8, s.H}).in({8, 4, 2}).ints("strides", {2}).text() == "float32[N, 4, 2*H]");
  CHECK(s.op("ConvTranspose").in({1, 8, 5}).in({8, 4, 3}).ints("strides", {2}).ints("pads", {1, 1}).ints("output_padding", {1}).text() ==
        "float32[1, 4, 10]");
  CHECK(s.op("ConvTranspose").in({1, 8, 5}).in({8, 4, 3}).ints("output_shape", {9}).ints("strides", {2}).text() == "float32[1, 4, 9]");
  CHECK(s.op("ConvTranspose").in({1, 8, 5}).in({8, 4, 3}).set("auto_pad", std::string("SAME_LOWER")).ints("strides", {3}).text() ==
        "float32[1, 4, 15]");
  CHECK(s.op("ConvTranspose").in({1, 8, 5}).in({8, 4, 3}).set("group", int64_t{2}).text() == "float32[1, 8, 7]");
  CHECK(mentions(s.op("ConvTranspose").in({1, 7, 5}).in({8, 4, 3}).error(), {"is 7, expected 8"}));
}

TEST_CASE("Resize scales dims exactly", "[ops][CR-2]") {
  Symbols s;
  const auto scaled = [&](Term dim, float scale) { return s.op("Resize").in({dim}).absent().floats({scale}).type().shape->front(); };
  CHECK(scaled(s.H, 2.0f) == s.H * 2);
  CHECK(scaled(s.H, 0.5f) == floor_div(s.H, 2));
  CHECK(scaled(s.H, 1.5f) == floor_div(s.H * 3, 2));
  CHECK(scaled(3, 1.0f / 3.0f).is_constant(1));
  CHECK(scaled(10, 0.7f).is_constant(7));
  CHECK(scaled(s.H, 0.7f) == floor_div(s.H * 7, 10));
  CHECK(scaled(7, 31.0f / 7.0f).is_constant(30));  // 30.999998 in float32
  CHECK(scaled(s.H, 31.0f / 7.0f).is_symbol());
  CHECK(scaled(s.H, 0.123456f).is_symbol());
  CHECK(scaled(100, 0.123456f).is_constant(12));
  CHECK(s.op("Resize").in({s.N, 3, s.H, s.W}).absent().absent().values({s.H * 2, 7}).ints("axes", {2, 3}).text() == "float32[N, 3, 2*H, 7]");
  const auto kept = [&](const char* policy) {
    return s.op("Resize")
        .in({1, 1, 2, 4})
        .absent()
        .absent()
        .values({7, 8})
        .ints("axes", {2, 3})
        .set("keep_aspect_ratio_policy", std::string(policy))
        .text();
  };
  CHECK(kept("stretch") == "float32[1, 1, 7, 8]");
  CHECK(kept("not_larger") == "float32[1, 1, 4, 8]");
  CHECK(kept("not_smaller") == "float32[1, 1, 7, 14]");
  CHECK(mentions(s.op("Resize").in({2}).error(), {"neither of scales and sizes"}));
  CHECK(mentions(s.op("Resize").in({2}).absent().floats({1}).values({2}).error(), {"both of scales and sizes"}));
  CHECK(mentions(s.op("Resize").in({2}).absent().floats({1, 1}).error(), {"scales has 2 values, expected 1"}));
  CHECK(s.op("Resize").in({2}).floats({}).floats({}).values({4}).text() == "float32[4]");
  CHECK(s.op("Resize").in({s.N, 3}).absent().in({2}).run().wanted == std::vector<size_t>{2});
}

TEST_CASE("recurrent cells check their weights", "[ops][CR-2]") {
  Symbols s;
  const auto lstm = s.op("LSTM").in({s.N, s.M, 10}).in({1, 80, 10}).in({1, 80, 20}).set("hidden_size", int64_t{20}).run(3);
  CHECK(lstm[0] == "float32[N, 1, M, 20]");
  CHECK(lstm[1] == "float32[1, M, 20]");
  CHECK(lstm[2] == "float32[1, M, 20]");
  const auto gru = s.op("GRU")
                       .in({s.M, s.N, 10})
                       .in({2, 60, 10})
                       .in({2, 60, 20})
                       .set("layout", int64_t{1})
                       .set("direction", std::string("bidirectional"))
                       .run(2);
  CHECK(gru[0] == "float32[M, N, 2, 20]");
  CHECK(gru[1] == "float32[M, 2, 20]");
  CHECK(s.op("RNN").rankless().rankless().in({1, 20, 20}).type().shape->at(3).is_constant(20));
  CHECK(mentions(s.op("LSTM").in({s.N, s.M, 10}).in({1, 80, 11}).in({1, 80, 20}).error(1), {"input 1 (W", "is 11, expected 10"}));
  CHECK(mentions(s.op("LSTM").in({s.N, s.M, 10}).in({1, 60, 10}).in({1, 80, 20}).error(1), {"is 60, expected 80"}));
  CHECK(mentions(s.op("LSTM").in({s.N, 10}).in({1, 80, 10}).in({1, 80, 20}).error(1), {"input 0 (X)", "rank 2"}));
}

TEST_CASE("MatMul and Gemm follow numpy", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("MatMul").in({s.N, 3, 4}).in({4, 5}).text() == "float32[N, 3, 5]");
  CHECK(s.op("MatMul").in({4}).in({s.N, 4, 5}).text() == "float32[N, 5]");
  CHECK(s.op("MatMul").in({s.N, 4}).in({4}).text() == "float32[N]");
  CHECK(s.op("MatMul").in({4}).in({4}).text() == "float32[]");
  CHECK(s.op("MatMul").in({s.N, 1, 3, 4}).in({6, 4, 5}).text() == "float32[N, 6, 3, 5]");
  CHECK(s.op("MatMul").in({4}).rankless().text() == "float32[?]");
  CHECK(mentions(s.op("MatMul").in({3, 4}).in({5, 6}).error(), {"A[3, 4]", "B[5, 6]", "is 4, expected 5"}));
  CHECK(mentions(s.op("MatMul").in({}).in({5, 6}).error(), {"input 0 (A)", "rank 0"}));
  CHECK(s.op("MatMul").in({2, s.N}).in({s.M, 3}).run().conditions.size() == 1);
  CHECK(s.op("Gemm").in({4, s.N}).in({5, 4}).in({5}).set("transA", int64_t{1}).set("transB", int64_t{1}).text() == "float32[N, 5]");
  CHECK(mentions(s.op("Gemm").in({3, 4}).in({5, 6}).error(), {"inner dim", "is 4, expected 5"}));
  CHECK(mentions(s.op("Gemm").in({3, 4}).in({4, 6}).in({5}).error(), {"input 2 (C)", "[5]", "[3, 6]"}));
}

TEST_CASE("normalizations and reductions", "[ops][CR-2]") {
  Symbols s;
  const auto norm = [&](Term c) { return s.op("BatchNormalization").in({s.N, 8, s.H}).in({8}).in({8}).in({8}).in({c}); };
  CHECK(norm(8).text() == "float32[N, 8, H]");
  CHECK(mentions(norm(7).error(), {"input 4 (input_var)", "is 7, expected 8"}));
  const auto layer = s.op("LayerNormalization").in({s.N, s.M, 16}, DType::float16).in({16}, DType::float16).run(3);
  CHECK(layer[0] == "float16[N, M, 16]");
  CHECK(layer[1] == "float32[N, M, 1]");
  CHECK(mentions(s.op("LayerNormalization").in({2, 16}).in({8}).error(), {"input 1 (Scale)", "[8]", "[16]"}));
  CHECK(s.op("Softmax").in({s.N, 10}).text() == "float32[N, 10]");
  CHECK(mentions(s.op("Softmax").in({s.N, 10}).set("axis", int64_t{2}).error(), {"axis 2 is out of range"}));
  const auto axes = [](std::vector<int64_t> v) { return Tensor::ints(v); };
  CHECK(s.op("ReduceMean").in({s.N, 3, s.H}).constant(axes({-1})).text() == "float32[N, 3, 1]");
  CHECK(s.op("ReduceMean").in({s.N, 3, s.H}).constant(axes({1, 2})).set("keepdims", int64_t{0}).text() == "float32[N]");
  CHECK(s.op("ReduceMax").in({s.N, 3}).text() == "float32[1, 1]");
  CHECK(s.op("ReduceMax").in({s.N, 3}).constant(axes({})).set("noop_with_empty_axes", int64_t{1}).text() == "float32[N, 3]");
  CHECK(s.op("ReduceMax").rankless().set("keepdims", int64_t{0}).text() == "float32[]");
  CHECK(mentions(s.op("ReduceMax").in({s.N, 3}).constant(axes({2})).error(), {"axis 2 is out of range for rank 2"}));
  CHECK(s.op("ArgMax").in({s.N, 3}).set("axis", int64_t{1}).set("keepdims", int64_t{0}).text() == "int64[N]");
  CHECK(s.op("CumSum").in({s.N, 3}).scalar(1).text() == "float32[N, 3]");
  CHECK(s.op("Dropout").in({s.N, 3}).run(2)[1] == "bool[N, 3]");
}

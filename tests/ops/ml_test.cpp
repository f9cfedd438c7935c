// Inference of ai.onnx.ml.
#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;
using Texts = std::vector<std::string>;
using Ints = std::vector<int64_t>;

TEST_CASE("LabelEncoder's keys and values decide dtypes", "[ops][CR-2]") {
  Symbols s;
  const auto encoder = [&] { return s.op("ai.onnx.ml::LabelEncoder").in({s.N, 3}, DType::string); };
  CHECK(encoder().set("keys_strings", Texts{"a"}).set("values_int64s", Ints{1}).text() == "int64[N, 3]");
  CHECK(s.op("ai.onnx.ml::LabelEncoder").rankless(DType::int64).set("keys_int64s", Ints{1}).set("values_strings", Texts{"a"}).text() == "string[?]");
  CHECK(mentions(encoder().set("keys_int64s", Ints{1}).set("values_int64s", Ints{1}).error(), {"is string, but the keys are int64"}));
  CHECK(mentions(encoder().set("keys_strings", Texts{"a", "b"}).set("values_int64s", Ints{1}).error(), {"2 keys and 1 values"}));
  CHECK(mentions(encoder().set("keys_strings", Texts{"a"}).error(), {"has 0 of the attributes 'values_*'"}));
  CHECK(mentions(encoder().set("keys_strings", Texts{"a"}).set("keys_int64s", Ints{1}).set("values_int64s", Ints{1}).error(), {"has 2 of the attributes 'keys_*'"}));
  const int16_t one = 1;
  const auto to_int16 = [&] { return encoder().set("keys_strings", Texts{"a"}).set("values_tensor", Tensor::from<int16_t>(DType::int16, {1}, std::span(&one, 1))); };
  CHECK(to_int16().text() == "int16[N, 3]");
  CHECK(mentions(to_int16().set("default_int64", int64_t{40'000}).error(), {"40000", "no int16"}));
  CHECK(mentions(to_int16().set("default_tensor", Tensor::scalar(1)).error(), {"'default_tensor'", "expected one of int16"}));
}

TEST_CASE("ArrayFeatureExtractor's indices decide the last dim", "[ops][CR-2]") {
  Symbols s;
  const auto extractor = [&] { return s.op("ai.onnx.ml::ArrayFeatureExtractor"); };
  CHECK(extractor().in({s.N, 4}).in({1, 2}, DType::int64).text() == "float32[N, 2]");
  CHECK(extractor().in({4}).in({s.N}, DType::int64).text() == "float32[1, N]");
  CHECK(extractor().in({s.N, 4}).in({}, DType::int64).text() == "float32[N, 1]");
  CHECK(extractor().in({s.N, 4}).rankless(DType::int64).run().unknowns == 1);
  CHECK(extractor().rankless().in({2}, DType::int64).text() == "float32[?]");
  CHECK(mentions(extractor().in({}).in({2}, DType::int64).error(), {"is a scalar"}));
}

TEST_CASE("TreeEnsemble's input has all features that its trees look at", "[ops][CR-2]") {
  Symbols s;
  const uint8_t mode = 0;
  const float number = 1;
  const auto trees = [&](int64_t feature) {
    return s.op("ai.onnx.ml::TreeEnsemble")
        .set("tree_roots", Ints{0}).set("nodes_modes", Tensor::from<uint8_t>(DType::uint8, {1}, std::span(&mode, 1)))
        .set("nodes_splits", Tensor::from<float>(DType::float32, {1}, std::span(&number, 1))).set("nodes_featureids", Ints{feature})
        .set("nodes_truenodeids", Ints{0}).set("nodes_trueleafs", Ints{1}).set("nodes_falsenodeids", Ints{0}).set("nodes_falseleafs", Ints{1})
        .set("leaf_targetids", Ints{2}).set("leaf_weights", Tensor::from<float>(DType::float32, {1}, std::span(&number, 1))).set("n_targets", int64_t{3});
  };
  CHECK(trees(1).in({s.N, 2}).text() == "float32[N, 3]");
  CHECK(trees(1).in({4, s.N}).run().conditions.size() == 1);
  CHECK(trees(1).rankless(DType::float64).run().unknowns == 1);
  CHECK(mentions(trees(2).in({s.N, 2}).error(), {"has 2 features, expected at least the 3"}));
  CHECK(mentions(trees(0).in({2}).error(), {"rank 1, expected rank 2"}));
}

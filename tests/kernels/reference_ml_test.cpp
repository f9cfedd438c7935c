// ai.onnx.ml: LabelEncoder, ArrayFeatureExtractor, Binarizer, TreeEnsemble; worked out by hand.
#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <limits>

using namespace ge;
using namespace ge::testing;
using Texts = std::vector<std::string>;
using Ints = std::vector<int64_t>;
using Floats = std::vector<float>;

namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

template <class T>
std::vector<T> elements(const Tensor& t) {
  std::vector<T> out;
  for (int64_t i = 0; i < t.count(); ++i) out.push_back(t.at<T>(i));
  return out;
}
Texts texts(const Tensor& t) {
  Texts out;
  for (int64_t i = 0; i < t.count(); ++i) out.emplace_back(t.at<StringRef>(i).view());
  return out;
}

/// The root asks x[0] <= 1: yes leaf 0, no node 1. That asks whether x[1] is in {3, 5}: yes leaf 1, no leaf 2. A second
/// tree is a single leaf, 3.
Attributes two_trees() {
  Attributes a;
  a.set("tree_roots", Ints{0, 2});
  a.set("nodes_modes", tensor<uint8_t>(DType::uint8, {3}, {0, 6, 0}));
  a.set("nodes_splits", floats({3}, {1, no_number, 0}));
  a.set("nodes_featureids", Ints{0, 1, 0});
  a.set("nodes_truenodeids", Ints{0, 1, 3});
  a.set("nodes_trueleafs", Ints{1, 1, 1});
  a.set("nodes_falsenodeids", Ints{1, 2, 3});
  a.set("nodes_falseleafs", Ints{0, 1, 1});
  a.set("membership_values", floats({3}, {5, 3, no_number}));
  a.set("leaf_targetids", Ints{0, 1, 0, 1});
  a.set("leaf_weights", floats({4}, {10, 20, 30, 4}));
  a.set("n_targets", int64_t{2});
  return a;
}

/// For rows [1, 0], [2, 3], [2, 4], [NaN, 5].
Floats scores(const Attributes& attributes) {
  return elements<float>(KernelRunner("ai.onnx.ml::TreeEnsemble", attributes).run({floats({4, 2}, {1, 0, 2, 3, 2, 4, no_number, 5})}, {{DType::float32, {4, 2}}})[0]);
}
Floats scores_with(const char* name, AttributeValue value) {
  Attributes attributes = two_trees();
  attributes.set(name, std::move(value));
  return scores(attributes);
}

}  // namespace

TEST_CASE("LabelEncoder maps strings, and what is no key to the default", "[kernels][CR-9]") {
  Attributes a;
  a.set("keys_strings", Texts{"b", "", "a", "b"});
  a.set("values_int64s", Ints{1, 2, 3, 4});
  const Tensor x = Tensor::strings({5}, {"a", "b", "", "aa", "A"});
  CHECK(elements<int64_t>(KernelRunner("ai.onnx.ml::LabelEncoder", a).run({x}, {{DType::int64, {5}}})[0]) == Ints{3, 4, 2, -1, -1});  // the last "b" counts
  a.erase("values_int64s");
  a.set("values_strings", Texts{"one", "two", "", "four"});
  CHECK(texts(KernelRunner("ai.onnx.ml::LabelEncoder", a).run({x}, {{DType::string, {5}}})[0]) == Texts{"", "four", "two", "_Unused", "_Unused"});
}

TEST_CASE("LabelEncoder maps numbers exactly, NaN too", "[kernels][CR-9]") {
  Attributes a;
  a.set("keys_floats", Floats{no_number, 0.1F, -1, infinity});
  a.set("values_tensor", tensor<int16_t>(DType::int16, {4}, {1, 2, 3, 4}));
  CHECK(elements<int16_t>(KernelRunner("ai.onnx.ml::LabelEncoder", a).run({floats({2, 3}, {-no_number, 0.1F, 0.10000001F, -1, infinity, -infinity})}, {{DType::int16, {2, 3}}})[0]) ==
        std::vector<int16_t>{1, 2, -1, 3, 4, -1});  // 0.10000001 is another float32
  Attributes whole;
  const int64_t large = (int64_t{1} << 53) + 1;
  whole.set("keys_int64s", Ints{large, INT64_MIN});
  whole.set("values_floats", Floats{0.5F, 2});
  const auto y = elements<float>(KernelRunner("ai.onnx.ml::LabelEncoder", whole).run({int64s({3}, {large - 1, large, INT64_MIN})}, {{DType::float32, {3}}})[0]);
  CHECK(y == Floats{0, 0.5F, 2});
  CHECK(std::signbit(y[0]));  // the default is -0
  Attributes none;
  none.set("keys_int64s", Ints{});
  none.set("values_int64s", Ints{});
  CHECK(elements<int64_t>(KernelRunner("ai.onnx.ml::LabelEncoder", none).run({int64s({1}, {0})}, {{DType::int64, {1}}})[0]) == Ints{-1});
}

TEST_CASE("ArrayFeatureExtractor picks along the last axis", "[kernels][CR-9][CR-10]") {
  KernelRunner runner("ai.onnx.ml::ArrayFeatureExtractor");
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(elements<float>(runner.run({x, int64s({1, 2}, {2, 0})}, {{DType::float32, {2, 2}}})[0]) == Floats{3, 1, 6, 4});
  CHECK(texts(runner.run({Tensor::strings({2}, {"a", "b"}), int64s({}, {1})}, {{DType::string, {1, 1}}})[0]) == Texts{"b"});
  CHECK(runner.run({x, int64s({0}, {})}, {{DType::float32, {2, 0}}})[0].count() == 0);
  for (const int64_t index : {int64_t{3}, int64_t{-1}, INT64_MIN, INT64_MAX})
    CHECK_THROWS_AS(runner.run({x, int64s({1}, {index})}, {{DType::float32, {2, 1}}}), Error);
}

TEST_CASE("Binarizer compares with its threshold", "[kernels][CR-9]") {
  const auto at = [](float threshold) {
    Attributes a;
    a.set("threshold", threshold);
    return KernelRunner("ai.onnx.ml::Binarizer", a);
  };
  CHECK(elements<float>(at(1).run({floats({5}, {1, 1.5F, -infinity, infinity, no_number})}, {{DType::float32, {5}}})[0]) == Floats{0, 1, 0, 1, 0});
  const auto ints = [&](float threshold) { return elements<int64_t>(at(threshold).run({int64s({4}, {INT64_MIN, 0, 1, INT64_MAX})}, {{DType::int64, {4}}})[0]); };
  CHECK(ints(0) == Ints{0, 0, 1, 1});
  CHECK(ints(0.5F) == Ints{0, 0, 1, 1});
  CHECK(ints(-0.5F) == Ints{0, 1, 1, 1});
  CHECK(ints(1e30F) == Ints{0, 0, 0, 0});
  CHECK(ints(-1e30F) == Ints{1, 1, 1, 1});
  CHECK(ints(no_number) == Ints{0, 0, 0, 0});
}

TEST_CASE("TreeEnsemble walks to a leaf of each tree and puts them together", "[kernels][CR-9]") {
  CHECK(scores(two_trees()) == Floats{10, 4, 0, 24, 30, 4, 0, 24});
  CHECK(scores_with("aggregate_function", int64_t{0}) == Floats{5, 2, 0, 12, 15, 2, 0, 12});
  const float most = std::numeric_limits<float>::max();
  CHECK(scores_with("aggregate_function", int64_t{2}) == Floats{10, 4, most, 4, 30, 4, most, 4});
  CHECK(scores_with("aggregate_function", int64_t{3}) == Floats{10, 4, -most, 20, 30, 4, -most, 20});
  CHECK(scores_with("nodes_missing_value_tracks_true", Ints{1, 0, 0}) == Floats{10, 4, 0, 24, 30, 4, 10, 4});  // NaN goes to leaf 0
  CHECK(scores_with("membership_values", floats({2}, {4, no_number})) == Floats{10, 4, 30, 4, 0, 24, 30, 4});
}

TEST_CASE("TreeEnsemble compares in seven ways", "[kernels][CR-9]") {
  const std::vector<Floats> expected{{1, 1, 0}, {1, 0, 0}, {0, 1, 1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 1}};  // x = 0, 1, 2 and 1
  for (uint8_t mode = 0; mode < 6; ++mode) {
    Attributes a = two_trees();
    a.set("tree_roots", Ints{0});
    a.set("nodes_modes", tensor<uint8_t>(DType::uint8, {3}, {mode, 6, 0}));
    a.set("nodes_truenodeids", Ints{0, 1, 3});
    a.set("nodes_falsenodeids", Ints{1, 2, 3});
    a.set("nodes_falseleafs", Ints{1, 1, 1});
    a.set("leaf_weights", floats({4}, {1, 0, 0, 0}));
    const auto y = elements<float>(KernelRunner("ai.onnx.ml::TreeEnsemble", a).run({floats({3, 2}, {0, 0, 1, 0, 2, 0})}, {{DType::float32, {3, 2}}})[0]);
    CHECK(Floats{y[0], y[2], y[4]} == expected[mode]);
  }
}

TEST_CASE("TreeEnsemble transforms its scores", "[kernels][CR-9]") {
  const auto first_rows = [](int64_t transform, std::vector<float> weights) {
    Attributes a = two_trees();
    a.set("leaf_weights", floats({4}, std::move(weights)));
    a.set("post_transform", transform);
    return scores(a);
  };
  const auto softmax = first_rows(1, {0, 1, 0, std::log(3.0F)});  // row 0: 0 and log 3
  CHECK(softmax[0] == Approx(0.25));
  CHECK(softmax[1] == Approx(0.75));
  CHECK(first_rows(3, {0, 1, 0, 2})[0] == 0.0F);
  CHECK(first_rows(3, {0, 1, 0, 2})[1] == 1.0F);
  CHECK(first_rows(2, {0, 0, 0, std::log(3.0F)})[1] == Approx(0.75));
  // The normal distribution: 97.5 % lie below 1.959964 standard deviations, 15.8655 % below -1.
  const auto probit = first_rows(4, {0.158655254F, 0, 1, 0.975F});
  CHECK(probit[0] == Approx(-1));
  CHECK(probit[1] == Approx(1.959963985));
  CHECK(probit[4] == infinity);
  CHECK(probit[2] == -infinity);
}

TEST_CASE("trees that are none are refused before they are walked", "[kernels][CR-10]") {
  const auto refused = [](const char* name, AttributeValue value) {
    try {
      scores_with(name, std::move(value));
    } catch (const Error& error) {
      return std::string(error.what()).find(name) != std::string::npos || std::string(error.what()).find("cycle") != std::string::npos;
    }
    return false;
  };
  CHECK(refused("nodes_falsenodeids", Ints{0, 2, 3}));  // the root leads to itself
  CHECK(refused("nodes_falsenodeids", Ints{3, 2, 3}));
  CHECK(refused("nodes_falsenodeids", Ints{-1, 2, 3}));
  CHECK(refused("nodes_truenodeids", Ints{0, 4, 3}));
  CHECK(refused("nodes_truenodeids", Ints{0, 1}));
  CHECK(refused("nodes_featureids", Ints{0, -1, 0}));
  CHECK(refused("nodes_splits", floats({2}, {1, 2})));
  CHECK(refused("nodes_modes", tensor<uint8_t>(DType::uint8, {3}, {0, 6, 7})));
  CHECK(refused("nodes_modes", floats({3}, {0, 6, 0})));
  CHECK(refused("leaf_targetids", Ints{0, 1, 0, 2}));
  CHECK(refused("leaf_targetids", Ints{0, 1}));
  CHECK(refused("tree_roots", Ints{3}));
  CHECK(refused("tree_roots", Ints{}));
  CHECK(refused("membership_values", floats({0}, {})));
  CHECK(refused("membership_values", floats({4}, {1, no_number, 2, no_number})));
  CHECK(refused("n_targets", int64_t{0}));
  CHECK(refused("n_targets", INT64_MAX));
  CHECK(refused("post_transform", int64_t{5}));
  CHECK(refused("aggregate_function", int64_t{-1}));
}

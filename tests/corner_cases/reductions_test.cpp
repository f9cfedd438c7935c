// Reductions at the edge: rank 0, nothing to reduce, no axes, NaN at every place.
#include "corner_cases/one_op.hpp"

#include <map>

using namespace ge;
using namespace ge::testing;

namespace {

Attributes noop(int64_t keepdims) { return attributes({{"noop_with_empty_axes", int64_t{1}}, {"keepdims", keepdims}}); }
const Tensor no_axes = int64s({0}, {});

}  // namespace

TEST_CASE("every reduction takes a scalar", "[corner][CR-9]") {
  // microsoft/onnxruntime#16492, onnx/onnx#5469, apache/tvm PR10780: f(2.5) for the op's f.
  const std::map<std::string, std::string> others = {{"ReduceSumSquare", "6.25"}, {"ReduceLogSum", "0.916291"}};
  for (const char* op : all_reductions)
    for (int64_t keepdims : {0, 1}) {
      INFO(op << ", keepdims " << keepdims);
      const auto other = others.find(op);
      const std::string expected = "float32[] " + (other == others.end() ? "2.5" : other->second);
      CHECK(OneOp(op, attributes({{"keepdims", keepdims}})).shown({floats({}, {2.5f})}) == expected);
      CHECK(OneOp(op, attributes({{"keepdims", keepdims}})).shown({floats({}, {2.5f}), no_axes}) == expected);
      CHECK(OneOp(op, noop(keepdims)).shown({floats({}, {2.5f}), no_axes}) == expected);
    }
  CHECK(OneOp("ReduceMin").shown({int64s({}, {-3})}) == "int64[] -3");
  for (const char* op : {"ReduceMax", "ReduceMin"}) CHECK(OneOp(op).shown({bools({}, {1})}) == "bool[] 1");
}

TEST_CASE("no axes and noop_with_empty_axes: what the op does to an element is still done", "[corner][CR-9]") {
  // microsoft/onnxruntime#26288, PR26436, #26541.
  const std::map<std::string, std::string> expected = {
      {"ReduceSum", "-3 2"}, {"ReduceMean", "-3 2"}, {"ReduceMax", "-3 2"}, {"ReduceMin", "-3 2"}, {"ReduceProd", "-3 2"}, {"ReduceL1", "3 2"},
      {"ReduceL2", "3 2"}, {"ReduceSumSquare", "9 4"}, {"ReduceLogSum", "nan 0.693147"}, {"ReduceLogSumExp", "-3 2"}};
  for (const char* op : all_reductions) {
    INFO(op);
    std::string y = OneOp(op, noop(1)).shown({floats({2}, {-3, 2}), no_axes});
    if (const size_t at = y.find("-nan"); at != std::string::npos) y.erase(at, 1);
    CHECK(y == "float32[2] " + expected.at(op));
    std::string absent = OneOp(op, noop(0)).shown({floats({2}, {-3, 2})});
    if (const size_t at = absent.find("-nan"); at != std::string::npos) absent.erase(at, 1);
    CHECK(absent == y);
  }
  CHECK(OneOp("ReduceL1", noop(1)).shown({int32s({2}, {-3, 2}), no_axes}) == "int32[2] 3 2");
}

TEST_CASE("a reduction over nothing has the op's neutral element, and the mean is NaN", "[corner][CR-9]") {
  // microsoft/onnxruntime PR28353: the identity of each op.
  const std::map<std::string, std::string> expected = {
      {"ReduceSum", "0 0"}, {"ReduceMean", "nan nan"}, {"ReduceMax", "-inf -inf"}, {"ReduceMin", "inf inf"}, {"ReduceProd", "1 1"}, {"ReduceL1", "0 0"},
      {"ReduceL2", "0 0"}, {"ReduceSumSquare", "0 0"}, {"ReduceLogSum", "-inf -inf"}, {"ReduceLogSumExp", "-inf -inf"}};
  for (const char* op : all_reductions)
    for (const auto& [axis, dims] : {std::pair<int64_t, const char*>{1, "[2, 1]"}, {-1, "[2, 1]"}}) {
      INFO(op);
      const Tensor y = OneOp(op).run({floats({2, 0}, {}), int64s({1}, {axis})})[0];
      REQUIRE(y.dims() == std::vector<int64_t>{2, 1});
      if (std::string(op) == "ReduceMean") CHECK((std::isnan(y.at<float>(0)) && std::isnan(y.at<float>(1))));
      else CHECK(show(y) == "float32" + std::string(dims) + " " + expected.at(op));
      // Where the other axis is reduced there is nothing to give.
      CHECK(OneOp(op).run({floats({2, 0}, {}), int64s({1}, {0})})[0].dims() == std::vector<int64_t>{1, 0});
    }
  CHECK(OneOp("ReduceSum").shown({int64s({0}, {})}) == "int64[1] 0");
  CHECK(OneOp("ReduceMax").run({int64s({0}, {})})[0].at<int64_t>(0) == INT64_MIN);
}

TEST_CASE("NaN at every place of a reduction is its result, in one chunk and in several, along every axis", "[corner][CR-9]") {
  for (const char* op : all_reductions)
    for (int64_t axis : {0, 1})
      for (int64_t n : {1, 2, 7, 8, 9, 33})
        for (int64_t at = 0; at < n; ++at) {
          std::vector<float> x(static_cast<size_t>(2 * n), 1.0f);
          x[static_cast<size_t>(axis == 1 ? at : 2 * at)] = quiet_nan;  // row 0, or column 0
          const std::vector<int64_t> dims = axis == 1 ? std::vector<int64_t>{2, n} : std::vector<int64_t>{n, 2};
          const Tensor y = KernelRunner(op).run({floats(dims, x), int64s({1}, {axis})}, {{DType::float32, axis == 1 ? std::vector<int64_t>{2, 1} : std::vector<int64_t>{1, 2}}})[0];
          INFO(op << " of " << n << " with NaN at " << at << " along axis " << axis);
          REQUIRE(std::isnan(y.at<float>(0)));
          REQUIRE_FALSE(std::isnan(y.at<float>(1)));
        }
}

TEST_CASE("a float16 mean behind Concat, Where and Transpose has every element", "[corner][CR-9]") {
  // openvinotoolkit/openvino#37960: output (6, 4, 1), three elements were 0. Row r holds r + 1 - 3 to r + 1 + 3.
  const auto rows = [](int64_t first, int64_t count) {
    std::vector<float> x;
    for (int64_t r = first; r < first + count; ++r)
      for (int64_t k = -3; k <= 3; ++k) x.push_back(static_cast<float>(r + 1 + k));
    return x;
  };
  ModelCase model;
  const OutputRef a = model.input("a", {2, 4, 7}, DType::float16), b = model.input("b", {4, 4, 7}, DType::float16), c = model.input("c", {6, 4, 1}, DType::boolean);
  const OutputRef all = model.op("Concat", {a, b}, attributes({{"axis", int64_t{0}}}));
  const OutputRef chosen = model.op("Where", {c, all, model.op("Neg", {all})});
  const OutputRef turned = model.op("Transpose", {chosen}, attributes({{"perm", std::vector<int64_t>{2, 0, 1}}}));
  const OutputRef mean = model.op("ReduceMean", {turned, model.ints({0})}, attributes({{"keepdims", int64_t{0}}}));
  model.outputs({model.op("Unsqueeze", {mean, model.ints({-1})})});
  std::vector<uint8_t> odd;
  std::string expected = "float16[6, 4, 1]";
  for (int r = 0; r < 24; ++r) odd.push_back(r % 2), expected += " " + std::to_string(r % 2 == 1 ? r + 1 : -r - 1);
  CHECK(model.instance()->shown({halves({2, 4, 7}, rows(0, 8)), halves({4, 4, 7}, rows(8, 16)), bools({6, 4, 1}, odd)}) == expected);
}

TEST_CASE("LayerNormalization of float16 rows uses each row's own mean and variance", "[corner][CR-9]") {
  // microsoft/onnxruntime#16341: x[8, 4], scale[4], opset 18. Rows k (1, 2, 3, 4): ±1.3416, ±0.4472 for every k.
  std::vector<float> x;
  for (int k = 1; k <= 8; ++k)
    for (int i = 1; i <= 4; ++i) x.push_back(static_cast<float>(k * i));
  const Tensor y = OneOp("LayerNormalization").run({halves({8, 4}, x), halves({4}, {1, 1, 1, 2})})[0];
  REQUIRE(y.dims() == std::vector<int64_t>{8, 4});
  for (int64_t i = 0; i < 32; ++i) {
    static constexpr double expected[] = {-1.341641, -0.447214, 0.447214, 2.683282};
    CHECK((*y.to_doubles())[static_cast<size_t>(i)] == Approx(expected[i % 4]).margin(1.5e-3));
  }
}

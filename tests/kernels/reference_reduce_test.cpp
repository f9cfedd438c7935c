#include "support/catch.hpp"
#include "support/run_kernel.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <random>

using namespace ge;
using namespace ge::testing;

namespace {

constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

template <class T>
std::vector<T> values_of(const Tensor& t) {
  std::vector<T> out;
  for (int64_t i = 0; i < t.count(); ++i) out.push_back(t.at<T>(i));
  return out;
}
Attributes with(std::string_view name, AttributeValue value) {
  Attributes attributes;
  attributes.set(name, std::move(value));
  return attributes;
}
const char* const all_ops[] = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1",
                               "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"};
/// The definition, in the plainest form.
double reduce(const std::string& op, const std::vector<double>& x) {
  double sum = 0, product = 1, largest = -INFINITY, smallest = INFINITY, magnitudes = 0, squares = 0, exponentials = 0;
  for (double v : x) {
    sum += v, product *= v, magnitudes += std::fabs(v), squares += v * v, exponentials += std::exp(v);
    largest = std::fmax(largest, v), smallest = std::fmin(smallest, v);
  }
  const std::map<std::string, double> results = {
      {"ReduceSum", sum}, {"ReduceMean", sum / static_cast<double>(x.size())}, {"ReduceMax", largest}, {"ReduceMin", smallest}, {"ReduceProd", product},
      {"ReduceL1", magnitudes}, {"ReduceL2", std::sqrt(squares)}, {"ReduceSumSquare", squares}, {"ReduceLogSum", std::log(sum)}, {"ReduceLogSumExp", std::log(exponentials)}};
  return results.at(op);
}
float reduce_all(const char* op, std::vector<float> x) {
  const auto n = static_cast<int64_t>(x.size());
  return KernelRunner(op).run({floats({n}, std::move(x))}, {{DType::float32, {1}}})[0].at<float>(0);
}

}  // namespace

TEST_CASE("reductions over random axes agree with their definition", "[kernels][SX-18]") {
  const unsigned seed = 5;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 120; ++round) {
    const auto rank = static_cast<size_t>(random() % 5);
    std::vector<int64_t> dims(rank), out, axes;
    std::vector<bool> reduced(rank);
    for (size_t i = 0; i < rank; ++i) {
      dims[i] = static_cast<int64_t>(1 + random() % 5);
      reduced[i] = random() % 2;
      if (reduced[i]) axes.push_back(static_cast<int64_t>(i) - (random() % 2 ? static_cast<int64_t>(rank) : 0));
      out.push_back(reduced[i] ? 1 : dims[i]);
    }
    if (axes.empty()) out.assign(rank, 1), reduced.assign(rank, true);  // no axes: all
    std::vector<float> x(static_cast<size_t>(*element_count(dims)));
    for (float& v : x) v = static_cast<float>(random() % 64) / 16 + 0.125f;
    std::vector<std::vector<double>> groups(static_cast<size_t>(*element_count(out)));
    for (size_t n = 0; n < x.size(); ++n) {
      size_t rest = n, to = 0, step = 1;
      for (size_t i = rank; i-- > 0; rest /= static_cast<size_t>(dims[i])) {
        if (reduced[i]) continue;
        to += rest % static_cast<size_t>(dims[i]) * step;
        step *= static_cast<size_t>(dims[i]);
      }
      groups[to].push_back(static_cast<double>(x[n]));
    }
    for (const char* op : all_ops) {
      const Tensor y = KernelRunner(op).run({floats(dims, x), Tensor::ints(axes)}, {{DType::float32, out}})[0];
      INFO(op << dims_to_string(dims) << " axes " << dims_to_string(axes));
      for (size_t g = 0; g < groups.size(); ++g)
        REQUIRE(static_cast<double>(y.at<float>(static_cast<int64_t>(g))) == Approx(reduce(op, groups[g])).epsilon(1e-6));
    }
  }
}

TEST_CASE("reductions over no elements have their defined values", "[kernels][SX-18]") {
  const std::map<std::string, float> expected = {{"ReduceSum", 0}, {"ReduceProd", 1}, {"ReduceL1", 0}, {"ReduceL2", 0}, {"ReduceSumSquare", 0},
                                                 {"ReduceMax", -inf}, {"ReduceMin", inf}, {"ReduceLogSum", -inf}, {"ReduceLogSumExp", -inf}};
  for (const auto& [op, value] : expected) {
    INFO(op);
    const auto y = KernelRunner(op).run({floats({2, 0}, {}), Tensor::ints(std::vector<int64_t>{1})}, {{DType::float32, {2, 1}}})[0];
    CHECK(values_of<float>(y) == std::vector<float>{value, value});
  }
  const auto empty = [](const char* op, DType dtype) { return KernelRunner(op).run({Tensor::zeros(dtype, {0})}, {{dtype, {1}}})[0]; };
  CHECK(empty("ReduceMax", DType::int32).at<int32_t>(0) == INT32_MIN);
  CHECK(empty("ReduceMin", DType::int32).at<int32_t>(0) == INT32_MAX);
  CHECK(empty("ReduceMax", DType::uint8).at<uint8_t>(0) == 0);
  CHECK(empty("ReduceMin", DType::uint64).at<uint64_t>(0) == UINT64_MAX);
  CHECK(empty("ReduceMax", DType::int64).at<int64_t>(0) == INT64_MIN);
  CHECK(empty("ReduceMax", DType::boolean).at<uint8_t>(0) == 0);
  CHECK(empty("ReduceMin", DType::boolean).at<uint8_t>(0) == 1);
}

TEST_CASE("no axes with noop_with_empty_axes still does the rest of the op", "[kernels][SX-18]") {
  const Attributes noop = with("noop_with_empty_axes", int64_t{1});
  const auto run = [&](const char* op) { return values_of<float>(KernelRunner(op, noop).run({floats({2}, {-3, 2})}, {{DType::float32, {2}}})[0]); };
  CHECK(run("ReduceSum") == std::vector<float>{-3, 2});
  CHECK(run("ReduceL1") == std::vector<float>{3, 2});
  CHECK(run("ReduceSumSquare") == std::vector<float>{9, 4});
}

TEST_CASE("NaN passes through reductions wherever it stands", "[kernels][SX-18][CR-9]") {
  for (const char* op : all_ops)
    for (size_t at : {0u, 1u, 699u}) {
      std::vector<float> x(700, 1.0f);
      x[at] = quiet_nan;
      INFO(op << " NaN at " << at);
      CHECK(std::isnan(reduce_all(op, x)));
    }
}

TEST_CASE("ReduceLogSumExp neither overflows nor loses infinities", "[kernels][SX-18]") {
  CHECK(reduce_all("ReduceLogSumExp", {1000, 1000}) == Approx(1000.6931f));
  CHECK(reduce_all("ReduceLogSumExp", {-1000, -1000}) == Approx(-999.30685f));
  CHECK(reduce_all("ReduceLogSumExp", {1, inf, inf, 2}) == inf);
  CHECK(reduce_all("ReduceLogSumExp", {-inf, -inf}) == -inf);
  CHECK(reduce_all("ReduceLogSumExp", {-inf, 2}) == 2);
}

TEST_CASE("reductions accumulate in wide arithmetic", "[kernels][SX-18][CR-9]") {
  // 4096 halves of 1 would stop at 2048 in half precision.
  const auto half = KernelRunner("ReduceSum").run({tensor<uint16_t>(DType::float16, {4096}, std::vector<uint16_t>(4096, float_to_half(1)))}, {{DType::float16, {1}}})[0];
  CHECK(half_to_float(half.at<uint16_t>(0)) == 4096);
  CHECK(reduce_all("ReduceSum", {1e8f, 1, -1e8f}) == 1);
  const auto ints = KernelRunner("ReduceSum").run({tensor<int32_t>(DType::int32, {2}, {INT32_MAX, 1})}, {{DType::int32, {1}}})[0];
  CHECK(ints.at<int32_t>(0) == INT32_MIN);
  const auto mean = KernelRunner("ReduceMean").run({tensor<int32_t>(DType::int32, {2}, {INT32_MAX, INT32_MAX})}, {{DType::int32, {1}}})[0];
  CHECK(mean.at<int32_t>(0) == INT32_MAX);
  const auto large = KernelRunner("ReduceMax").run({int64s({2}, {INT64_MAX - 1, INT64_MAX})}, {{DType::int64, {1}}})[0];
  CHECK(large.at<int64_t>(0) == INT64_MAX);
  const auto bools = KernelRunner("ReduceMax").run({tensor<uint8_t>(DType::boolean, {2}, {0, 1})}, {{DType::boolean, {1}}})[0];
  CHECK(bools.at<uint8_t>(0) == 1);
}

TEST_CASE("Softmax and LogSoftmax run along any axis and do not overflow", "[kernels][SX-18]") {
  const std::vector<float> x{1, 2, 3, 1000, 1001, 1002};
  const std::vector<double> e{0.09003057, 0.24472847, 0.66524096};
  const auto rows = KernelRunner("Softmax").run({floats({2, 3}, x)}, {{DType::float32, {2, 3}}})[0];
  const auto logs = KernelRunner("LogSoftmax", with("axis", int64_t{1})).run({floats({2, 3}, x)}, {{DType::float32, {2, 3}}})[0];
  const auto columns = KernelRunner("Softmax", with("axis", int64_t{0})).run({floats({3, 2}, {1, 1000, 2, 1001, 3, 1002})}, {{DType::float32, {3, 2}}})[0];
  for (int64_t i = 0; i < 6; ++i) {
    CHECK(rows.at<float>(i) == Approx(e[static_cast<size_t>(i % 3)]));
    CHECK(logs.at<float>(i) == Approx(std::log(e[static_cast<size_t>(i % 3)])));
    CHECK(columns.at<float>(i) == Approx(e[static_cast<size_t>(i / 2)]));
  }
  const auto with_nan = KernelRunner("Softmax").run({floats({3}, {1, quiet_nan, 2})}, {{DType::float32, {3}}})[0];
  for (int64_t i = 0; i < 3; ++i) CHECK(std::isnan(with_nan.at<float>(i)));
  CHECK(KernelRunner("Softmax").run({floats({2, 0}, {})}, {{DType::float32, {2, 0}}})[0].count() == 0);
  const auto longer = KernelRunner("Softmax").run({floats({1500}, std::vector<float>(1500, 3.0f))}, {{DType::float32, {1500}}})[0];
  for (int64_t i : {0, 511, 512, 1499}) CHECK(longer.at<float>(i) == Approx(1.0 / 1500));
}

TEST_CASE("BatchNormalization normalizes with the given or the batch's statistics", "[kernels][SX-18]") {
  const Tensor x = floats({2, 2, 1}, {1, 2, 3, 4}), scale = floats({2}, {2, 1}), bias = floats({2}, {0, 10}), mean = floats({2}, {1, 2}), var = floats({2}, {4, 1});
  Attributes attributes = with("epsilon", 0.0f);
  const auto y = KernelRunner("BatchNormalization", attributes).run({x, scale, bias, mean, var}, {{DType::float32, {2, 2, 1}}})[0];
  CHECK(values_of<float>(y) == std::vector<float>{0, 10, 2, 12});
  attributes.set("training_mode", int64_t{1});
  attributes.set("momentum", 0.5f);
  const auto t = KernelRunner("BatchNormalization", attributes).run({x, scale, bias, mean, var}, {{DType::float32, {2, 2, 1}}, {DType::float32, {2}}, {DType::float32, {2}}});
  CHECK(values_of<float>(t[0]) == std::vector<float>{-2, 9, 2, 11});
  CHECK(values_of<float>(t[1]) == std::vector<float>{1.5f, 2.5f});
  CHECK(values_of<float>(t[2]) == std::vector<float>{2.5f, 1});
}

TEST_CASE("LayerNormalization and RMSNormalization work on rows", "[kernels][SX-18]") {
  const Tensor x = floats({2, 2}, {1, 3, 10, 30}), scale = floats({2}, {1, 2}), bias = floats({2}, {0, 5});
  const Attributes exact = with("epsilon", 0.0f);
  const auto y = KernelRunner("LayerNormalization", exact).run({x, scale, bias}, {{DType::float32, {2, 2}}, {DType::float32, {2, 1}}, {DType::float32, {2, 1}}});
  CHECK(values_of<float>(y[0]) == std::vector<float>{-1, 7, -1, 7});
  CHECK(values_of<float>(y[1]) == std::vector<float>{2, 20});
  CHECK(y[2].at<float>(1) == Approx(0.1));
  Attributes all = exact;
  all.set("axis", int64_t{0});
  const auto whole = KernelRunner("LayerNormalization", all).run({floats({2, 2}, {1, 1, 3, 3}), floats({2, 2}, {1, 2, 3, 4})}, {{DType::float32, {2, 2}}})[0];
  CHECK(values_of<float>(whole) == std::vector<float>{-1, -2, 3, 4});
  const auto rms = KernelRunner("RMSNormalization", exact).run({floats({1, 2}, {3, -3}), scale}, {{DType::float32, {1, 2}}})[0];
  CHECK(values_of<float>(rms) == std::vector<float>{1, -2});
}

TEST_CASE("ArgMax and ArgMin pick the first or the last of equals", "[kernels][SX-18]") {
  const Tensor x = floats({2, 3}, {3, 1, 3, 0, 0, -1});
  const auto run = [&](const char* op, int64_t axis, int64_t last, std::vector<int64_t> out) {
    Attributes attributes = with("axis", axis);
    attributes.set("select_last_index", last);
    return values_of<int64_t>(KernelRunner(op, attributes).run({x}, {{DType::int64, std::move(out)}})[0]);
  };
  CHECK(run("ArgMax", 1, 0, {2, 1}) == std::vector<int64_t>{0, 0});
  CHECK(run("ArgMax", -1, 1, {2, 1}) == std::vector<int64_t>{2, 1});
  CHECK(run("ArgMin", 0, 0, {1, 3}) == std::vector<int64_t>{1, 1, 1});
  const auto nan_first = KernelRunner("ArgMax").run({floats({3}, {1, quiet_nan, 9})}, {{DType::int64, {1}}})[0];
  CHECK(nan_first.at<int64_t>(0) == 1);
  const auto big = KernelRunner("ArgMax").run({tensor<uint64_t>(DType::uint64, {2}, {1, UINT64_MAX})}, {{DType::int64, {1}}})[0];
  CHECK(big.at<int64_t>(0) == 1);
}

TEST_CASE("CumSum and CumProd honour axis, exclusive and reverse", "[kernels][SX-18]") {
  const auto run = [](const char* op, int64_t exclusive, int64_t reverse) {
    Attributes attributes = with("exclusive", exclusive);
    attributes.set("reverse", reverse);
    return values_of<float>(KernelRunner(op, attributes).run({floats({3}, {1, 2, 3}), int64s({}, {0})}, {{DType::float32, {3}}})[0]);
  };
  CHECK(run("CumSum", 0, 0) == std::vector<float>{1, 3, 6});
  CHECK(run("CumSum", 1, 0) == std::vector<float>{0, 1, 3});
  CHECK(run("CumSum", 0, 1) == std::vector<float>{6, 5, 3});
  CHECK(run("CumSum", 1, 1) == std::vector<float>{5, 3, 0});
  CHECK(run("CumProd", 0, 0) == std::vector<float>{1, 2, 6});
  CHECK(run("CumProd", 1, 1) == std::vector<float>{6, 3, 1});
  const auto y = KernelRunner("CumSum").run({int64s({2, 2}, {1, 2, INT64_MAX, 4}), tensor<int32_t>(DType::int32, {}, {-2})}, {{DType::int64, {2, 2}}})[0];
  CHECK(values_of<int64_t>(y) == std::vector<int64_t>{1, 2, INT64_MIN, 6});
  CHECK_THROWS_AS(KernelRunner("CumSum").run({floats({3}, {1, 2, 3}), int64s({}, {1})}, {{DType::float32, {3}}}), Error);
}

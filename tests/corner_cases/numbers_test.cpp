// Numbers at the edge: NaN, infinities, integers that wrap, divisors of 0, values that only wider types hold. Where a case
// comes from a public report of another runtime, its thread is named. Right values are worked out by hand.
#include "corner_cases/one_op.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

/// float32 of both signs with every exponent, subnormals included, in ascending order.
std::vector<float> every_exponent() {
  std::vector<float> positive;
  for (int e = -149; e <= 127; ++e)
    for (float m : {1.0f, 1.25f, 1.5f, 1.9999f})
      if (const float v = std::ldexp(m, e); positive.empty() || v > positive.back()) positive.push_back(v);
  std::vector<float> all;
  for (size_t i = positive.size(); i-- > 0;) all.push_back(-positive[i]);
  all.insert(all.end(), {-0.0f, 0.0f});
  all.insert(all.end(), positive.begin(), positive.end());
  return all;
}
Tensor list(const std::vector<float>& values) { return floats({static_cast<int64_t>(values.size())}, values); }

template <class T>
std::vector<Tensor> edges(DType dtype) {
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return {tensor<T>(dtype, {4}, {low, high, 7, 0}), tensor<T>(dtype, {4}, {static_cast<T>(-1), 2, static_cast<T>(-2), 1})};
}

}  // namespace

TEST_CASE("saturating functions stay in their range and never turn back, over every exponent", "[corner][CR-9]") {
  // sonos/tract, changelog of 0.23.5: Tanh, Sigmoid and SiLU left their range on the tails.
  const std::vector<float> x = every_exponent();
  struct Range {
    const char* op;
    float low, high;
  };
  for (const Range& r : {Range{"Tanh", -1, 1}, Range{"Sigmoid", 0, 1}, Range{"Erf", -1, 1}, Range{"HardSigmoid", 0, 1}, Range{"Softsign", -1, 1}, Range{"Atan", -1.5707964f, 1.5707964f}}) {
    INFO(r.op);
    const Tensor y = OneOp(r.op).run({list(x)})[0];
    for (size_t i = 0; i < x.size(); ++i) {
      const float v = y.at<float>(static_cast<int64_t>(i));
      INFO("at " << x[i] << ": " << v);
      REQUIRE((v >= r.low && v <= r.high));
      if (i > 0) REQUIRE(v >= y.at<float>(static_cast<int64_t>(i) - 1));
    }
  }
}

TEST_CASE("gated functions lie between 0 and x, but for their dip, over every exponent", "[corner][CR-9]") {
  // The dips: SiLU -0.278465 at -1.278, GELU -0.169971 at -0.752, Mish -0.308843 at -1.192, HardSwish -0.375 at -1.5.
  const std::vector<float> x = every_exponent();
  for (const auto& [op, dip] : {std::pair("Swish", 0.27847f), {"Gelu", 0.16998f}, {"Mish", 0.30885f}, {"HardSwish", 0.375f}}) {
    INFO(op);
    const Tensor y = OneOp(op).run({list(x)})[0];
    for (size_t i = 0; i < x.size(); ++i) {
      const float v = y.at<float>(static_cast<int64_t>(i));
      INFO("at " << x[i] << ": " << v);
      REQUIRE((x[i] < 0 ? v <= 0 && v >= -dip : v >= 0 && v <= x[i]));
    }
  }
}

TEST_CASE("rounding leaves alone what has no fraction", "[corner][CR-9]") {
  // microsoft/onnxruntime#12076: Floor of very large numbers.
  std::vector<float> large;
  for (int e = 23; e <= 127; ++e)
    for (float m : {1.0f, 1.5f, -1.0f, -1.75f}) large.push_back(std::ldexp(m, e));
  large.insert(large.end(), {inf, -inf, 3e9f, -3e9f, 9.3e18f});
  for (const char* op : {"Floor", "Ceil", "Round"}) CHECK(OneOp(op).run({list(large)})[0] == list(large));
  CHECK(OneOp("Floor").shown({halves({4}, {2049, -2049, 65504, -1.5f})}) == "float16[4] 2048 -2048 65504 -2");  // 2049 is no half
  CHECK(OneOp("Round").shown({floats({6}, {0.5f, 1.5f, 2.5f, -0.5f, -2.5f, 8388607.5f})}) == "float32[6] 0 2 2 -0 -2 8.38861e+06");
}

TEST_CASE("NaN stays NaN in Relu, Sign, Clip, Min and Max, in either order and broadcast", "[corner][CR-9]") {
  // apache/tvm#19572, #19579, #19533; microsoft/onnxruntime#21455; onnx/onnx#6003.
  CHECK(OneOp("Relu").shown({floats({3}, {quiet_nan, -1, 2})}) == "float32[3] nan 0 2");
  CHECK(OneOp("Sign").shown({floats({4}, {quiet_nan, -3, 0, inf})}) == "float32[4] nan -1 0 1");
  const Tensor x = floats({3}, {1, quiet_nan, 3}), nan = floats({}, {quiet_nan}), two = floats({}, {2});
  CHECK(OneOp("Clip").shown({x, two, {}}) == "float32[3] 2 nan 3");
  CHECK(OneOp("Clip").shown({x, {}, two}) == "float32[3] 1 nan 2");
  CHECK(OneOp("Clip").shown({x, {}, nan}) == "float32[3] nan nan nan");
  CHECK(OneOp("Clip").shown({x, nan, {}}) == "float32[3] nan nan nan");
  for (const char* op : {"Min", "Max"}) {
    INFO(op);
    const std::string both = std::string(op) == "Min" ? "float32[3] 1 nan 2" : "float32[3] 2 nan 3";
    CHECK(OneOp(op).shown({x, two}) == both);
    CHECK(OneOp(op).shown({two, x}) == both);
    CHECK(OneOp(op).shown({floats({1}, {2}), x}) == both);
    CHECK(OneOp(op).shown({floats({3}, {1, 2, 3}), nan}) == "float32[3] nan nan nan");
    CHECK(OneOp(op).shown({nan, floats({3}, {1, 2, 3}), two}) == "float32[3] nan nan nan");
  }
  for (const char* op : {"Min", "Max"})
    CHECK(OneOp(op).shown({halves({2}, {quiet_nan, 1}), halves({2}, {1, quiet_nan})}) == "float16[2] nan nan");
}

TEST_CASE("Min and Max of float16 compare signs and magnitudes", "[corner][CR-9]") {
  // microsoft/onnxruntime#6153
  CHECK(OneOp("Min").shown({halves({3}, {1, 2, -3}), halves({3}, {4, -5, -6})}) == "float16[3] 1 -5 -6");
  CHECK(OneOp("Max").shown({halves({3}, {1, 2, -3}), halves({3}, {4, -5, -6})}) == "float16[3] 4 2 -3");
}

TEMPLATE_TEST_CASE("the least integer by -1 wraps, a divisor of 0 ends the run with the node's name", "[corner][CR-9]", int8_t, int16_t, int32_t, int64_t) {
  // apache/tvm#19541, pytorch/pytorch#190042, microsoft/onnxruntime#32494, ml-explore/mlx PR4442.
  constexpr DType dtype = sizeof(TestType) == 1 ? DType::int8 : sizeof(TestType) == 2 ? DType::int16 : sizeof(TestType) == 4 ? DType::int32 : DType::int64;
  constexpr TestType low = std::numeric_limits<TestType>::min(), high = std::numeric_limits<TestType>::max();
  const auto quotient = OneOp("Div").run(edges<TestType>(dtype))[0];
  CHECK(quotient == tensor<TestType>(dtype, {4}, {low, static_cast<TestType>(high / 2), -3, 0}));
  CHECK(OneOp("Mod").run(edges<TestType>(dtype))[0] == tensor<TestType>(dtype, {4}, {0, 1, -1, 0}));
  CHECK(OneOp("Mod", attributes({{"fmod", int64_t{1}}})).run(edges<TestType>(dtype))[0] == tensor<TestType>(dtype, {4}, {0, 1, 1, 0}));
  CHECK(OneOp("Neg").run({tensor<TestType>(dtype, {1}, {low})})[0] == tensor<TestType>(dtype, {1}, {low}));
  CHECK(OneOp("Abs").run({tensor<TestType>(dtype, {1}, {low})})[0] == tensor<TestType>(dtype, {1}, {low}));
  const auto zeros = [&](size_t at) {
    std::vector<TestType> b(700, 1);
    b[at] = 0;
    return tensor<TestType>(dtype, {700}, b);
  };
  for (const char* op : {"Div", "Mod"})
    for (size_t at : {0u, 511u, 512u, 699u}) CHECK_THAT(OneOp(op).refusal({tensor<TestType>(dtype, {}, {1}), zeros(at)}), Contains("division by zero") && Contains(op));
}

TEMPLATE_TEST_CASE("unsigned divisors of 0 end the run too, and nothing is divided where there are no elements", "[corner][CR-9]", uint8_t, uint16_t, uint32_t, uint64_t) {
  constexpr DType dtype = sizeof(TestType) == 1 ? DType::uint8 : sizeof(TestType) == 2 ? DType::uint16 : sizeof(TestType) == 4 ? DType::uint32 : DType::uint64;
  for (const char* op : {"Div", "Mod"}) {
    CHECK_THAT(OneOp(op).refusal({tensor<TestType>(dtype, {2}, {1, 2}), tensor<TestType>(dtype, {2}, {1, 0})}), Contains("division by zero"));
    CHECK(OneOp(op).run({tensor<TestType>(dtype, {0}, {}), tensor<TestType>(dtype, {1}, {0})})[0] == Tensor::zeros(dtype, {0}));
  }
  constexpr TestType high = std::numeric_limits<TestType>::max();
  CHECK(OneOp("Div").run({tensor<TestType>(dtype, {2}, {high, high}), tensor<TestType>(dtype, {2}, {high, 2})})[0] == tensor<TestType>(dtype, {2}, {1, static_cast<TestType>(high / 2)}));
}

TEMPLATE_TEST_CASE("shifts by the width or more leave what the sign fills in", "[corner][CR-9]", uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t) {
  // BitShift-28.
  constexpr int width = 8 * sizeof(TestType);
  constexpr bool is_signed = std::is_signed_v<TestType>;
  constexpr DType dtypes[2][4] = {{DType::uint8, DType::uint16, DType::uint32, DType::uint64}, {DType::int8, DType::int16, DType::int32, DType::int64}};
  const DType dtype = dtypes[is_signed][width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : 3];
  const auto shift = [&](const char* direction, std::vector<TestType> x, std::vector<TestType> by) {
    const auto n = static_cast<int64_t>(x.size());
    const Tensor y = OneOp("BitShift", attributes({{"direction", std::string(direction)}})).run({tensor<TestType>(dtype, {n}, x), tensor<TestType>(dtype, {n}, by)})[0];
    std::vector<TestType> out;
    for (int64_t i = 0; i < n; ++i) out.push_back(y.at<TestType>(i));
    return out;
  };
  constexpr TestType high = std::numeric_limits<TestType>::max();
  CHECK(shift("LEFT", {1, 1, high, 5}, {width - 1, width, width, high}) == std::vector<TestType>{static_cast<TestType>(uint64_t{1} << (width - 1)), 0, 0, 0});
  CHECK(shift("RIGHT", {high, high, high}, {width - (is_signed ? 2 : 1), width, high}) == std::vector<TestType>{1, 0, 0});
  if constexpr (is_signed) CHECK(shift("RIGHT", {-8, -8, -8, 8}, {1, width, -1, -1}) == std::vector<TestType>{-4, -1, -1, 0});
}

TEST_CASE("Shrink, Erf and the logarithmic reductions take integers as their old forms did", "[corner][CR-9]") {
  // Shrink-9: x + bias, cut off towards zero; exact beyond 2^53.
  const Attributes one = attributes({{"bias", 1.5f}, {"lambd", 1.5f}});
  CHECK(OneOp("Shrink", one).shown({int32s({7}, {-4, -2, -1, 0, 1, 2, 4})}) == "int32[7] -2 0 0 0 0 0 2");
  const Attributes whole = attributes({{"bias", 1.0f}, {"lambd", 0.5f}});
  const int64_t far = (int64_t{1} << 53) + 1;
  CHECK(OneOp("Shrink", whole).run({int64s({3}, {far, -far, INT64_MIN})})[0] == int64s({3}, {far - 1, 1 - far, INT64_MIN + 1}));
  CHECK(OneOp("Shrink", whole).run({tensor<uint64_t>(DType::uint64, {2}, {UINT64_MAX, 0})})[0] == tensor<uint64_t>(DType::uint64, {2}, {UINT64_MAX - 1, 0}));
  CHECK(OneOp("Erf").shown({int32s({5}, {-9, -1, 0, 2, 9})}) == "int32[5] -1 0 0 0 1");
  CHECK(OneOp("ReduceLogSum").shown({int32s({3}, {10, 20, 30})}) == "int32[1] 4");   // ln 60 = 4.09
  CHECK(OneOp("ReduceLogSumExp").shown({int64s({2}, {7, 7})}) == "int64[1] 7");      // 7 + ln 2
}

#include "kernels/kernel_values.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace ge;
using namespace ge::testing;

namespace {

constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

Tensor bools(std::vector<int64_t> dims, std::vector<uint8_t> values) { return tensor<uint8_t>(DType::boolean, std::move(dims), std::move(values)); }
Tensor int32s(std::vector<int64_t> dims, std::vector<int32_t> values) { return tensor<int32_t>(DType::int32, std::move(dims), std::move(values)); }
Tensor halves(const std::vector<float>& values) {
  std::vector<uint16_t> bits;
  for (float v : values) bits.push_back(float_to_half(v));
  return tensor<uint16_t>(DType::float16, {static_cast<int64_t>(values.size())}, bits);
}
/// One float through a unary op.
float unary(const char* op, float x, Attributes attributes = {}) {
  return KernelRunner(op, std::move(attributes)).run({floats({1}, {x})}, {{DType::float32, {1}}})[0].at<float>(0);
}
std::vector<float> binary(const char* op, std::vector<float> a, std::vector<float> b) {
  const auto n = static_cast<int64_t>(a.size());
  return values_of<float>(KernelRunner(op).run({floats({n}, std::move(a)), floats({n}, std::move(b))}, {{DType::float32, {n}}})[0]);
}
template <class T>
std::vector<T> int_binary(const char* op, DType dtype, std::vector<T> a, std::vector<T> b, Attributes attributes = {}) {
  const auto n = static_cast<int64_t>(a.size());
  return values_of<T>(KernelRunner(op, std::move(attributes)).run({tensor<T>(dtype, {n}, a), tensor<T>(dtype, {n}, b)}, {{dtype, {n}}})[0]);
}

}  // namespace

TEST_CASE("unary float kernels give the values of their formulas", "[kernels][SX-18]") {
  struct Row {
    const char* op;
    float x;
    double expected;
  };
  const Row rows[] = {
      {"Abs", -2.5f, 2.5},        {"Neg", 1.5f, -1.5},          {"Sqrt", 2.0f, std::sqrt(2.0)}, {"Exp", 1.0f, 2.718281828},
      {"Log", 10.0f, 2.302585093}, {"Sigmoid", 1.0f, 0.7310586}, {"Sigmoid", -800.0f, 0},        {"Tanh", 0.5f, 0.46211716},
      {"Relu", -3.0f, 0},          {"Relu", 3.0f, 3},            {"LeakyRelu", -2.0f, -0.02},    {"HardSigmoid", 1.0f, 0.7},
      {"HardSigmoid", 9.0f, 1},    {"HardSwish", 1.0f, 2.0 / 3}, {"HardSwish", -4.0f, 0},        {"Elu", -1.0f, -0.63212056},
      {"Selu", -1.0f, -1.1113307}, {"Selu", 2.0f, 2.101402},     {"Celu", -1.0f, -0.63212056},   {"Softplus", 1.0f, 1.3132617},
      {"Softplus", 900.0f, 900},   {"Softsign", -3.0f, -0.75},   {"Erf", 0.5f, 0.5204999},       {"Floor", -1.5f, -2},
      {"Ceil", -1.5f, -1},         {"Round", 2.5f, 2},           {"Round", -1.5f, -2},           {"Round", 0.5f, 0},
      {"Reciprocal", 4.0f, 0.25},  {"Sign", -7.0f, -1},          {"Sin", 1.0f, 0.84147098},      {"Cos", 1.0f, 0.54030231},
      {"Tan", 1.0f, 1.5574077},    {"Asin", 0.5f, 0.52359878},   {"Acos", 0.5f, 1.0471976},      {"Atan", 1.0f, 0.78539816},
      {"Sinh", 1.0f, 1.1752012},   {"Cosh", 1.0f, 1.5430806},    {"Asinh", 1.0f, 0.88137359},    {"Acosh", 2.0f, 1.3169579},
      {"Atanh", 0.5f, 0.54930614}, {"Gelu", 1.0f, 0.84134475},   {"Mish", 1.0f, 0.86509839},     {"Swish", 1.0f, 0.7310586},
      {"ThresholdedRelu", 0.9f, 0}, {"ThresholdedRelu", 1.5f, 1.5}, {"Shrink", 2.0f, 2},         {"Shrink", 0.3f, 0},
  };
  for (const Row& row : rows) {
    INFO(row.op << "(" << row.x << ")");
    CHECK(unary(row.op, row.x) == Approx(row.expected).epsilon(1e-6).margin(1e-7));
  }
  CHECK(unary("Gelu", 1.0f, with("approximate", std::string("tanh"))) == Approx(0.84119199).epsilon(1e-6));
  CHECK(unary("LeakyRelu", -2.0f, with("alpha", 0.5f)) == -1.0f);
  CHECK(unary("Swish", 1.0f, with("alpha", 2.0f)) == Approx(0.88079708).epsilon(1e-6));
  CHECK(unary("Celu", -1.0f, with("alpha", 2.0f)) == Approx(-0.78693868).epsilon(1e-6));
}

TEST_CASE("unary kernels keep NaN, apart from ThresholdedRelu", "[kernels][SX-18][CR-9]") {
  for (const char* op : {"Abs", "Neg", "Sqrt", "Exp", "Relu", "LeakyRelu", "HardSigmoid", "HardSwish", "Elu", "Selu", "Celu", "Softplus", "Sign",
                         "Round", "Gelu", "Mish", "Sigmoid", "Shrink"}) {
    INFO(op);
    CHECK(std::isnan(unary(op, quiet_nan)));
  }
  CHECK(unary("ThresholdedRelu", quiet_nan) == 0.0f);
}

TEST_CASE("IsNaN, IsInf and Not give bools", "[kernels][SX-18]") {
  const Tensor x = floats({4}, {quiet_nan, inf, -inf, 1});
  const auto run = [&](const char* op, Attributes a = {}) { return values_of<uint8_t>(KernelRunner(op, a).run({x}, {{DType::boolean, {4}}})[0]); };
  CHECK(run("IsNaN") == std::vector<uint8_t>{1, 0, 0, 0});
  CHECK(run("IsInf") == std::vector<uint8_t>{0, 1, 1, 0});
  CHECK(run("IsInf", with("detect_negative", int64_t{0})) == std::vector<uint8_t>{0, 1, 0, 0});
  CHECK(run("IsInf", with("detect_positive", int64_t{0})) == std::vector<uint8_t>{0, 0, 1, 0});
  CHECK(values_of<uint8_t>(KernelRunner("Not").run({bools({3}, {0, 1, 2})}, {{DType::boolean, {3}}})[0]) == std::vector<uint8_t>{1, 0, 0});
}

TEST_CASE("integer unary kernels are exact and wrap", "[kernels][SX-18][CR-9]") {
  const auto run = [](const char* op, std::vector<int8_t> x) {
    const auto n = static_cast<int64_t>(x.size());
    return values_of<int8_t>(KernelRunner(op).run({tensor<int8_t>(DType::int8, {n}, std::move(x))}, {{DType::int8, {n}}})[0]);
  };
  CHECK(run("Abs", {-128, -1, 5}) == std::vector<int8_t>{-128, 1, 5});
  CHECK(run("Neg", {-128, -1, 5}) == std::vector<int8_t>{-128, 1, -5});
  CHECK(run("Sign", {-128, 0, 5}) == std::vector<int8_t>{-1, 0, 1});
  CHECK(run("Relu", {-128, 0, 5}) == std::vector<int8_t>{0, 0, 5});
  CHECK(run("BitwiseNot", {0, 5}) == std::vector<int8_t>{-1, -6});
  const Tensor large = tensor<uint64_t>(DType::uint64, {1}, {UINT64_MAX});
  for (const char* op : {"Abs", "Relu"}) CHECK(KernelRunner(op).run({large}, {{DType::uint64, {1}}})[0].at<uint64_t>(0) == UINT64_MAX);
  CHECK(KernelRunner("Sign").run({large}, {{DType::uint64, {1}}})[0].at<uint64_t>(0) == 1);
}

TEST_CASE("16-bit floats are computed in wider arithmetic and rounded once", "[kernels][SX-18][CR-9]") {
  const auto sum = KernelRunner("Add").run({halves({1.0f, 2048.0f, 65504.0f}), halves({0x1p-11f, 1.0f, 65504.0f})}, {{DType::float16, {3}}})[0];
  CHECK(values_of<uint16_t>(sum) == std::vector<uint16_t>{float_to_half(1.0f), float_to_half(2048.0f), float_to_half(inf)});
  const auto brain = [](float v) { return tensor<uint16_t>(DType::bfloat16, {1}, {float_to_bfloat16(v)}); };
  CHECK(bfloat16_to_float(KernelRunner("Mul").run({brain(3), brain(0.5f)}, {{DType::bfloat16, {1}}})[0].at<uint16_t>(0)) == 1.5f);
}

TEST_CASE("binary kernels broadcast as numpy does on random shapes", "[kernels][SX-18]") {
  const unsigned seed = 20240611;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    const size_t rank = random() % 5;
    std::vector<int64_t> out(rank);
    for (int64_t& d : out) d = static_cast<int64_t>(random() % 20 == 0 ? 0 : 1 + random() % 6);
    const auto operand = [&] {
      std::vector<int64_t> dims(out.begin() + static_cast<int64_t>(random() % (rank + 1)), out.end());
      for (int64_t& d : dims)
        if (random() % 3 == 0 && d != 0) d = 1;
      return dims;
    };
    // The first operand keeps every dim, so that the result has the dims `out`.
    const std::vector<int64_t> b_dims = operand();
    std::vector<float> a_values(static_cast<size_t>(*element_count(out))), b_values(static_cast<size_t>(*element_count(b_dims)));
    for (float& v : a_values) v = static_cast<float>(random() % 1000) / 8;
    for (float& v : b_values) v = static_cast<float>(random() % 1000) / 8;
    const Tensor a = floats(out, a_values), b = floats(b_dims, b_values);
    const Tensor y = KernelRunner("Sub").run({a, b}, {{DType::float32, out}})[0], z = KernelRunner("Sub").run({b, a}, {{DType::float32, out}})[0];
    INFO("a " << dims_to_string(out) << " b " << dims_to_string(b_dims));
    for (int64_t i = 0; i < a.count(); ++i) {
      int64_t rest = i, at = 0, step = 1;
      for (size_t k = 0; k < rank; ++k) {
        const int64_t size = out[rank - 1 - k], index = rest % size;
        rest /= size;
        if (k >= b_dims.size()) continue;
        const int64_t own = b_dims[b_dims.size() - 1 - k];
        at += own == 1 ? 0 : index * step;
        step *= own;
      }
      REQUIRE(y.at<float>(i) == a.at<float>(i) - b.at<float>(at));
      REQUIRE(z.at<float>(i) == b.at<float>(at) - a.at<float>(i));
    }
  }
}

TEST_CASE("a tensor of several chunks is computed as a small one is", "[kernels][SX-18][CR-9]") {
  const int64_t n = 100003;
  std::vector<float> x(n);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97) - 48.25f;
  const Tensor y = KernelRunner("Mul").run({floats({n}, x), floats({}, {3})}, {{DType::float32, {n}}})[0];
  const Tensor e = KernelRunner("Exp").run({floats({n}, x)}, {{DType::float32, {n}}})[0];
  for (int64_t i = 0; i < n; ++i) {
    REQUIRE(y.at<float>(i) == x[static_cast<size_t>(i)] * 3);
    REQUIRE(e.at<float>(i) == e.at<float>(i % 97));
  }
}

TEST_CASE("integer arithmetic wraps and never traps", "[kernels][SX-18][CR-9]") {
  CHECK(int_binary<int32_t>("Add", DType::int32, {INT32_MAX}, {1}) == std::vector<int32_t>{INT32_MIN});
  CHECK(int_binary<int64_t>("Mul", DType::int64, {INT64_MAX, INT64_MIN}, {2, -1}) == std::vector<int64_t>{-2, INT64_MIN});
  CHECK(int_binary<uint8_t>("Sub", DType::uint8, {1}, {2}) == std::vector<uint8_t>{255});
  CHECK(int_binary<int32_t>("Div", DType::int32, {7, -7, INT32_MIN}, {-2, 2, -1}) == std::vector<int32_t>{-3, -3, INT32_MIN});
  CHECK(int_binary<int64_t>("Div", DType::int64, {INT64_MIN}, {-1}) == std::vector<int64_t>{INT64_MIN});
  CHECK(int_binary<uint64_t>("Div", DType::uint64, {UINT64_MAX}, {2}) == std::vector<uint64_t>{UINT64_MAX / 2});
  CHECK(int_binary<int64_t>("Mod", DType::int64, {INT64_MIN}, {-1}) == std::vector<int64_t>{0});
  for (const char* op : {"Div", "Mod"}) {
    CHECK(failure([&] { int_binary<int32_t>(op, DType::int32, {1, 1}, {1, 0}); }) == "integer division by zero");
    CHECK(failure([&] { int_binary<uint64_t>(op, DType::uint64, {1}, {0}); }) == "integer division by zero");
  }
  CHECK(binary("Div", {1, -1, 0}, {0, 0, 2}) == std::vector<float>{inf, -inf, 0});
}

TEST_CASE("Mod takes the sign of the divisor, or of the dividend with fmod", "[kernels][SX-18]") {
  const std::vector<int32_t> a{-4, 7, 5, 4, -7, 8}, b{2, -3, 8, -2, 3, 5};
  CHECK(int_binary<int32_t>("Mod", DType::int32, a, b) == std::vector<int32_t>{0, -2, 5, 0, 2, 3});
  CHECK(int_binary<int32_t>("Mod", DType::int32, a, b, with("fmod", int64_t{1})) == std::vector<int32_t>{0, 1, 5, 0, -1, 3});
  CHECK(binary("Mod", {-4.5f, 7.5f, 3, -3}, {2, -3, inf, inf}) == std::vector<float>{1.5f, -1.5f, 3, inf});
  const auto truncated = KernelRunner("Mod", with("fmod", int64_t{1})).run({floats({2}, {-4.5f, 7.5f}), floats({2}, {2, -3})}, {{DType::float32, {2}}})[0];
  CHECK(values_of<float>(truncated) == std::vector<float>{-0.5f, 1.5f});
  CHECK(std::isnan(binary("Mod", {1}, {0})[0]));
}

TEST_CASE("Pow mixes types and gives exact integers", "[kernels][SX-18]") {
  CHECK(binary("Pow", {2, 9, 2}, {3, 0.5f, -1}) == std::vector<float>{8, 3, 0.5f});
  CHECK(int_binary<int64_t>("Pow", DType::int64, {3, -2, 2, -1, 1, 7, 2}, {39, 3, -1, -3, -9, 0, 64}) ==
        std::vector<int64_t>{4052555153018976267, -8, 0, -1, 1, 1, 0});
  CHECK(failure([] { int_binary<int64_t>("Pow", DType::int64, {0}, {-1}); }) == "integer division by zero");
  const auto mixed = KernelRunner("Pow").run({int32s({2}, {2, 4}), floats({2}, {3, 0.5f})}, {{DType::int32, {2}}})[0];
  CHECK(values_of<int32_t>(mixed) == std::vector<int32_t>{8, 2});
  const auto squared = KernelRunner("Pow").run({floats({2}, {1.5f, -3}), int64s({}, {2})}, {{DType::float32, {2}}})[0];
  CHECK(values_of<float>(squared) == std::vector<float>{2.25f, 9});
}

TEST_CASE("comparisons work on floats, integers, bools and strings", "[kernels][SX-18]") {
  const auto compare = [](const char* op, const Tensor& a, const Tensor& b) {
    return values_of<uint8_t>(KernelRunner(op).run({a, b}, {{DType::boolean, a.dims()}})[0]);
  };
  const Tensor a = floats({4}, {1, 2, 3, quiet_nan}), b = floats({4}, {2, 2, 2, quiet_nan});
  CHECK(compare("Less", a, b) == std::vector<uint8_t>{1, 0, 0, 0});
  CHECK(compare("LessOrEqual", a, b) == std::vector<uint8_t>{1, 1, 0, 0});
  CHECK(compare("Greater", a, b) == std::vector<uint8_t>{0, 0, 1, 0});
  CHECK(compare("GreaterOrEqual", a, b) == std::vector<uint8_t>{0, 1, 1, 0});
  CHECK(compare("Equal", a, b) == std::vector<uint8_t>{0, 1, 0, 0});
  CHECK(compare("Equal", bools({2}, {0, 1}), bools({2}, {0, 0})) == std::vector<uint8_t>{1, 0});
  CHECK(compare("Less", tensor<uint64_t>(DType::uint64, {1}, {UINT64_MAX}), tensor<uint64_t>(DType::uint64, {1}, {1})) == std::vector<uint8_t>{0});
  CHECK(compare("Equal", int64s({1}, {INT64_MAX}), int64s({1}, {INT64_MAX - 1})) == std::vector<uint8_t>{0});
  CHECK(compare("Equal", Tensor::strings({2}, {"a", "bc"}), Tensor::strings({1}, {"bc"})) == std::vector<uint8_t>{0, 1});
}

TEST_CASE("logical and bitwise kernels, shifts", "[kernels][SX-18]") {
  const Tensor a = bools({4}, {0, 0, 1, 1}), b = bools({4}, {0, 1, 0, 1});
  const auto logic = [&](const char* op) { return values_of<uint8_t>(KernelRunner(op).run({a, b}, {{DType::boolean, {4}}})[0]); };
  CHECK(logic("And") == std::vector<uint8_t>{0, 0, 0, 1});
  CHECK(logic("Or") == std::vector<uint8_t>{0, 1, 1, 1});
  CHECK(logic("Xor") == std::vector<uint8_t>{0, 1, 1, 0});
  CHECK(int_binary<uint8_t>("BitwiseAnd", DType::uint8, {0xF0}, {0x3C}) == std::vector<uint8_t>{0x30});
  CHECK(int_binary<int8_t>("BitwiseOr", DType::int8, {-128}, {1}) == std::vector<int8_t>{-127});
  CHECK(int_binary<uint8_t>("BitwiseXor", DType::uint8, {0xF0}, {0x3C}) == std::vector<uint8_t>{0xCC});
  const Attributes left = with("direction", std::string("LEFT")), right = with("direction", std::string("RIGHT"));
  CHECK(int_binary<uint8_t>("BitShift", DType::uint8, {16, 4, 200, 1}, {1, 2, 1, 8}, left) == std::vector<uint8_t>{32, 16, 144, 0});
  CHECK(int_binary<uint64_t>("BitShift", DType::uint64, {UINT64_MAX, 1}, {63, 64}, right) == std::vector<uint64_t>{1, 0});
  CHECK(int_binary<int8_t>("BitShift", DType::int8, {-8, -8, 8, -8}, {1, 100, 100, -1}, right) == std::vector<int8_t>{-4, -1, 0, -1});
}

TEST_CASE("Max, Min, Sum and Mean take any number of inputs and keep NaN", "[kernels][SX-18][CR-9]") {
  CHECK(std::isnan(binary("Max", {quiet_nan}, {1})[0]));
  CHECK(std::isnan(binary("Max", {1}, {quiet_nan})[0]));
  CHECK(std::isnan(binary("Min", {quiet_nan}, {1})[0]));
  CHECK(std::isnan(binary("Min", {1}, {quiet_nan})[0]));
  for (int64_t count : {1, 2, 3, 8, 9, 20}) {
    std::vector<Tensor> inputs;
    for (int64_t i = 0; i < count; ++i) inputs.push_back(floats({2}, {static_cast<float>(i), static_cast<float>(-i)}));
    const auto run = [&](const char* op) { return values_of<float>(KernelRunner(op).run(inputs, {{DType::float32, {2}}})[0]); };
    const auto last = static_cast<float>(count - 1), sum = last * static_cast<float>(count) / 2;
    INFO(count << " inputs");
    CHECK(run("Max") == std::vector<float>{last, 0});
    CHECK(run("Min") == std::vector<float>{0, -last});
    CHECK(run("Sum") == std::vector<float>{sum, -sum});
    CHECK(run("Mean") == std::vector<float>{last / 2, -last / 2});
  }
  const auto wide = KernelRunner("Max").run({tensor<uint64_t>(DType::uint64, {1}, {UINT64_MAX}), tensor<uint64_t>(DType::uint64, {2, 1}, {1, 2})}, {{DType::uint64, {2, 1}}})[0];
  CHECK(values_of<uint64_t>(wide) == std::vector<uint64_t>{UINT64_MAX, UINT64_MAX});
}

TEST_CASE("Clip has optional limits, lets the upper one win and keeps NaN", "[kernels][SX-18]") {
  const Tensor x = floats({4}, {-5, 0.5f, 5, quiet_nan}), low = floats({}, {-1}), high = floats({}, {1});
  const auto run = [&](std::vector<Tensor> inputs) { return values_of<float>(KernelRunner("Clip").run(inputs, {{DType::float32, {4}}})[0]); };
  const auto both = run({x, low, high});
  CHECK(std::vector<float>(both.begin(), both.begin() + 3) == std::vector<float>{-1, 0.5f, 1});
  CHECK(std::isnan(both[3]));
  CHECK(run({x, Tensor{}, high})[0] == -5);
  CHECK(run({x, low})[2] == 5);
  CHECK(run({x, high, low})[1] == -1);
  const auto bytes = KernelRunner("Clip").run({tensor<int8_t>(DType::int8, {2}, {-128, 127}), tensor<int8_t>(DType::int8, {}, {-3})}, {{DType::int8, {2}}})[0];
  CHECK(values_of<int8_t>(bytes) == std::vector<int8_t>{-3, 127});
}

TEST_CASE("Where chooses between broadcast operands of any type", "[kernels][SX-18]") {
  const auto y = KernelRunner("Where").run({bools({2, 1}, {1, 0}), floats({3}, {1, 2, 3}), floats({}, {9})}, {{DType::float32, {2, 3}}})[0];
  CHECK(values_of<float>(y) == std::vector<float>{1, 2, 3, 9, 9, 9});
  const Tensor x = Tensor::strings({2}, {"a", "b"}), z = Tensor::strings({1}, {"z"});  // own the characters
  const auto s = KernelRunner("Where").run({bools({2}, {1, 0}), z, x}, {{DType::string, {2}}})[0];
  CHECK(s == Tensor::strings({2}, {"z", "b"}));
}

TEST_CASE("PRelu broadcasts its slope", "[kernels][SX-18]") {
  const auto y = KernelRunner("PRelu").run({floats({2, 2}, {-1, 2, -3, -4}), floats({2, 1}, {0.5f, 2})}, {{DType::float32, {2, 2}}})[0];
  CHECK(values_of<float>(y) == std::vector<float>{-0.5f, 2, -6, -8});
}

TEST_CASE("types that ops are not defined for are refused", "[kernels][SX-18]") {
  CHECK_THROWS_AS(KernelRunner("Exp").run({int64s({1}, {1})}, {{DType::int64, {1}}}), Error);
  CHECK_THROWS_AS(KernelRunner("And").run({int64s({1}, {1}), int64s({1}, {1})}, {{DType::boolean, {1}}}), Error);
}

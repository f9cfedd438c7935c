// Pools, Resize, Gemm, PRelu and recurrent layers at the edge. Each case names the public thread it comes from; right
// values are worked out by hand, or by the direct formula.
#include "corner_cases/one_op.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

using Ints = std::vector<int64_t>;

/// AveragePool of one row in ceil_mode, by its document: windows that start in the end padding are left out; the divisor
/// counts the cells inside the image, or inside the padded image, never those beyond.
std::vector<float> averages(const std::vector<float>& x, int64_t k, int64_t s, int64_t p, bool count_pads) {
  const auto n = static_cast<int64_t>(x.size());
  int64_t count = (n + 2 * p - k + s - 1) / s + 1;
  if ((count - 1) * s >= n + p) --count;
  std::vector<float> y;
  for (int64_t i = 0; i < count; ++i) {
    double sum = 0, cells = 0;
    for (int64_t at = i * s - p; at < i * s - p + k; ++at) {
      const bool inside = at >= 0 && at < n, padding = !inside && at < n + p;
      if (inside) sum += static_cast<double>(x[static_cast<size_t>(at)]);
      if (inside || (padding && count_pads)) ++cells;
    }
    y.push_back(static_cast<float>(sum / cells));
  }
  return y;
}

/// RNN of one unit with weights of 1 and Relu: running sums of what is given.
Attributes running_sum(const char* direction, int64_t layout) {
  return attributes({{"hidden_size", int64_t{1}}, {"activations", std::vector<std::string>{"Relu"}}, {"direction", std::string(direction)}, {"layout", layout}});
}

}  // namespace

TEST_CASE("AveragePool in ceil_mode divides by the cells that its document counts", "[corner][CR-9]") {
  // microsoft/onnxruntime#16203: x[1, 2, 9], kernel 7, stride 3, pads 3. The last window has 3 cells of the image and 3 of
  // the padding: (7 + 8 + 9) / 6.
  const Attributes a = attributes({{"kernel_shape", Ints{7}}, {"strides", Ints{3}}, {"pads", Ints{3, 3}}, {"ceil_mode", int64_t{1}}, {"count_include_pad", int64_t{1}}});
  CHECK(OneOp("AveragePool", a).shown({counted({1, 2, 9})}) == "float32[1, 2, 4] 1.42857 4 5.57143 4 6.57143 13 13.2857 8.5");
  // iree-org/iree#24580: the table of sizes, kernels, strides and pads.
  for (int64_t n = 4; n <= 9; ++n)
    for (int64_t k = 2; k <= 4; ++k)
      for (int64_t s = 1; s <= 3; ++s)
        for (int64_t p = 0; p < k; ++p)
          for (int64_t pads : {0, 1}) {
            INFO("size " << n << ", kernel " << k << ", stride " << s << ", pads " << p << ", counted " << pads);
            const Tensor x = counted({1, 1, n});
            std::vector<float> row;
            for (int64_t i = 0; i < n; ++i) row.push_back(x.at<float>(i));
            const auto expected = averages(row, k, s, p, pads == 1);
            const Attributes t = attributes({{"kernel_shape", Ints{k}}, {"strides", Ints{s}}, {"pads", Ints{p, p}}, {"ceil_mode", int64_t{1}}, {"count_include_pad", pads}});
            REQUIRE(OneOp("AveragePool", t).shown({x}) == show(floats({1, 1, static_cast<int64_t>(expected.size())}, expected)));
          }
}

TEST_CASE("windows of ceil_mode see at least one cell, and are as many as the formula says", "[corner][CR-9]") {
  // apache/tvm#18594: 17 by 17, kernel and stride 2, gives 9 by 9; the last cell is a window of its own.
  const Attributes two = attributes({{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}, {"ceil_mode", int64_t{1}}});
  for (const char* op : {"AveragePool", "MaxPool"}) {
    const Tensor y = OneOp(op, two).run({counted({1, 3, 17, 17}, 0)})[0];
    REQUIRE(y.dims() == Ints{1, 3, 9, 9});
    CHECK(y.at<float>(80) == 288);
    CHECK(y.at<float>(242) == 866);
  }
  // onnx/onnx#4958, #5235, microsoft/onnxruntime#16351: no window lies in the padding alone.
  const Attributes wide = attributes({{"kernel_shape", Ints{2}}, {"strides", Ints{3}}, {"pads", Ints{0, 1}}, {"ceil_mode", int64_t{1}}});
  CHECK(OneOp("MaxPool", wide).shown({floats({1, 1, 3}, {-5, -7, -6})}) == "float32[1, 1, 1] -5");
  CHECK(OneOp("AveragePool", wide).shown({floats({1, 1, 3}, {-5, -7, -6})}) == "float32[1, 1, 1] -6");
}

TEST_CASE("Resize without a coordinate mode takes half pixels", "[corner][CR-9]") {
  // NVIDIA/TensorRT#273. Twice as wide: x = (i + 0.5) / 2 - 0.5 = -0.25, 0.25, 0.75, 1.25.
  const Attributes linear = attributes({{"mode", std::string("linear")}});
  CHECK(OneOp("Resize", linear).shown({floats({2}, {0, 8}), {}, floats({1}, {2})}) == "float32[4] 0 2 6 8");
  Attributes corners = linear, plain = linear;
  corners.set("coordinate_transformation_mode", std::string("align_corners"));
  plain.set("coordinate_transformation_mode", std::string("asymmetric"));
  // microsoft/onnxruntime#17564: align_corners is x * (in - 1) / (out - 1), asymmetric x / scale.
  CHECK(OneOp("Resize", corners).shown({floats({2}, {0, 9}), {}, {}, int64s({1}, {4})}) == "float32[4] 0 3 6 9");
  CHECK(OneOp("Resize", plain).shown({floats({2}, {0, 8}), {}, {}, int64s({1}, {4})}) == "float32[4] 0 4 8 8");
}

TEST_CASE("Resize by nearest leaves axes of scale 1 alone in every mode", "[corner][CR-9]") {
  // microsoft/onnxruntime#5151, PR5303: with tf_half_pixel_for_nn and ceil batch 0 was read from batch 1.
  for (const char* mode : {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn"})
    for (const char* rounding : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
      INFO(mode << ", " << rounding);
      const Attributes a = attributes({{"coordinate_transformation_mode", std::string(mode)}, {"nearest_mode", std::string(rounding)}});
      const Tensor x = counted({2, 3, 1, 1}), y = OneOp("Resize", a).run({x, {}, floats({4}, {1, 1, 3, 2})})[0];
      REQUIRE(y.dims() == Ints{2, 3, 3, 2});
      for (int64_t i = 0; i < 36; ++i) CHECK(y.at<float>(i) == static_cast<float>(i / 6 + 1));
    }
}

TEST_CASE("a Resize with sizes takes scales that turn out to be empty", "[corner][CR-9]") {
  // Before opset 13 scales had to be passed; how many there are may be open until the run.
  ModelCase model;
  model.may_be_zero("n");
  const OutputRef x = model.input("x", {3}), scales = model.input("scales", {"n"}), sizes = model.input("sizes", {1}, DType::int64);
  model.outputs({model.op("Resize", {x, OutputRef{}, scales, sizes})});
  const auto instance = model.instance();
  CHECK(instance->shown({floats({3}, {1, 2, 3}), floats({0}, {}), int64s({1}, {6})}) == "float32[6] 1 1 2 2 3 3");
  CHECK_THAT(instance->refusal({floats({3}, {1, 2, 3}), floats({1}, {2}), int64s({1}, {6})}), Contains("both of scales and sizes"));
}

TEST_CASE("Gemm adds C of every shape that broadcasts, and sums over nothing", "[corner][CR-9]") {
  // apache/tvm#7262: (4, 8) x (8, 5) + C(4, 5). Rows of ones: each product is 8.
  const Tensor a = floats({4, 8}, std::vector<float>(32, 1)), b = floats({8, 5}, std::vector<float>(40, 1));
  for (const Ints& dims : {Ints{}, Ints{1}, Ints{5}, Ints{4, 1}, Ints{1, 5}, Ints{1, 1}, Ints{4, 5}}) {
    INFO("C" << dims_to_string(dims));
    const Tensor y = OneOp("Gemm").run({a, b, counted(dims)})[0];
    for (int64_t m = 0; m < 4; ++m)
      for (int64_t n = 0; n < 5; ++n) {
        const int64_t at = dims.empty() || dims == Ints{1} || dims == Ints{1, 1} ? 0 : dims == Ints{4, 1} ? m : dims == Ints{4, 5} ? 5 * m + n : n;
        REQUIRE(y.at<float>(5 * m + n) == static_cast<float>(9 + at));
      }
  }
  CHECK_THAT(OneOp("Gemm").refusal({a, b, counted({4})}), Contains("Gemm"));
  // microsoft/onnxruntime#4559: (1, 0) x (0, 1030).
  const Tensor nothing = OneOp("Gemm").run({floats({1, 0}, {}), floats({0, 1030}, {}), counted({1030})})[0];
  REQUIRE(nothing.dims() == Ints{1, 1030});
  CHECK(nothing.at<float>(1029) == 1030);
  CHECK(OneOp("Gemm").run({floats({1, 0}, {}), floats({0, 1030}, {})})[0] == Tensor::zeros(DType::float32, {1, 1030}));
  CHECK(OneOp("Gemm").run({floats({0, 3}, {}), floats({3, 2}, std::vector<float>(6, 1)), floats({2}, {1, 2})})[0].dims() == Ints{0, 2});
}

TEST_CASE("PRelu takes slopes of every shape that broadcasts to x, and no larger ones", "[corner][CR-9]") {
  // apache/tvm#18598, #7202, #7203.
  CHECK(OneOp("PRelu").shown({floats({3}, {-1, -2, 3}), floats({3}, {2, 3, 4})}) == "float32[3] -2 -6 3");
  CHECK(OneOp("PRelu").shown({floats({3}, {-1, -2, 3}), floats({1}, {2})}) == "float32[3] -2 -4 3");
  CHECK(OneOp("PRelu").shown({floats({3}, {-1, -2, 3}), floats({}, {2})}) == "float32[3] -2 -4 3");
  CHECK(OneOp("PRelu").shown({floats({1, 2, 2}, {-1, -2, -3, 4}), floats({2, 1}, {2, 10})}) == "float32[1, 2, 2] -2 -4 -30 4");
  CHECK_FALSE(OneOp("PRelu").refusal({floats({3}, {-1, -2, 3}), floats({2, 3}, {1, 1, 1, 1, 1, 1})}).empty());
}

TEST_CASE("recurrent layers stop at each sequence's end, go back from there, and take both layouts", "[corner][CR-9]") {
  // microsoft/onnxruntime PR1193: steps behind a sequence's end are zeros. onnx/onnx-tensorflow#342: reverse starts at
  // each sequence's own end. openvinotoolkit/openvino#37820: layout 1. Sequences 1 2 3 and 10 20 (40 behind its end).
  const Tensor one = floats({1, 1, 1}, {1}), steps_first = floats({3, 2, 1}, {1, 10, 2, 20, 3, 40}), batch_first = floats({2, 3, 1}, {1, 2, 3, 10, 20, 40});
  const Tensor lengths = int32s({2}, {3, 2}), none;
  const auto run = [&](const char* direction, int64_t layout) {
    const auto y = OneOp("RNN", running_sum(direction, layout), 2).run({layout == 0 ? steps_first : batch_first, one, one, none, lengths});
    return show(y[0]) + "; " + show(y[1]);
  };
  CHECK(run("forward", 0) == "float32[3, 1, 2, 1] 1 10 3 30 6 0; float32[1, 2, 1] 6 30");
  CHECK(run("reverse", 0) == "float32[3, 1, 2, 1] 6 30 5 20 3 0; float32[1, 2, 1] 6 30");
  CHECK(run("forward", 1) == "float32[2, 3, 1, 1] 1 3 6 10 30 0; float32[2, 1, 1] 6 30");
  CHECK(run("reverse", 1) == "float32[2, 3, 1, 1] 6 5 3 30 20 0; float32[2, 1, 1] 6 30");
}

TEST_CASE("GRU and LSTM give zeros behind a sequence's end, and reverse is forward on the sequence turned round", "[corner][CR-9]") {
  for (const auto& [op, gates] : {std::pair<const char*, int64_t>{"GRU", 3}, {"LSTM", 4}}) {
    INFO(op);
    const auto weights = [&](Ints dims) {
      Tensor t = counted(std::move(dims), -3);
      std::vector<float> v;
      for (int64_t i = 0; i < t.count(); ++i) v.push_back(std::sin(t.at<float>(i)));
      return floats(t.dims(), v);
    };
    const Tensor w = weights({1, 2 * gates, 1}), r = weights({1, 2 * gates, 2}), none;
    const auto run = [&, op = op](const char* direction, const std::vector<float>& x, int32_t length) {
      const Attributes a = attributes({{"hidden_size", int64_t{2}}, {"direction", std::string(direction)}});
      return OneOp(op, a).run({floats({4, 1, 1}, x), w, r, none, int32s({1}, {length})})[0];
    };
    const Tensor forward = run("forward", {1, -2, 3, 99}, 3), back = run("reverse", {3, -2, 1, 99}, 3);
    for (int64_t step = 0; step < 3; ++step)
      for (int64_t k = 0; k < 2; ++k) CHECK(forward.at<float>(2 * step + k) == back.at<float>(2 * (2 - step) + k));
    for (const Tensor& y : {forward, back}) CHECK((y.at<float>(6) == 0 && y.at<float>(7) == 0 && y.at<float>(4) != 0));
  }
}

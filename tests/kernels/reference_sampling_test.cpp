#include "kernels/kernel_values.hpp"
#include "support/catch.hpp"

// GridSample, DeformConv.
using namespace ge;
using namespace ge::testing;

namespace {

/// The row 10, 20, 30 read at coordinates -1..1.
Floats sample(Floats at, const char* mode, const char* padding, int64_t align, Floats row = {10, 20, 30}) {
  const auto places = static_cast<int64_t>(at.size()), size = static_cast<int64_t>(row.size());
  return run_floats("GridSample", {floats({1, 1, size}, std::move(row)), floats({1, places, 1}, std::move(at))}, {1, 1, places},
                    attributes({{"mode", std::string(mode)}, {"padding_mode", std::string(padding)}, {"align_corners", align}}));
}

}  // namespace

TEST_CASE("GridSample: coordinates -1 and 1 are centres or edges of the outer elements", "[kernels][CR-9]") {
  CHECK(sample({-1, 0, 0.5f, 1}, "linear", "zeros", 1) == Floats{10, 20, 25, 30});
  CHECK(sample({-1, 0, 1}, "linear", "zeros", 0) == Floats{5, 20, 15});
  CHECK(sample({-1, 0, 1}, "linear", "border", 0) == Floats{10, 20, 30});
  // Halfway: the even position.
  CHECK(sample({-0.5f, 0.5f}, "nearest", "zeros", 1) == Floats{10, 30});
  CHECK(sample({-0.9f, 0.1f, 0.9f}, "nearest", "zeros", 0) == Floats{10, 20, 30});
}

TEST_CASE("GridSample: outside of the image each padding reads its own", "[kernels][CR-9]") {
  // Coordinates 1.5, -2 and 4 are positions 2.5, -1 and 5.
  CHECK(sample({1.5f, -2, 4}, "linear", "zeros", 1) == Floats{15, 0, 0});
  CHECK(sample({1.5f, -2, 4}, "linear", "border", 1) == Floats{30, 10, 30});
  CHECK(sample({1.5f, -2, 4}, "linear", "reflection", 1) == Floats{25, 20, 20});
  CHECK(sample({3.5f, -5.5f}, "linear", "reflection", 1) == Floats{15, 15});  // positions 4.5 and -4.5: mirrored at both ends
  // Mirrored at the edges -0.5 and 2.5: positions 2.75 and 4 are 2.25 and 1. The neighbour behind the last element is the
  // last one again.
  CHECK(sample({7.0f / 6, 2}, "linear", "reflection", 0)[0] == Approx(30));
  CHECK(sample({7.0f / 6, 2}, "linear", "reflection", 0)[1] == Approx(20));
  CHECK(sample({-2, 4, 40}, "nearest", "reflection", 1) == Floats{20, 20, 20});
  CHECK(sample({3, -5}, "linear", "reflection", 1, {7}) == Floats{7, 7});  // one element: nothing to mirror between
}

TEST_CASE("GridSample: cubic weights are Keys' with a = -0.75", "[kernels][CR-9]") {
  // Position 1.5 of four: the weights are -0.09375, 0.59375, 0.59375, -0.09375.
  CHECK(sample({0}, "cubic", "zeros", 1, {0, 0, 1, 0}) == Floats{0.59375f});
  CHECK(sample({0}, "cubic", "zeros", 1, {1, 0, 0, 0}) == Floats{-0.09375f});
  CHECK(sample({0}, "cubic", "border", 1, {1, 1}) == Floats{1});
  // Position 0.5 of two: the outer neighbours are those of the padding.
  CHECK(sample({0}, "cubic", "zeros", 1, {1, 0}) == Floats{0.59375f});
  CHECK(sample({0}, "cubic", "border", 1, {1, 0}) == Floats{0.5f});
  CHECK(sample({0}, "cubic", "reflection", 1, {1, 0}) == Floats{0.59375f - 0.09375f});
}

TEST_CASE("GridSample: NaN, infinities and huge coordinates never leave the image", "[kernels][CR-9][CR-10]") {
  for (const char* mode : {"nearest", "linear", "cubic"})
    for (const int64_t align : {0, 1}) {
      INFO(mode << align);
      CHECK(sample({nan_value, infinity, -infinity, 1e30f, -1e30f}, mode, "zeros", align) == Floats{0, 0, 0, 0, 0});
      CHECK(sample({nan_value, infinity, -infinity, 1e30f, -1e30f}, mode, "border", align) == Floats{0, 30, 10, 30, 10});
      CHECK(sample({nan_value, infinity, -infinity}, mode, "reflection", align) == Floats{0, 0, 0});
      for (const float value : sample({1e30f, -1e30f, 3e38f}, mode, "reflection", align)) CHECK((value >= 5 && value <= 35));
      for (const char* padding : {"zeros", "border", "reflection"}) CHECK(sample({0, nan_value, 2}, mode, padding, align, {}) == Floats{0, 0, 0});
    }
}

TEST_CASE("GridSample: any number of axes, places listed from the last one", "[kernels][CR-9]") {
  // x[i, j, k, l] = i + 10 j + 100 k + 1000 l is linear along each axis.
  Floats x;
  for (int n = 0; n < 16; ++n) x.push_back(static_cast<float>(n / 8 + n / 4 % 2 * 10 + n / 2 % 2 * 100 + n % 2 * 1000));
  const auto at = [&](float i, float j, float k, float l) {
    return run_floats("GridSample", {floats({1, 1, 2, 2, 2, 2}, x), floats({1, 1, 1, 1, 1, 4}, {2 * l - 1, 2 * k - 1, 2 * j - 1, 2 * i - 1})}, {1, 1, 1, 1, 1, 1},
                      attributes({{"align_corners", int64_t{1}}}))[0];
  };
  CHECK(at(0.5f, 0.25f, 0.75f, 0) == 78);
  CHECK(at(1, 0, 0.5f, 0.5f) == 551);
  // Channels share places, images have their own.
  CHECK(run_floats("GridSample", {floats({2, 2, 2}, {1, 2, 10, 20, 3, 4, 30, 40}), floats({2, 1, 1}, {-1, 1})}, {2, 2, 1},
                   attributes({{"align_corners", int64_t{1}}})) == Floats{1, 10, 4, 40});
}

TEST_CASE("GridSample: every dtype", "[kernels][CR-9]") {
  const auto run = [](const Tensor& x, float coordinate, const char* mode) {
    return KernelRunner("GridSample", attributes({{"mode", std::string(mode)}, {"align_corners", int64_t{1}}}))
        .run({x, floats({1, 1, 1}, {coordinate})}, {{x.dtype(), {1, 1, 1}}})[0];
  };
  // Integers: computed as floating point, truncated at the end, within their range.
  CHECK(run(tensor<int32_t>(DType::int32, {1, 1, 2}, {0, 10}), -0.5f, "linear").at<int32_t>(0) == 2);
  CHECK(run(tensor<int32_t>(DType::int32, {1, 1, 2}, {0, -10}), -0.5f, "linear").at<int32_t>(0) == -2);
  CHECK(run(tensor<uint8_t>(DType::uint8, {1, 1, 4}, {100, 0, 0, 0}), 0, "cubic").at<uint8_t>(0) == 0);
  CHECK(run(tensor<uint8_t>(DType::uint8, {1, 1, 4}, {0, 255, 255, 0}), 0, "cubic").at<uint8_t>(0) == 255);
  CHECK(run(tensor<double>(DType::float64, {1, 1, 2}, {0, 3}), 0, "linear").at<double>(0) == 1.5);
  const Tensor complex = run(tensor<float>(DType::complex64, {1, 1, 2}, {0, 0, 2, 4}), 0, "linear");
  CHECK((complex.at<float>(0) == 1 && complex.at<float>(1) == 2));
  const Tensor texts = Tensor::strings({1, 1, 2}, {"a", "b"});
  CHECK(run(texts, 1, "nearest") == Tensor::strings({1, 1, 1}, {"b"}));
  CHECK(run(texts, 9, "nearest") == Tensor::strings({1, 1, 1}, {""}));
  CHECK(failure([&] { run(texts, 0, "linear"); }).find("no kernel") == 0);
}

TEST_CASE("DeformConv: taps are shifted, read linearly and weighed by the mask", "[kernels][CR-9]") {
  const Tensor x = floats({1, 1, 3}, {1, 2, 4}), w = floats({1, 1, 1}, {2}), offset = floats({1, 1, 3}, {0.5f, -1, 0.25f});
  CHECK(run_floats("DeformConv", {x, w, offset}, {1, 1, 3}) == Floats{3, 2, 6});
  CHECK(run_floats("DeformConv", {x, w, offset, floats({1}, {10}), floats({1, 1, 3}, {1, 0.5f, 2})}, {1, 1, 3}) == Floats{13, 11, 22});
  CHECK(run_floats("DeformConv", {x, w, offset, Tensor(), floats({1, 1, 3}, {1, 0.5f, 2})}, {1, 1, 3}) == Floats{3, 1, 12});
  CHECK(run_floats("DeformConv", {x, w, floats({1, 1, 3}, {nan_value, infinity, -1e30f})}, {1, 1, 3}) == Floats{0, 0, 0});
  CHECK(run_floats("DeformConv", {floats({1, 1, 0}, {}), w, floats({1, 1, 2}, {0, 1})}, {1, 1, 2}, attributes({{"pads", Ints{1, 1}}})) == Floats{0, 0});
}

TEST_CASE("DeformConv: two axes, groups of channels and of offsets", "[kernels][CR-9]") {
  // Offsets of a tap are (row, column); each offset group moves its channel: the first one down, the second one right.
  const Tensor x = floats({1, 2, 2, 2}, {1, 2, 3, 4, 10, 20, 30, 40});
  const Tensor offset = floats({1, 4, 2, 2}, {1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1});
  const Attributes two = attributes({{"group", int64_t{2}}, {"offset_group", int64_t{2}}});
  CHECK(run_floats("DeformConv", {x, floats({2, 1, 1, 1}, {1, 1}), offset}, {1, 2, 2, 2}, two) == Floats{3, 4, 0, 0, 20, 0, 40, 0});
  CHECK(run_floats("DeformConv", {x, floats({1, 2, 1, 1}, {1, 1}), offset}, {1, 1, 2, 2}, attributes({{"offset_group", int64_t{2}}})) == Floats{23, 4, 40, 0});
  CHECK(failure([&] { run_floats("DeformConv", {x, floats({2, 1, 1, 1}, {1, 1}), offset}, {1, 2, 2, 2}, attributes({{"group", int64_t{2}}})); }).find("do not fit") !=
        std::string::npos);
}

TEST_CASE("DeformConv without offsets is Conv", "[kernels][CR-9]") {
  const Tensor x = counting_floats({2, 2, 4, 5}), w = counting_floats({4, 1, 2, 3}), bias = counting_floats({4});
  const Attributes both = attributes({{"group", int64_t{2}}, {"strides", Ints{2, 1}}, {"dilations", Ints{1, 2}}, {"pads", Ints{1, 0, 0, 2}}});
  const Floats conv = run_floats("Conv", {x, w, bias}, {2, 4, 2, 3}, both);
  CHECK(run_floats("DeformConv", {x, w, Tensor::zeros(DType::float32, {2, 12, 2, 3}), bias}, {2, 4, 2, 3}, both) == conv);
}

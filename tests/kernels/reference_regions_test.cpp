#include "kernels/kernel_values.hpp"
#include "support/catch.hpp"

#include <cmath>

// RoiAlign, MaxRoiPool, NonMaxSuppression.
using namespace ge;
using namespace ge::testing;

namespace {

/// A 4 x 4 image x[i, j] = 10 i + j.
Tensor ramp() {
  Floats x;
  for (int i = 0; i < 16; ++i) x.push_back(static_cast<float>(i / 4 * 10 + i % 4));
  return floats({1, 1, 4, 4}, std::move(x));
}
Floats align(const Tensor& x, Floats roi, Ints batch, int64_t bins, std::vector<std::pair<std::string, AttributeValue>> more) {
  const auto regions = static_cast<int64_t>(batch.size());
  more.emplace_back("output_height", bins), more.emplace_back("output_width", bins);
  return run_floats("RoiAlign", {x, floats({regions, 4}, std::move(roi)), int64s({regions}, std::move(batch))}, {regions, x.dims()[1], bins, bins}, attributes(more));
}
AttributeValue text(const char* value) { return std::string(value); }

Ints suppress(const std::vector<Tensor>& inputs, int64_t format = 0) {
  const Tensor y = KernelRunner("NonMaxSuppression", attributes({{"center_point_box", format}})).run(inputs, {{DType::int64, {0, 3}}})[0];
  CHECK(y.dims() == Ints{y.count() / 3, 3});
  return values_of<int64_t>(y);
}

}  // namespace

TEST_CASE("RoiAlign averages points of each bin", "[kernels][CR-9]") {
  // Half a pixel is taken off: the region is 0..2, its points lie at 1, or at 0.5 and 1.5.
  for (const int64_t ratio : {1, 2, 0}) CHECK(align(ramp(), {0.5f, 0.5f, 2.5f, 2.5f}, {0}, 1, {{"sampling_ratio", ratio}}) == Floats{11});
  CHECK(align(ramp(), {0.5f, 0.5f, 2.5f, 2.5f}, {0}, 2, {}) == Floats{5.5f, 6.5f, 15.5f, 16.5f});
  CHECK(align(ramp(), {1, 1, 5, 5}, {0}, 1, {{"sampling_ratio", int64_t{1}}, {"spatial_scale", 0.5f}}) == Floats{11});
  // Without that shift a region has at least one pixel: its point is (1.5, 1.5).
  CHECK(align(ramp(), {1, 1, 1, 1}, {0}, 1, {{"sampling_ratio", int64_t{1}}, {"coordinate_transformation_mode", text("output_half_pixel")}}) == Floats{16.5f});
  // Rows come first in the output, x first in a region.
  CHECK(align(ramp(), {2.5f, 0.5f, 4.5f, 0.5f}, {0}, 1, {{"sampling_ratio", int64_t{1}}}) == Floats{3});
}

TEST_CASE("RoiAlign: the maximum is that of weighted neighbours", "[kernels][CR-9]") {
  CHECK(align(ramp(), {0.5f, 0.5f, 2.5f, 2.5f}, {0}, 1, {{"mode", text("max")}, {"sampling_ratio", int64_t{1}}}) == Floats{11});
  CHECK(align(ramp(), {0.5f, 0.5f, 2.5f, 2.5f}, {0}, 1, {{"mode", text("max")}, {"sampling_ratio", int64_t{2}}}) == Floats{5.5f});
  const Tensor negative = floats({1, 1, 1, 1}, {-1});
  CHECK(align(negative, {0.5f, 0.5f, 0.5f, 0.5f}, {0}, 1, {{"mode", text("max")}, {"sampling_ratio", int64_t{1}}}) == Floats{0});  // neighbours of weight 0
  // Points 1.5 and 3.5 of -1 have neighbours of -0.25; of the points 5.5 and 15.5 all but one count as 0.
  const Tensor plane = floats({1, 1, 8, 8}, Floats(64, -1));
  CHECK(align(plane, {1, 1, 5, 5}, {0}, 1, {{"mode", text("max")}, {"sampling_ratio", int64_t{2}}}) == Floats{-0.25f});
  CHECK(align(plane, {1, 1, 21, 21}, {0}, 1, {{"mode", text("max")}, {"sampling_ratio", int64_t{2}}}) == Floats{0});
  CHECK(align(negative, {0, 0, 90, 90}, {0}, 1, {{"mode", text("max")}, {"sampling_ratio", int64_t{3}}}) == Floats{0});
}

TEST_CASE("RoiAlign: points beyond the image count as 0, however far they are", "[kernels][CR-9][CR-10]") {
  CHECK(align(ramp(), {-10, -10, -8, -8}, {0}, 1, {}) == Floats{0});
  CHECK(align(ramp(), {-1e30f, -1e30f, 1e30f, 1e30f}, {0}, 1, {}) == Floats{0});
  CHECK(align(ramp(), {0, 0, 1e9f, 1e9f}, {0}, 1, {})[0] == Approx(0).margin(1e-6));
  CHECK(align(ramp(), {3, 3, 1, 1}, {0}, 1, {}) == Floats{0});  // corners the wrong way round: no points
  for (const float bad : {nan_value, infinity, -infinity}) {
    for (size_t i = 0; i < 4; ++i) {
      Floats roi = {0, 0, 2, 2};
      roi[i] = bad;
      CHECK(align(ramp(), roi, {0}, 1, {}) == Floats{0});
      CHECK(align(ramp(), roi, {0}, 1, {{"mode", text("max")}, {"sampling_ratio", int64_t{2}}}) == Floats{0});
    }
  }
  CHECK(align(floats({1, 1, 0, 3}, {}), {0, 0, 1, 1}, {0}, 1, {}) == Floats{0});
  CHECK(align(ramp(), {}, {}, 2, {}).empty());
  for (const int64_t bad : {int64_t{1}, int64_t{-1}, INT64_MAX, INT64_MIN})
    CHECK(failure([&] { align(ramp(), {0, 0, 1, 1}, {bad}, 1, {}); }) == out_of_range);
}

TEST_CASE("RoiAlign: points behind the last element read it", "[kernels][CR-9]") {
  // Points 0.5, 1.5, …, 6.5 and 7.5 of an image 0..7: (24.5 + 7) / 8.
  CHECK(align(counting_floats({1, 1, 1, 8}), {0.5f, 0.5f, 8.5f, 0.5f}, {0}, 1, {{"sampling_ratio", int64_t{8}}}) == Floats{3.9375f});
}

TEST_CASE("MaxRoiPool takes the largest of each bin", "[kernels][CR-9]") {
  const auto pool = [](Floats roi, float scale = 1) {
    return run_floats("MaxRoiPool", {counting_floats({1, 1, 4, 4}), floats({1, 5}, std::move(roi))}, {1, 1, 2, 2}, attributes({{"pooled_shape", Ints{2, 2}}, {"spatial_scale", scale}}));
  };
  CHECK(pool({0, 0, 0, 3, 3}) == Floats{5, 7, 13, 15});
  CHECK(pool({0, 0, 0, 6, 6}, 0.5f) == Floats{5, 7, 13, 15});
  CHECK(pool({0, 0, 0, 2, 2}) == Floats{5, 6, 9, 10});       // bins of 1.5 share the middle row and column
  CHECK(pool({0, 1.5f, 0, 1.5f, 0}) == Floats{2, 2, 2, 2});  // halves are rounded up, a region has a pixel at least
  CHECK(pool({0, 2, 2, 9, 9}) == Floats{15, 0, 0, 0});       // a bin outside of the image gives 0
  CHECK(pool({0, 1e30f, 0, 1e30f, 3}) == Floats{0, 0, 0, 0});
  for (const float bad : {nan_value, infinity, -infinity}) {
    CHECK(pool({0, bad, 0, 3, 3}) == Floats{0, 0, 0, 0});
    CHECK(failure([&] { pool({bad, 0, 0, 3, 3}); }) == out_of_range);
  }
  for (const float bad : {1.0f, -1.0f, 1e30f}) CHECK(failure([&] { pool({bad, 0, 0, 3, 3}); }) == out_of_range);
  // NaN is the largest.
  CHECK(std::isnan(run_floats("MaxRoiPool", {floats({1, 1, 1, 2}, {nan_value, 1}), floats({1, 5}, {0, 0, 0, 1, 0})}, {1, 1, 1, 1}, attributes({{"pooled_shape", Ints{1, 1}}}))[0]));
}

TEST_CASE("NonMaxSuppression selects by score what overlaps no better box", "[kernels][CR-9]") {
  // Boxes 0 and 1 overlap by a third, 2 lies apart; the scores rank 1, 0, 2.
  const Tensor boxes = floats({1, 3, 4}, {0, 0, 1, 1, 0, 0.5f, 1, 1.5f, 5, 5, 6, 6}), scores = floats({1, 1, 3}, {0.5f, 0.75f, 0.25f}), ten = int64s({1}, {10});
  CHECK(suppress({boxes, scores, ten, floats({1}, {0.5f})}) == Ints{0, 0, 1, 0, 0, 0, 0, 0, 2});
  CHECK(suppress({boxes, scores, ten, floats({}, {0.25f})}) == Ints{0, 0, 1, 0, 0, 2});
  CHECK(suppress({boxes, scores, ten}) == Ints{0, 0, 1, 0, 0, 2});
  CHECK(suppress({boxes, scores, int64s({}, {2}), floats({1}, {0.5f})}) == Ints{0, 0, 1, 0, 0, 0});
  CHECK(suppress({boxes, scores, ten, floats({1}, {0.5f}), floats({1}, {0.5f})}) == Ints{0, 0, 1});  // only what scores more
  CHECK(suppress({boxes, scores}).empty());
  // An overlap of exactly the threshold is none.
  CHECK(suppress({floats({1, 2, 4}, {0, 0, 1, 2, 0, 0, 1, 1}), floats({1, 1, 2}, {2, 1}), ten, floats({1}, {0.5f})}) == Ints{0, 0, 0, 0, 0, 1});
  for (const int64_t none : {int64_t{0}, int64_t{-1}, INT64_MIN}) CHECK(suppress({boxes, scores, int64s({1}, {none})}).empty());
  CHECK(suppress({boxes, scores, int64s({1}, {INT64_MAX}), Tensor(), Tensor()}) == Ints{0, 0, 1, 0, 0, 2});
  // Any two opposite corners; a centre and a size.
  CHECK(suppress({floats({1, 2, 4}, {1, 1, 0, 0, 0, 1.5f, 1, 0.5f}), floats({1, 1, 2}, {1, 2}), ten, floats({1}, {0.25f})}) == Ints{0, 0, 1});
  CHECK(suppress({floats({1, 2, 4}, {0.5f, 0.5f, 1, 1, 0.5f, 1, 1, 1}), floats({1, 1, 2}, {1, 2}), ten, floats({1}, {0.25f})}, 1) == Ints{0, 0, 1});
  CHECK(suppress({floats({1, 2, 4}, {0.5f, 0.5f, 1, 1, 0.5f, 1, 1, 1}), floats({1, 1, 2}, {1, 2}), ten, floats({1}, {0.375f})}, 1) == Ints{0, 0, 1, 0, 0, 0});
}

TEST_CASE("NonMaxSuppression: images, classes, equal scores and strange numbers", "[kernels][CR-9][CR-10]") {
  const Tensor apart = floats({1, 2, 4}, {0, 0, 1, 1, 2, 2, 3, 3}), ten = int64s({1}, {10});
  CHECK(suppress({apart, floats({1, 2, 2}, {1, 1, 1, 2}), ten}) == Ints{0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0});
  const Tensor two = floats({2, 1, 4}, {0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(suppress({two, floats({2, 1, 1}, {1, 1}), ten}) == Ints{0, 0, 0, 1, 0, 0});
  // NaN ranks last, and is more than no threshold.
  CHECK(suppress({apart, floats({1, 1, 2}, {nan_value, -5}), ten}) == Ints{0, 0, 1, 0, 0, 0});
  CHECK(suppress({apart, floats({1, 1, 2}, {nan_value, -5}), ten, Tensor(), floats({1}, {-9})}) == Ints{0, 0, 1});
  // Boxes without an area or with NaN suppress nothing.
  CHECK(suppress({floats({1, 2, 4}, {0, 0, 0, 0, 0, 0, 0, 0}), floats({1, 1, 2}, {1, 1}), ten}) == Ints{0, 0, 0, 0, 0, 1});
  CHECK(suppress({floats({1, 2, 4}, {0, 0, nan_value, 1, 0, 0, 1, 1}), floats({1, 1, 2}, {1, 1}), ten}) == Ints{0, 0, 0, 0, 0, 1});
  CHECK(suppress({floats({1, 2, 4}, {-infinity, 0, infinity, 1, 0, 0, 1, 1}), floats({1, 1, 2}, {1, 1}), ten}).size() == 6);
  CHECK(suppress({floats({1, 0, 4}, {}), floats({1, int64_t{1} << 40, 0}, {}), ten}).empty());
  CHECK(suppress({floats({0, 3, 4}, {}), floats({0, 2, 3}, {}), ten}).empty());
  CHECK(suppress({apart, floats({1, 0, 2}, {}), ten}).empty());
}

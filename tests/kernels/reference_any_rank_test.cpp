#include "kernels/kernel_values.hpp"
#include "support/catch.hpp"

// Convolutions and pools over more than three axes.
using namespace ge;
using namespace ge::testing;

namespace {

/// `values` with `first` put before position 0, for ints of begin and end pads also before the middle.
Ints led(Ints values, int64_t first, bool twice = false) {
  if (twice) values.insert(values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), first);
  values.insert(values.begin(), first);
  return values;
}
Tensor with_axis(const Tensor& t) {
  Ints dims = t.dims();
  dims.insert(dims.begin() + 2, 1);
  return Tensor::copy_of(t.dtype(), std::move(dims), t.bytes());
}

struct Windows {
  Ints kernel = {2, 1, 2}, strides = {2, 1, 1}, dilations = {1, 2, 2}, pads = {1, 0, 1, 0, 0, 2};
  Attributes three(std::vector<std::pair<std::string, AttributeValue>> more = {}) const {
    more.insert(more.end(), {{"strides", strides}, {"dilations", dilations}, {"pads", pads}});
    return attributes(more);
  }
  Attributes four(std::vector<std::pair<std::string, AttributeValue>> more = {}) const {
    more.insert(more.end(), {{"strides", led(strides, 1)}, {"dilations", led(dilations, 1)}, {"pads", led(pads, 0, true)}});
    return attributes(more);
  }
};

}  // namespace

TEST_CASE("Conv and ConvTranspose over four axes", "[kernels][CR-9]") {
  const Tensor ones = floats({1, 1, 2, 2, 2, 2}, Floats(16, 1));
  CHECK(run_floats("Conv", {ones, ones}, {1, 1, 1, 1, 1, 1}) == Floats{16});
  const Floats padded = run_floats("Conv", {ones, ones, floats({1}, {0.5f})}, {1, 1, 3, 3, 3, 3}, attributes({{"pads", Ints(8, 1)}}));
  CHECK((padded[0] == 1.5f && padded[1] == 2.5f && padded[4] == 4.5f && padded[40] == 16.5f && padded[80] == 1.5f));
  const Tensor w = counting_floats({1, 1, 2, 2, 2, 2});
  CHECK(run_floats("ConvTranspose", {floats({1, 1, 1, 1, 1, 1}, {2}), w}, {1, 1, 2, 2, 2, 2})[15] == 30);
  CHECK(run_floats("ConvTranspose", {ones, ones}, {1, 1, 3, 3, 3, 3}) == run_floats("Conv", {ones, ones}, {1, 1, 3, 3, 3, 3}, attributes({{"pads", Ints(8, 1)}})));
}

TEST_CASE("an axis of one position changes nothing: three axes agree with four", "[kernels][CR-9]") {
  const Windows windows;
  const AttributeValue group = int64_t{2};
  const Tensor x = counting_floats({2, 4, 5, 3, 4}), w = counting_floats({6, 2, 2, 1, 2}), bias = counting_floats({6});
  CHECK(run_floats("Conv", {x, w, bias}, {2, 6, 3, 3, 5}, windows.three({{"group", group}})) ==
        run_floats("Conv", {with_axis(x), with_axis(w), bias}, {2, 6, 1, 3, 3, 5}, windows.four({{"group", group}})));
  const Tensor v = counting_floats({4, 3, 2, 1, 2});
  CHECK(run_floats("ConvTranspose", {x, v, bias}, {2, 6, 9, 3, 3}, windows.three({{"group", group}})) ==
        run_floats("ConvTranspose", {with_axis(x), with_axis(v), bias}, {2, 6, 1, 9, 3, 3}, windows.four({{"group", group}})));
  for (const char* op : {"AveragePool", "LpPool", "MaxPool"}) {
    const Attributes three = windows.three({{"kernel_shape", windows.kernel}}), four = windows.four({{"kernel_shape", led(windows.kernel, 1)}});
    CHECK(run_floats(op, {x}, {2, 4, 3, 3, 5}, three) == run_floats(op, {with_axis(x)}, {2, 4, 1, 3, 3, 5}, four));
  }
  for (const char* op : {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"})
    CHECK(run_floats(op, {x}, {2, 4, 1, 1, 1}) == run_floats(op, {with_axis(x)}, {2, 4, 1, 1, 1, 1}));
}

TEST_CASE("auto_pad and output_shape over four axes", "[kernels][CR-9]") {
  const Tensor x = counting_floats({1, 1, 2, 1, 1, 3}), w = floats({1, 1, 1, 1, 1, 2}, {1, 10});
  const auto same = [&](const char* op, const char* pad) { return run_floats(op, {x, w}, {1, 1, 2, 1, 1, 3}, attributes({{"auto_pad", std::string(pad)}})); };
  CHECK(same("Conv", "SAME_UPPER") == Floats{10, 21, 2, 43, 54, 5});
  CHECK(same("Conv", "SAME_LOWER") == Floats{0, 10, 21, 30, 43, 54});
  CHECK(same("ConvTranspose", "SAME_UPPER") == Floats{0, 1, 12, 3, 34, 45});
  CHECK(same("ConvTranspose", "SAME_LOWER") == Floats{1, 12, 20, 34, 45, 50});
}

TEST_CASE("MaxPool over four axes says where, in either order", "[kernels][CR-9]") {
  const auto indices = [](int64_t order) {
    const Attributes window = attributes({{"kernel_shape", Ints{2, 2, 2, 1}}, {"storage_order", order}});
    return values_of<int64_t>(KernelRunner("MaxPool", window).run({counting_floats({1, 2, 2, 2, 2, 3})}, {{DType::float32, {1, 2, 1, 1, 1, 3}}, {DType::int64, {1, 2, 1, 1, 1, 3}}})[1]);
  };
  // The largest lie at (1, 1, 1, l) of 2 x 2 x 2 x 3: 12 + 6 + 3 + l, or counted from the first axis on 1 + 2 + 4 + 8 l.
  CHECK(indices(0) == Ints{21, 22, 23, 45, 46, 47});
  CHECK(indices(1) == Ints{7, 15, 23, 31, 39, 47});
}

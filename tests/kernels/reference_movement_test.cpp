#include "kernels/kernel_values.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <functional>
#include <random>

using namespace ge;
using namespace ge::testing;

namespace {

Tensor list(Ints values) { return Tensor::ints(values); }
Ints run(const char* op, const std::vector<Tensor>& inputs, Ints out, Attributes attributes = {}) {
  return values_of<int64_t>(KernelRunner(op, std::move(attributes)).run(inputs, {{DType::int64, std::move(out)}})[0]);
}
/// Position of element `number` of a tensor of those dims.
Ints index_of(int64_t number, const Ints& dims) {
  Ints index(dims.size());
  for (size_t i = dims.size(); i-- > 0; number /= dims[i]) index[i] = number % dims[i];
  return index;
}
int64_t number_of(const Ints& index, const Ints& dims) {
  int64_t number = 0;
  for (size_t i = 0; i < dims.size(); ++i) number = number * dims[i] + index[i];
  return number;
}

}  // namespace

TEST_CASE("Transpose follows perm on random shapes", "[kernels][SX-18]") {
  const unsigned seed = 7;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 100; ++round) {
    Ints dims(random() % 6), perm(dims.size()), out(dims.size());
    for (size_t i = 0; i < dims.size(); ++i) dims[i] = static_cast<int64_t>(random() % 5 + (round % 10 != 0)), perm[i] = static_cast<int64_t>(i);
    std::shuffle(perm.begin(), perm.end(), random);
    for (size_t i = 0; i < dims.size(); ++i) out[i] = dims[static_cast<size_t>(perm[i])];
    const Ints y = run("Transpose", {counting(dims)}, out, with("perm", perm));
    for (size_t n = 0; n < y.size(); ++n) {
      const Ints at = index_of(static_cast<int64_t>(n), out);
      Ints from(dims.size());
      for (size_t i = 0; i < dims.size(); ++i) from[static_cast<size_t>(perm[i])] = at[i];
      REQUIRE(y[n] == number_of(from, dims));
    }
  }
  CHECK(run("Transpose", {counting({2, 3})}, {3, 2}) == Ints{0, 3, 1, 4, 2, 5});
}

TEST_CASE("Transpose moves elements of every size", "[kernels][SX-18]") {
  const Tensor letters = Tensor::strings({2, 2}, {"a", "b", "c", "d"});  // owns the characters
  const auto s = KernelRunner("Transpose").run({letters}, {{DType::string, {2, 2}}})[0];
  CHECK(s == Tensor::strings({2, 2}, {"a", "c", "b", "d"}));
  const auto b = KernelRunner("Transpose").run({tensor<uint8_t>(DType::boolean, {1, 3}, {1, 0, 1})}, {{DType::boolean, {3, 1}}})[0];
  CHECK(values_of<uint8_t>(b) == std::vector<uint8_t>{1, 0, 1});
  const auto h = KernelRunner("Transpose").run({tensor<uint16_t>(DType::float16, {2, 2}, {1, 2, 3, 4})}, {{DType::float16, {2, 2}}})[0];
  CHECK(values_of<uint16_t>(h) == std::vector<uint16_t>{1, 3, 2, 4});
}

TEST_CASE("Slice clamps, counts from the end and walks backwards", "[kernels][SX-18]") {
  const Tensor x = counting({5});
  CHECK(run("Slice", {x, list({1}), list({4})}, {3}) == Ints{1, 2, 3});
  CHECK(run("Slice", {x, list({-3}), list({INT64_MAX})}, {3}) == Ints{2, 3, 4});
  CHECK(run("Slice", {x, list({-100}), list({2})}, {2}) == Ints{0, 1});
  CHECK(run("Slice", {x, list({100}), list({INT64_MIN}), list({0}), list({-2})}, {3}) == Ints{4, 2, 0});
  CHECK(run("Slice", {x, list({-1}), list({-6}), list({-1}), list({-1})}, {5}) == Ints{4, 3, 2, 1, 0});
  CHECK(run("Slice", {x, list({0}), list({5}), list({0}), list({INT64_MAX})}, {1}) == Ints{0});
  CHECK(run("Slice", {x, list({4}), list({0}), list({0}), list({INT64_MIN})}, {1}) == Ints{4});
  CHECK(run("Slice", {x, list({3}), list({1})}, {0}).empty());
  CHECK(run("Slice", {counting({3, 4}), list({1, 3}), list({3, 0}), list({0, -1}), list({1, -1})}, {2, 3}) == Ints{7, 6, 5, 11, 10, 9});
  const Tensor narrow = tensor<int32_t>(DType::int32, {1}, {1});
  CHECK(run("Slice", {x, narrow, tensor<int32_t>(DType::int32, {1}, {3})}, {2}) == Ints{1, 2});
  CHECK(failure([&] { run("Slice", {x, list({0}), list({5}), list({0}), list({0})}, {5}); }).find("step 0") != std::string::npos);
}

TEST_CASE("Split and Concat are inverse on random shapes", "[kernels][SX-18]") {
  const unsigned seed = 11;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    Ints dims(1 + random() % 4);
    for (int64_t& d : dims) d = static_cast<int64_t>(1 + random() % 5);
    const auto axis = static_cast<int64_t>(random() % dims.size());
    Ints sizes;
    for (int64_t left = dims[static_cast<size_t>(axis)]; left > 0;) {
      sizes.push_back(std::min<int64_t>(left, static_cast<int64_t>(random() % 4)));  // parts of 0 too
      left -= sizes.back();
    }
    std::vector<OutputSpec> specs;
    for (int64_t size : sizes) {
      specs.push_back({DType::int64, dims});
      specs.back().dims[static_cast<size_t>(axis)] = size;
    }
    const Tensor x = counting(dims);
    const std::vector<Tensor> parts = KernelRunner("Split", with("axis", axis)).run({x, list(sizes)}, specs);
    for (size_t p = 0, at = 0; p < parts.size(); at += static_cast<size_t>(sizes[p++])) {
      for (int64_t n = 0; n < parts[p].count(); ++n) {
        Ints from = index_of(n, parts[p].dims());
        from[static_cast<size_t>(axis)] += static_cast<int64_t>(at);
        REQUIRE(parts[p].at<int64_t>(n) == number_of(from, dims));
      }
    }
    const auto negative = with("axis", axis - static_cast<int64_t>(dims.size()));
    REQUIRE(KernelRunner("Concat", negative).run(parts, {{DType::int64, dims}})[0] == x);
  }
}

TEST_CASE("Gather and GatherElements take negative indices and refuse others out of range", "[kernels][SX-18]") {
  const Tensor x = counting({3, 2});
  CHECK(run("Gather", {x, list({2, -3})}, {2, 2}) == Ints{4, 5, 0, 1});
  CHECK(run("Gather", {x, int64s({1, 2}, {1, 1})}, {3, 1, 2}, with("axis", int64_t{1})) == Ints{1, 1, 3, 3, 5, 5});
  CHECK(run("Gather", {x, tensor<int32_t>(DType::int32, {}, {-1})}, {2}) == Ints{4, 5});
  CHECK(run("Gather", {x, list({})}, {0, 2}).empty());
  for (int64_t bad : {int64_t{3}, int64_t{-4}, INT64_MAX, INT64_MIN}) {
    CHECK(failure([&] { run("Gather", {x, list({0, bad})}, {2, 2}); }) == "an index is out of range");
    CHECK(failure([&] { run("GatherElements", {x, int64s({1, 2}, {0, bad})}, {1, 2}); }) == "an index is out of range");
  }
  CHECK(failure([&] { run("Gather", {counting({0, 2}), list({0})}, {1, 2}); }) == "an index is out of range");
  CHECK(run("GatherElements", {x, int64s({2, 2}, {1, -1, 0, 2})}, {2, 2}) == Ints{2, 5, 0, 5});
  CHECK(run("GatherElements", {x, int64s({3, 1}, {1, 0, -1})}, {3, 1}, with("axis", int64_t{1})) == Ints{1, 2, 5});
  const Tensor letters = Tensor::strings({2}, {"a", "b"});  // owns the characters
  const auto s = KernelRunner("Gather").run({letters, list({1, 0, 1})}, {{DType::string, {3}}})[0];
  CHECK(s == Tensor::strings({3}, {"b", "a", "b"}));
}

TEST_CASE("Pad has four modes", "[kernels][SX-18]") {
  const Tensor x = int64s({3}, {1, 2, 3});
  const auto pad = [&](const char* mode, Ints pads, int64_t size) { return run("Pad", {x, list(std::move(pads))}, {size}, with("mode", std::string(mode))); };
  CHECK(pad("constant", {2, 1}, 6) == Ints{0, 0, 1, 2, 3, 0});
  CHECK(pad("edge", {2, 1}, 6) == Ints{1, 1, 1, 2, 3, 3});
  CHECK(pad("reflect", {2, 1}, 6) == Ints{3, 2, 1, 2, 3, 2});
  CHECK(pad("reflect", {5, 0}, 8) == Ints{2, 1, 2, 3, 2, 1, 2, 3});
  CHECK(pad("wrap", {2, 1}, 6) == Ints{2, 3, 1, 2, 3, 1});
  CHECK(pad("wrap", {0, 4}, 7) == Ints{1, 2, 3, 1, 2, 3, 1});
  CHECK(pad("constant", {-1, 2}, 4) == Ints{2, 3, 0, 0});
  CHECK(pad("edge", {-1, 1}, 3) == Ints{2, 3, 3});
  CHECK(pad("constant", {-1, -1}, 1) == Ints{2});
  CHECK(pad("constant", {-2, -1}, 0).empty());
}

TEST_CASE("Pad takes a value and axes, on several axes", "[kernels][SX-18]") {
  const Tensor x = int64s({2, 2}, {1, 2, 3, 4}), nine = int64s({}, {9});
  CHECK(run("Pad", {x, list({1, 0, 0, 1}), nine}, {3, 3}) == Ints{9, 9, 9, 1, 2, 9, 3, 4, 9});
  CHECK(run("Pad", {x, list({1, 0}), nine, list({-1})}, {2, 3}) == Ints{9, 1, 2, 9, 3, 4});
  CHECK(run("Pad", {x, list({1, 1}), Tensor{}, tensor<int32_t>(DType::int32, {1}, {0})}, {4, 2}, with("mode", std::string("edge"))) == Ints{1, 2, 1, 2, 3, 4, 3, 4});
  CHECK(run("Pad", {counting({0}), list({1, 1}), nine}, {2}) == Ints{9, 9});
  CHECK(run("Pad", {nine, list({})}, {}) == Ints{9});
  const Tensor letter = Tensor::strings({1}, {"a"}), dash = Tensor::strings({}, {"-"});  // own the characters
  const auto s = KernelRunner("Pad").run({letter, list({1, 1}), dash}, {{DType::string, {3}}})[0];
  CHECK(s == Tensor::strings({3}, {"-", "a", "-"}));
  const auto b = KernelRunner("Pad").run({tensor<uint8_t>(DType::boolean, {1}, {0}), list({0, 1}), tensor<uint8_t>(DType::boolean, {}, {1})}, {{DType::boolean, {2}}})[0];
  CHECK(values_of<uint8_t>(b) == std::vector<uint8_t>{0, 1});
}

TEST_CASE("Expand stretches and Tile repeats", "[kernels][SX-18]") {
  CHECK(run("Expand", {int64s({2, 1}, {1, 2}), list({2, 1, 3})}, {2, 2, 3}) == Ints{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2});
  CHECK(run("Expand", {int64s({}, {5}), list({0, 2})}, {0, 2}).empty());
  const unsigned seed = 3;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 50; ++round) {
    Ints dims(random() % 5), repeats(dims.size()), out(dims.size());
    for (size_t i = 0; i < dims.size(); ++i) {
      dims[i] = static_cast<int64_t>(1 + random() % 3);
      repeats[i] = static_cast<int64_t>(random() % 4);
      out[i] = dims[i] * repeats[i];
    }
    const Ints y = run("Tile", {counting(dims), list(repeats)}, out);
    for (size_t n = 0; n < y.size(); ++n) {
      Ints at = index_of(static_cast<int64_t>(n), out);
      for (size_t i = 0; i < at.size(); ++i) at[i] %= dims[i];
      REQUIRE(y[n] == number_of(at, dims));
    }
  }
}

TEST_CASE("views are aliases and need no task", "[kernels][SX-18]") {
  for (const char* op : {"Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Dropout"}) {
    const Kernel& kernel = *kernels_of("", op).back();
    const SiteTensor x{true, DType::float32, {}, 1, nullptr, ""};
    TaskBuilder builder;
    kernel.prepare({"", op, "n", {}, {&x, 1}, {&x, 1}, {}}, builder);
    INFO(op);
    CHECK(builder.drafts.empty());
    CHECK(builder.aliases.size() == 1);
  }
  const auto y = KernelRunner("Dropout").run({floats({2}, {1, 2}), floats({}, {0.5f}), tensor<uint8_t>(DType::boolean, {}, {0})}, {{DType::float32, {2}}, {DType::boolean, {2}}});
  CHECK(values_of<float>(y[0]) == std::vector<float>{1, 2});
  CHECK(values_of<uint8_t>(y[1]) == std::vector<uint8_t>{1, 1});
}

TEST_CASE("Shape and Size write dims", "[kernels][SX-18]") {
  const Tensor x = counting({2, 3, 4});
  CHECK(run("Shape", {x}, {3}) == Ints{2, 3, 4});
  Attributes part = with("start", int64_t{-2});
  part.set("end", int64_t{99});
  CHECK(run("Shape", {x}, {2}, part) == Ints{3, 4});
  CHECK(run("Shape", {int64s({}, {1})}, {0}).empty());
  CHECK(run("Shape", {x}, {0}, with("start", int64_t{5})).empty());
  CHECK(run("Size", {x}, {}) == Ints{24});
}

TEST_CASE("ConstantOfShape, Range and EyeLike make their elements", "[kernels][SX-18]") {
  CHECK(run("ConstantOfShape", {list({2, 2})}, {2, 2}, with("value", int64s({1}, {7}))) == Ints{7, 7, 7, 7});
  const auto zeros = KernelRunner("ConstantOfShape").run({list({3})}, {{DType::float32, {3}}})[0];
  CHECK(values_of<float>(zeros) == std::vector<float>{0, 0, 0});
  CHECK(run("ConstantOfShape", {list({0, 2})}, {0, 2}, with("value", int64s({1}, {7}))).empty());
  CHECK(run("Range", {int64s({}, {10}), int64s({}, {4}), int64s({}, {-2})}, {3}) == Ints{10, 8, 6});
  const auto f = KernelRunner("Range").run({floats({}, {1}), floats({}, {2}), floats({}, {0.25f})}, {{DType::float32, {4}}})[0];
  CHECK(values_of<float>(f) == std::vector<float>{1, 1.25f, 1.5f, 1.75f});
  CHECK(run("EyeLike", {counting({2, 3})}, {2, 3}, with("k", int64_t{1})) == Ints{0, 1, 0, 0, 0, 1});
}

TEST_CASE("Trilu keeps a triangle on or off the diagonal", "[kernels][SX-18]") {
  const Tensor x = counting({1, 3, 3});
  const Attributes lower = with("upper", int64_t{0});
  CHECK(run("Trilu", {x}, {1, 3, 3}) == Ints{0, 1, 2, 0, 4, 5, 0, 0, 8});
  CHECK(run("Trilu", {x, int64s({}, {1})}, {1, 3, 3}) == Ints{0, 1, 2, 0, 0, 5, 0, 0, 0});
  CHECK(run("Trilu", {x}, {1, 3, 3}, lower) == Ints{0, 0, 0, 3, 4, 0, 6, 7, 8});
  CHECK(run("Trilu", {x, int64s({}, {-1})}, {1, 3, 3}, lower) == Ints{0, 0, 0, 3, 0, 0, 6, 7, 0});
  CHECK(run("Trilu", {x, int64s({}, {INT64_MAX})}, {1, 3, 3}) == Ints(9, 0));
  CHECK(run("Trilu", {x, int64s({}, {INT64_MAX})}, {1, 3, 3}, lower) == values_of<int64_t>(x));
}

TEST_CASE("OneHot switches on what is in range", "[kernels][SX-18]") {
  const Tensor depth = int64s({}, {3}), values = int64s({2}, {-1, 5});
  CHECK(run("OneHot", {int64s({3}, {0, -1, 7}), depth, values}, {3, 3}) == Ints{5, -1, -1, -1, -1, 5, -1, -1, -1});
  CHECK(run("OneHot", {floats({2}, {1, 2}), depth, values}, {3, 2}, with("axis", int64_t{0})) == Ints{-1, -1, 5, -1, -1, 5});
}

TEST_CASE("NonZero reports its dims while it runs", "[kernels][SX-18]") {
  struct Allocator : OutputAllocator {
    Tensor y;
    std::byte* allocate(size_t, std::span<const int64_t> dims) noexcept override {
      y = Tensor::zeros(DType::int64, {dims.begin(), dims.end()});
      return y.mutable_data();
    }
  };
  const auto nonzero = [](const Tensor& x) {
    const SiteTensor in{true, x.dtype(), x.dims(), x.count(), nullptr, ""}, out{true, DType::int64, {}, 0, nullptr, ""};
    TaskBuilder builder;
    kernels().at("reference/NonZero").prepare({"", "NonZero", "n", {}, {&in, 1}, {&out, 1}, {}}, builder);
    TaskBuilder::Draft& draft = builder.drafts.at(0);
    const void* address = x.bytes().data();
    auto block = Tensor::copy_of(DType::uint8, {static_cast<int64_t>(draft.args.size())}, draft.args);
    std::memcpy(block.mutable_data() + draft.slots.at(0).arg_offset, &address, sizeof address);
    Allocator allocator;
    REQUIRE(draft.dynamic_run(block.bytes().data(), allocator) == Status::ok);
    return allocator.y;
  };
  CHECK(nonzero(floats({2, 3}, {0, 1, -0.0f, 2, 0, 3})) == int64s({2, 3}, {0, 1, 1, 1, 0, 2}));
  CHECK(nonzero(tensor<uint8_t>(DType::boolean, {3}, {0, 0, 0})) == int64s({1, 0}, {}));
  CHECK(nonzero(int64s({}, {INT64_MIN})) == int64s({0, 1}, {}));
  CHECK(nonzero(int64s({0, 4}, {})) == int64s({2, 0}, {}));
}

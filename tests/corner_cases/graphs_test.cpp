// Small graphs that optimisers of other runtimes got wrong, compiled here with all passes and with none: both must give
// the values worked out by hand. Each case names its public thread.
#include "corner_cases/one_op.hpp"
#include "session/with_passes.hpp"

using namespace ge;
using namespace ge::testing;

namespace {

/// What the graph gives with all passes; fails when it gives something else with none.
std::string shown(const WithPasses::Fill& fill, const std::vector<Tensor>& inputs) {
  const std::string with = WithPasses(fill).compiled({})->shown(inputs);
  CHECK(WithPasses(fill).compiled(all_but({}))->shown(inputs) == with);
  return with;
}

}  // namespace

TEST_CASE("x - (x + 1) is -1 and (x + 1) - x is 1", "[corner][CR-3]") {
  // iree-org/iree#20803
  for (DType dtype : {DType::float32, DType::int32, DType::int64}) {
    const Tensor x = KernelRunner("Cast").run({floats({2}, {5, -7})}, {{dtype, {2}}})[0], one = KernelRunner("Cast").run({floats({}, {1})}, {{dtype, {}}})[0];
    const auto fill = [&](GraphBuild& g) {
      const OutputRef in = g.input("x", {2}, dtype), next = g.op("Add", {in, g.constant(one)});
      g.outputs({g.op("Sub", {in, next}), g.op("Sub", {next, in})});
    };
    const std::string type(to_string(dtype));
    CHECK(shown(fill, {x}) == type + "[2] -1 -1; " + type + "[2] 1 1");
  }
}

TEST_CASE("casts through bool and integers do not cancel", "[corner][CR-3]") {
  // apache/tvm#13048, microsoft/onnxruntime#11994: float to int32 to bool; int64 -1 to bool to int32 is 1.
  const auto cast = [](GraphBuild& g, OutputRef x, DType to) { return g.op("Cast", {x}, attributes({{"to", static_cast<int64_t>(to)}})); };
  const auto fill = [&](GraphBuild& g) {
    const OutputRef x = g.input("x", {4}), n = g.input("n", {2}, DType::int64);
    g.outputs({cast(g, cast(g, x, DType::int32), DType::boolean), cast(g, cast(g, x, DType::boolean), DType::float32), cast(g, cast(g, n, DType::boolean), DType::int32),
               cast(g, cast(g, x, DType::int8), DType::float32), cast(g, cast(g, n, DType::int8), DType::int64)});
  };
  CHECK(shown(fill, {floats({4}, {0.5f, -0.25f, 1.5f, 0}), int64s({2}, {-1, 300})}) ==
        "bool[4] 0 0 1 0; float32[4] 1 1 1 0; int32[2] 1 1; float32[4] 0 0 1 0; int64[2] -1 44");
}

TEST_CASE("a Concat of one input is that input, also where it is overwritten or is an output", "[corner][CR-3]") {
  // apache/tvm#11895
  const auto fill = [](GraphBuild& g) {
    const OutputRef x = g.input("x", {2}), same = g.op("Concat", {x}, attributes({{"axis", int64_t{0}}}));
    g.outputs({same, g.op("Neg", {g.op("Relu", {g.op("Concat", {g.op("Neg", {same})}, attributes({{"axis", int64_t{-1}}}))})}), x});
  };
  CHECK(shown(fill, {floats({2}, {-3, 4})}) == "float32[2] -3 4; float32[2] -3 -0; float32[2] -3 4");
}

TEST_CASE("Gemm keeps the transpose of its C", "[corner][CR-3]") {
  // microsoft/onnxruntime#12071
  const auto fill = [](GraphBuild& g) {
    const OutputRef a = g.input("a", {2, 1}), b = g.input("b", {1, 2}), c = g.input("c", {2, 2});
    g.outputs({g.op("Gemm", {a, b, g.op("Transpose", {c})}), g.op("Gemm", {g.op("Transpose", {b}), g.op("Transpose", {a}), c})});
  };
  // a b = {{1, 2}, {10, 20}}; with c = {{100, 200}, {300, 400}} turned round; b' a' = {{1, 10}, {2, 20}}.
  CHECK(shown(fill, {floats({2, 1}, {1, 10}), floats({1, 2}, {1, 2}), floats({2, 2}, {100, 200, 300, 400})}) ==
        "float32[2, 2] 101 302 210 420; float32[2, 2] 101 210 302 420");
}

TEST_CASE("Relu and Clip one after the other, with bounds that are absent or come from nodes", "[corner][CR-3]") {
  // microsoft/onnxruntime#9753, #10936
  const auto fill = [](GraphBuild& g) {
    const OutputRef x = g.input("x", {4}), low = g.input("low"), high = g.op("Add", {low, g.scalar(3)}), relu = g.op("Relu", {x});
    g.outputs({g.op("Clip", {relu}), g.op("Clip", {relu, OutputRef{}, g.scalar(2)}), g.op("Clip", {relu, low}), g.op("Clip", {relu, low, high}),
               g.op("Relu", {g.op("Clip", {x, low, high})})});
  };
  CHECK(shown(fill, {floats({4}, {-3, 0.5f, 2.5f, 9}), floats({}, {-1})}) ==
        "float32[4] 0 0.5 2.5 9; float32[4] 0 0.5 2 2; float32[4] 0 0.5 2.5 9; float32[4] 0 0.5 2 2; float32[4] 0 0.5 2 2");
}

TEST_CASE("what is added to a convolution may be larger than its output, or change after it", "[corner][CR-3]") {
  // microsoft/onnxruntime#14500: only a sum of equal shapes may be taken into a Conv.
  const auto fill = [](GraphBuild& g) {
    const OutputRef x = g.input("x", {1, 1, 2, 2}), more = g.input("more", {2, 1, 2, 2}), y = g.op("Conv", {x, g.filled({1, 1, 1, 1}, 2)});
    const OutputRef sum = g.op("Add", {y, more});
    g.outputs({sum, g.op("Relu", {g.op("Sub", {sum, y})}), g.op("Add", {g.op("Conv", {x, g.filled({1, 1, 1, 1}, 3)}), y})});
  };
  CHECK(shown(fill, {counted({1, 1, 2, 2}), floats({2, 1, 2, 2}, {10, 10, 10, 10, -1, -1, -1, -1})}) ==
        "float32[2, 1, 2, 2] 12 14 16 18 1 3 5 7; float32[2, 1, 2, 2] 10 10 10 10 0 0 0 0; float32[1, 1, 2, 2] 5 10 15 20");
}

TEST_CASE("axes of ArgMin and of what follows a convolution are those of the model", "[corner][CR-3]") {
  // apache/tvm#9813, PR10156. One input channel, weights 1, -1 and 0: channel 1 is the least for positive x.
  const auto fill = [](GraphBuild& g) {
    const OutputRef x = g.input("x", {1, 1, 1, 2}), y = g.op("Conv", {x, g.constant(floats({3, 1, 1, 1}, {1, -1, 0}))});
    g.outputs({g.op("ArgMin", {y}, attributes({{"axis", int64_t{1}}, {"keepdims", int64_t{0}}})), g.op("ReduceMax", {y, g.ints({-1})}),
               g.op("Softmax", {g.op("Mul", {y, g.scalar(0)})}, attributes({{"axis", int64_t{1}}})),
               g.op("Slice", {y, g.ints({2}), g.ints({3}), g.ints({1})})});
  };
  CHECK(shown(fill, {floats({1, 1, 1, 2}, {4, -6})}) ==
        "int64[1, 1, 2] 1 0; float32[1, 3, 1, 1] 4 6 0; float32[1, 3, 1, 2] 0.333333 0.333333 0.333333 0.333333 0.333333 0.333333; float32[1, 1, 1, 2] 0 0");
}

TEST_CASE("no rank is lost or assumed: Reshape and Transpose of dims of 1, of ranks 1 to 6", "[corner][CR-3]") {
  // Tencent/ncnn#4342, #3627, #4564, #5810; alibaba/MNN#2871.
  for (size_t rank = 1; rank <= 6; ++rank) {
    std::vector<int64_t> perm, dims(rank, 1), back(rank, 1);
    dims[0] = 2, back[rank - 1] = 2;
    for (size_t i = rank; i-- > 0;) perm.push_back(static_cast<int64_t>(i));
    const auto fill = [&](GraphBuild& g) {
      std::vector<Dim> given;
      for (int64_t d : dims) given.emplace_back(static_cast<int>(d));
      const OutputRef x = g.input("x", given), turned = g.op("Transpose", {x}, attributes({{"perm", perm}}));
      g.outputs({turned, g.op("Shape", {turned}), g.op("Reshape", {turned, g.ints(dims)}), g.op("Unsqueeze", {turned, g.ints({0})})});
    };
    std::vector<int64_t> more{1};
    more.insert(more.end(), back.begin(), back.end());
    CHECK(shown(fill, {floats(dims, {3, 4})}) == "float32" + dims_to_string(back) + " 3 4; " + show(Tensor::ints(back)) + "; float32" + dims_to_string(dims) + " 3 4; float32" +
                                                      dims_to_string(more) + " 3 4");
  }
}

TEST_CASE("a division by 0 that folding could see is an error of the run, never a signal", "[corner][CR-3]") {
  // Xilinx/onnx-mlir PR105.
  const auto fill = [](GraphBuild& g) { g.outputs({g.op("Div", {g.ints({1, INT64_MIN}), g.ints({0, -1})}), g.op("Identity", {g.input("x", {1})})}); };
  CHECK_THAT(WithPasses(fill).compiled({})->refusal({floats({1}, {1})}), Catch::Matchers::Contains("division by zero"));
  const auto wraps = [](GraphBuild& g) { g.outputs({g.op("Div", {g.ints({7, INT64_MIN}), g.ints({-2, -1})}), g.op("Identity", {g.input("x", {1})})}); };
  CHECK(shown(wraps, {floats({1}, {1})}).starts_with("int64[2] -3 -9.22337e+18"));
}

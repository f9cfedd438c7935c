#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;

namespace {
Tensor list(std::vector<int64_t> v) { return Tensor::ints(v); }
}  // namespace

TEST_CASE("the chain Shape, Gather, Concat, Reshape stays exact", "[ops][CR-2]") {
  Symbols s;
  // x[N, H, W, 8] → view(N, -1, 8)
  const TensorType x{DType::float32, Shape{s.N, s.H, s.W, s.table.constant(8)}, std::nullopt};
  const TensorType dims = s.op("Shape").typed(x).type();
  CHECK(to_string(dims) == "int64[4]{N, H, W, 8}");
  const TensorType n = s.op("Gather").typed(dims).constant(Tensor::scalar(0)).type();
  CHECK(to_string(n) == "int64[]{N}");
  const TensorType n_list = s.op("Unsqueeze").typed(n).constant(list({0})).type();
  const TensorType target = s.op("Concat").set("axis", int64_t{0}).typed(n_list).constant(list({-1})).constant(list({8})).type();
  CHECK(to_string(target) == "int64[3]{N, -1, 8}");
  const auto out = s.op("Reshape").typed(x).typed(target).run();
  CHECK(out.dim(0, 0) == s.N);
  CHECK(out.dim(0, 1) == s.H * s.W);
  CHECK(out.conditions.empty());
  CHECK(out.unknowns == 0);
}

TEST_CASE("Shape and Size give dims as values", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Shape").in({s.N, 3, s.H}).set("start", int64_t{-2}).text() == "int64[2]{3, H}");
  CHECK(s.op("Shape").in({s.N, 3, s.H}).set("start", int64_t{1}).set("end", int64_t{-1}).text() == "int64[1]{3}");
  CHECK(s.op("Shape").in({s.N}).set("start", int64_t{5}).text() == "int64[0]{}");
  CHECK(s.op("Size").in({s.N, 3}).text() == "int64[]{3*N}");
  CHECK(s.op("Size").rankless().text() == "int64[]");
  CHECK(s.op("Shape").rankless().run().unknowns == 1);
}

TEST_CASE("values follow Slice, Squeeze, Unsqueeze, Transpose, Split, Tile and Expand", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Slice")
            .values({s.N, 3, s.H, 5})
            .constant(list({1}))
            .constant(list({INT64_MAX}))
            .constant(list({0}))
            .constant(list({2}))
            .text() == "int64[2]{3, 5}");
  CHECK(s.op("Slice")
            .values({s.N, 3, s.H})
            .constant(list({-1}))
            .constant(list({INT64_MIN}))
            .constant(list({0}))
            .constant(list({-1}))
            .text() == "int64[3]{H, 3, N}");
  CHECK(s.op("Squeeze").values({s.N}).text() == "int64[]{N}");
  CHECK(s.op("Gather").values({s.N, 3}).constant(list({-1, 0})).text() == "int64[2]{3, N}");
  CHECK_FALSE(s.op("Gather").values({s.N, 3}).constant(list({2})).type().values);
  CHECK(s.op("Tile").values({s.N, 3}).constant(list({2})).text() == "int64[4]{N, 3, N, 3}");
  CHECK(s.op("Expand").values({s.N}).constant(list({3})).text() == "int64[3]{N, N, N}");
  const auto parts = s.op("Split").values({s.N, 3, s.H}).constant(list({2, 1})).run(2);
  CHECK(parts[0] == "int64[2]{N, 3}");
  CHECK(parts[1] == "int64[1]{H}");
  const TensorType square = s.op("Reshape").values({s.N, 2, 3, s.H}).constant(list({2, 2})).type();
  CHECK(to_string(square) == "int64[2, 2]{N, 2, 3, H}");
  CHECK(s.op("Transpose").typed(square).text() == "int64[2, 2]{N, 3, 2, H}");
}

TEST_CASE("values follow reductions, Range and ConstantOfShape", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("ReduceProd").values({s.N, 3}).set("keepdims", int64_t{0}).text() == "int64[]{3*N}");
  CHECK(s.op("ReduceSum").values({s.N, 3}).text() == "int64[1]{N + 3}");
  CHECK(s.op("ReduceMax").values({s.N, 0}).text() == "int64[1]{N}");
  CHECK(s.op("ReduceSum").values({}).text() == "int64[1]{0}");
  CHECK_FALSE(s.op("ReduceMax").values({}).type().values);
  CHECK(s.op("Range").scalar(0).scalar(3).scalar(1).text() == "int64[3]{0, 1, 2}");
  CHECK(s.op("Range").scalar(0).scalar(s.N).scalar(1).text() == "int64[N]");
  CHECK(s.op("Range").scalar(5).scalar(0).scalar(-2).text() == "int64[3]{5, 3, 1}");
  CHECK(mentions(s.op("Range").scalar(0).scalar(3).scalar(0).error(), {"delta is 0"}));
  CHECK(s.op("ConstantOfShape").values({2}).set("value", Tensor::ints(std::vector<int64_t>{7})).text() == "int64[2]{7, 7}");
  CHECK(s.op("ConstantOfShape").values({s.N, 3}).text() == "float32[N, 3]");
  CHECK(s.op("ConstantOfShape").in({3}, DType::int64).run().unknowns == 3);
  CHECK(mentions(s.op("ConstantOfShape").values({-2}).error(), {"-2", "at least 0"}));
}

TEST_CASE("missing content gives unknown dims, never an error", "[ops][CR-2]") {
  Symbols s;
  const auto reshaped = s.op("Reshape").in({s.N}).in({3}, DType::int64).run();
  CHECK(reshaped.types[0].rank() == 3);
  CHECK(reshaped.unknowns == 3);
  CHECK(reshaped.wanted == std::vector<size_t>{1});
  CHECK(s.op("Reshape").in({s.N}).in({s.M}, DType::int64).text() == "float32[?]");
  CHECK(s.op("Expand").in({s.N, 2}).in({3}, DType::int64).type().rank() == 3);
  CHECK(s.op("Tile").in({s.N, 2}).in({2}, DType::int64).type().rank() == 2);
  CHECK(s.op("Unsqueeze").in({s.N}).in({2}, DType::int64).type().rank() == 3);
  CHECK(s.op("Squeeze").in({s.N, 1}).in({1}, DType::int64).type().rank() == 1);
  CHECK(s.op("Squeeze").in({s.N, 1}).text() == "float32[?]");
  CHECK(s.op("Squeeze").in({s.H + 1, 1}).text() == "float32[H + 1]");
  CHECK(s.op("ReduceSum").in({s.N, 2}).in({1}, DType::int64).type().rank() == 2);
  const auto padded = s.op("Pad").in({s.N, 2}).in({4}, DType::int64).run();
  CHECK(padded.types[0].rank() == 2);
  CHECK(padded.wanted == std::vector<size_t>{1});
  const auto sliced = s.op("Slice").in({s.N, 5}).in({1}, DType::int64).in({1}, DType::int64).constant(list({1})).run();
  CHECK(sliced.dim(0, 0) == s.N);
  CHECK(sliced.unknowns == 1);
  CHECK(s.op("NonZero").in({s.N, 2}).run().unknowns == 1);
}

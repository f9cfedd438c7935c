// Inference of ops over sequences and optionals.
#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;

namespace {

TensorType sequence(DType dtype, std::optional<Shape> shape) { return {dtype, std::move(shape), std::nullopt, ValueKind::sequence}; }

}  // namespace

TEST_CASE("a sequence has what its elements share", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("SequenceConstruct").in({s.N, 3}).text() == "sequence(float32[N, 3])");
  CHECK(s.op("SequenceConstruct").in({s.N, 3}).in({s.N, 3}).text() == "sequence(float32[N, 3])");
  CHECK(s.op("SequenceConstruct").in({s.N, 3}).in({s.M, 3}).text() == "sequence(float32[*, 3])");
  CHECK(s.op("SequenceConstruct").in({s.N, 3}).in({3}).text() == "sequence(float32[?])");
  CHECK(s.op("SequenceEmpty").text() == "sequence(float32[?])");
  CHECK(s.op("SequenceEmpty").set("dtype", int64_t{7}).text() == "sequence(int64[?])");
  const TensorType rows = sequence(DType::float32, Shape{s.N, s.table.constant(3)});
  CHECK(s.op("SequenceInsert").typed(rows).in({2, 3}).text() == "sequence(float32[*, 3])");
  CHECK(s.op("SequenceErase").typed(rows).text() == "sequence(float32[N, 3])");
  CHECK(s.op("SequenceLength").typed(rows).text() == "int64[]");
  CHECK(s.op("Identity").typed(rows).text() == "sequence(float32[N, 3])");
}

TEST_CASE("dims that may differ are fresh in each element taken out", "[ops][CR-2]") {
  Symbols s;
  const TensorType rows = sequence(DType::float32, Shape{Expr(), s.N});
  const TensorType one = s.op("SequenceAt").typed(rows).scalar(0).type(), other = s.op("SequenceAt").typed(rows).scalar(0).type();
  CHECK(one.is_tensor());
  CHECK((*one.shape)[0] != (*other.shape)[0]);
  CHECK((*one.shape)[1] == s.N);
}

TEST_CASE("kinds that an op does not take are refused with what it takes", "[ops][CR-2]") {
  Symbols s;
  CHECK(mentions(s.op("SequenceAt").in({2}).scalar(0).error(), {"input 0 (input_sequence) is float32[2], expected a sequence"}));
  CHECK(mentions(s.op("Relu").typed(sequence(DType::float32, std::nullopt)).error(), {"input 0 (X) is sequence(float32[?]), expected a tensor"}));
  CHECK(mentions(s.op("SequenceInsert").typed(sequence(DType::float32, std::nullopt)).in({1}, DType::int64).error(), {"input 1 (tensor) is int64, expected float32"}));
  CHECK(mentions(s.op("SequenceAt").typed(sequence(DType::float32, std::nullopt)).in({2, 2}, DType::int64).error(), {"position", "rank"}));
  const TensorType optional{DType::float32, std::nullopt, std::nullopt, ValueKind::optional};
  CHECK(mentions(s.op("Optional").typed(optional).error(), {"is optional(float32[?]), expected a tensor or sequence"}));
  CHECK(mentions(s.op("Optional").in({2}).set("type", std::string("float32")).error(), {"both an input and attribute 'type'"}));
  CHECK(mentions(s.op("Optional").error(), {"neither an input nor attribute 'type'"}));
  CHECK(mentions(s.op("Optional").set("type", std::string("map(int64, float32)")).error(), {"'map(int64, float32)'", "expected a type such as"}));
}

TEST_CASE("optionals", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Optional").in({s.N}).text() == "optional(float32[N])");
  CHECK(s.op("Optional").typed(sequence(DType::int64, std::nullopt)).text() == "optional(sequence(int64[?]))");
  CHECK(s.op("Optional").set("type", std::string("sequence(float32[2])")).text() == "optional(sequence(float32[?]))");
  CHECK(s.op("OptionalGetElement").typed({DType::float32, Shape{s.N}, std::nullopt, ValueKind::optional}).text() == "float32[N]");
  CHECK(s.op("OptionalGetElement").typed({DType::float32, Shape{Expr()}, std::nullopt, ValueKind::optional_sequence}).text() == "sequence(float32[*])");
  CHECK(s.op("OptionalGetElement").values({3, s.N}).text() == "int64[2]{3, N}");
  CHECK(s.op("OptionalHasElement").in({2}).text() == "bool[]{1}");
  CHECK(s.op("OptionalHasElement").text() == "bool[]{0}");
  CHECK(s.op("OptionalHasElement").typed({DType::float32, std::nullopt, std::nullopt, ValueKind::optional}).text() == "bool[]");
}

TEST_CASE("between a tensor and the sequence of its parts", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("SplitToSequence").in({s.N, 6}).scalar(2).set("axis", int64_t{1}).text() == "sequence(float32[N, *])");
  CHECK(s.op("SplitToSequence").in({s.N, 6}).set("axis", int64_t{-1}).text() == "sequence(float32[N, 1])");
  CHECK(s.op("SplitToSequence").in({s.N, 6}).set("keepdims", int64_t{0}).text() == "sequence(float32[6])");
  CHECK(s.op("SplitToSequence").rankless().text() == "sequence(float32[?])");
  CHECK(mentions(s.op("SplitToSequence").in({s.N}).set("axis", int64_t{1}).error(), {"axis 1 is out of range for rank 1"}));
  CHECK(mentions(s.op("SplitToSequence").in({}).error(), {"rank 0"}));
  const TensorType rows = sequence(DType::float32, Shape{s.N, s.table.constant(3)});
  const TensorType joined = s.op("ConcatFromSequence").typed(rows).set("axis", int64_t{1}).type();
  CHECK(joined.rank() == 2);
  CHECK((*joined.shape)[0] == s.N);
  CHECK_FALSE((*joined.shape)[1].is_constant());
  const TensorType stacked = s.op("ConcatFromSequence").typed(rows).set("axis", int64_t{-1}).set("new_axis", int64_t{1}).type();
  CHECK(stacked.rank() == 3);
  CHECK((*stacked.shape)[1].is_constant(3));
  CHECK(mentions(s.op("ConcatFromSequence").typed(rows).set("axis", int64_t{2}).error(), {"axis 2 is out of range for rank 2"}));
}

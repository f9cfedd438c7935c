// Where elements lie: sizes of 0, rank 0, negative axes and steps, indices out of range. Each case names the public thread
// it comes from; right values are worked out by hand.
#include "corner_cases/one_op.hpp"

using namespace ge;
using namespace ge::testing;
using Catch::Matchers::Contains;

namespace {

using Ints = std::vector<int64_t>;
Tensor list(const Ints& values) { return int64s({static_cast<int64_t>(values.size())}, values); }
Tensor empty(Ints dims) { return floats(std::move(dims), {}); }
Attributes axis(int64_t a) { return attributes({{"axis", a}}); }

}  // namespace

TEST_CASE("tensors without elements are reshaped, joined, cut and padded", "[corner][CR-9]") {
  // microsoft/onnxruntime#8421: (2, 0) to (1, 2, 0), where 0 is a size (allowzero) or what -1 leaves.
  CHECK(OneOp("Reshape", attributes({{"allowzero", int64_t{1}}})).shown({empty({2, 0}), list({1, 2, 0})}) == "float32[1, 2, 0]");
  CHECK(OneOp("Reshape").shown({empty({2, 0}), list({1, 2, -1})}) == "float32[1, 2, 0]");
  CHECK(OneOp("Reshape").shown({empty({0, 5}), list({0, -1})}) == "float32[0, 5]");
  CHECK_FALSE(OneOp("Reshape").refusal({empty({2, 0}), list({1, 2, 0})}).empty());
  // microsoft/onnxruntime#681: [0] and [2].
  CHECK(OneOp("Concat", axis(0)).shown({empty({0}), floats({2}, {1, 2})}) == "float32[2] 1 2");
  CHECK(OneOp("Concat", axis(-1)).shown({floats({1, 2}, {1, 2}), empty({1, 0}), floats({1, 1}, {3})}) == "float32[1, 3] 1 2 3");
  CHECK(OneOp("Concat", axis(0)).shown({empty({0}), empty({0})}) == "float32[0]");
  CHECK(OneOp("Pad").shown({empty({0}), list({1, 2}), floats({}, {7})}) == "float32[3] 7 7 7");
  CHECK(OneOp("Slice").shown({floats({3}, {1, 2, 3}), list({2}), list({1})}) == "float32[0]");
  CHECK(OneOp("Split", axis(0), 2).run({floats({2}, {1, 2}), list({0, 2})})[0].dims() == Ints{0});
  CHECK(OneOp("Tile").shown({floats({2}, {1, 2}), list({0})}) == "float32[0]");
  CHECK(OneOp("Expand").shown({floats({1}, {1}), list({0})}) == "float32[0]");
  CHECK(OneOp("Gather").shown({floats({2}, {1, 2}), list({})}) == "float32[0]");
  CHECK(OneOp("MatMul").shown({empty({2, 0}), empty({0, 2})}) == "float32[2, 2] 0 0 0 0");
  CHECK(OneOp("Transpose").shown({empty({2, 0, 3})}) == "float32[3, 0, 2]");
  CHECK(OneOp("NonZero").shown({empty({0, 2})}) == "int64[2, 0]");
  CHECK(OneOp("TopK", {}, 2).run({empty({0, 2}), list({1})})[1].dims() == Ints{0, 1});
  CHECK(OneOp("Softmax").shown({empty({2, 0})}) == "float32[2, 0]");
  CHECK(OneOp("CumSum").shown({empty({0, 2}), int64s({}, {0})}) == "float32[0, 2]");
}

TEST_CASE("scalars go through what has no axes to speak of", "[corner][CR-9]") {
  const Tensor five = floats({}, {5});
  CHECK(OneOp("Transpose").shown({five}) == "float32[] 5");
  CHECK(OneOp("Reshape").shown({five, list({})}) == "float32[] 5");
  CHECK(OneOp("Reshape").shown({five, list({1, 1})}) == "float32[1, 1] 5");
  CHECK(OneOp("Flatten", axis(0)).shown({five}) == "float32[1, 1] 5");
  CHECK(OneOp("Squeeze").shown({five}) == "float32[] 5");
  CHECK(OneOp("Unsqueeze").shown({five, list({-1, 0})}) == "float32[1, 1] 5");
  CHECK(OneOp("Expand").shown({five, list({2})}) == "float32[2] 5 5");
  CHECK(OneOp("Tile").shown({five, list({})}) == "float32[] 5");
  CHECK(OneOp("Shape").shown({five}) == "int64[0]");
  CHECK(OneOp("Size").shown({five}) == "int64[] 1");
  CHECK(OneOp("Gather").shown({floats({3}, {1, 2, 5}), int64s({}, {-1})}) == "float32[] 5");
  CHECK(OneOp("Where").shown({bools({}, {1}), five, floats({}, {2})}) == "float32[] 5");
  CHECK(OneOp("ConstantOfShape").shown({list({})}) == "float32[] 0");
  CHECK(OneOp("Identity").shown({five}) == "float32[] 5");
  for (const char* op : {"Concat", "Softmax", "TopK", "ArgMax", "Hardmax", "CumSum"}) {
    INFO(op);  // an axis of a scalar: refused, or (Softmax-13) one element
    Attributes a = std::string(op) == "Concat" ? axis(0) : Attributes();
    std::vector<Tensor> in{five};
    if (std::string(op) == "TopK") in.push_back(list({1}));
    if (std::string(op) == "CumSum") in.push_back(int64s({}, {0}));
    if (OneOp(op, a, std::string(op) == "TopK" ? 2 : 1).refusal(in).empty()) CHECK(OneOp(op, a, std::string(op) == "TopK" ? 2 : 1).run(in)[0].dims().empty());
  }
}

TEST_CASE("axes count from the end, and beyond either end are refused", "[corner][CR-9][CR-2]") {
  const Tensor x = counted({2, 3});
  for (const auto& [op, outputs] : {std::pair("Softmax", 1), {"LogSoftmax", 1}, {"Hardmax", 1}, {"ArgMax", 1}, {"ArgMin", 1}, {"LayerNormalization", 1}}) {
    const std::vector<Tensor> in = std::string(op) == "LayerNormalization" ? std::vector<Tensor>{x, floats({3}, {1, 1, 1})} : std::vector<Tensor>{x};
    INFO(op);
    CHECK(OneOp(op, axis(-1)).run(in)[0] == OneOp(op, axis(1)).run(in)[0]);
    for (int64_t beyond : {int64_t{2}, int64_t{-3}, INT64_MAX, INT64_MIN}) CHECK_THAT(OneOp(op, axis(beyond), static_cast<size_t>(outputs)).refusal(in), Contains("axis"));
  }
  for (int64_t beyond : {int64_t{2}, int64_t{-3}, INT64_MAX, INT64_MIN}) {
    CHECK_FALSE(OneOp("Concat", axis(beyond)).refusal({x, x}).empty());
    CHECK_FALSE(OneOp("Gather", axis(beyond)).refusal({x, list({0})}).empty());
    CHECK_FALSE(OneOp("ReduceSum").refusal({x, list({beyond})}).empty());
    CHECK_FALSE(OneOp("Squeeze").refusal({x, list({beyond})}).empty());
    CHECK_FALSE(OneOp("Slice").refusal({x, list({0}), list({1}), list({beyond})}).empty());
    CHECK_FALSE(OneOp("CumSum").refusal({x, int64s({}, {beyond})}).empty());
    CHECK_FALSE(OneOp("Unsqueeze").refusal({x, list({beyond > 0 ? beyond + (beyond == 2) : beyond - (beyond == -3)})}).empty());
  }
  CHECK_FALSE(OneOp("ReduceSum").refusal({x, list({0, -2})}).empty());
  CHECK_FALSE(OneOp("Transpose", attributes({{"perm", Ints{0, 0}}})).refusal({x}).empty());
}

TEST_CASE("slices walk backwards, clamp, and refuse a step of 0", "[corner][CR-9]") {
  const Tensor x = counted({5});
  const auto slice = [&](int64_t start, int64_t end, int64_t step) { return OneOp("Slice").shown({x, list({start}), list({end}), list({0}), list({step})}); };
  CHECK(slice(-1, INT64_MIN, -1) == "float32[5] 5 4 3 2 1");
  CHECK(slice(INT64_MAX, INT64_MIN, -2) == "float32[3] 5 3 1");
  CHECK(slice(-2, 0, -1) == "float32[3] 4 3 2");
  CHECK(slice(1, -1, 2) == "float32[2] 2 4");
  CHECK(slice(0, INT64_MAX, INT64_MAX) == "float32[1] 1");
  CHECK(slice(-1, INT64_MIN, INT64_MIN) == "float32[1] 5");
  CHECK(slice(2, 2, -1) == "float32[0]");
  CHECK(slice(INT64_MIN, INT64_MIN, -1) == "float32[1] 1");  // Slice-13 clamps the start to 0..n-1 when it goes backwards
  CHECK_FALSE(OneOp("Slice").refusal({x, list({0}), list({5}), list({0}), list({0})}).empty());
}

TEST_CASE("indices out of range end the run and read nothing", "[corner][CR-9][CR-10]") {
  const Tensor x = counted({2, 3});
  for (int64_t beyond : {int64_t{2}, int64_t{-3}, int64_t{1} << 32, INT64_MAX, INT64_MIN}) {
    INFO(beyond);
    CHECK_FALSE(OneOp("Gather").refusal({x, list({0, beyond})}).empty());
    CHECK_FALSE(OneOp("GatherElements", axis(0)).refusal({x, int64s({1, 2}, {0, beyond})}).empty());
    CHECK_FALSE(OneOp("GatherND").refusal({x, int64s({2, 1}, {0, beyond})}).empty());
    CHECK_FALSE(OneOp("ScatterElements", axis(0)).refusal({x, int64s({1, 2}, {0, beyond}), floats({1, 2}, {1, 2})}).empty());
    CHECK_FALSE(OneOp("ScatterND").refusal({x, int64s({2, 1}, {0, beyond}), counted({2, 3})}).empty());
    CHECK(OneOp("OneHot").shown({list({beyond, 1}), int64s({}, {2}), floats({2}, {0, 1})}) == "float32[2, 2] 0 0 0 1");
  }
  CHECK_FALSE(OneOp("TopK", {}, 2).refusal({x, list({4})}).empty());
  CHECK_FALSE(OneOp("TopK", {}, 2).refusal({x, list({-1})}).empty());
  CHECK_FALSE(OneOp("Tile").refusal({x, list({-1, 1})}).empty());
  CHECK_FALSE(OneOp("Expand").refusal({x, list({4, 3})}).empty());
  CHECK_FALSE(OneOp("ConstantOfShape").refusal({list({-1})}).empty());
  CHECK_FALSE(OneOp("Split", axis(0), 2).refusal({x, list({3, -1})}).empty());
}

TEST_CASE("pads cut first and then repeat, reflect or wrap what is left", "[corner][CR-9]") {
  // microsoft/onnxruntime#11828, onnxsim/onnxsim PR1274: negative and positive pads on one axis.
  const Tensor x = counted({4});
  const auto pad = [&](const char* mode, const Ints& pads) { return OneOp("Pad", attributes({{"mode", std::string(mode)}})).shown({x, list(pads)}); };
  CHECK(pad("reflect", {-1, 2}) == "float32[5] 2 3 4 3 2");
  CHECK(pad("reflect", {2, -1}) == "float32[5] 3 2 1 2 3");
  CHECK(pad("edge", {-2, 2}) == "float32[4] 3 4 4 4");
  CHECK(pad("wrap", {-1, 2}) == "float32[5] 2 3 4 2 3");
  CHECK(pad("constant", {-1, 1}) == "float32[4] 2 3 4 0");
  CHECK(pad("reflect", {-3, -1}) == "float32[0]");
  CHECK_FALSE(OneOp("Pad").refusal({x, list({-3, -2})}).empty());
  CHECK_FALSE(OneOp("Pad").refusal({x, list({INT64_MAX, INT64_MAX})}).empty());
  for (const char* mode : {"reflect", "edge", "wrap"}) CHECK_FALSE(OneOp("Pad", attributes({{"mode", std::string(mode)}})).refusal({empty({0}), list({1, 0})}).empty());
}

TEST_CASE("an empty Reshape whose -1 only the run knows, and what is computed from its shape", "[corner][CR-9]") {
  // [0, 3] to (0, -1): the shape that Shape reads must be the one that Reshape gives, or the run is refused.
  ModelCase model;
  const OutputRef x = model.input("x", {0, 3}), to = model.input("to", {2}, DType::int64);
  const OutputRef y = model.op("Reshape", {x, to}), shape = model.op("Shape", {y});
  model.outputs({y, shape});
  const auto instance = model.instance();
  CHECK(instance->shown({empty({0, 3}), list({0, 5})}) == "float32[0, 5]; int64[2] 0 5");
  CHECK(instance->shown({empty({0, 3}), list({4, -1})}) == "float32[4, 0]; int64[2] 4 0");
  const std::string refusal = instance->refusal({empty({0, 3}), list({0, -1})});
  if (refusal.empty()) CHECK(instance->shown({empty({0, 3}), list({0, -1})}) == "float32[0, 3]; int64[2] 0 3");
  else CHECK_THAT(refusal, Contains("cannot be told"));
}

TEST_CASE("a dim beyond 64 bits that only the run knows is refused with its value", "[corner][CR-10]") {
  ModelCase model;
  const OutputRef x = model.input_of_unknown_rank("x"), pads = model.input("pads", {2}, DType::int64);
  model.outputs({model.op("Pad", {x, pads})});
  const std::string refusal = model.instance()->refusal({counted({4}), list({INT64_MAX, 1})});
  CHECK_THAT(refusal, Contains("Pad") && !Contains("internal") && !Contains("dynamic form"));
  CHECK_FALSE(refusal.empty());
}

TEST_CASE("Dropout reads a ratio and a training mode of one element, and refuses none or more", "[corner][CR-9][CR-10]") {
  const Tensor x = counted({2}), half = floats({}, {0.5f}), no = bools({}, {0});
  CHECK(OneOp("Dropout", {}, 2).run({x, half, no})[1] == bools({2}, {1, 1}));
  CHECK(OneOp("Dropout", {}, 2).run({x, floats({1}, {0.5f}), bools({1}, {0})})[0] == x);
  for (const Tensor& ratio : {empty({0}), floats({2}, {0.5f, 0.5f})}) CHECK_THAT(OneOp("Dropout", {}, 2).refusal({x, ratio, no}), Contains("ratio"));
  CHECK_THAT(OneOp("Dropout", {}, 2).refusal({x, half, bools({0}, {})}), Contains("training_mode"));
}

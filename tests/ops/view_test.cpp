#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;

namespace {
Tensor list(std::vector<int64_t> v) { return Tensor::ints(v); }
}  // namespace

TEST_CASE("Reshape infers, copies and checks dims", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Reshape").in({s.N, 3, 4}).values({0, -1}).text() == "float32[N, 12]");
  CHECK(s.op("Reshape").in({s.N, 3, 4}).values({-1, 6}).text() == "float32[2*N, 6]");
  CHECK(s.op("Reshape").in({2, 3}).values({}).error() != "");
  CHECK(s.op("Reshape").in({1, 1}).values({}).text() == "float32[]");
  CHECK(s.op("Reshape").in({s.H, s.W}).values({s.W, s.H}).run().conditions.empty());
  // An element that may be 0 would then copy the input's dim.
  CHECK(s.op("Reshape").in({s.H, s.N}).values({s.N, s.H}).run().dim(0, 0) == select(equal(s.N, 0), s.H, s.N));
  CHECK(s.op("Reshape").in({s.N, s.H}).values({s.N * 2, -1}).run().dim(0, 0) == s.N * 2);
  CHECK(s.op("Reshape").in({0, 3}).values({3, 0}).set("allowzero", int64_t{1}).text() == "float32[3, 0]");
  CHECK(s.op("Reshape").rankless().values({2, -1, 0}).run().unknowns == 2);

  const auto divided = s.op("Reshape").in({s.N}).values({-1, 4}).run();
  CHECK(divided.dim(0, 0) == floor_div(s.N, 4));
  CHECK(divided.conditions.size() == 1);
  CHECK(mentions(s.op("Reshape").in({2, 3}).values({4, 2}).error(), {"element count", "is 8, expected 6", "[4, 2]", "[2, 3]"}));
  CHECK(mentions(s.op("Reshape").in({2, 3}).values({-1, 4}).error(), {"[2, 3]", "do not divide"}));
  CHECK(mentions(s.op("Reshape").in({2, 3}).values({-1, -1}).error(), {"-1 twice", "0 and 1"}));
  CHECK(mentions(s.op("Reshape").in({2, 3}).values({-5}).error(), {"-5", "expected -1 or more"}));
  CHECK(mentions(s.op("Reshape").in({2}).in({1, 1}, DType::int64).error(), {"input 1 (shape)", "rank 2", "expected rank 1"}));
  CHECK(mentions(s.op("Reshape").in({2}).values({2, 0}).error(), {"element 1", "no dim there to copy"}));
}

TEST_CASE("a target element of any sign is decided when its value is known", "[ops][CR-2]") {
  Symbols s;
  const auto out = s.op("Reshape").in({s.N, 6}).values({s.any, 3}).run();
  const auto at = [&](int64_t n, int64_t v) { return InferCase::value(out.dim(0, 0), {{s.N.symbol_id(), n}, {s.any.symbol_id(), v}}); };
  CHECK(at(5, -1) == 10);
  CHECK(at(5, 0) == 5);
  CHECK(at(5, 10) == 10);
}

TEST_CASE("Slice gives exact dims", "[ops][CR-2]") {
  Symbols s;
  const auto dim = [&](Term start, Term end, int64_t step) {
    return s.op("Slice").in({s.N}).values({start}).values({end}).constant(list({0})).constant(list({step})).type().shape->front();
  };
  CHECK(dim(0, INT64_MAX, 1) == s.N);
  CHECK(dim(0, INT32_MAX, 1) == s.N);
  CHECK(dim(INT64_MIN, INT64_MAX, 1) == s.N);
  CHECK(dim(2, INT64_MAX, 1) == max_of(s.N - 2, 0));
  CHECK(dim(0, 5, 1) == min_of(s.N, 5));
  CHECK(dim(-3, INT64_MAX, 1) == min_of(s.N, 3));
  CHECK(dim(0, -1, 1) == max_of(s.N - 1, 0));
  CHECK(dim(-1, INT64_MIN, -1) == s.N);
  CHECK(dim(-1, INT64_MIN + 1, -1) == s.N);
  CHECK(dim(0, INT64_MAX, 2) == ceil_div(s.N, 2));
  CHECK(dim(5, 5, 1).is_constant(0));
  CHECK(dim(0, s.M, 1) == min_of(s.N, s.M));
  const Expr rest = s.op("Slice").in({s.H}).values({1}).values({INT64_MAX}).type().shape->front();
  CHECK(rest == s.H - 1);
  CHECK(mentions(s.op("Slice").in({4}).values({0}).values({1}).constant(list({0})).constant(list({0})).error(), {"step 0"}));
  CHECK(mentions(s.op("Slice").in({4}).values({0, 0}).values({1, 1}).error(), {"2 entries", "rank 1"}));
  CHECK(mentions(s.op("Slice").in({4, 4}).values({0}).values({1}).constant(list({0, 1})).error(), {"1 entries", "expected 2"}));
  CHECK(mentions(s.op("Slice").in({4}).values({0}).values({1}).constant(list({1})).error(), {"axis 1 is out of range for rank 1"}));
}

TEST_CASE("constant slices agree with the clamping rules element by element", "[ops][CR-2]") {
  Symbols s;
  for (int64_t d = 0; d <= 4; ++d)
    for (int64_t start = -6; start <= 6; ++start)
      for (int64_t end = -6; end <= 6; ++end)
        for (int64_t step : {-3, -2, -1, 1, 2, 3}) {
          const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? d : d - 1;
          int64_t from = std::min(std::max<int64_t>(start < 0 ? start + d : start, 0), high);
          const int64_t to = std::min(std::max(end < 0 ? end + d : end, low), high);
          int64_t count = 0;
          for (; step > 0 ? from < to : from > to; from += step) ++count;
          const Expr found =
              s.op("Slice").in({d}).values({start}).values({end}).constant(list({0})).constant(list({step})).type().shape->front();
          if (!found.is_constant(count))
            FAIL("d " << d << " [" << start << ":" << end << ":" << step << "] gives " << to_string(found) << ", expected " << count);
        }
}

TEST_CASE("Concat, Split, Gather and Pad follow their axes", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Concat").set("axis", int64_t{-1}).in({s.N, 2}).in({s.N, s.H}).text() == "float32[N, H + 2]");
  CHECK(s.op("Concat").set("axis", int64_t{0}).in({s.N, 2}).rankless().run().unknowns == 1);
  CHECK(s.op("Concat").set("axis", int64_t{0}).rankless().rankless().text() == "float32[?]");
  CHECK(mentions(s.op("Concat").set("axis", int64_t{0}).in({2, 2}).in({2, 3}).error(), {"input 1", "[2, 3]", "expected 2 at axis 1"}));
  CHECK(mentions(s.op("Concat").set("axis", int64_t{0}).in({2, 2}).in({2}).error(), {"input 1", "expected rank 2"}));
  CHECK(mentions(s.op("Concat").in({2}).error(), {"'axis'", "missing"}));
  CHECK(mentions(s.op("Concat").set("axis", int64_t{3}).in({2}).error(), {"axis 3", "rank 1"}));

  const auto halves = s.op("Split").in({7, s.N}).set("num_outputs", int64_t{2}).run(2);
  CHECK(halves[0] == "float32[4, N]");
  CHECK(halves[1] == "float32[3, N]");
  CHECK(mentions(s.op("Split").in({7}).constant(list({3, 3})).error(2), {"sum of split", "6", "expected 7"}));
  CHECK(mentions(s.op("Split").in({7}).constant(list({7})).error(2), {"1 sizes", "expected 2"}));

  std::vector<int64_t> many(100, 2);  // more parts than values that are carried along
  many.back() = 5;
  const auto parts = s.op("Split").in({203}).constant(list(many)).run(100);
  CHECK(parts[0] == "float32[2]");
  CHECK(parts[99] == "float32[5]");

  CHECK(s.op("Gather").in({s.N, 4}).in({2, s.M}, DType::int64).set("axis", int64_t{1}).text() == "float32[N, 2, M]");
  CHECK(s.op("Gather").in({s.N, 4}).in({}, DType::int32).text() == "float32[4]");
  CHECK(mentions(s.op("Gather").in({s.N}).in({1}).error(), {"input 1 (indices) is float32"}));
  CHECK(s.op("GatherElements").in({3, 4}).in({2, 4}, DType::int64).text() == "float32[2, 4]");

  CHECK(s.op("Pad").in({s.N, 4}).values({1, 0, 2, 1}).text() == "float32[N + 3, 5]");
  CHECK(s.op("Pad").in({s.N, 4}).values({1, 2}).absent().constant(list({-1})).text() == "float32[N, 7]");
  CHECK(mentions(s.op("Pad").in({s.N, 4}).values({1, 2}).error(), {"2 entries", "expected 4"}));
  CHECK(mentions(s.op("Pad").in({2}).values({-2, -2}).error(), {"-2", "at least 0"}));
  CHECK(mentions(s.op("Pad").in({2}).values({0, 0}).set("mode", std::string("mirror")).error(), {"mirror", "reflect"}));
}

TEST_CASE("Transpose, Flatten, Expand, Tile, Squeeze and Unsqueeze", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Transpose").in({s.N, 3, s.H}).text() == "float32[H, 3, N]");
  CHECK(s.op("Transpose").in({s.N, 3, s.H}).ints("perm", {0, 2, 1}).text() == "float32[N, H, 3]");
  CHECK(s.op("Transpose").rankless().ints("perm", {1, 0}).type().rank() == 2);
  CHECK(mentions(s.op("Transpose").in({1, 2}).ints("perm", {0}).error(), {"'perm' has 1 axes", "expected 2"}));
  CHECK(mentions(s.op("Transpose").in({1, 2}).ints("perm", {0, 0}).error(), {"axis 0 is given twice"}));
  CHECK(s.op("Flatten").in({s.N, 3, 4}).text() == "float32[N, 12]");
  CHECK(s.op("Flatten").in({s.N, 3}).set("axis", int64_t{0}).text() == "float32[1, 3*N]");
  CHECK(s.op("Flatten").rankless().type().rank() == 2);
  CHECK(mentions(s.op("Flatten").in({2}).set("axis", int64_t{2}).error(), {"'axis' is 2", "-1 to 1"}));
  CHECK(s.op("Expand").in({3, 1}).values({s.N, 1, 4}).text() == "float32[N, 3, 4]");
  CHECK(mentions(s.op("Expand").in({3}).values({4}).error(), {"do not broadcast"}));
  CHECK(s.op("Tile").in({s.N, 3}).values({2, s.M}).type().shape->at(1) == s.M * 3);
  CHECK(mentions(s.op("Tile").in({3}).values({2, 2}).error(), {"2 entries", "rank 1"}));
  CHECK(s.op("Squeeze").in({1, s.N, 1}).constant(list({0, -1})).text() == "float32[N]");
  CHECK(mentions(s.op("Squeeze").in({2, 1}).constant(list({0})).error(), {"axis 0", "is 2, expected 1"}));
  CHECK(s.op("Unsqueeze").in({s.N, 2}).constant(list({0, -1})).text() == "float32[1, N, 2, 1]");
  CHECK(mentions(s.op("Unsqueeze").in({2}).constant(list({0, 0})).error(), {"twice"}));
  CHECK(s.op("OneHot").in({s.N}, DType::int64).scalar(10).in({2}).text() == "float32[N, 10]");
  CHECK(s.op("EyeLike").in({s.N, 4}).set("dtype", int64_t{7}).text() == "int64[N, 4]");
  CHECK(mentions(s.op("EyeLike").in({2, 4}).set("dtype", int64_t{8}).error(), {"output 0 (output) would be string"}));
  CHECK(s.op("Trilu").in({s.N, 4}).text() == "float32[N, 4]");
}

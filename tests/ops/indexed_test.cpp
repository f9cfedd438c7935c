#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;

TEST_CASE("index tuples address the axes behind the batch", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("GatherND").in({s.N, 4, 5}).in({s.N, 7, 1}, DType::int64).set("batch_dims", int64_t{1}).text() == "float32[N, 7, 5]");
  CHECK(s.op("GatherND").in({s.N, 4}).in({3, 2}, DType::int64).text() == "float32[3]");
  CHECK(s.op("GatherND").in({s.N, 4}).in({3, s.M}, DType::int64).text() == "float32[?]");
  CHECK(mentions(s.op("GatherND").in({2, 4}).in({3, 3}, DType::int64).error(), {"[3, 3]", "at most 2"}));
  CHECK(s.op("ScatterND").in({s.N, 4}).in({3, 1}, DType::int64).in({3, 4}).text() == "float32[N, 4]");
  CHECK(mentions(s.op("ScatterND").in({2, 4}).in({3, 1}, DType::int64).in({3, 5}).error(), {"dim 1 of updates", "is 5, expected 4"}));
  CHECK(s.op("ScatterElements").in({s.N, 4}).in({2, 4}, DType::int32).in({2, 4}).text() == "float32[N, 4]");
  CHECK(mentions(s.op("ScatterElements").in({2, 4}).in({2, 4}, DType::int32).in({1, 4}).error(), {"dim 0 of updates"}));
}

TEST_CASE("TopK keeps K elements", "[ops][CR-2]") {
  Symbols s;
  const auto top = s.op("TopK").in({s.N, 100}).values({5}).run(2);
  CHECK(top[0] == "float32[N, 5]");
  CHECK(top[1] == "int64[N, 5]");
  CHECK(s.op("TopK").in({s.N, 100}).in({1}, DType::int64).run(2).wanted == std::vector<size_t>{1});
  CHECK(mentions(s.op("TopK").in({4}).values({5}).error(2), {"K is 5", "at most the 4"}));
}

TEST_CASE("blocks move between channels and pixels", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("DepthToSpace").in({s.N, 8, s.H, 3}).set("blocksize", int64_t{2}).text() == "float32[N, 2, 2*H, 6]");
  CHECK(s.op("SpaceToDepth").in({s.N, 2, s.H * 2, 6}).set("blocksize", int64_t{2}).text() == "float32[N, 8, H, 3]");
  CHECK(mentions(s.op("DepthToSpace").in({1, 6, 2, 2}).set("blocksize", int64_t{2}).error(), {"6 at axis 1 by 4", "is 2, expected 0"}));
}

TEST_CASE("normalizations by channel and group", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("InstanceNormalization").in({s.N, 4, s.H}).in({4}).in({4}).text() == "float32[N, 4, H]");
  CHECK(mentions(s.op("InstanceNormalization").in({s.N, 4, s.H}).in({3}).in({4}).error(), {"input 1 (scale)", "is 3, expected 4"}));
  CHECK(s.op("GroupNormalization").in({s.N, 4, s.H}).in({4}).in({4}).set("num_groups", int64_t{2}).text() == "float32[N, 4, H]");
  CHECK(mentions(s.op("GroupNormalization").in({1, 4, 2}).in({4}).in({4}).set("num_groups", int64_t{3}).error(), {"num_groups 3"}));
  CHECK(s.op("RMSNormalization").in({s.N, 8}, DType::float16).in({8}).text() == "float32[N, 8]");
  CHECK(s.op("Hardmax").in({s.N, 8}).text() == "float32[N, 8]");
}

#include "ops/infer_case.hpp"

using namespace ge;
using namespace ge::testing;

namespace {

/// A type's text with "_" for each dim that inference does not know (printed u, u_1, …).
std::string shown(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != 'u' || (text[i - 1] != '[' && text[i - 1] != ' ')) {
      out += text[i];
      continue;
    }
    out += '_';
    i = text.find_first_of(",]", i) - 1;
  }
  return out;
}

}  // namespace

TEST_CASE("GridSample has the grid's places and X's channels", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("GridSample").in({s.N, 3, s.H, s.W}).in({s.N, 4, 5, 2}).text() == "float32[N, 3, 4, 5]");
  CHECK(s.op("GridSample").in({1, 3, 2, 2, 2, 2}, DType::string).in({1, 1, 2, s.H, s.W, 4}).text() == "string[1, 3, 1, 2, H, W]");
  CHECK(shown(s.op("GridSample").rankless().in({s.N, 4, 5, 2}).text()) == "float32[N, _, 4, 5]");
  CHECK(shown(s.op("GridSample").in({s.N, 3, 8}).rankless().text()) == "float32[N, 3, _]");
  CHECK(s.op("GridSample").rankless().rankless().run().types[0].has_rank() == false);
  CHECK(mentions(s.op("GridSample").in({1, 3, 8, 8}).in({1, 4, 5, 3}).error(), {"last dim of grid[1, 4, 5, 3]", "is 3, expected 2"}));
  CHECK(mentions(s.op("GridSample").in({2, 3, 8}).in({1, 4, 1}).error(), {"number of images", "is 1, expected 2"}));
  CHECK(mentions(s.op("GridSample").in({2, 3, 8}).in({2, 4, 1}).set("mode", std::string("bilinear")).error(), {"'mode'", "bilinear"}));
}

TEST_CASE("regions: one output image for each", "[ops][CR-2]") {
  Symbols s;
  const auto align = [&] { return s.op("RoiAlign").set("output_height", int64_t{2}).set("output_width", int64_t{3}); };
  CHECK(align().in({s.N, 3, s.H, s.W}).in({s.M, 4}).in({s.M}, DType::int64).text() == "float32[M, 3, 2, 3]");
  CHECK(shown(align().rankless().rankless().in({s.M}, DType::int64).text()) == "float32[M, _, 2, 3]");
  CHECK(mentions(align().in({1, 3, 8, 8}).in({2, 5}).in({2}, DType::int64).error(), {"dim 1 of rois[2, 5]", "expected 4"}));
  CHECK(mentions(align().in({1, 3, 8, 8}).in({2, 4}).in({3}, DType::int64).error(), {"batch_indices", "is 3, expected 2"}));
  CHECK(mentions(align().in({1, 3, 8, 8}).in({2, 4}).in({2}, DType::int64).set("sampling_ratio", int64_t{-1}).error(), {"sampling_ratio", "-1"}));
  CHECK(mentions(align().in({1, 3, 8, 8}).in({2, 4}).in({2}, DType::int64).set("output_width", INT64_MAX).error(), {"less than 2^31"}));
  CHECK(s.op("MaxRoiPool").in({s.N, 3, 8, 8}).in({s.M, 5}).ints("pooled_shape", {2, 3}).text() == "float32[M, 3, 2, 3]");
  CHECK(mentions(s.op("MaxRoiPool").in({s.N, 3, 8, 8}).in({s.M, 5}).ints("pooled_shape", {2}).error(), {"pooled_shape", "1 values, expected 2"}));
  CHECK(shown(s.op("NonMaxSuppression").in({s.N, s.M, 4}).in({s.N, 2, s.M}).text()) == "int64[_, 3]");
  CHECK(s.op("NonMaxSuppression").in({s.N, s.M, 4}).in({s.N, 2, s.M}).run().wanted.empty());
  CHECK(mentions(s.op("NonMaxSuppression").in({1, 6, 4}).in({1, 2, 5}).error(), {"scores[1, 2, 5]", "is 5, expected 6"}));
  CHECK(mentions(s.op("NonMaxSuppression").in({1, 6, 4}).in({1, 2, 6}).set("center_point_box", int64_t{2}).error(), {"center_point_box", "2"}));
}

TEST_CASE("MaxUnpool undoes the pool's shape, or takes a larger one", "[ops][CR-2]") {
  Symbols s;
  const auto unpool = [&] { return s.op("MaxUnpool").ints("kernel_shape", {2, 3}).ints("strides", {2, 1}).ints("pads", {0, 1, 0, 0}); };
  CHECK(unpool().in({s.N, 3, s.H, 5}).in({s.N, 3, s.H, 5}, DType::int64).text() == "float32[N, 3, 2*H, 6]");
  CHECK(unpool().in({1, 3, 2, 5}).in({1, 3, 2, 5}, DType::int64).values({1, 3, 5, 6}).text() == "float32[1, 3, 5, 6]");
  CHECK(unpool().in({1, 3, 2, 5}).in({1, 3, 2, 5}, DType::int64).in({4}, DType::int64).run().wanted == std::vector<size_t>{2});
  CHECK(shown(unpool().rankless().rankless(DType::int64).text()) == "float32[_, _, _, _]");
  CHECK(mentions(unpool().in({1, 3, 2, 5}).in({1, 3, 2, 5}, DType::int64).values({1, 3, 3, 6}).error(), {"output_shape says 3 at axis 2", "at least 4"}));
  CHECK(mentions(unpool().in({1, 3, 2, 5}).in({1, 3, 2, 5}, DType::int64).values({1, 4, 4, 6}).error(), {"output_shape says 4 at axis 1", "expected 3"}));
  CHECK(mentions(unpool().in({1, 3, 2, 5}).in({1, 3, 2, 4}, DType::int64).error(), {"dim 3 of I", "is 4, expected 5"}));
}

TEST_CASE("Col2Im: channels and image", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("Col2Im").in({s.N, 12, 6}).values({3, 4}).values({2, 2}).text() == "float32[N, 3, 3, 4]");
  CHECK(s.op("Col2Im").in({s.N, 12, s.M}).values({s.H, 4}).values({2, 2}).text() == "float32[N, 3, H, 4]");
  CHECK(s.op("Col2Im").in({s.N, 12, 6}).in({2}, DType::int64).in({2}, DType::int64).run().wanted == std::vector<size_t>{1, 2});
  CHECK(shown(s.op("Col2Im").in({s.N, 12, 6}).in({2}, DType::int64).values({2, 2}).text()) == "float32[N, 3, _, _]");
  CHECK(mentions(s.op("Col2Im").in({1, 12, 5}).values({3, 4}).values({2, 2}).error(), {"number of blocks", "is 5, expected 6"}));
  CHECK(mentions(s.op("Col2Im").in({1, 11, 6}).values({3, 4}).values({2, 2}).error(), {"remainder of dim 1", "4 elements"}));
  CHECK(mentions(s.op("Col2Im").in({1, 12, 6}).values({3, 4}).values({2, 0}).error(), {"block_shape has the value 0"}));
  CHECK(mentions(s.op("Col2Im").in({1, 12, 6}).values({3, 4}).values({4}).error(), {"2 values", "1"}));
}

TEST_CASE("DeformConv has Conv's shape and checks its maps", "[ops][CR-2]") {
  Symbols s;
  CHECK(s.op("DeformConv").in({s.N, 4, 6, 7}).in({8, 4, 3, 3}).in({s.N, 18, 4, 5}).text() == "float32[N, 8, 4, 5]");
  CHECK(s.op("DeformConv").in({s.N, 4, s.H + 2, 7}).in({8, 4, 3, 3}).in({s.N, 18, s.H, 5}).text() == "float32[N, 8, H, 5]");
  CHECK(s.op("DeformConv").in({1, 4, 3, 3, 3, 3}).in({8, 4, 1, 1, 1, 2}).in({1, 8, 3, 3, 3, 2}).text() == "float32[1, 8, 3, 3, 3, 2]");
  CHECK(s.op("DeformConv").in({1, 4, 6, 6}).in({8, 2, 3, 3}).in({1, 36, 4, 4}).in({8}).in({1, 18, 4, 4}).set("group", int64_t{2}).set("offset_group", int64_t{2}).text() ==
        "float32[1, 8, 4, 4]");
  CHECK(shown(s.op("DeformConv").rankless().rankless().in({1, 18, 4, 4}).text()) == "float32[_, _, _, _]");
  CHECK(mentions(s.op("DeformConv").in({1, 4, 6, 7}).in({8, 4, 3, 3}).in({1, 9, 4, 5}).error(), {"dim 1 of offset", "is 9, expected 18"}));
  CHECK(mentions(s.op("DeformConv").in({1, 4, 6, 7}).in({8, 4, 3, 3}).in({1, 18, 4, 4}).error(), {"dim 3 of offset", "is 4, expected 5"}));
  CHECK(mentions(s.op("DeformConv").in({1, 4, 6, 7}).in({8, 4, 3, 3}).in({1, 18, 4, 5}).absent().in({1, 18, 4, 5}).error(), {"dim 1 of mask", "is 18, expected 9"}));
  CHECK(mentions(s.op("DeformConv").in({1, 4, 6, 7}).in({8, 4, 3, 3}).in({1, 18, 4, 5}).set("offset_group", int64_t{0}).error(), {"offset_group", "at least 1"}));
}

TEST_CASE("what is selected, only the run tells", "[ops][CR-2]") {
  Symbols s;
  CHECK(shown(s.op("Compress").in({s.N, 4}).in({s.M}, DType::boolean).set("axis", int64_t{-1}).text()) == "float32[N, _]");
  CHECK(shown(s.op("Compress").in({s.N, 4}).in({s.M}, DType::boolean).text()) == "float32[_]");
  CHECK(shown(s.op("Compress").rankless().in({s.M}, DType::boolean).text()) == "float32[_]");
  CHECK(s.op("Compress").in({s.N, 4}).in({s.M}, DType::boolean).run().wanted.empty());
  CHECK(mentions(s.op("Compress").in({s.N, 4}).in({s.M}, DType::boolean).set("axis", int64_t{2}).error(), {"axis", "2"}));
  const auto unique = s.op("Unique").in({s.N, 4}, DType::string).run(4);
  CHECK((shown(unique[0]) == "string[_]" && shown(unique[1]) == "int64[_]" && unique[2] == "int64[4*N]" && shown(unique[3]) == "int64[_]"));
  const auto rows = s.op("Unique").in({s.N, 4}).set("axis", int64_t{0}).run(4);
  CHECK((shown(rows[0]) == "float32[_, 4]" && rows[2] == "int64[N]"));
  CHECK(shown(s.op("Unique").rankless().run(4)[2]) == "int64[_]");
  CHECK(s.op("ReverseSequence").in({s.N, s.M, 3}).in({s.M}, DType::int64).text() == "float32[N, M, 3]");
  CHECK(mentions(s.op("ReverseSequence").in({5, 4, 3}).in({5}, DType::int64).error(), {"sequence_lens", "is 5, expected 4"}));
  CHECK(mentions(s.op("ReverseSequence").in({5, 4}).in({5}, DType::int64).set("batch_axis", int64_t{0}).error(), {"'batch_axis'", "0 and 0"}));
  CHECK(mentions(s.op("ReverseSequence").in({5, 4}).in({5}, DType::int64).set("time_axis", int64_t{2}).error(), {"'time_axis'", "1 and 2"}));
}

TEST_CASE("Einsum and Det", "[ops][CR-2]") {
  Symbols s;
  const auto einsum = [&](const char* equation) { return s.op("Einsum").set("equation", std::string(equation)); };
  CHECK(einsum("bij,bjk->bik").in({s.N, s.H, 4}).in({s.N, 4, s.W}).text() == "float32[N, H, W]");
  CHECK(einsum("bij,bjk").in({s.N, s.H, 4}).in({s.N, 4, s.W}).text() == "float32[H, W]");
  CHECK(einsum("...ij->...ji").in({s.N, 2, s.H, 4}).text() == "float32[N, 2, 4, H]");
  CHECK(einsum("...i,...i->...").in({s.N, 1, 4}).in({3, 4}).text() == "float32[N, 3]");
  CHECK(einsum("ii->i").in({4, 4}).text() == "float32[4]");
  CHECK(einsum("i,i->").in({4}).in({4}).text() == "float32[]");
  CHECK(shown(einsum("ij,jk->ik").in({s.N, 4}).rankless().text()) == "float32[_, _]");
  CHECK(einsum("...j,jk->...k").in({s.N, 4}).rankless().run().types[0].has_rank() == false);
  CHECK(mentions(einsum("ij,jk->ik").in({2, 4}).error(), {"2 terms", "1 inputs"}));
  CHECK(mentions(einsum("ij,jk->ik").in({2, 4}).in({5, 2}).error(), {"4", "5"}));
  CHECK(mentions(einsum("ij->i").in({2, 4, 5}).error(), {"3 axes", "'ij'", "expected 2"}));
  CHECK(s.op("Det").in({s.N, 3, 3}).text() == "float32[N]");
  CHECK(s.op("Det").in({3, 3}).text() == "float32[]");
  CHECK(mentions(s.op("Det").in({2, 3, 4}).error(), {"last dim of X[2, 3, 4]", "is 4, expected 3"}));
}

#include "ge/base/attributes.hpp"

#include "support/catch.hpp"

#include <algorithm>

using namespace ge;

namespace {

Attributes filled() {
  Attributes a;
  a.set("z", int64_t{3});
  a.set("alpha", 0.5f);
  a.set("mode", std::string("linear"));
  a.set("axes", std::vector<int64_t>{1, 2});
  a.set("scales", std::vector<float>{0.5f});
  a.set("names", std::vector<std::string>{"a", "b"});
  a.set("value", Tensor::scalar(7));
  return a;
}

}  // namespace

TEST_CASE("attributes give what was set, or the default", "[base]") {
  const Attributes a = filled();
  CHECK(a.get_int("z", 0) == 3);
  CHECK(a.get_int("none", 9) == 9);
  CHECK(a.get_float("alpha", 0) == 0.5f);
  CHECK(a.get_string("mode", "") == "linear");
  CHECK(a.get_string("none", "nearest") == "nearest");
  CHECK(a.get_ints("axes") == std::vector<int64_t>{1, 2});
  CHECK(a.get_ints("none", {4}) == std::vector<int64_t>{4});
  CHECK(a.get_floats("scales") == std::vector<float>{0.5f});
  CHECK(a.get_strings("names") == std::vector<std::string>{"a", "b"});
  REQUIRE(a.get_tensor("value") != nullptr);
  CHECK(*a.get_tensor("value") == Tensor::scalar(7));
  CHECK(a.get_tensor("none") == nullptr);
  CHECK(a.need_int("z") == 3);
}

TEST_CASE("attributes are sorted by name, replaced and erased", "[base]") {
  Attributes a = filled();
  CHECK(a.size() == 7);
  CHECK(std::is_sorted(a.begin(), a.end(), [](const auto& x, const auto& y) { return x.name < y.name; }));
  a.set("z", int64_t{4});
  CHECK(a.size() == 7);
  CHECK(a.get_int("z", 0) == 4);
  CHECK_FALSE(a == filled());
  a.set("z", int64_t{3});
  CHECK(a == filled());
  a.erase("z");
  a.erase("none");
  CHECK(a.size() == 6);
  CHECK_FALSE(a.has("z"));
}

TEST_CASE("an attribute of another kind is refused with both kinds", "[base]") {
  const Attributes a = filled();
  try {
    static_cast<void>(a.get_int("alpha", 0));
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_model);
    CHECK(std::string(error.what()) == "attribute 'alpha' is of kind float, expected int");
  }
  CHECK_THROWS_AS(a.get_tensor("axes"), Error);
  CHECK_THROWS_AS(a.need_int("none"), Error);
}

TEST_CASE("attribute values print", "[base]") {
  CHECK(to_string(AttributeValue(int64_t{3})) == "3");
  CHECK(to_string(AttributeValue(std::string("x"))) == "'x'");
  CHECK(to_string(AttributeValue(std::vector<int64_t>{1, 2})) == "[1, 2]");
  CHECK(to_string(AttributeValue(std::vector<int64_t>{})) == "[]");
  CHECK(to_string(AttributeValue(std::vector<std::string>{"a", "b"})) == "['a', 'b']");
  CHECK(to_string(AttributeValue(Tensor::zeros(DType::float32, {2, 3}))) == "float32[2, 3]");
  CHECK(to_string(AttributeValue(std::vector<int64_t>(20, 1))).find("20 in all") != std::string::npos);
  CHECK(kind_name(AttributeValue(std::vector<float>{})) == "floats");
}

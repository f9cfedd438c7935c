#include "ge/base/registry.hpp"

#include "ge/base/error.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <memory>
#include <thread>

namespace {

struct Animal {
  int legs;
};
GE_DECLARE_REGISTRY(animals, Animal);
GE_DEFINE_REGISTRY(animals, Animal, "animal")

GE_REGISTER(animals, "spider", "eight legs", Animal{8});
GE_REGISTER(animals, "bird", "two legs", Animal{2});

using Numbers = ge::Registry<int>;

template <class Body>
std::pair<ge::ErrorCode, std::string> error_of(Body body) {
  try {
    body();
  } catch (const ge::Error& error) {
    return {error.code(), error.what()};
  }
  FAIL("no error");
  return {};
}
bool mentions(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what a REGISTER macro added before main is found and listed, sorted", "[base][CR-11]") {
  REQUIRE(animals().find("spider") != nullptr);
  CHECK(animals().find("spider")->legs == 8);
  CHECK(animals().find("fish") == nullptr);
  const auto list = animals().list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].key == "bird");
  CHECK(list[0].doc == "two legs");
  CHECK(mentions(list[0].site.file, "registry_test.cpp"));
  CHECK(list[0].site.line != list[1].site.line);
}

TEST_CASE("an unknown name is an error that lists what is there", "[base][CR-11]") {
  const auto [code, text] = error_of([] { animals().at("fish"); });
  CHECK(code == ge::ErrorCode::unknown_name);
  CHECK(text == "no animal named 'fish' is linked in; have: bird spider");
  const Numbers empty("number");
  CHECK(error_of([&] { empty.at("one"); }).second == "no number named 'one' is linked in; have: (none)");
}

TEST_CASE("one name from two places is reported with both places at the first use", "[base][CR-11]") {
  Numbers numbers("number");
  CHECK(numbers.add({"one", "first", {"a.cpp", 10}}, 1));
  CHECK_FALSE(numbers.add({"one", "second", {"b.cpp", 20}}, 2));  // no error yet: this may be before main
  for (int use = 0; use < 2; ++use) {
    const auto [code, text] = use == 0 ? error_of([&] { static_cast<void>(numbers.find("other")); }) : error_of([&] { static_cast<void>(numbers.list()); });
    CHECK(code == ge::ErrorCode::internal);
    CHECK(mentions(text, "'one' at a.cpp:10 and b.cpp:20"));
  }
}

TEST_CASE("one place met twice is one registration", "[base][CR-11]") {
  Numbers numbers("number");
  numbers.add({"one", "", {"a.cpp", 10}}, 1);
  CHECK_FALSE(numbers.add({"one", "", {"a.cpp", 10}}, 1));
  CHECK(*numbers.find("one") == 1);
}

TEST_CASE("a registration lasts as long as its object, and only the owner's", "[base][CR-11]") {
  Numbers numbers("number");
  {
    const ge::Registration first(numbers, {"one", "", {"a.cpp", 1}}, 1);
    {
      const ge::Registration again(numbers, {"one", "", {"a.cpp", 1}}, 1);
    }
    CHECK(numbers.find("one") != nullptr);
  }
  CHECK(numbers.find("one") == nullptr);
}

TEST_CASE("values do not move when others come", "[base][CR-11]") {
  Numbers numbers("number");
  numbers.add({"k50", "", {"a.cpp", 1}}, 50);
  const int* value = numbers.find("k50");
  for (int i = 0; i < 100; ++i) numbers.add({"k" + std::to_string(i), "", {"a.cpp", 1}}, i);
  CHECK(numbers.find("k50") == value);
  CHECK(numbers.keys_below("k9") == std::vector<std::string>{"k9", "k90", "k91", "k92", "k93", "k94", "k95", "k96", "k97", "k98", "k99"});
}

TEST_CASE("registering, finding and removing may race", "[base][CR-11]") {
  Numbers numbers("number");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const std::string key = std::to_string(t) + "." + std::to_string(i);
        const ge::Registration mine(numbers, {key, "", {"a.cpp", 1}}, i);
        const int* value = numbers.find(key);
        wrong += value == nullptr || *value != i;
        wrong += numbers.list().empty();
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(numbers.list().empty());
}

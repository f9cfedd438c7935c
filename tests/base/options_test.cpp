#include "ge/base/options.hpp"

#include "support/catch.hpp"

#include <algorithm>

using ge::ErrorCode;
using ge::OptionSet;

namespace {

enum class Sorting { bfs, dfs, by_id };

OptionSet declared() {
  return OptionSet()
      .integer("ge.threads", "threads", 0, 0, 1024, "threads of the pool; 0: as many as the machine gives")
      .integer("ge.device", "", 0, INT64_MIN, INT64_MAX, "device number")
      .boolean("ge.external_weight", "external_weight", false, "weights in a file of their own")
      .text("ge.inputShape", "input_shape", "", "shapes of the inputs")
      .list("ge.disable_pass", "disable_pass", {}, "passes that do not run")
      .choice("ge.topoSortingMode", "topo", "bfs", {"bfs", "dfs", "by_id"}, "order of nodes")
      .size("ge.max_memory", "max_memory", 1 << 30, "memory limit", int64_t{1} << 40);
}

/// Code and text of what `body` throws.
template <class Body>
std::pair<ErrorCode, std::string> error_of(Body body) {
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

TEST_CASE("every option starts with its default", "[base][CR-5]") {
  const OptionSet o = declared();
  CHECK(o.get_int("ge.threads") == 0);
  CHECK(o.get_bool("ge.external_weight") == false);
  CHECK(o.get_text("ge.inputShape").empty());
  CHECK(o.get_list("ge.disable_pass").empty());
  CHECK(o.get_choice("ge.topoSortingMode") == "bfs");
  CHECK(o.get_size_bytes("ge.max_memory") == 1 << 30);
  CHECK_FALSE(o.is_set("ge.threads"));
}

TEST_CASE("options are set from text by key or alias, read by either", "[base][CR-5]") {
  OptionSet o = declared();
  o.set_from_string("threads", "8");
  CHECK(o.get_int("ge.threads") == 8);
  CHECK(o.get_int("threads") == 8);
  CHECK(o.is_set("ge.threads"));
  o.set_from_string("ge.device", "-3");
  CHECK(o.get_int("ge.device") == -3);
  for (const char* yes : {"1", "true", "on", "yes"}) {
    o.set_from_string("external_weight", "0");
    o.set_from_string("external_weight", yes);
    CHECK(o.get_bool("external_weight"));
  }
  for (const char* no : {"0", "false", "off", "no"}) {
    o.set_from_string("external_weight", "1");
    o.set_from_string("external_weight", no);
    CHECK_FALSE(o.get_bool("external_weight"));
  }
  o.set_from_string("input_shape", "x:1,3,-1;y:2");
  CHECK(o.get_text("ge.inputShape") == "x:1,3,-1;y:2");
  o.set_from_string("topo", "by_id");
  CHECK(o.get_enum<Sorting>("ge.topoSortingMode") == Sorting::by_id);
  o.reset("threads");
  CHECK(o.get_int("threads") == 0);
  CHECK_FALSE(o.is_set("threads"));
}

TEST_CASE("lists are split at commas", "[base][CR-5]") {
  OptionSet o = declared();
  o.set_from_string("disable_pass", "a, b ,c");
  CHECK(o.get_list("disable_pass") == std::vector<std::string>{"a", "b", "c"});
  o.set_from_string("disable_pass", "");
  CHECK(o.get_list("disable_pass").empty());
  for (const char* bad : {"a,,b", "a,", ",a", ","}) CHECK(error_of([&] { o.set_from_string("disable_pass", bad); }).first == ErrorCode::invalid_argument);
}

TEST_CASE("sizes take units", "[base][CR-5]") {
  OptionSet o = declared();
  const auto size = [&](const char* text) { return o.set_from_string("max_memory", text), o.get_size_bytes("max_memory"); };
  CHECK(size("0") == 0);
  CHECK(size("4096") == 4096);
  CHECK(size("12B") == 12);
  CHECK(size("512KiB") == 512 * 1024);
  CHECK(size("4MiB") == 4 << 20);
  CHECK(size("4 mib") == 4 << 20);
  CHECK(size("2G") == int64_t{2} << 30);
  CHECK(size("2GB") == 2'000'000'000);
  CHECK(size("1TiB") == int64_t{1} << 40);
  for (const char* bad : {"", "MiB", "-1", "1.5GiB", "4MiBs", "99999999999TiB", "2TiB", "0x10"})
    CHECK(error_of([&] { o.set_from_string("max_memory", bad); }).first == ErrorCode::invalid_argument);
  CHECK(ge::size_to_string(4 << 20) == "4MiB");
  CHECK(ge::size_to_string(1000) == "1000");
  CHECK(ge::size_to_string(0) == "0");
}

TEST_CASE("an unknown option is refused with the list of valid ones", "[base][CR-5]") {
  OptionSet o = declared();
  const auto [code, text] = error_of([&] { o.set_from_string("ge.thread", "1"); });
  CHECK(code == ErrorCode::unknown_name);
  CHECK(mentions(text, "'ge.thread'"));
  CHECK(mentions(text, "ge.threads (threads)"));
  CHECK(mentions(text, "ge.topoSortingMode"));
}

TEST_CASE("a bad value is refused with what is valid, and changes nothing", "[base][CR-5]") {
  OptionSet o = declared();
  const auto refused = [&](const char* name, const char* value, const char* valid) {
    const auto [code, text] = error_of([&] { o.set_from_string(name, value); });
    CHECK(code == ErrorCode::invalid_argument);
    CHECK(mentions(text, "'" + std::string(value) + "'"));
    INFO(text);
    CHECK(mentions(text, valid));
    CHECK_FALSE(o.is_set(name));
  };
  for (const char* bad : {"", "x", "1x", " 1", "1025", "-1", "99999999999999999999"}) refused("ge.threads", bad, "an integer from 0 to 1024");
  refused("ge.external_weight", "maybe", "true, on, yes");
  refused("ge.topoSortingMode", "BFS", "one of bfs, dfs, by_id");
  refused("ge.max_memory", "lots", "from 0 to 1TiB, such as 4096");
}

TEST_CASE("typed values are checked like texts", "[base][CR-5]") {
  OptionSet o = declared();
  o.set("threads", int64_t{4});
  o.set("topo", std::string("dfs"));
  CHECK(o.get_int("threads") == 4);
  CHECK(o.get_enum<Sorting>("topo") == Sorting::dfs);
  CHECK(error_of([&] { o.set("threads", int64_t{2000}); }).first == ErrorCode::invalid_argument);
  CHECK(error_of([&] { o.set("threads", std::string("4")); }).first == ErrorCode::invalid_argument);
  CHECK(o.get_int("threads") == 4);
}

TEST_CASE("mistakes of the program are internal errors", "[base][CR-5]") {
  OptionSet o = declared();
  CHECK(error_of([&] { static_cast<void>(o.get_int("nothing")); }).first == ErrorCode::internal);
  CHECK(error_of([&] { static_cast<void>(o.get_bool("threads")); }).first == ErrorCode::internal);
  CHECK(error_of([&] { o.boolean("threads", "", true, "taken as an alias"); }).first == ErrorCode::internal);
  CHECK(error_of([&] { o.boolean("new", "ge.threads", true, "taken as a key"); }).first == ErrorCode::internal);
  CHECK(error_of([&] { o.choice("new", "", "c", {"a", "b"}, "default is no choice"); }).first == ErrorCode::internal);
  CHECK_FALSE(o.has("new"));
}

TEST_CASE("help has one line per option, sorted", "[base][CR-5]") {
  const OptionSet o = declared();
  const std::string help = o.help();
  CHECK(std::count(help.begin(), help.end(), '\n') == 7);
  CHECK(mentions(help, "  ge.topoSortingMode, topo: order of nodes (one of bfs, dfs, by_id; default: 'bfs')\n"));
  CHECK(mentions(help, "default: '1GiB'"));
  CHECK(help.find("ge.device") < help.find("ge.threads"));
  REQUIRE(o.rules().size() == 7);
  CHECK(o.rules().front().key == "ge.device");
}

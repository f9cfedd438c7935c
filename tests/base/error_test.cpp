#include "ge/base/error.hpp"

#include "ge/base/diagnostics.hpp"
#include "support/catch.hpp"

#include <exception>
#include <thread>

using namespace ge;

TEST_CASE("an error carries its code and text", "[base]") {
  const Error error(ErrorCode::io, "no such file");
  CHECK(error.code() == ErrorCode::io);
  CHECK(std::string(error.what()) == "no such file");
  CHECK(error.context().empty());
  CHECK(to_string(ErrorCode::corrupt_file) == "corrupt_file");
  CHECK(to_string(ErrorCode::internal) == "internal");
}

TEST_CASE("in_context adds a line per level, innermost first, and only on failure", "[base]") {
  int described = 0;
  const auto describe = [&](const char* text) { return [&described, text] { return ++described, std::string(text); }; };
  CHECK(in_context(describe("fine"), [] { return 5; }) == 5);
  CHECK(described == 0);
  try {
    in_context(describe("compiling 'm'"), [&] { in_context(describe("reading node 'n'"), []() -> void { throw Error(ErrorCode::invalid_model, "bad dim"); }); });
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_model);
    CHECK(error.context() == std::vector<std::string>{"reading node 'n'", "compiling 'm'"});
    CHECK(std::string(error.what()) == "bad dim\n  while reading node 'n'\n  while compiling 'm'");
  }
}

TEST_CASE("in_context passes references and other exceptions through", "[base]") {
  int value = 1;
  int& same = in_context([] { return std::string(); }, [&]() -> int& { return value; });
  CHECK(&same == &value);
  CHECK_THROWS_AS(in_context([] { return std::string("x"); }, []() -> int { throw std::runtime_error("other"); }), std::runtime_error);
}

TEST_CASE("an error travels to another thread", "[base]") {
  std::exception_ptr caught;
  std::thread([&] {
    try {
      throw Error(ErrorCode::run_failed, "in a thread");
    } catch (...) {
      caught = std::current_exception();
    }
  }).join();
  CHECK_THROWS_AS(std::rethrow_exception(caught), Error);
}

TEST_CASE("diagnostics raise all findings as one error", "[base]") {
  Diagnostics found;
  found.raise_if_any(ErrorCode::invalid_model, "nothing to say");
  for (int i = 0; i < 60; ++i) found.add("node 'n" + std::to_string(i) + "'", "is wrong");
  try {
    found.raise_if_any(ErrorCode::invalid_model, "the model is wrong");
    FAIL("no error");
  } catch (const Error& error) {
    const std::string text = error.what();
    CHECK(error.code() == ErrorCode::invalid_model);
    CHECK(text.find("the model is wrong") == 0);
    CHECK(text.find("node 'n0'") != std::string::npos);
    CHECK(text.find("node 'n49'") != std::string::npos);
    CHECK(text.find("node 'n50'") == std::string::npos);
    CHECK(text.find("10") != std::string::npos);  // how many more
  }
}

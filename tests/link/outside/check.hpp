#pragma once
// What the outside programs share: each checks results of one component's public headers, prints what it counted
// ("count ops 150") for the driver to compare, and returns what done() says.
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace outside {

inline int failures = 0;

inline void check(bool good, std::string_view what) {
  if (good) return;
  ++failures;
  std::printf("FAILED: %.*s\n", static_cast<int>(what.size()), what.data());
}
inline bool mentions(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }
inline void count(const char* what, size_t number) { std::printf("count %s %zu\n", what, number); }

/// The text of the E that `body` throws; "" and a failure when it throws none.
template <class E, class Body>
std::string text_of(Body body) {
  try {
    body();
  } catch (const E& error) {
    return error.what();
  }
  check(false, "an exception of the expected type is thrown");
  return "";
}

inline int done() {
  std::printf("%s\n", failures == 0 ? "all right" : "not right");
  return failures == 0 ? 0 : 1;
}

}  // namespace outside

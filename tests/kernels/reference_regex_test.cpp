// RegexFullMatch. What matches and what is refused was found with RE2 itself (6,000 random patterns besides).
#include "ge/kernels/reference/regex.hpp"
#include "support/catch.hpp"
#include "support/run_kernel.hpp"

using namespace ge;
using namespace ge::reference;
using namespace ge::testing;

namespace {

bool matches(std::string_view pattern, std::string_view text) {
  const RegexProgram program = compile_regex(pattern);
  const auto steps = static_cast<int64_t>(program.steps.size());
  std::vector<std::byte> scratch(static_cast<size_t>(RegexRun::scratch_bytes(steps)), std::byte{0xCD});
  RegexRun run(program.steps.data(), steps, program.ranges.data(), scratch.data());
  const bool first = run.matches(text);
  CHECK(run.matches(text) == first);  // nothing is left of the text before
  return first;
}
std::string refusal(std::string_view pattern) {
  try {
    compile_regex(pattern);
  } catch (const Error& error) {
    return error.code() == ErrorCode::invalid_model ? error.what() : "(other code)";
  }
  return "";
}
struct Case {
  const char* pattern;
  std::vector<const char*> yes, no;
};

}  // namespace

TEST_CASE("a regular expression matches whole texts", "[kernels][CR-9]") {
  const std::vector<Case> cases = {
      {"", {""}, {"a"}},
      {"abc", {"abc"}, {"ab", "abcd", "xabc"}},
      {"a|bc|", {"a", "bc", ""}, {"b", "abc"}},
      {"(a|b)*c?", {"", "abba", "abc", "c"}, {"cc", "ca"}},
      {"a+b{2,3}", {"abb", "aabbb"}, {"ab", "abbbb", "bb"}},
      {"(?:ab){2}", {"abab"}, {"ab", "ababab"}},
      {"a{0}b{1,}", {"b", "bbb"}, {"ab", ""}},
      {"a{,3}", {"a{,3}"}, {"aaa"}},
      {"x{01}|{|}", {"x{01}", "{", "}"}, {"x"}},
      {"a*?b+?c??", {"aab", "bbc"}, {"ac"}},
      {"(a*)*(|b)+", {"", "aaab", "b"}, {"ba"}},
      {".", {"a", "\xC3\xA9", "\xF0\x9F\x98\x80"}, {"", "\n", "ab"}},
      {"(?s).", {"\n"}, {}},
      {"[a-cx]", {"a", "b", "c", "x"}, {"d", "-", ""}},
      {"[^a-c]", {"d", "\n", "\xC3\xA9"}, {"a", ""}},
      {"[]a-]", {"]", "a", "-"}, {"b"}},
      {"[\\d\\-_]", {"7", "-", "_"}, {"a"}},
      {"[[:alpha:][:^word:]]", {"z", " "}, {"1", "_"}},
      {"\\d\\D\\w\\W\\s\\S", {"1a_- x"}, {"1a_- \n", "a1_- x"}},
      {"\\s", {" ", "\t", "\n", "\f", "\r"}, {"\v", "\xC2\xA0"}},
      {"\\x41\\x{3b1}\\101\\n\\.", {"A\xCE\xB1" "A\n."}, {}},
      {"\\Qa.b*\\E+", {"a.b*", "a.b***"}, {"axb"}},
      {"^a$|\\Ab\\z", {"a", "b"}, {"ab"}},
      {"a\n^b", {}, {"a\nb"}},
      {"(?m)a\n^b$\nc", {"a\nb\nc"}, {}},
      {"a\\b.*\\Bb", {"a  ab", "a-cb"}, {"ab", "a b"}},
      {"(?i)stra(?-i)SSE", {"STRASSE", "straSSE", "\xC5\xBF" "traSSE"}, {"STRAsse"}},
      {"(?i:k)", {"k", "K", "\xE2\x84\xAA"}, {"c"}},
      {"(?i)[^k]", {"c"}, {"k", "K", "\xE2\x84\xAA"}},
      {"(?i)\xC3\x9F", {"\xC3\x9F", "\xE1\xBA\x9E"}, {"ss"}},
      {"(?i)i", {"i", "I"}, {"\xC4\xB0", "\xC4\xB1"}},
      {"\\pL\\p{Lu}\\P{Lu}\\p{^L}", {"aB1-"}, {"ab1-", "aBB-"}},
      {"\\p{Greek}+", {"\xCE\xB1\xCE\xA9"}, {"a", "\xD0\x90"}},
      {"[\\p{Han}\\pN]", {"\xE6\x97\xA5", "\xD9\xA3"}, {"a"}},
      {"\\C\\C", {"ab", "\xC3\xA9", "\xFF\xFE"}, {"a"}},
      {"(?P<first>a)(?U)b(?<second>c)", {"abc"}, {}},
  };
  for (const Case& c : cases) {
    INFO(c.pattern);
    for (const char* text : c.yes)
      if (!matches(c.pattern, text)) FAIL_CHECK("does not match '" << text << "'");
    for (const char* text : c.no)
      if (matches(c.pattern, text)) FAIL_CHECK("matches '" << text << "'");
  }
  CHECK(matches("a.b", std::string_view("a\0b", 3)));
}

TEST_CASE("bytes that are no UTF-8 match nothing but a byte", "[kernels][CR-10]") {
  for (const char* text : {"\xFF", "\xC3", "\xE2\x84", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\x80"}) {
    CHECK_FALSE(matches("(?s).*", text));
    CHECK_FALSE(matches("[^a]+", text));
    CHECK(matches("\\C+", text));
  }
  CHECK_FALSE(matches("\\C.", "\xC3\xA9"));  // the second byte is no character
  CHECK(matches("a\\Cb", "a\xFF" "b"));
}

TEST_CASE("patterns that are not RE2's are refused", "[kernels][CR-10]") {
  for (const char* pattern : {"(", "a)", "[a", "[z-a]", "*a", "(|*)", "a**", "a{2}{3}", "a+?+", "{2}", "a{1001}", "a{3,2}", "(a{100}){11}", "\\", "\\1", "\\8", "\\q", "\\x", "\\xg1",
                              "\\x{}", "\\x{110000}", "\\Z", "[\\b]", "[[:foo:]]", "\\p{Nope}", "\\p", "\\p{L", "(?=a)", "(?!a)", "(?<=a)", "(?i-)", "(?q)", "(?", "(?P<a", "(?P<>a)",
                              "(?P<a>x)(?P<a>y)", "\xFF"}) {
    INFO(pattern);
    CHECK_THAT(refusal(pattern), Catch::Matchers::Contains("expected RE2's syntax"));
  }
  CHECK(refusal("(a{100}){10}") == "");
  CHECK(refusal("(?)") == "");
  CHECK_THAT(refusal("ab[z-a]"), Catch::Matchers::Contains("'ab[z-a]'") && Catch::Matchers::Contains("at byte 6"));
  CHECK_THAT(refusal(std::string(2000, '(')), Catch::Matchers::Contains("groups within each other"));
  CHECK_THAT(refusal("((a{30}){30}" + std::string(200, 'x') + "){1000}"), Catch::Matchers::Contains("repeats more than"));
  CHECK_THAT(refusal("(" + std::string(2000, 'x') + "){1000}"), Catch::Matchers::Contains("too large"));
  std::string classes = "[";
  for (int i = 0; i < 5000; ++i) classes += "\\pL";
  CHECK(refusal(classes + "]") == "");
}

TEST_CASE("no pattern takes more than linear time", "[kernels][CR-10]") {
  // A backtracking matcher would try 2^5000 ways.
  const std::string text(5000, 'a');
  CHECK_FALSE(matches("(a*)*b", text));
  CHECK_FALSE(matches("(a|a)*b", text));
  CHECK(matches("(a?){1000}a{1000}", std::string(1500, 'a')));
}

TEST_CASE("no pattern takes long to compile", "[kernels][CR-10]") {
  const auto repeated = [](std::string_view part, size_t times) {
    std::string text;
    for (size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  // Each of these would take minutes with a step for each pair of parts.
  CHECK_THAT(refusal("[" + repeated("[:", 300'000)), Catch::Matchers::Contains("without its ']'"));
  std::string names;
  for (int i = 0; i < 90'000; ++i) names += "(?P<n" + std::to_string(i) + ">)";
  CHECK(refusal(names) == "");
  CHECK(refusal("(?i)" + repeated("k", 90'000)) == "");
  CHECK_THAT(refusal(repeated("|", 300'000)), Catch::Matchers::Contains("too large"));
  CHECK(refusal(repeated("(a|b", 900) + repeated(")", 900)) == "");
}

TEST_CASE("RegexFullMatch matches each string", "[kernels][CR-9]") {
  Attributes attributes;
  attributes.set("pattern", std::string("[a-z]+@x"));
  std::vector<std::string> texts(1000, "no");
  texts[0] = texts[999] = "ab@x";
  texts[500] = "";
  const Tensor y = KernelRunner("RegexFullMatch", attributes).run({Tensor::strings({10, 100}, texts)}, {{DType::boolean, {10, 100}}})[0];
  for (int64_t i = 0; i < 1000; ++i) REQUIRE(y.at<uint8_t>(i) == (i == 0 || i == 999));
}

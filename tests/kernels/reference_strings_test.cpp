// StringConcat, StringSplit, StringNormalizer, TfIdfVectorizer.
#include "ge/kernels/reference/letter_case.hpp"
#include "ge/kernels/reference/utf8.hpp"
#include "support/catch.hpp"
#include "support/run_kernel.hpp"

using namespace ge;
using namespace ge::reference;
using namespace ge::testing;
using Texts = std::vector<std::string>;

namespace {

Texts texts(const Tensor& t) {
  Texts out;
  for (int64_t i = 0; i < t.count(); ++i) out.emplace_back(t.at<StringRef>(i).view());
  return out;
}
Tensor row(Texts values) {
  const auto n = static_cast<int64_t>(values.size());
  return Tensor::strings({n}, std::move(values));
}

struct Split {
  Attributes attributes;
  Split& delimiter(std::string text) { return attributes.set("delimiter", std::move(text)), *this; }
  Split& at_most(int64_t splits) { return attributes.set("maxsplit", splits), *this; }
  /// "a|b (2)" for each string.
  Texts of(Texts values) const {
    KernelRunner runner("StringSplit", attributes);
    const auto count = values.size();
    const Tensor x = row(std::move(values));  // the parts are views of its characters
    const auto results = runner.run({x}, {{DType::string, {}}, {DType::int64, {}}});
    CHECK(results[1].dims() == std::vector<int64_t>{static_cast<int64_t>(count)});
    const Texts parts = texts(results[0]);
    const auto width = count == 0 ? 0 : parts.size() / count;
    CHECK(results[0].dims() == std::vector<int64_t>{static_cast<int64_t>(count), static_cast<int64_t>(width)});
    Texts out;
    for (size_t i = 0; i < count; ++i) {
      std::string line;
      for (size_t k = 0; k < width; ++k) line += (k == 0 ? "" : "|") + parts[i * width + k];
      out.push_back(line + " (" + std::to_string(results[1].at<int64_t>(static_cast<int64_t>(i))) + ")");
    }
    return out;
  }
};

struct Normalizer {
  Attributes attributes;
  explicit Normalizer(const char* action, Texts stops = {}, bool by_case = false) {
    attributes.set("case_change_action", std::string(action));
    attributes.set("is_case_sensitive", int64_t{by_case});
    if (!stops.empty()) attributes.set("stopwords", std::move(stops));
  }
  Texts of(Texts values) const {
    KernelRunner runner("StringNormalizer", attributes);
    const std::vector<int64_t> dims{std::max<int64_t>(static_cast<int64_t>(values.size()), 1)};
    const Tensor x = row(std::move(values));  // strings that stay the same are views of its characters
    return texts(runner.run({x}, {{DType::string, dims}})[0]);
  }
};

}  // namespace

TEST_CASE("StringConcat broadcasts", "[kernels][CR-9]") {
  KernelRunner runner("StringConcat");
  const Tensor x = Tensor::strings({2, 1}, {"a", ""}), y = Tensor::strings({3}, {"x", "\xFF", ""});
  CHECK(texts(runner.run({x, y}, {{DType::string, {2, 3}}})[0]) == Texts{"ax", "a\xFF", "a", "x", "\xFF", ""});
  CHECK(texts(runner.run({Tensor::strings({}, {"one"}), Tensor::strings({}, {"two"})}, {{DType::string, {}}})[0]) == Texts{"onetwo"});
  const std::string large(100'000, 'x');
  CHECK(texts(runner.run({row({large}), row({large})}, {{DType::string, {1}}})[0]) == Texts{large + large});
  CHECK(texts(runner.run({row({std::string("a\0b", 3)}), row({"c"})}, {{DType::string, {1}}})[0]) == Texts{std::string("a\0bc", 4)});
}

TEST_CASE("StringSplit splits at a delimiter", "[kernels][CR-9]") {
  CHECK(Split().delimiter(",").of({"a,b", "", ",,", "c"}) == Texts{"a|b| (2)", "|| (1)", "|| (3)", "c|| (1)"});
  CHECK(Split().delimiter("--").of({"a--b---c"}) == Texts{"a|b|-c (3)"});
  CHECK(Split().delimiter(",").at_most(1).of({"a,b,c", "d"}) == Texts{"a|b,c (2)", "d| (1)"});
  CHECK(Split().delimiter(",").at_most(0).of({"a,b"}) == Texts{"a,b (1)"});
  CHECK(Split().delimiter(",").at_most(-1).of({"a,b"}) == Texts{"a|b (2)"});
  CHECK(Split().delimiter("\xA9").of({"\xC3\xA9x"}) == Texts{"\xC3|x (2)"});  // bytes
  CHECK(Split().delimiter(",").of({}).empty());
}

TEST_CASE("StringSplit splits at white space", "[kernels][CR-9]") {
  CHECK(Split().of({" a  b\t\nc ", "", "  ", "d"}) == Texts{"a|b|c (3)", "|| (0)", "|| (0)", "d|| (1)"});
  CHECK(Split().delimiter("").of({"a b"}) == Texts{"a|b (2)"});
  CHECK(Split().at_most(1).of({"  a  b  c "}) == Texts{"a|b  c  (2)"});  // the rest keeps its end
  CHECK(Split().at_most(1).of({"  a  "}) == Texts{"a (1)"});
  CHECK(Split().at_most(0).of({"  a b "}) == Texts{"a b  (1)"});
  CHECK(Split().of({"a\xE2\x80\x83" "b\xC2\xA0" "c"}) == Texts{"a|b|c (3)"});  // em space, no-break space
  CHECK(Split().of({"\xFF \xC2"}) == Texts{"\xFF|\xC2 (2)"});
  CHECK(Split().of({"", ""}) == Texts{" (0)", " (0)"});  // no parts at all
}

TEST_CASE("StringNormalizer changes case by Unicode's simple mappings", "[kernels][CR-9]") {
  CHECK(Normalizer("UPPER").of({"monday", "\xC3\xA9t\xC3\xA9", "stra\xC3\x9F" "e", ""}) == Texts{"MONDAY", "\xC3\x89T\xC3\x89", "STRA\xC3\x9F" "E", ""});
  CHECK(Normalizer("LOWER").of({"MoN", "\xCE\x91\xCE\xA3", "\xF0\x90\x90\x80", "\xE2\x84\xAA"}) == Texts{"mon", "\xCE\xB1\xCF\x83", "\xF0\x90\x90\xA8", "k"});
  CHECK(Normalizer("UPPER").of({"\xC9\x90\xC4\xB1"}) == Texts{"\xE2\xB1\xAF" "I"});  // two bytes become three, and one
  CHECK(Normalizer("NONE").of({"aB"}) == Texts{"aB"});
  CHECK(Normalizer("UPPER").of({"a\xFF\xC3" "b\xE2\x84", std::string("\0z", 2)}) == Texts{"A\xFF\xC3" "B\xE2\x84", std::string("\0Z", 2)});
  CHECK(Normalizer("UPPER").of({}) == Texts{""});
}

TEST_CASE("StringNormalizer drops stop words", "[kernels][CR-9]") {
  const Texts days{"monday", "Tuesday", "MONDAY", "friday"};
  CHECK(Normalizer("NONE", {"monday"}, true).of(days) == Texts{"Tuesday", "MONDAY", "friday"});
  CHECK(Normalizer("UPPER", {"Monday", "friday"}).of(days) == Texts{"TUESDAY"});
  CHECK(Normalizer("LOWER", {"tuesday", "x", "a", "monday"}, true).of(days) == Texts{"tuesday", "monday", "friday"});
  CHECK(Normalizer("NONE", {"monday", "tuesday", "friday"}).of(days) == Texts{""});  // none left: one empty string
  CHECK(Normalizer("NONE", {"\xC3\x89T\xC3\x89"}).of({"\xC3\xA9t\xC3\xA9", "et"}) == Texts{"et"});
  CHECK(Normalizer("NONE", {""}).of({"", "a", "\xFF"}) == Texts{"a", "\xFF"});
  CHECK(Normalizer("NONE", {"\xFF", "ab"}).of({"a", "abc", "ab", "\xFF", "\xFF\xFF"}) == Texts{"a", "abc", "\xFF\xFF"});
  const Tensor y = KernelRunner("StringNormalizer", Normalizer("NONE", {"b"}).attributes).run({Tensor::strings({1, 3}, {"a", "B", "c"})}, {{DType::string, {}}})[0];
  CHECK(y.dims() == std::vector<int64_t>{1, 2});
}

TEST_CASE("case tables and UTF-8", "[kernels][CR-9]") {
  for (uint32_t c = 0; c < 128; ++c) {
    CHECK(to_upper(c) == (c >= 'a' && c <= 'z' ? c - 32 : c));
    CHECK(to_lower(c) == (c >= 'A' && c <= 'Z' ? c + 32 : c));
  }
  CHECK(to_upper(0x1C6) == 0x1C4);  // dz with caron, whose title case U+01C5 has both
  CHECK(to_upper(0x1C5) == 0x1C4);
  CHECK(to_lower(0x1C5) == 0x1C6);
  CHECK(to_upper(0xFF) == 0x178);
  CHECK(to_lower(0x10FFFF) == 0x10FFFF);
  CHECK(to_lower(Utf8::bad_byte) == Utf8::bad_byte);
  for (const auto ranges : {upper_case_ranges(), lower_case_ranges()})
    for (size_t i = 1; i < ranges.size(); ++i) CHECK(ranges[i - 1].last < ranges[i].first);
  for (uint32_t code : {0u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xD7FFu, 0xE000u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    char bytes[4];
    put_utf8(code, bytes);
    const Utf8 read = first_utf8({bytes, utf8_size(code)});
    CHECK(read.code == code);
    CHECK(read.size == utf8_size(code));
    if (utf8_size(code) > 1) CHECK(first_utf8({bytes, utf8_size(code) - 1}).code == Utf8::bad_byte);
  }
  for (const char* text : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3x"})
    CHECK(first_utf8(text).code == Utf8::bad_byte);
}

TEST_CASE("TfIdfVectorizer counts n-grams with gaps", "[kernels][CR-9]") {
  const auto vectorize = [](Attributes attributes, const Tensor& x, std::vector<int64_t> dims) {
    const Tensor y = KernelRunner("TfIdfVectorizer", std::move(attributes)).run({x}, {{DType::float32, std::move(dims)}})[0];
    std::vector<float> out;
    for (int64_t i = 0; i < y.count(); ++i) out.push_back(y.at<float>(i));
    return out;
  };
  const auto ngrams = [](const char* mode, int64_t least, int64_t most, int64_t skips) {
    Attributes a;
    a.set("mode", std::string(mode));
    a.set("min_gram_length", least), a.set("max_gram_length", most), a.set("max_skip_count", skips);
    a.set("ngram_counts", std::vector<int64_t>{0, 2, 6});  // 1, 2; (1, 2), (2, 2); (1, 2, 1)
    a.set("ngram_indexes", std::vector<int64_t>{3, 0, 4, 1, 5});
    a.set("pool_int64s", std::vector<int64_t>{1, 2, 1, 2, 2, 2, 1, 2, 1});
    return a;
  };
  using Row = std::vector<float>;
  const Tensor x = int64s({5}, {1, 2, 2, 1, 9});
  // Columns: 0 "2", 1 "2 2", 2 nothing, 3 "1", 4 "1 2", 5 "1 2 1".
  CHECK(vectorize(ngrams("TF", 1, 3, 0), x, {6}) == Row{2, 1, 0, 2, 1, 0});
  CHECK(vectorize(ngrams("TF", 2, 2, 0), x, {6}) == Row{0, 1, 0, 0, 1, 0});
  // One skipped: (1, 2) of places 0 and 2 too; (1, 2, 1) is nowhere at distance 2 (places 0, 2, 4).
  CHECK(vectorize(ngrams("TF", 1, 3, 1), x, {6}) == Row{2, 1, 0, 2, 2, 0});
  CHECK(vectorize(ngrams("TF", 1, 3, 1000000000000), x, {6}) == Row{2, 1, 0, 2, 2, 0});
  CHECK(vectorize(ngrams("TF", 3, 3, 1), int64s({2, 5}, {1, 2, 1, 0, 0, 1, 0, 2, 0, 1}), {2, 6}) == Row{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1});
  Attributes weighted = ngrams("IDF", 1, 3, 0);
  weighted.set("weights", std::vector<float>{0.5f, 2, 3, -1, 4, 5});
  CHECK(vectorize(weighted, x, {6}) == Row{0.5f, 2, 0, -1, 4, 0});
  weighted.set("mode", std::string("TFIDF"));
  CHECK(vectorize(weighted, x, {6}) == Row{1, 2, 0, -2, 4, 0});
  CHECK(vectorize(ngrams("IDF", 1, 3, 0), x, {6}) == Row{1, 1, 0, 1, 1, 0});
  CHECK(vectorize(ngrams("TF", 1, 3, 0), int64s({0}, {}), {6}) == Row(6, 0));
  CHECK(vectorize(ngrams("TF", 1, 3, 0), tensor<int32_t>(DType::int32, {}, {2}), {6}) == Row{1, 0, 0, 0, 0, 0});

  Attributes words;
  words.set("mode", std::string("TF"));
  words.set("min_gram_length", int64_t{1}), words.set("max_gram_length", int64_t{2}), words.set("max_skip_count", int64_t{0});
  words.set("ngram_counts", std::vector<int64_t>{0, 2});
  words.set("ngram_indexes", std::vector<int64_t>{0, 1, 2});
  words.set("pool_strings", Texts{"b", "", "b", "a"});
  CHECK(vectorize(words, row({"a", "b", "a", "", "ab", "b"}), {3}) == Row{2, 1, 1});
}

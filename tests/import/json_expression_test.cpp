// Expressions as text in JSON: what is written is read as the same expression, whatever its size.
#include "base/symbolic_trees.hpp"
#include "import/same_graph.hpp"
#include "support/catch.hpp"

#include "ge/import/json/expression_reader.hpp"
#include "ge/import/json/expression_writer.hpp"

#include <chrono>

using namespace ge;
using namespace ge::testing;
using json::ExpressionReader;
using json::ExpressionWriter;
using json::MemoryBudget;
using Catch::Matchers::Contains;

namespace {

/// A table with the symbols of another, and what was written for that one.
struct Copy {
  SymbolTable table;
  MemoryBudget budget{size_t{1} << 30};
  ExpressionReader reader{table, budget};

  Copy(const ExpressionWriter& written) {
    for (Expr symbol : written.symbols()) table.symbol(symbol.symbol_name(), symbol.bounds());
    for (const std::string& text : written.definitions()) reader.define(reader.expression(text));
  }
};

struct Line {
  SymbolTable table;
  MemoryBudget budget{size_t{1} << 26};
  ExpressionReader reader{table, budget};
  Expr n = table.symbol("N"), h = table.symbol("H"), w = table.symbol("W");
};

}  // namespace

TEST_CASE("people's spelling of expressions is understood", "[import][CR-1][CR-2]") {
  Line l;
  const auto read = [&](const char* text) { return l.reader.expression(text); };
  CHECK(read("2*H+1") == 2 * l.h + 1);
  CHECK(read("floordiv(W-3, 2)") == floor_div(l.w - 3, 2));
  CHECK(read(" - N + 2 * ( H - 1 ) * W ") == -l.n + 2 * (l.h - 1) * l.w);
  CHECK(read("-9223372036854775808") == l.table.constant(INT64_MIN));
  CHECK(read("min(N, H, 3)") == min_of(min_of(l.n, l.h), 3));
  CHECK(read("select(N == 1, H, W)") == select(equal(l.n, 1), l.h, l.w));
  CHECK(read("not N < 3 and H != W or W >= 2") == logical_or(logical_and(logical_not(less(l.n, 3)), not_equal(l.h, l.w)), greater_equal(l.w, 2)));
  CHECK(read("ceildiv(N, 2) > mod(N, 3)") == greater(ceil_div(l.n, 2), floor_mod(l.n, 3)));
  const TensorType type = l.reader.type("int64[2]{N, 2*H}");
  CHECK(type.dtype == DType::int64);
  CHECK(type.values == std::vector<Expr>{l.n, 2 * l.h});
}

TEST_CASE("what is no expression is refused with its place", "[import][CR-1][CR-10]") {
  Line l;
  const auto refusal = [&](const std::string& text, bool type = false) {
    try {
      type ? static_cast<void>(l.reader.type(text)) : static_cast<void>(l.reader.expression(text));
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::invalid_model);
      return std::string(error.what());
    }
    return std::string("(read)");
  };
  CHECK_THAT(refusal(""), Contains("a number, a symbol, a function or '(' at the end"));
  CHECK_THAT(refusal("N + M"), Contains("a symbol that stands in the list 'symbols' at 'M'"));
  CHECK_THAT(refusal("N N"), Contains("nothing more at 'N'"));
  CHECK_THAT(refusal("(N"), Contains("')'"));
  CHECK_THAT(refusal("9223372036854775808"), Contains("a 64-bit integer"));
  CHECK_THAT(refusal("floordiv(N)"), Contains("2 arguments of floordiv"));
  CHECK_THAT(refusal("sin(N)"), Contains("floordiv, ceildiv, mod, min, max, select"));
  CHECK_THAT(refusal("$0"), Contains("below 0"));
  CHECK_THAT(refusal("`N"), Contains("closing backquote"));
  CHECK_THAT(refusal("N +\xff"), Contains("expected"));
  CHECK_THAT(refusal(std::string(100'000, '(')), Contains("nested less than 200 deep"));
  CHECK_THAT(refusal(std::string(100'000, '-') + "N"), Contains("nested less than 200 deep"));
  CHECK_THAT(refusal("float33[2]", true), Contains("a dtype such as float32"));
  CHECK_THAT(refusal("float32", true), Contains("'['"));
  CHECK_THAT(refusal("float32[2", true), Contains("']'"));
  std::string many = "float32[1";
  for (int i = 0; i < 300; ++i) many += ", 1";
  CHECK_THAT(refusal(many + "]", true), Contains("at most 255 dims"));
}

TEST_CASE("random expressions are read back as the same, and written the same again", "[import][CR-1][CR-2]") {
  const std::vector<int64_t> small{-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8};
  for (const uint64_t seed : {11u, 222u, 3333u, 44444u, 555555u}) {
    test::Random random(seed);
    SymbolTable table;
    const std::vector<Expr> symbols{table.symbol("A", {-3, 3}), table.symbol("b[0]", {0, 4}), table.symbol("and", {1, INT64_MAX}), table.symbol("D.e_1", {INT64_MIN, INT64_MAX})};
    std::vector<Expr> all;
    ExpressionWriter writer;
    for (size_t i = 0; i < 1500; ++i) all.push_back(test::build(test::random_tree(random, 2 + i % 4, symbols.size(), small), table, symbols));
    for (Expr e : all) writer.prepare(e);
    Copy copy(writer);
    Moved moved(copy.table);
    ExpressionWriter again;
    std::vector<Expr> read;
    for (Expr e : all) {
      INFO("seed " << seed << ": " << to_string(e) << " written as " << writer.text(e));
      read.push_back(copy.reader.expression(writer.text(e)));
      CHECK(read.back() == moved(e));
      CHECK(writer.text(e).size() <= 80);
    }
    for (Expr e : read) again.prepare(e);
    for (size_t i = 0; i < std::min(again.definitions().size(), writer.definitions().size()); ++i) REQUIRE(again.definitions()[i] == writer.definitions()[i]);
    CHECK(again.definitions().size() == writer.definitions().size());
    for (size_t i = 0; i < all.size(); ++i) {
      INFO("seed " << seed << ": " << to_string(all[i]));
      CHECK(again.text(read[i]) == writer.text(all[i]));
    }
  }
}

TEST_CASE("random expressions near the limits of int64 keep their values", "[import][CR-1][CR-2]") {
  const std::vector<int64_t> extremes{INT64_MIN, INT64_MIN + 1, -(int64_t{1} << 62), -3, -1, 0, 1, 2, 7, int64_t{1} << 32, int64_t{1} << 62, INT64_MAX};
  for (const uint64_t seed : {5u, 66u}) {
    test::Random random(seed);
    SymbolTable table;
    const std::vector<Expr> symbols{table.symbol("A", {INT64_MIN, INT64_MAX}), table.symbol("B", {0, INT64_MAX})};
    for (size_t i = 0; i < 1500; ++i) {
      const Expr e = test::build(test::random_tree(random, 3, 2, extremes), table, symbols);
      ExpressionWriter writer;
      for (Expr symbol : symbols) writer.prepare(symbol);
      writer.prepare(e);
      Copy copy(writer);
      INFO("seed " << seed << ": " << to_string(e) << " written as " << writer.text(e));
      const Expr read = copy.reader.expression(writer.text(e));
      for (int64_t a : extremes)
        for (int64_t b : {int64_t{0}, int64_t{1}, int64_t{7}, INT64_MAX}) {
          const auto value_of = [&](uint32_t id) { return std::optional<int64_t>(id == 0 ? a : b); };
          CHECK(evaluate(read, value_of) == evaluate(e, value_of));
        }
    }
  }
}

TEST_CASE("deep and shared expressions are written in linear space", "[import][CR-1][CR-10]") {
  SymbolTable table;
  Expr e = table.symbol("W"), doubled = e;
  std::vector<Expr> steps;
  for (int i = 0; i < 20'000; ++i) steps.push_back(e = floor_div(e + 1, 2) * table.symbol("k") + 1);
  for (int i = 0; i < 60; ++i) doubled = floor_div(doubled * doubled + 1, doubled + 3);  // 2^60 parts when written out
  ExpressionWriter writer;
  for (Expr step : steps) writer.prepare(step);
  writer.prepare(doubled);
  size_t characters = 0;
  for (const std::string& text : writer.definitions()) characters += text.size();
  CHECK(characters < 20'000 * 160);
  Copy copy(writer);
  CHECK(copy.reader.expression(writer.text(doubled)));
  CHECK(copy.reader.expression(writer.text(steps.back())));
}

TEST_CASE("a sum of many terms takes memory in proportion to its text, or is refused", "[import][CR-10]") {
  SymbolTable table;
  MemoryBudget budget(size_t{64} << 20);
  ExpressionReader reader(table, budget);
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    table.symbol("s" + std::to_string(i));
    text += (i ? " + s" : "s") + std::to_string(i);
  }
  const Expr sum = reader.expression(text);
  CHECK(sum.operands().size() == 20'000);
  CHECK(budget.used() < size_t{32} << 20);
  reader.define(sum);
  CHECK_THROWS_WITH([&] {
    for (int i = 0; i < 20'000; ++i) reader.define(reader.expression("$" + std::to_string(i) + " + s" + std::to_string(i)));
  }(), Contains("more than its limit of 67108864 bytes"));
}

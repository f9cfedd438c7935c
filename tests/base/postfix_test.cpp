// Postfix code: what compile writes, what check refuses, and evaluation with and without bound symbols. The property
// tests of symbolic_property_test.cpp compare it with evaluate().

#include "ge/base/postfix.hpp"

#include "ge/base/error.hpp"
#include "ge/base/symbolic.hpp"
#include "support/catch.hpp"

#include <algorithm>

using namespace ge;

namespace {

using Code = std::vector<int64_t>;

int64_t word(PostfixOp op) { return static_cast<int64_t>(op); }

Code compiled(Expr e) {
  Code code;
  compile_postfix(e, code);
  return code;
}

std::string reason(const Code& code, uint32_t symbol_count = 2) {
  std::string why;
  CHECK_FALSE(check_postfix(code, symbol_count, &why));
  CHECK_FALSE(check_postfix(code, symbol_count, nullptr));
  return why;
}

const int64_t kPush = word(PostfixOp::push_constant), kSymbol = word(PostfixOp::push_symbol);

}  // namespace

TEST_CASE("postfix code is appended as operations and immediates", "[base][CR-2]") {
  SymbolTable table;
  const Expr n = table.symbol("N");
  Code code{42};
  compile_postfix(2 * n + 1, code);
  CHECK(code == Code{42, kPush, 2, kSymbol, 0, word(PostfixOp::mul), kPush, 1, word(PostfixOp::add)});
}

TEST_CASE("the numbers of postfix operations do not change", "[base][CR-2][CR-4]") {
  CHECK(word(PostfixOp::push_constant) == 1);
  CHECK(word(PostfixOp::push_symbol) == 2);
  CHECK(word(PostfixOp::add) == 3);
  CHECK(word(PostfixOp::mod) == 7);
  CHECK(word(PostfixOp::le) == 13);
  CHECK(word(PostfixOp::select) == 17);
  CHECK(word(PostfixOp::store) == 18);
  CHECK(word(PostfixOp::load) == 19);
}

TEST_CASE("malformed postfix code is refused with the word and the reason", "[base][CR-2]") {
  CHECK(reason({}) == "postfix code leaves 0 values, expected one");
  CHECK(reason({kPush, 1, kPush, 2}) == "postfix code leaves 2 values, expected one");
  CHECK(reason({99}) == "postfix code, word 0 (99): no such operation");
  CHECK(reason({0}) == "postfix code, word 0 (0): no such operation");
  CHECK(reason({kPush}) == "postfix code, word 0 (1): the code ends before the operation's immediate");
  CHECK(reason({kPush, 1, word(PostfixOp::add)}) == "postfix code, word 2 (3): the operation has too few operands");
  CHECK(reason({kSymbol, 2}) == "postfix code, word 1 (2): no symbol has this id");
  CHECK(reason({kSymbol, -1}) == "postfix code, word 1 (-1): no symbol has this id");
  CHECK(reason({word(PostfixOp::load), 0}) == "postfix code, word 1 (0): the local slot is loaded before it is stored");
  CHECK(reason({kPush, 1, word(PostfixOp::store), 64}) == "postfix code, word 3 (64): the local slot is out of range");
  Code deep;
  for (int i = 0; i < 65; ++i) deep.insert(deep.end(), {kPush, 1});
  CHECK(reason(deep) == "postfix code, word 128 (1): the stack is too deep");
}

TEST_CASE("evaluating malformed postfix code gives no value", "[base][CR-2]") {
  const Code symbols{5, 6};
  Code deep;
  for (int i = 0; i < 65; ++i) deep.insert(deep.end(), {kPush, 1});
  const std::vector<Code> malformed{{},
                                    {99},
                                    {kPush},
                                    {word(PostfixOp::add)},
                                    {kPush, 1, kPush, 2},
                                    {kSymbol, 2},
                                    {kSymbol, -1},
                                    {word(PostfixOp::load), 0},
                                    {word(PostfixOp::load), 64},
                                    {kPush, 1, word(PostfixOp::store), -1},
                                    {kPush, 1, word(PostfixOp::select)},
                                    deep};
  for (const Code& code : malformed) CHECK_FALSE(evaluate_postfix(code, symbols));
}

TEST_CASE("in postfix code an unbound symbol matters only where the value needs it", "[base][CR-2]") {
  SymbolTable table;
  const Expr n = table.symbol("N"), m = table.symbol("M");
  const Code sum = compiled(n + m), choice = compiled(select(equal(n, 3), n, m));
  const std::vector<int64_t> symbols{3, 4};
  const std::vector<uint8_t> both{1, 1}, first{1, 0}, none{0, 0};
  CHECK(evaluate_postfix(sum, symbols) == 7);
  CHECK(evaluate_postfix(sum, symbols, both) == 7);
  CHECK_FALSE(evaluate_postfix(sum, symbols, first));
  CHECK(evaluate_postfix(choice, symbols, first) == 3);
  CHECK_FALSE(evaluate_postfix(choice, symbols, none));
  CHECK_FALSE(evaluate_postfix(sum, std::span(symbols).first(1)));
}

TEST_CASE("in postfix code overflow and division by zero give no value unless a select avoids them", "[base][CR-2]") {
  SymbolTable table;
  const Expr x = table.symbol("X", {INT64_MIN, INT64_MAX}), y = table.symbol("Y", {INT64_MIN, INT64_MAX});
  const auto at = [](Expr e, int64_t a, int64_t b) {
    return evaluate_postfix(compiled(e), std::vector<int64_t>{a, b});
  };
  CHECK_FALSE(at(x + y, INT64_MAX, 1));
  CHECK_FALSE(at(x * y, INT64_MIN, -1));
  CHECK_FALSE(at(floor_div(x, y), INT64_MIN, -1));
  CHECK_FALSE(at(floor_div(x, y), 1, 0));
  CHECK(at(select(equal(y, 0), table.constant(8), floor_mod(x, y)), 1, 0) == 8);
  CHECK(at(x + y - x, INT64_MAX, 1) == 1);
  CHECK(at(floor_mod(x, y), -7, 3) == 2);
  CHECK(at(floor_mod(x, y), 7, -3) == -2);
  CHECK(at(ceil_div(x, y), 7, -2) == -3);
}

TEST_CASE("shared parts are computed once", "[base][CR-2]") {
  SymbolTable table;
  Expr dim = table.symbol("d");
  for (int i = 0; i < 200; ++i) dim = broadcast(dim, table.symbol("d"));
  const Code code = compiled(dim);
  CHECK(code.size() < 5000);
  CHECK(check_postfix(code, table.symbol_count(), nullptr));
  std::vector<int64_t> symbols(table.symbol_count(), 1);
  CHECK(evaluate_postfix(code, symbols) == 1);
  symbols[77] = 12;
  CHECK(evaluate_postfix(code, symbols) == 12);
}

TEST_CASE("more shared parts than local slots are computed again", "[base][CR-2]") {
  SymbolTable table;
  const Expr n = table.symbol("N");
  std::vector<Expr> parts;
  for (int i = 0; i < 100; ++i) parts.push_back(floor_div(n, table.symbol("d")));
  Expr sum = table.constant(0), weighted = table.constant(0);
  for (size_t i = 0; i < parts.size(); ++i) {
    sum += parts[i];
    weighted += parts[i] * static_cast<int64_t>(i + 2);
  }
  const Expr both = floor_div(sum, weighted + 1) + min_of(sum, weighted);
  const Code code = compiled(both);
  const std::vector<int64_t> symbols(table.symbol_count(), 1);
  CHECK(check_postfix(code, table.symbol_count(), nullptr));
  CHECK(evaluate_postfix(code, symbols) == evaluate(both, [](uint32_t) { return std::optional<int64_t>(1); }));
}

TEST_CASE("long sums and deep chains need little stack", "[base][CR-2]") {
  SymbolTable table;
  Expr sum = table.constant(0), chain = table.symbol("c");
  for (int i = 0; i < 500; ++i) {
    const Expr n = table.symbol("n");
    sum += n;
    chain = min_of(floor_div(chain, 2) + n, n * 3);
  }
  const std::vector<int64_t> symbols(table.symbol_count(), 2);
  CHECK(evaluate_postfix(compiled(sum), symbols) == 1000);
  CHECK(evaluate_postfix(compiled(chain), symbols) == 3);
}

TEST_CASE("an expression that needs too deep a stack is refused", "[base][CR-2]") {
  SymbolTable table;
  Expr deep = table.symbol("N");
  for (int i = 0; i < 100; ++i) deep = floor_div(table.symbol("M"), deep);
  Code code{7};
  try {
    compile_postfix(deep, code);
    FAIL("expected an Error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::unsupported);
  }
  CHECK(code == Code{7});
}

// Symbolic integers against brute force: random trees, every assignment of small ranges or of extreme values.

#include "symbolic_parser.hpp"
#include "symbolic_trees.hpp"

#include "ge/base/postfix.hpp"
#include "ge/base/symbolic.hpp"
#include "support/catch.hpp"

using namespace ge;
using test::Random;
using test::Range;
using test::Tree;
using test::Wide;

namespace {

constexpr uint64_t kSeeds[] = {1, 20, 300, 4000};

struct Symbols {
  std::vector<std::string> names;
  std::vector<Bounds> bounds;
  std::vector<std::vector<int64_t>> values;  // tried, per symbol
};

std::vector<int64_t> span_of(Bounds b) {
  std::vector<int64_t> all;
  for (int64_t v = b.lo; v <= b.hi; ++v) all.push_back(v);
  return all;
}

Symbols small_symbols() {
  const std::vector<Bounds> bounds{{-3, 3}, {0, 4}, {1, 5}};
  return {{"A", "B", "C"}, bounds, {span_of(bounds[0]), span_of(bounds[1]), span_of(bounds[2])}};
}

const std::vector<int64_t> kSmallConstants{-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8};
const std::vector<int64_t> kExtremes{
    INT64_MIN, INT64_MIN + 1,    -(int64_t{1} << 62), -(int64_t{1} << 32), -3,       -2, -1, 0, 1, 2, 3,
    7,         int64_t{1} << 32, int64_t{1} << 62,    INT64_MAX - 1,       INT64_MAX};

Symbols extreme_symbols() {
  return {{"A", "B"},
          {{INT64_MIN, INT64_MAX}, {0, INT64_MAX}},
          {kExtremes, {0, 1, 2, 7, int64_t{1} << 62, INT64_MAX - 1, INT64_MAX}}};
}

struct World {
  SymbolTable table;
  std::vector<Expr> symbols;
  std::map<std::string, size_t> by_name;

  explicit World(const Symbols& from) {
    for (size_t i = 0; i < from.names.size(); ++i) {
      symbols.push_back(table.symbol(from.names[i], from.bounds[i]));
      by_name[from.names[i]] = i;
    }
  }
};

template <class Visit>
void for_each_assignment(const Symbols& symbols, Visit visit) {
  std::vector<size_t> at(symbols.values.size(), 0);
  std::vector<int64_t> assignment(at.size());
  for (;;) {
    for (size_t i = 0; i < at.size(); ++i) assignment[i] = symbols.values[i][at[i]];
    visit(assignment);
    size_t i = 0;
    while (i < at.size() && ++at[i] == symbols.values[i].size()) at[i++] = 0;
    if (i == at.size()) return;
  }
}

std::optional<int64_t> value_of(Expr e, const std::vector<int64_t>& assignment) {
  return evaluate(e, [&](uint32_t id) { return std::optional<int64_t>(assignment[id]); });
}

std::string describe(const std::vector<int64_t>& assignment) {
  std::string text;
  for (int64_t v : assignment) text += std::to_string(v) + " ";
  return text;
}

/// Empty when the simplified value is right for the tree: equal to the exact value; there whenever the strict
/// evaluation has one; absent when the exact value does not fit.
std::string verdict(const Tree& tree, std::optional<int64_t> value, const std::vector<int64_t>& assignment) {
  const auto strict = test::evaluate(tree, assignment, Range::strict);
  const auto exact = test::evaluate(tree, assignment, Range::exact);
  if (strict && !value) return "lost a value";
  if (exact && value && *exact != *value) return "changed a value";
  return {};
}

bool within(Bounds b, int64_t v) { return b.lo <= v && v <= b.hi; }

void check_tree(const Tree& tree, Expr e, const Symbols& symbols) {
  std::vector<int64_t> code;
  compile_postfix(e, code);
  std::string why;
  INFO("simplified: " << to_string(e));
  CHECK(check_postfix(code, static_cast<uint32_t>(symbols.names.size()), &why));
  INFO(why);
  for_each_assignment(symbols, [&](const std::vector<int64_t>& assignment) {
    const auto value = value_of(e, assignment);
    std::string wrong = verdict(tree, value, assignment);
    if (value && !within(e.bounds(), *value)) wrong += " bounds";
    if (evaluate_postfix(code, assignment) != value) wrong += " postfix";
    if (wrong.empty()) return;  // CHECK only on failure: it is too slow for a million values
    INFO("symbols: " << describe(assignment) << "value: " << (value ? std::to_string(*value) : "none"));
    FAIL_CHECK(wrong);
  });
}

void check_random_trees(const Symbols& symbols, const std::vector<int64_t>& constants, size_t count, size_t depth) {
  for (const uint64_t seed : kSeeds) {
    Random random(seed);
    World world(symbols);
    for (size_t i = 0; i < count; ++i) {
      const Tree tree = test::random_tree(random, depth, symbols.names.size(), constants);
      INFO("seed " << seed << ", tree " << i);
      check_tree(tree, test::build(tree, world.table, world.symbols), symbols);
    }
  }
}

}  // namespace

TEST_CASE("simplified expressions of small values keep every value, their bounds hold and postfix agrees",
          "[base][CR-2]") {
  check_random_trees(small_symbols(), kSmallConstants, 250, 2);
  check_random_trees(small_symbols(), kSmallConstants, 500, 4);
}

TEST_CASE("simplified expressions near the limits of int64 never have a wrong value", "[base][CR-2]") {
  check_random_trees(extreme_symbols(), kExtremes, 600, 2);
  check_random_trees(extreme_symbols(), kExtremes, 600, 4);
}

TEST_CASE("writing commuting operands in another order gives the same node", "[base][CR-2]") {
  for (const uint64_t seed : kSeeds) {
    Random random(seed);
    World world(small_symbols());
    for (size_t i = 0; i < 2000; ++i) {
      const Tree tree = test::random_tree(random, 4, 3, kSmallConstants);
      const Expr a = test::build(tree, world.table, world.symbols);
      const Expr b = test::build(test::commuted(tree, random), world.table, world.symbols);
      INFO("seed " << seed << ", tree " << i << ": " << to_string(a) << " and " << to_string(b));
      CHECK(a == b);
    }
  }
}

TEST_CASE("printed text parses back to the same values and, rebuilt, to the same node", "[base][CR-2]") {
  for (const uint64_t seed : kSeeds) {
    Random random(seed);
    World world(small_symbols());
    for (size_t i = 0; i < 500; ++i) {
      const Tree tree = test::random_tree(random, 4, 3, kSmallConstants);
      const Expr e = test::build(tree, world.table, world.symbols);
      const std::string text = to_string(e);
      INFO("seed " << seed << ", tree " << i << ": " << text);
      const Tree parsed = test::Parser(text, world.by_name).parse();
      CHECK(test::build(parsed, world.table, world.symbols) == e);
      for_each_assignment(small_symbols(), [&](const std::vector<int64_t>& assignment) {
        const auto read = test::evaluate(parsed, assignment, Range::exact);
        const auto value = value_of(e, assignment);
        if (read.has_value() != value.has_value() || (read && *read != *value)) FAIL_CHECK(describe(assignment));
      });
    }
  }
}

TEST_CASE("printed text of extreme values parses back to the same values", "[base][CR-2]") {
  for (const uint64_t seed : kSeeds) {
    Random random(seed);
    World world(extreme_symbols());
    for (size_t i = 0; i < 500; ++i) {
      const Expr e = test::build(test::random_tree(random, 3, 2, kExtremes), world.table, world.symbols);
      const std::string text = to_string(e);
      INFO("seed " << seed << ", tree " << i << ": " << text);
      const Tree parsed = test::Parser(text, world.by_name).parse();
      for_each_assignment(extreme_symbols(), [&](const std::vector<int64_t>& assignment) {
        const auto read = test::evaluate(parsed, assignment, Range::exact);
        const auto value = value_of(e, assignment);
        if (value && read && *read != *value) FAIL_CHECK(describe(assignment));
      });
    }
  }
}

TEST_CASE("substituting expressions is the same as binding symbols to their values", "[base][CR-2]") {
  for (const uint64_t seed : kSeeds) {
    Random random(seed);
    World world(small_symbols());
    for (size_t i = 0; i < 300; ++i) {
      const Tree outer = test::random_tree(random, 3, 3, kSmallConstants);
      const Tree inner = test::random_tree(random, 2, 3, kSmallConstants);
      const Expr e = test::build(outer, world.table, world.symbols),
                 part = test::build(inner, world.table, world.symbols);
      INFO("seed " << seed << ", tree " << i << ": " << to_string(e) << " with A = " << to_string(part));
      const Expr replaced = substitute(e, [&](uint32_t id) { return id == 0 ? part : Expr(); });
      for_each_assignment(small_symbols(), [&](std::vector<int64_t> assignment) {
        const auto value = value_of(replaced, assignment);
        const auto inner_value = value_of(part, assignment);
        if (!inner_value || !within({-3, 3}, *inner_value)) return;  // outside A's bounds e promises nothing
        assignment[0] = *inner_value;
        if (const auto direct = value_of(e, assignment); direct && direct != value) FAIL_CHECK(describe(assignment));
      });
    }
  }
}

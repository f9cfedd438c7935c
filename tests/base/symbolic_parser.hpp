#pragma once
// Reads the text of symbolic expressions back into plain trees.

#include "symbolic_trees.hpp"

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ge::test {

/// Reads what to_string writes, with the usual precedence. Throws std::runtime_error on anything else.
class Parser {
 public:
  Parser(std::string_view text, const std::map<std::string, size_t>& symbols) : text_(text), symbols_(symbols) {}

  Tree parse() {
    Tree all = disjunction();
    skip_blanks();
    if (at_ != text_.size()) fail("end of text");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw std::runtime_error("expected " + expected + " at '" + std::string(text_.substr(at_)) + "' of '" +
                             std::string(text_) + "'");
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(std::string_view token) {
    skip_blanks();
    if (text_.substr(at_, token.size()) != token) return false;
    const size_t end = at_ + token.size();
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (is_word(token[0]) && end < text_.size() && is_word(text_[end])) return false;
    at_ = end;
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail(std::string(token));
  }
  static Tree join(Op op, Tree a, Tree b) {
    Tree t{op, 0, {}};
    t.operands.push_back(std::move(a));
    t.operands.push_back(std::move(b));
    return t;
  }
  static Tree wrap(Op op, Tree a) {
    Tree t{op, 0, {}};
    t.operands.push_back(std::move(a));
    return t;
  }

  Tree disjunction() {
    Tree left = conjunction();
    while (accept("or")) left = join(Op::either, std::move(left), conjunction());
    return left;
  }
  Tree conjunction() {
    Tree left = negation();
    while (accept("and")) left = join(Op::both, std::move(left), negation());
    return left;
  }
  Tree negation() { return accept("not") ? wrap(Op::inverse, negation()) : comparison(); }
  Tree comparison() {
    Tree left = sum();
    if (accept("==")) return join(Op::eq, std::move(left), sum());
    if (accept("!=")) return join(Op::ne, std::move(left), sum());
    if (accept("<=")) return join(Op::le, std::move(left), sum());
    if (accept("<")) return join(Op::lt, std::move(left), sum());
    return left;
  }
  Tree sum() {
    Tree left = product();
    for (;;) {
      if (accept("+"))
        left = join(Op::add, std::move(left), product());
      else if (accept("-"))
        left = join(Op::sub, std::move(left), product());
      else
        return left;
    }
  }
  Tree product() {
    if (accept("-")) return wrap(Op::negate, product());
    Tree left = primary();
    while (accept("*")) left = join(Op::mul, std::move(left), primary());
    return left;
  }
  Tree primary() {
    skip_blanks();
    if (accept("(")) {
      Tree inner = disjunction();
      expect(")");
      return inner;
    }
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) return number();
    const std::string word = at_ < text_.size() && text_[at_] == '`' ? quoted() : identifier();
    if (at_ < text_.size() && text_[at_] == '(') return call(word);
    const auto symbol = symbols_.find(word);
    if (symbol == symbols_.end()) fail("a symbol instead of " + word);
    return {Op::symbol, static_cast<Wide>(symbol->second), {}};
  }
  Tree number() {
    Wide v = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_)
      v = v * 10 + (text_[at_] - '0');
    return {Op::constant, v, {}};
  }
  std::string quoted() {
    std::string name;
    for (++at_;; ++at_) {
      if (at_ >= text_.size()) fail("a closing backquote");
      if (text_[at_] == '`' && text_.substr(at_, 2) != "``") break;
      if (text_[at_] == '`') ++at_;
      name += text_[at_];
    }
    ++at_;
    return name;
  }
  std::string identifier() {
    const size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    if (begin == at_) fail("a name");
    return std::string(text_.substr(begin, at_ - begin));
  }
  Tree call(const std::string& function) {
    static const std::map<std::string, Op> known{{"floordiv", Op::floordiv}, {"ceildiv", Op::ceildiv},
                                                 {"mod", Op::mod},           {"min", Op::min},
                                                 {"max", Op::max},           {"select", Op::select}};
    if (!known.contains(function)) fail("a function instead of " + function);
    const Op op = known.at(function);
    std::vector<Tree> arguments;
    expect("(");
    do arguments.push_back(disjunction());
    while (accept(","));
    expect(")");
    if (op == Op::select) return {op, 0, std::move(arguments)};
    Tree all = std::move(arguments[0]);
    for (size_t i = 1; i < arguments.size(); ++i) all = join(op, std::move(all), std::move(arguments[i]));
    return all;
  }

  std::string_view text_;
  const std::map<std::string, size_t>& symbols_;
  size_t at_ = 0;
};

}  // namespace ge::test

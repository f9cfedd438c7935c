#include "ge/import/json/expression_reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ge::json {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

}  // namespace

class ExpressionReader::Parser {
 public:
  Parser(ExpressionReader& reader, std::string_view text) : reader_(reader), text_(text) {}

  Expr whole_expression() {
    const Expr e = disjunction();
    end();
    return e;
  }

  TensorType whole_type() {
    TensorType out;
    const bool optional = accept("optional");
    if (optional) expect("(");
    const bool sequence = accept("sequence");
    if (sequence) expect("(");
    if (sequence) out.kind = ValueKind::sequence;
    if (optional) out.kind = optional_of(out.kind);
    const size_t bracket = std::min(text_.find('[', at_), text_.size());
    const std::string_view name = text_.substr(at_, bracket - at_);
    const auto dtype = dtype_from_name(name);
    if (!dtype && name != to_string(DType::undefined)) fail("a dtype such as float32 and dims in brackets");
    out.dtype = dtype.value_or(DType::undefined);
    at_ = bracket;
    expect("[");
    if (accept("?")) expect("]");
    else out.shape = list("]", 255, "dims", !out.is_tensor());
    if (out.is_tensor() && accept("{")) out.values = list("}", SIZE_MAX, "elements");
    if (sequence) expect(")");
    if (optional) expect(")");
    end();
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    constexpr size_t shown = 40;
    std::string rest(text_.substr(at_, shown));
    if (text_.size() - at_ > shown) rest += "…";
    throw Error(ErrorCode::invalid_model, "expected " + expected + (rest.empty() ? " at the end of '" : " at '" + rest + "' of '") +
                                              std::string(text_.substr(0, 200)) + (text_.size() > 200 ? "…'" : "'"));
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (next() == ' ') ++at_;
  }
  bool accept(std::string_view token) {
    skip_blanks();
    if (text_.substr(at_, token.size()) != token) return false;
    const size_t after = at_ + token.size();
    if (is_letter(token[0]) && after < text_.size() && is_word(text_[after])) return false;
    at_ = after;
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail("'" + std::string(token) + "'");
  }
  void end() {
    skip_blanks();
    if (at_ != text_.size()) fail("nothing more");
  }

  /// `may_differ`: "*" stands for a dim that is not the same for all elements.
  std::vector<Expr> list(std::string_view close, size_t most, const char* what, bool may_differ = false) {
    std::vector<Expr> out;
    if (accept(close)) return out;
    do {
      if (out.size() == most) fail("at most " + std::to_string(most) + " " + what);
      out.push_back(may_differ && accept("*") ? Expr() : disjunction());
    } while (accept(","));
    expect(close);
    return out;
  }

  /// Counts what is new in the table: a node, with as many operands as a sum has terms. Known parts cost nothing.
  Expr made(Expr e) {
    const size_t now = reader_.symbols_.node_count(), fresh = now - reader_.counted_;
    if (fresh > 0) reader_.budget_.add(fresh * (96 + 2 * sizeof(Expr) * e.operands().size()));
    reader_.counted_ = now;
    return e;
  }

  struct Deeper {
    explicit Deeper(Parser& parser) : depth(parser.depth_) {
      if (++depth > 200) parser.fail("an expression that is nested less than 200 deep");
    }
    ~Deeper() { --depth; }
    size_t& depth;
  };

  using Operation = Expr (*)(Expr, Expr);
  /// Left to right; pairwise where there are many: each step of a sum makes a node as long as the sum so far.
  Expr folded(std::vector<Expr> items, Operation operation) {
    constexpr size_t few = 8;
    if (items.size() <= few) {
      Expr all = items[0];
      for (size_t i = 1; i < items.size(); ++i) all = made(operation(all, items[i]));
      return all;
    }
    while (items.size() > 1) {
      for (size_t i = 0; i < items.size() / 2; ++i) items[i] = made(operation(items[2 * i], items[2 * i + 1]));
      if (items.size() % 2 != 0) items[items.size() / 2] = items.back();
      items.resize((items.size() + 1) / 2);
    }
    return items[0];
  }

  Expr disjunction() {
    const Deeper deeper(*this);
    std::vector<Expr> all{conjunction()};
    while (accept("or")) all.push_back(conjunction());
    return folded(std::move(all), &logical_or);
  }
  Expr conjunction() {
    std::vector<Expr> all{negation()};
    while (accept("and")) all.push_back(negation());
    return folded(std::move(all), &logical_and);
  }
  Expr negation() {
    if (!accept("not")) return comparison();
    const Deeper deeper(*this);
    return made(logical_not(negation()));
  }
  Expr comparison() {
    const Expr left = sum();
    if (accept("==")) return made(equal(left, sum()));
    if (accept("!=")) return made(not_equal(left, sum()));
    if (accept("<=")) return made(less_equal(left, sum()));
    if (accept("<")) return made(less(left, sum()));
    if (accept(">=")) return made(greater_equal(left, sum()));
    if (accept(">")) return made(greater(left, sum()));
    return left;
  }
  Expr sum() {
    std::vector<Expr> all{product()};
    for (;;) {
      if (accept("+")) all.push_back(product());
      else if (accept("-")) all.push_back(made(-product()));
      else return folded(std::move(all), &operator+);
    }
  }
  Expr product() {
    Expr left;
    if (accept("-")) {
      skip_blanks();
      if (!is_digit(next())) {
        const Deeper deeper(*this);
        return made(-product());
      }
      left = number(true);  // with its sign: the smallest integer has no positive counterpart
    } else {
      left = primary();
    }
    std::vector<Expr> all{left};
    while (accept("*")) all.push_back(primary());
    return folded(std::move(all), &operator*);
  }
  Expr primary() {
    skip_blanks();
    if (accept("(")) {
      const Expr inner = disjunction();
      expect(")");
      return inner;
    }
    if (is_digit(next())) return number(false);
    if (next() == '$') return definition();
    if (next() != '`' && !is_letter(next())) fail("a number, a symbol, a function or '('");
    const size_t begin = at_;
    const bool is_quoted = next() == '`';
    const std::string word = is_quoted ? quoted() : identifier();
    if (!is_quoted && next() == '(') return call(word, begin);
    const Expr symbol = reader_.symbols_.find_symbol(word);
    if (!symbol) {
      at_ = begin;
      fail("a symbol that stands in the list 'symbols'");
    }
    return symbol;
  }
  Expr number(bool negative) {
    const size_t begin = at_;
    while (is_digit(next())) ++at_;
    const std::string digits = (negative ? "-" : "") + std::string(text_.substr(begin, at_ - begin));
    int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) {
      at_ = begin;
      fail("a 64-bit integer");
    }
    return made(reader_.symbols_.constant(value));
  }
  Expr definition() {
    const size_t begin = at_++;
    size_t index = 0;
    const auto [after, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), index);
    if (error != std::errc{} || index >= reader_.definitions_.size()) {
      at_ = begin;
      fail("the number of an expression that stands before, below " + std::to_string(reader_.definitions_.size()));
    }
    at_ = static_cast<size_t>(after - text_.data());
    return reader_.definitions_[index];
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
    while (is_word(next())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  Expr call(const std::string& function, size_t begin) {
    struct Row {
      std::string_view name;
      size_t least, most;
      Operation apply;
    };
    static constexpr Row rows[] = {{"floordiv", 2, 2, &floor_div}, {"ceildiv", 2, 2, &ceil_div}, {"mod", 2, 2, &floor_mod},
                                   {"min", 2, SIZE_MAX, &min_of},   {"max", 2, SIZE_MAX, &max_of}, {"select", 3, 3, nullptr}};
    const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.name == function; });
    if (row == std::end(rows)) {
      at_ = begin;
      fail("one of the functions floordiv, ceildiv, mod, min, max, select");
    }
    expect("(");
    const std::vector<Expr> arguments = list(")", SIZE_MAX, "arguments");
    if (arguments.size() < row->least || arguments.size() > row->most) fail(std::to_string(row->least) + " arguments of " + function);
    if (row->apply == nullptr) return made(select(arguments[0], arguments[1], arguments[2]));
    return folded(arguments, row->apply);
  }

  ExpressionReader& reader_;
  std::string_view text_;
  size_t at_ = 0;
  size_t depth_ = 0;
};

Expr ExpressionReader::expression(std::string_view text) { return Parser(*this, text).whole_expression(); }
TensorType ExpressionReader::type(std::string_view text) { return Parser(*this, text).whole_type(); }

}  // namespace ge::json

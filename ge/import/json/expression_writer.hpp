#pragma once
#include "ge/base/shape.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ge::json {

/// Writes expressions as infix text, "floordiv(W - 3, 2)". Parts whose text is long get a name, "$0", and stand once in
/// definitions(); so text grows with the number of distinct parts, however often they are shared. The order of terms
/// depends on what they are, not on when they were made: text that is read back is written the same again.
class ExpressionWriter {
 public:
  /// Defines what `e` needs. All of a document is prepared, in its order, before anything is written.
  void prepare(Expr e);
  /// "2*N + 1" or "$3".
  std::string_view text(Expr e) const { return parts_.at(e.id()).text; }
  /// "float32[N, 3]", "int64[2]{N, 4}", "float32[?]"
  std::string text(const TensorType& type) const;
  void prepare(const TensorType& type);

  const std::vector<std::string>& definitions() const { return definitions_; }
  /// The symbols in what was prepared, in the order of their ids.
  std::vector<Expr> symbols() const;

  /// Loosest first, as in ge/base/symbolic_print.cpp.
  enum Precedence : uint8_t { p_or, p_and, p_not, p_comparison, p_sum, p_product, p_primary };

 private:
  struct Part {
    std::string text;
    Precedence precedence = p_primary;
  };
  /// What decides the place of a term: its first symbol, then its structure.
  struct Rank {
    uint32_t symbol = UINT32_MAX;
    uint64_t hash = 0;
    friend auto operator<=>(const Rank&, const Rank&) = default;
  };
  void rank(Expr e);
  std::vector<Expr> ordered(Expr e) const;
  void define(Expr e, const std::vector<Expr>& operands);
  Part write(Expr e, const std::vector<Expr>& operands) const;
  std::string joined(const std::vector<Expr>& operands, std::string_view separator, Precedence place) const;
  std::string sum(const std::vector<Expr>& terms) const;
  std::string product(const std::vector<Expr>& factors) const;
  std::string in_place(Expr e, Precedence place) const;
  /// A term of an equation, all brought to the left side.
  struct Term {
    Rank rank;
    Expr part;
    bool positive = true;
    uint64_t magnitude = 1;  ///< of its factor, or of a constant
  };
  std::vector<Term> terms_of(Expr equation) const;
  static bool can_move(const std::vector<Term>& terms);
  std::string equation(Expr e, std::string_view separator) const;
  Rank rank_without_factor(Expr e) const;

  std::unordered_map<uint32_t, Rank> ranks_;  ///< by Expr::id
  std::unordered_map<uint32_t, Part> parts_;
  std::vector<std::string> definitions_;
  std::vector<Expr> symbols_;
};

}  // namespace ge::json

#include "ge/base/einsum_equation.hpp"

#include "ge/base/error.hpp"

#include <algorithm>

namespace ge {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(ErrorCode::invalid_model, "equation '" + std::string(text) + "' " + why + "; expected one like 'ij,...jk->...ik'");
}

std::string read_term(std::string_view text, std::string_view part) {
  std::string term;
  for (size_t i = 0; i < part.size(); ++i) {
    if (part[i] == ' ') continue;
    if (part[i] == '.') {
      if (part.substr(i, 3) != "...") refuse(text, "has a dot that is not part of '...'");
      if (term.find('.') != std::string::npos) refuse(text, "has a term with two ellipses");
      i += 2;
    } else if (!is_letter(part[i])) {
      refuse(text, "has the character '" + std::string(1, part[i]) + "'");
    }
    term += part[i];
  }
  return term;
}

/// The classical form: letters that occur exactly once.
std::string implicit_output(const std::vector<std::string>& inputs) {
  std::string all, output;
  for (const std::string& term : inputs) all += term;
  if (all.find('.') != std::string::npos) output += '.';
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i < all.size(); ++i) {  // sorted: equal ones are neighbours
    const bool repeated = (i > 0 && all[i - 1] == all[i]) || (i + 1 < all.size() && all[i + 1] == all[i]);
    if (is_letter(all[i]) && !repeated) output += all[i];
  }
  return output;
}

}  // namespace

EinsumEquation EinsumEquation::read(std::string_view text) {
  EinsumEquation equation;
  const size_t arrow = text.find("->");
  std::string_view left = text.substr(0, arrow);
  while (true) {
    const size_t comma = left.find(',');
    equation.inputs.push_back(read_term(text, left.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  if (arrow == std::string_view::npos) {
    equation.output = implicit_output(equation.inputs);
    return equation;
  }
  equation.output = read_term(text, text.substr(arrow + 2));
  for (const char c : equation.output) {
    const std::string what = c == '.' ? "an ellipsis" : "'" + std::string(1, c) + "'";
    if (std::count(equation.output.begin(), equation.output.end(), c) != 1) refuse(text, "has " + what + " twice in the output");
    if (std::none_of(equation.inputs.begin(), equation.inputs.end(), [&](const std::string& term) { return term.find(c) != std::string::npos; }))
      refuse(text, "has " + what + " in the output, but in no input");
  }
  return equation;
}

size_t einsum_letters(std::string_view term) { return term.size() - static_cast<size_t>(std::count(term.begin(), term.end(), '.')); }

std::vector<int> einsum_labels(std::string_view term, size_t rank) {
  const size_t letters = einsum_letters(term);
  if (letters == term.size() ? rank != letters : rank < letters)
    throw Error(ErrorCode::invalid_model, "a tensor of " + std::to_string(rank) + " axes stands for the term '" + std::string(term) + "', expected " +
                                              (letters == term.size() ? "" : "at least ") + std::to_string(letters) + " axes");
  std::vector<int> labels;
  for (const char c : term) {
    if (c != '.') labels.push_back(c);
    for (size_t behind = rank - letters; c == '.' && behind-- > 0;) labels.push_back(static_cast<int>(behind));
  }
  return labels;
}

}  // namespace ge

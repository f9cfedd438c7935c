#pragma once
#include "ge/base/export.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ge {

/// An equation of ONNX Einsum (28), "term, term -> term", read. A term is its letters without spaces, '.' standing for the
/// ellipsis. Without "->" the output has the ellipsis, if there is one, and the letters that occur once, in ASCII order.
struct GE_API EinsumEquation {
  std::vector<std::string> inputs;
  std::string output;

  /// Throws Error(invalid_model) for anything that is no such equation, or one whose output has a letter twice or one
  /// that no input has.
  static EinsumEquation read(std::string_view text);
};

/// What an axis of a term is called: a letter as its character, an axis under the ellipsis as the number of the
/// ellipsis' axes behind it (they are aligned at the last one). Throws Error(invalid_model) where a tensor of `rank` axes
/// does not fit the term.
GE_API std::vector<int> einsum_labels(std::string_view term, size_t rank);

/// Axes of a term that are letters.
GE_API size_t einsum_letters(std::string_view term);

}  // namespace ge

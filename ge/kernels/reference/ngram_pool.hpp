#pragma once
#include "ge/kernels/kernel.hpp"

#include <map>
#include <string>
#include <vector>

namespace ge::reference {

/// All n-grams of one length in one table: grams[count, length] of item numbers, sorted, and the column of each.
struct NgramTable {
  int64_t length, count;
  int64_t first_item;  ///< of `items`
  int64_t first_gram;  ///< of `columns`
};

/// The pool of TfIdfVectorizer, as flat tables: an item is known by its place among the distinct items, sorted.
struct NgramPool {
  std::vector<int64_t> ints;       ///< the distinct items, of a pool of integers
  std::string text;                ///< those of a pool of strings, one behind the other
  std::vector<int64_t> text_ends;  ///< where each ends
  std::vector<NgramTable> tables;  ///< of the lengths asked for, ascending
  std::vector<int64_t> items, columns;
};
/// From checked attributes (ge/ops/tfidf.cpp). Of equal n-grams the last one counts.
NgramPool ngram_pool(const Attributes& attributes);

}  // namespace ge::reference

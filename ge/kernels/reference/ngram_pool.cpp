// The tables behind TfIdfVectorizer (ONNX 9).
#include "ge/kernels/reference/ngram_pool.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

/// Each element of `pool` as its place among the distinct ones, which are left in `pool`.
template <class T>
std::vector<int64_t> numbered(std::vector<T>& pool) {
  const std::vector<T> all = pool;
  std::sort(pool.begin(), pool.end());
  pool.erase(std::unique(pool.begin(), pool.end()), pool.end());
  std::vector<int64_t> numbers;
  for (const T& item : all) numbers.push_back(std::lower_bound(pool.begin(), pool.end(), item) - pool.begin());
  return numbers;
}

void add_table(NgramPool& pool, int64_t length, const std::map<std::vector<int64_t>, int64_t>& columns) {
  if (columns.empty()) return;
  pool.tables.push_back({length, static_cast<int64_t>(columns.size()), static_cast<int64_t>(pool.items.size()), static_cast<int64_t>(pool.columns.size())});
  for (const auto& [gram, column] : columns) {
    pool.items.insert(pool.items.end(), gram.begin(), gram.end());
    pool.columns.push_back(column);
  }
}

}  // namespace

NgramPool ngram_pool(const Attributes& attributes) {
  NgramPool pool;
  std::vector<std::string> strings = attributes.get_strings("pool_strings");
  pool.ints = attributes.get_ints("pool_int64s");
  const std::vector<int64_t> items = strings.empty() ? numbered(pool.ints) : numbered(strings);
  for (const std::string& word : strings) {
    pool.text += word;
    pool.text_ends.push_back(static_cast<int64_t>(pool.text.size()));
  }
  const std::vector<int64_t> starts = attributes.get_ints("ngram_counts"), indexes = attributes.get_ints("ngram_indexes");
  const int64_t least = attributes.need_int("min_gram_length"), most = attributes.need_int("max_gram_length");
  size_t number = 0;  // of the n-gram
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto length = static_cast<int64_t>(i) + 1;
    const auto first = items.begin() + starts[i], end = i + 1 < starts.size() ? items.begin() + starts[i + 1] : items.end();
    std::map<std::vector<int64_t>, int64_t> columns;
    for (auto gram = first; end - gram >= length; gram += length) columns[{gram, gram + length}] = indexes.at(number++);
    if (length >= least && length <= most) add_table(pool, length, columns);
  }
  return pool;
}

}  // namespace ge::reference

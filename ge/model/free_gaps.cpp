#include "ge/model/free_gaps.hpp"

namespace ge {

void FreeGaps::insert(int64_t begin, int64_t end) {
  ends_.emplace(begin, end);
  by_size_.emplace(end - begin, begin);
}

void FreeGaps::erase(std::map<int64_t, int64_t>::iterator gap) {
  by_size_.erase({gap->second - gap->first, gap->first});
  ends_.erase(gap);
}

int64_t FreeGaps::take(int64_t size, End end) {
  const auto found = by_size_.lower_bound({size, INT64_MIN});
  if (found == by_size_.end()) {
    int64_t begin = capacity_;
    if (!ends_.empty() && std::prev(ends_.end())->second == capacity_) {
      begin = std::prev(ends_.end())->first;
      erase(std::prev(ends_.end()));
    }
    capacity_ = begin + size;
    return begin;
  }
  const int64_t gap_begin = found->second, gap_end = gap_begin + found->first;
  erase(ends_.find(gap_begin));
  const int64_t begin = end == End::low ? gap_begin : gap_end - size;
  if (begin > gap_begin) insert(gap_begin, begin);
  if (begin + size < gap_end) insert(begin + size, gap_end);
  return begin;
}

void FreeGaps::give_back(int64_t begin, int64_t size) {
  int64_t end = begin + size;
  auto after = ends_.lower_bound(begin);
  if (after != ends_.end() && after->first == end) {
    end = after->second;
    const auto merged = after++;
    erase(merged);
  }
  if (after != ends_.begin() && std::prev(after)->second == begin) {
    begin = std::prev(after)->first;
    erase(std::prev(after));
  }
  insert(begin, end);
}

}  // namespace ge

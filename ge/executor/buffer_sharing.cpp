#include "ge/executor/buffer_sharing.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace ge {
namespace {

constexpr int64_t alignment = 64;
/// A root takes in no more than this: the checks go through all that lives in it.
constexpr size_t most_members = 512;

}  // namespace

BufferSharing::BufferSharing(std::span<const BufferState> buffers, uint32_t tasks) : buffers_(buffers), profile_(tasks + 1) {
  contents_.resize(buffers.size());
  std::iota(contents_.begin(), contents_.end(), 0u);
  std::vector<int64_t> bytes(size_t{tasks} + 2);
  for (uint32_t b = 0; b < buffers.size(); ++b) {
    homes_.push_back({b, 0});
    groups_.push_back({{b}, buffers[b].first, buffers[b].last});
    if (!in_arena(b)) continue;
    bytes[buffers[b].first] += size_of(b);
    bytes[size_t{buffers[b].last} + 1] -= size_of(b);
  }
  std::partial_sum(bytes.begin(), bytes.end(), bytes.begin());
  bytes.pop_back();
  profile_ = LiveProfile(bytes);
}

uint32_t BufferSharing::content_of(uint32_t buffer) const {
  while (contents_[buffer] != buffer) buffer = contents_[buffer] = contents_[contents_[buffer]];
  return buffer;
}

/// Both are plain outputs or memory that no task writes, `inner` fills a root of the arena, and the place is aligned.
bool BufferSharing::fits(const Part& part) const {
  const BufferState &inner = buffers_[part.inner], &outer = buffers_[part.outer];
  const bool read_only = outer.kind == AllocationKind::input || outer.kind == AllocationKind::weights || outer.kind == AllocationKind::list_constants;
  const uint32_t root = homes_[part.inner].root;
  return part.offset % alignment == 0 && inner.size_bytes > 0 && part.offset + inner.size_bytes <= outer.size_bytes && inner.plain && in_arena(root) &&
         buffers_[root].size_bytes == inner.size_bytes && homes_[part.outer].root != root && (outer.plain || read_only);
}

/// Whether all that lives in the root of `inner` may lie in root `outer_root` at `offset`: where bytes are common, either
/// the contents are the same (that of `inner` and `content`, which become one) or one is done with before the other
/// begins. `overwritten` alone may be read by the very task that writes what moves.
bool BufferSharing::keeps_contents(uint32_t inner, uint32_t outer_root, int64_t offset, uint32_t content, uint32_t overwritten) const {
  const Group &moving = groups_[homes_[inner].root], &staying = groups_[outer_root];
  if (moving.members.size() + staying.members.size() > most_members) return false;
  for (uint32_t m : moving.members) {
    const int64_t begin = offset + homes_[m].offset, end = begin + buffers_[m].size_bytes;
    const bool follows = content_of(m) == content_of(inner);
    for (uint32_t n : staying.members) {
      if (homes_[n].offset >= end || begin >= homes_[n].offset + buffers_[n].size_bytes) continue;
      if (follows && content != UINT32_MAX && content_of(n) == content) continue;
      const uint32_t m_first = buffers_[m].first, m_last = buffers_[m].last, n_first = buffers_[n].first;
      const uint32_t n_last = buffers_[n].kind == AllocationKind::arena ? buffers_[n].last : UINT32_MAX;  // others outlive the tasks
      if (n_last < m_first || m_last < n_first || (n == overwritten && n_last == m_first)) continue;
      return false;
    }
  }
  return true;
}

void BufferSharing::change_profile(std::span<const uint32_t> inner_roots, uint32_t outer_root, int sign) {
  uint32_t first = groups_[outer_root].first, last = groups_[outer_root].last;
  const bool outer_counts = in_arena(outer_root);
  if (outer_counts) profile_.add(first, last, -sign * size_of(outer_root));
  for (uint32_t inner : inner_roots) {
    profile_.add(groups_[inner].first, groups_[inner].last, -sign * size_of(inner));
    first = std::min(first, groups_[inner].first);
    last = std::max(last, groups_[inner].last);
  }
  if (outer_counts) profile_.add(first, last, sign * size_of(outer_root));
}

/// Leaves the profile as it is after the move, unless that is higher.
bool BufferSharing::raises_peak(std::span<const uint32_t> inner_roots, uint32_t outer_root) {
  const int64_t before = profile_.highest();
  change_profile(inner_roots, outer_root, 1);
  if (profile_.highest() <= before) return false;
  change_profile(inner_roots, outer_root, -1);
  return true;
}

void BufferSharing::move(uint32_t inner_root, uint32_t outer_root, int64_t offset) {
  Group &from = groups_[inner_root], &to = groups_[outer_root];
  for (uint32_t m : from.members) {
    homes_[m] = {outer_root, homes_[m].offset + offset};
    to.members.push_back(m);
  }
  to.first = std::min(to.first, from.first);
  to.last = std::max(to.last, from.last);
  from.members.clear();
}

void BufferSharing::view(std::span<const Part> parts) {
  for (const Part& part : parts) {
    if (!fits(part)) continue;
    const Home outer = homes_[part.outer];
    const int64_t offset = outer.offset + part.offset;
    const std::array inner{part.inner};
    if (!keeps_contents(part.inner, outer.root, offset, content_of(part.outer), UINT32_MAX) || raises_peak(inner, outer.root)) continue;
    contents_[content_of(part.inner)] = content_of(part.outer);
    move(part.inner, outer.root, offset);
    dropped_.push_back(part.task);
  }
}

void BufferSharing::overwrite(const InPlace& pair) {
  const BufferState &in = buffers_[pair.input], &out = buffers_[pair.output];
  const Home home = homes_[pair.input];
  if (!in_arena(pair.output) || !is_root(pair.output) || !in_arena(home.root) || home.root == pair.output) return;
  if (in.last != pair.task || out.first != pair.task || in.size_bytes < out.size_bytes) return;
  const std::array inner{pair.output};
  if (!keeps_contents(pair.output, home.root, home.offset, UINT32_MAX, pair.input) || raises_peak(inner, home.root)) return;
  move(pair.output, home.root, home.offset);
  ++in_place_;
}

void BufferSharing::place(std::span<const Part> parts) {
  for (size_t i = 0; i < parts.size();) {
    size_t end = i;
    std::vector<Part> of_one;
    for (; end < parts.size() && parts[end].outer == parts[i].outer; ++end) of_one.push_back(parts[end]);
    place_into(parts[i].outer, std::move(of_one));
    i = end;
  }
  std::sort(dropped_.begin(), dropped_.end());
}

/// Places the parts that give the lowest peak, most of them among equals: all, or all but those that would make the whole
/// exist earliest.
void BufferSharing::place_into(uint32_t outer, std::vector<Part> parts) {
  const Home home = homes_[outer];
  if ((!in_arena(home.root) && buffers_[home.root].kind != AllocationKind::output) || !buffers_[outer].plain) return;
  std::vector<uint32_t> roots;
  std::erase_if(parts, [&](const Part& part) {
    const uint32_t root = homes_[part.inner].root;
    if (!fits(part) || !keeps_contents(part.inner, home.root, home.offset + part.offset, content_of(outer), UINT32_MAX)) return true;
    if (std::find(roots.begin(), roots.end(), root) != roots.end()) return true;  // one value twice: the second is copied
    if (groups_[home.root].members.size() + roots.size() >= most_members) return true;
    roots.push_back(root);
    return false;
  });
  const auto start = [&](uint32_t root) { return groups_[root].first; };
  std::stable_sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) { return start(homes_[a.inner].root) < start(homes_[b.inner].root); });
  std::stable_sort(roots.begin(), roots.end(), [&](uint32_t a, uint32_t b) { return start(a) < start(b); });

  int64_t lowest = profile_.highest();
  size_t best = parts.size();
  for (size_t begin = 0; begin < parts.size(); begin += 1 + (parts.size() - begin) / 8) {
    const std::span tried = std::span(roots).subspan(begin);
    change_profile(tried, home.root, 1);
    const int64_t peak = profile_.highest();
    change_profile(tried, home.root, -1);
    if (peak < lowest || (peak == lowest && best == parts.size())) lowest = peak, best = begin;
  }
  change_profile(std::span(roots).subspan(best), home.root, 1);
  for (size_t i = best; i < parts.size(); ++i) {
    contents_[content_of(parts[i].inner)] = content_of(outer);
    dropped_.push_back(parts[i].task);
    move(roots[i], home.root, home.offset + parts[i].offset);
  }
}

}  // namespace ge

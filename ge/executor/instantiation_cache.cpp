#include "ge/executor/instantiation_cache.hpp"

#include <algorithm>

namespace ge {

/// FNV-1a over words: the keys are a handful of small integers.
static uint64_t hash_of(std::span<const int64_t> key) noexcept {
  uint64_t hash = 0xcbf29ce484222325u;
  for (int64_t word : key) hash = (hash ^ static_cast<uint64_t>(word)) * 0x100000001b3u;
  return hash;
}

/// What the next segment starts from lists what sequences hold: a loop that makes one longer would fill memory with lists.
static size_t weight_of(const Segment& segment) noexcept { return 1 + segment.plan->after.held.size() / 256; }

Segment* InstantiationCache::find(std::span<const int64_t> key) noexcept {
  const uint64_t hash = hash_of(key);
  for (Entry& entry : entries_) {
    if (entry.hash != hash || !std::equal(key.begin(), key.end(), entry.key.begin(), entry.key.end())) continue;
    entry.used = ++clock_;
    ++hits_;
    current_ = &entry;
    return entry.first.get();
  }
  ++misses_;
  return nullptr;
}

Segment& InstantiationCache::add(std::span<const int64_t> key, std::unique_ptr<Instantiation> plan) {
  if (!entries_.empty() && entries_.size() >= max_sizes_) drop_oldest();
  Entry entry;
  entry.hash = hash_of(key);
  entry.used = ++clock_;
  entry.key.assign(key.begin(), key.end());
  entry.first = std::make_unique<Segment>(std::move(plan));
  entry.segments = weight_of(*entry.first);
  segments_ += entry.segments;
  entries_.push_back(std::move(entry));
  current_ = &entries_.back();
  return *current_->first;
}

Segment& InstantiationCache::add_next(Segment& parent, std::string_view key, std::unique_ptr<Instantiation> plan) {
  auto [it, fresh] = parent.next.emplace(std::string(key), std::make_unique<Segment>(std::move(plan)));
  segments_ += weight_of(*it->second);
  current_->segments += weight_of(*it->second);
  return *it->second;
}

void InstantiationCache::trim() noexcept {
  while (segments_ >= max_segments_ && entries_.size() > 1) drop_oldest();
  if (segments_ >= max_segments_ && !entries_.empty()) {
    // One set of sizes has too many continuations: keep its first segment alone.
    Entry& entry = entries_.front();
    entry.first->next.clear();
    const size_t kept = weight_of(*entry.first);
    evictions_ += entry.segments - kept;
    segments_ -= entry.segments - kept;
    entry.segments = kept;
  }
}

void InstantiationCache::drop_oldest() {
  const auto oldest = std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  segments_ -= oldest->segments;
  evictions_ += oldest->segments;
  entries_.erase(oldest);
  current_ = nullptr;
}

}  // namespace ge

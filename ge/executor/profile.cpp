/// One ring per thread, so each has one writer. A thread finds its ring by its id: it takes the first one without an
/// owner at its first sample, and keeps it.
#include "ge/executor/profile.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <unordered_map>

namespace ge {

struct alignas(64) Profile::Ring {
  std::atomic<std::thread::id> owner{};
  uint64_t written = 0;  ///< by its owner; sample i lies at i modulo the capacity
  std::unique_ptr<std::byte[]> samples;

  std::byte* at(size_t slot) const noexcept { return samples.get() + slot * sizeof(ProfileSample); }
};
static_assert(std::is_trivially_copyable_v<ProfileSample>, "rings hold samples as bytes");

const char* to_string(SampleKind kind) noexcept {
  switch (kind) {
    case SampleKind::compile: return "compile";
    case SampleKind::load: return "load";
    case SampleKind::run: return "run";
    case SampleKind::instantiate: return "instantiate";
    case SampleKind::segment: return "segment";
    case SampleKind::task: return "task";
    case SampleKind::chunk: return "chunk";
  }
  return "unknown";
}

static bool is_rare(SampleKind kind) noexcept {
  return kind == SampleKind::compile || kind == SampleKind::load || kind == SampleKind::instantiate;
}

Profile::Profile(const Limits& limits) : limits_(limits) {
  limits_.samples_per_thread = std::bit_ceil(std::max<size_t>(limits.samples_per_thread, 1));
  limits_.threads = std::clamp(limits.threads, 1u, 65535u);
  rings_ = std::make_unique<Ring[]>(limits_.threads);
  // Bytes that nothing has set: pages of rings that no thread takes are never touched.
  const size_t size_bytes = limits_.samples_per_thread * sizeof(ProfileSample);
  for (unsigned i = 0; i < limits_.threads; ++i) rings_[i].samples = std::make_unique_for_overwrite<std::byte[]>(size_bytes);
}

Profile::~Profile() = default;

void Profile::begin_run() noexcept {
  own_ring();
  ++run_;
}

Profile::Ring* Profile::own_ring() noexcept {
  const std::thread::id self = std::this_thread::get_id();
  for (unsigned i = 0; i < limits_.threads; ++i) {
    std::thread::id owner = rings_[i].owner.load(std::memory_order_relaxed);
    if (owner == self) return &rings_[i];
    if (owner == std::thread::id{} && rings_[i].owner.compare_exchange_strong(owner, self, std::memory_order_relaxed)) return &rings_[i];
  }
  return nullptr;
}

void Profile::record(ProfileSample sample) noexcept {
  sample.run = run_;
  if (is_rare(sample.kind)) return record_rare(sample);
  Ring* const ring = own_ring();
  if (ring == nullptr) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  sample.worker = static_cast<uint16_t>(ring - rings_.get());
  std::memcpy(ring->at(ring->written++ & (limits_.samples_per_thread - 1)), &sample, sizeof sample);
}

void Profile::record_rare(const ProfileSample& sample) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (rare_.size() < limits_.rare_samples) return rare_.push_back(sample);
  } catch (const std::exception&) {
  }
  refused_.fetch_add(1, std::memory_order_relaxed);
}

uint32_t Profile::add_segment(std::vector<TaskNote> notes) {
  if (segments_.size() >= limits_.segments) return UINT32_MAX;
  segments_.push_back(std::move(notes));
  return static_cast<uint32_t>(segments_.size() - 1);
}

std::vector<ProfileSample> Profile::samples() const {
  std::vector<ProfileSample> all;
  {
    const std::lock_guard lock(mutex_);
    all = rare_;
  }
  for (unsigned i = 0; i < limits_.threads; ++i) {
    const auto kept = static_cast<size_t>(std::min<uint64_t>(rings_[i].written, limits_.samples_per_thread));
    for (size_t s = 0; s < kept; ++s) std::memcpy(&all.emplace_back(), rings_[i].at(s), sizeof(ProfileSample));
  }
  std::stable_sort(all.begin(), all.end(), [](const ProfileSample& a, const ProfileSample& b) {
    return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns != b.end_ns ? a.end_ns > b.end_ns : a.kind < b.kind;
  });
  return all;
}

std::span<const TaskNote> Profile::notes(uint32_t segment) const noexcept {
  if (segment >= segments_.size()) return {};
  return segments_[segment];
}

const TaskNote* Profile::note_of(const ProfileSample& sample) const noexcept {
  const auto all = notes(sample.segment);
  return sample.task < all.size() ? &all[sample.task] : nullptr;
}

std::vector<OpTime> Profile::times_by_op() const {
  std::unordered_map<uint32_t, OpTime> by_op;
  for (const ProfileSample& sample : samples()) {
    if (sample.kind != SampleKind::task || sample.op == UINT32_MAX) continue;
    OpTime& time = by_op[sample.op];
    time.op = sample.op;
    if (const TaskNote* note = note_of(sample)) time.kernel = note->kernel;
    ++time.tasks;
    time.total_ns += sample.end_ns - sample.begin_ns;
  }
  std::vector<OpTime> times;
  for (const auto& [op, time] : by_op) times.push_back(time);
  std::sort(times.begin(), times.end(), [](const OpTime& a, const OpTime& b) { return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : a.op < b.op; });
  return times;
}

unsigned Profile::workers() const noexcept {
  unsigned count = 0;
  while (count < limits_.threads && rings_[count].owner.load(std::memory_order_relaxed) != std::thread::id{}) ++count;
  return count;
}

uint64_t Profile::lost() const noexcept {
  uint64_t count = refused_.load(std::memory_order_relaxed);
  for (unsigned i = 0; i < limits_.threads; ++i)
    if (rings_[i].written > limits_.samples_per_thread) count += rings_[i].written - limits_.samples_per_thread;
  return count;
}

}  // namespace ge

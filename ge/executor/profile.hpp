#pragma once
#include "ge/executor/task_note.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace ge {

/// What a sample measures, from the outside in.
enum class SampleKind : uint8_t {
  compile,      ///< the compile before the load, where there was one
  load,         ///< mapping and checking the model file
  run,          ///< one NnExecute
  instantiate,  ///< one segment made for new sizes
  segment,      ///< one task list
  task,         ///< one task with all its chunks, as the stream sees it
  chunk,        ///< one chunk of a task that has several, as a worker sees it
};
GE_API const char* to_string(SampleKind kind) noexcept;

/// One stretch of time. Plain data.
struct ProfileSample {
  int64_t begin_ns = 0, end_ns = 0;  ///< of Profile::now_ns()
  uint32_t run = 0;                  ///< 1 for the instance's first run; 0 before it
  uint32_t segment = UINT32_MAX;     ///< as Profile::notes() takes it; UINT32_MAX: none, or not kept
  uint32_t task = UINT32_MAX;        ///< position in the segment's task list (task, chunk)
  uint32_t op = UINT32_MAX;          ///< row of the program's ops (task, chunk); UINT32_MAX: none (an output is copied)
  uint32_t chunk = 0;                ///< chunk: its number; task: how many there are
  uint16_t worker = 0;               ///< 0 is the thread of the first NnExecute, the others by first appearance
  uint16_t stream = 0;
  SampleKind kind = SampleKind::task;
};

/// How long an op's tasks took, over all samples that are left.
struct OpTime {
  uint32_t op = 0;                   ///< row of the program's ops
  const Kernel* kernel = nullptr;    ///< of the last sample; null for control flow
  uint64_t tasks = 0;                ///< task samples
  int64_t total_ns = 0;
};

/// Records what the runs of one instance do: give it to the instance in ModelParam::profile. Each thread writes into a
/// ring of its own, allocated here and nowhere else, so recording takes no lock and allocates nothing; when a ring is full
/// the oldest samples go. Compile, load and instantiate, which are rare, are kept apart and never go.
///
/// Threads: record() from any thread; all that reads (samples(), notes(), …), only while no run is going on.
class GE_API Profile {
 public:
  struct Limits {
    size_t samples_per_thread = size_t{1} << 16;  ///< rounded up to a power of two
    unsigned threads = 64;                        ///< samples of more threads are counted as lost
    size_t segments = 4096;                       ///< with notes; the others are profiled without
    size_t rare_samples = size_t{1} << 16;        ///< compile, load, instantiate; more are counted as lost
  };
  /// Allocates samples_per_thread * threads samples; their pages are used as the rings fill. Throws std::bad_alloc.
  explicit Profile(const Limits& limits);
  Profile() : Profile(Limits{}) {}
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /// Nanoseconds on a clock that never goes back.
  static int64_t now_ns() noexcept { return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

  // For the run side. --------------------------------------------------------------------------------------------
  /// Counts a run; the samples that follow belong to it. The calling thread becomes worker 0 if it is the first.
  void begin_run() noexcept;
  /// Keeps what is known of a segment's tasks; gives its number, UINT32_MAX when there are too many.
  uint32_t add_segment(std::vector<TaskNote> notes);
  /// Keeps a sample; fills in `run` and `worker`. Wait-free for all but the rare kinds.
  void record(ProfileSample sample) noexcept;

  // For readers. -------------------------------------------------------------------------------------------------
  /// All samples that are left, by begin; of equal begins the longer first.
  std::vector<ProfileSample> samples() const;
  /// By task; empty for a segment without notes.
  std::span<const TaskNote> notes(uint32_t segment) const noexcept;
  /// The note of the task that a sample measures; null where there is none.
  const TaskNote* note_of(const ProfileSample& sample) const noexcept;
  /// Per op that has task samples, the slowest first.
  std::vector<OpTime> times_by_op() const;
  unsigned workers() const noexcept;   ///< threads that recorded something
  uint64_t lost() const noexcept;      ///< samples that did not fit or were overwritten

 private:
  struct Ring;
  Ring* own_ring() noexcept;
  void record_rare(const ProfileSample& sample) noexcept;

  Limits limits_;
  std::unique_ptr<Ring[]> rings_;
  uint32_t run_ = 0;
  std::atomic<uint64_t> refused_{0};
  mutable std::mutex mutex_;  ///< guards rare_
  std::vector<ProfileSample> rare_;
  std::vector<std::vector<TaskNote>> segments_;
};

/// Records the time of its own life as one sample; does nothing without a profile.
class ProfileSpan {
 public:
  ProfileSpan(Profile* profile, SampleKind kind, uint32_t segment = UINT32_MAX) noexcept : profile_(profile) {
    if (profile_ == nullptr) return;
    sample_.kind = kind;
    sample_.segment = segment;
    sample_.begin_ns = Profile::now_ns();
  }
  ~ProfileSpan() {
    if (profile_ == nullptr) return;
    sample_.end_ns = Profile::now_ns();
    profile_->record(sample_);
  }
  ProfileSpan(const ProfileSpan&) = delete;
  ProfileSpan& operator=(const ProfileSpan&) = delete;
  void set_segment(uint32_t segment) noexcept { sample_.segment = segment; }

 private:
  Profile* profile_;
  ProfileSample sample_;
};

}  // namespace ge

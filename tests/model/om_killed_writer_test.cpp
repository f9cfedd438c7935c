#include "model/sample_model.hpp"
#include "support/catch.hpp"

#include "ge/model/om.hpp"
#include "ge/base/replace_file.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace ge;

TEST_CASE("a killed writer leaves no file, the old file or the new file, never a half one", "[model][CR-4]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("ge_om_kill_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = folder / "model.om";
  GeModel first = ge::test::sample_model(), second = first;
  first.name = "first", second.name = "second";
  // Large enough that most kills hit the writing.
  ge::test::ModelMaker large;
  large.model = second;
  const uint32_t rows = 1 << 20;
  large.constant("large", Tensor::zeros(DType::float32, {rows}));
  second = large.model;

  std::mt19937 random(7);
  size_t killed = 0, none = 0, old_ones = 0, new_ones = 0;
  for (int round = 0; round < 60; ++round) {
    std::filesystem::remove(path);
    if (round % 2) write_om(path, first, "");
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      try {
        write_om(path, second, "{}");
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 12000));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    killed += WIFSIGNALED(status) ? 1 : 0;
    if (!std::filesystem::exists(path)) {
      CHECK(round % 2 == 0);
      ++none;
      continue;
    }
    const auto file = OmFile::open(path);  // throws unless complete
    ++(file->name() == "first" ? old_ones : new_ones);
  }
  CAPTURE(killed, none, old_ones, new_ones);
  CHECK(killed > 0);
  size_t left = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    CHECK((name == "model.om" || (name.starts_with(".ge-new-") && name.ends_with(".tmp"))));
    left += name == "model.om" ? 0 : 1;
  }
  CHECK(left <= 1);  // each writer removes what the one before it left
  write_om(path, first, "");
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("the temporary file of a living writer stays, that of a dead one goes", "[model][CR-4]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("ge_om_stale_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / ".ge-new-1-0.tmp") << "left by a dead writer, long ago";
  std::ofstream(folder / ".ge-new-note.txt") << "not ours";
  std::filesystem::create_symlink("/etc/hostname", folder / ".ge-new-2-0.tmp");
  {
    ReplaceFile slow(folder / "slow.om");
    write_om(folder / "quick.om", ge::test::sample_model(), "");
    CHECK_FALSE(std::filesystem::exists(folder / ".ge-new-1-0.tmp"));
    slow.write(std::as_bytes(std::span("whole", 5)));
    slow.commit();
  }
  CHECK(std::filesystem::file_size(folder / "slow.om") == 5);
  CHECK(OmFile::open(folder / "quick.om")->name() == ge::test::sample_model().name);
  CHECK(std::filesystem::exists(folder / ".ge-new-note.txt"));
  CHECK(std::filesystem::is_symlink(folder / ".ge-new-2-0.tmp"));  // not followed, not touched
  std::filesystem::remove_all(folder);
}

TEST_CASE("writers of one folder that start together do not take each other for dead", "[model][CR-4]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("ge_om_many_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  std::vector<std::jthread> writers;
  std::atomic<int> failed{0};
  for (int w = 0; w < 4; ++w)
    writers.emplace_back([&, w] {
      for (int i = 0; i < 50; ++i) try {
          write_om(folder / ("m" + std::to_string(w) + ".om"), ge::test::sample_model(), "");
        } catch (const std::exception&) {
          ++failed;
        }
    });
  writers.clear();
  CHECK(failed == 0);
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 4);
  std::filesystem::remove_all(folder);
}

}  // namespace

#include "model/sample_model.hpp"
#include "support/catch.hpp"

#include "ge/model/om.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
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
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    CHECK((name == "model.om" || name.starts_with(".ge-om-")));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace

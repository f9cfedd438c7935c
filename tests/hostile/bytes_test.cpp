// Prefixes and random damage of a small model that uses every part of the format, and of its model file.
#include "hostile/mutate.hpp"
#include "hostile/outcome.hpp"
#include "hostile/small_models.hpp"
#include "support/catch.hpp"
#include "support/heap_meter.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ge;
using namespace ge::testing;
namespace fs = std::filesystem;

namespace {

constexpr unsigned batches = 10, flips_in_a_batch = 1000;

/// A folder with the external data of every_feature(true).
struct ModelFolder {
  fs::path path;
  ModelFolder() {
    std::string name = (fs::temp_directory_path() / "ge_hostile_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path = name;
    std::ofstream(path / "w.bin", std::ios::binary) << external_file;
  }
  ~ModelFolder() { fs::remove_all(path); }
  std::string text() const { return path.string(); }
};

std::string model_bytes() { return every_feature(true).bytes(); }

}  // namespace

TEST_CASE("the heap meter sees allocations of every kind", "[hostile][CR-10]") {
  const HeapMeter heap;
  { const std::vector<char> block(1 << 20); }
  const auto tensor = Tensor::zeros(DType::uint8, {3 << 20});
  CHECK(heap.peak_bytes() >= 3 << 20);
  CHECK(heap.peak_bytes() < 4 << 20);
  CHECK(heap.held_bytes() >= 3 << 20);
}

TEST_CASE("the undamaged model compiles, loads and runs", "[hostile][CR-10]") {
  const ModelFolder folder;
  CHECK(compile_and_run(model_bytes(), folder.text()).refusal == "");
  CHECK(load_and_run(compiled(model_bytes(), folder.text())).refusal == "");
  for (const auto& [name, bytes] : small_models()) {
    INFO(name);
    CHECK(compile_and_run(bytes).refusal == "");
  }
}

TEST_CASE("every prefix of a model imports, compiles and runs, or is refused", "[hostile][CR-10]") {
  const ModelFolder folder;
  const std::string model = model_bytes();
  size_t taken = 0;
  for (size_t size = 0; size < model.size(); ++size) {
    INFO("the first " << size << " bytes");
    const Outcome imported = import_and_infer(model.substr(0, size), folder.text());
    if (!imported.taken()) continue;
    ++taken;
    REQUIRE_NOTHROW(compile_and_run(model.substr(0, size), folder.text()));
  }
  CHECK(taken < 8);  // whole fields at the end may be missing: the function, the opset of its domain
}

TEST_CASE("a model damaged at random compiles and runs, or is refused", "[hostile][CR-10]") {
  const ModelFolder folder;
  const std::string model = model_bytes();
  const unsigned seed = GENERATE(range(1u, batches + 1));
  CAPTURE(seed);
  std::minstd_rand random(seed);
  size_t ran = 0;
  for (unsigned round = 0; round < flips_in_a_batch; ++round) {
    const std::string bytes = damaged(model, random);
    INFO("seed " << seed << ", round " << round);
    REQUIRE_NOTHROW(ran += compile_and_run(bytes, folder.text()).taken() ? 1 : 0);
  }
  CHECK(ran > 0);
}

TEST_CASE("every prefix of a model file is refused", "[hostile][CR-10][CR-4]") {
  const std::string om = compiled(every_feature().bytes());
  for (size_t size = 0; size < om.size(); ++size) {
    INFO("the first " << size << " bytes");
    REQUIRE_FALSE(load_and_run(om.substr(0, size)).taken());
  }
}

TEST_CASE("a model file damaged at random is always refused", "[hostile][CR-10][CR-4]") {
  const std::string om = compiled(every_feature().bytes());
  const unsigned seed = GENERATE(range(1u, batches + 1));
  CAPTURE(seed);
  std::minstd_rand random(seed);
  for (unsigned round = 0; round < flips_in_a_batch; ++round) {
    INFO("seed " << seed << ", round " << round);
    REQUIRE_FALSE(load_and_run(damaged(om, random)).taken());
  }
}

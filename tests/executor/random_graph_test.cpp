// Random graphs against the interpreter, with a poisoned arena: sharing of memory, segments and control flow keep every
// value right. A failure prints its seed.
#include "executor/graph_interpreter.hpp"
#include "executor/random_graph.hpp"

#include <cstdlib>

using namespace ge;
using namespace ge::testing;

namespace {

/// How many seeds; GE_TEST_SEEDS asks for more.
uint32_t seeds(uint32_t usual) {
  const char* text = std::getenv("GE_TEST_SEEDS");
  return text == nullptr ? usual : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
}

/// Equal numbers: 0 and -0 are, since the larger of both may be either.
bool same(const Tensor& a, const Tensor& b) { return a.dtype() == b.dtype() && a.dims() == b.dims() && (a == b || (a.dtype() == DType::float32 && a.to_doubles() == b.to_doubles())); }

/// "" where all runs of this seed's graph give what the interpreter gives.
std::string difference(uint32_t seed, DType dtype, bool elementwise_only) {
  RandomGraph random(seed, dtype, elementwise_only);
  ModelCase c;
  random.fill(c);
  const auto model = c.instance();
  for (const int64_t n : {3, 0, 1, 16, 3}) {  // 16 floats are 64 bytes: parts lie where they may stay
    for (int round = 0; round < 2; ++round) {
      const std::vector<Tensor> inputs{random.vector(n), random.vector(n), Tensor::scalar(random.below(4))};
      const std::vector<Tensor> expected = GraphInterpreter::evaluate(c.graph, inputs), found = model->run(inputs), again = model->run(inputs);
      for (size_t i = 0; i < expected.size(); ++i)
        if (!same(expected[i], found[i]))
          return "N = " + std::to_string(n) + ", output " + std::to_string(i) + ": expected " + show(expected[i]) + ", found " + show(found[i]);
      if (!(found == again)) return "a second run differs";
      const auto s = model->model.statistics();
      if (s.arena_bytes < s.arena_lower_bound_bytes) return "the arena is smaller than its lower bound";
    }
  }
  return "";
}

void check_seeds(uint32_t count, bool elementwise_only) {
  for (uint32_t seed = 1; seed <= count; ++seed)
    for (const DType dtype : {DType::float32, DType::int64}) {
      INFO("seed " << seed << ", " << to_string(dtype));
      std::string found;
      try {
        found = difference(seed, dtype, elementwise_only);
      } catch (const Error& error) {
        found = error.what();
      }
      CHECK(found == "");
    }
}

}  // namespace

TEST_CASE("sharing memory among elementwise ops and views never changes a value", "[executor][SX-3][CR-9]") { check_seeds(seeds(150), true); }

TEST_CASE("random graphs with branches, loops and cuts give what the interpreter gives", "[executor][SX-17][CR-9]") { check_seeds(seeds(150), false); }

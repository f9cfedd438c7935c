// ge-base alone: symbols, tensors, options, threads, a registry of the program's own, and errors that cross the library.
#include "check.hpp"

#include "ge/base/attributes.hpp"
#include "ge/base/available_cpus.hpp"
#include "ge/base/diagnostics.hpp"
#include "ge/base/options.hpp"
#include "ge/base/postfix.hpp"
#include "ge/base/registry.hpp"
#include "ge/base/shape.hpp"
#include "ge/base/thread_pool.hpp"

#include <atomic>

using outside::check;

namespace {

struct Shape2 {
  int corners = 0;
};
GE_DECLARE_REGISTRY(shapes, Shape2);
GE_DEFINE_REGISTRY(shapes, Shape2, "shape")
GE_REGISTER(shapes, "triangle", "three corners", Shape2{3});

/// A runner of the program's own: the library calls it through its base class.
class Inline final : public ge::TaskRunner {
 public:
  unsigned threads() const noexcept override { return 1; }
  uint32_t run(uint32_t chunks, ChunkFn fn, void* context) noexcept override {
    for (uint32_t i = 0; i < chunks; ++i)
      if (const uint32_t result = fn(context, i)) return result;
    return 0;
  }
};

uint32_t sum_up(ge::TaskRunner& runner, uint32_t chunks) {
  std::atomic<uint32_t> sum{0};
  const uint32_t result = runner.run(chunks, [](void* context, uint32_t chunk) noexcept -> uint32_t {
    static_cast<std::atomic<uint32_t>*>(context)->fetch_add(chunk);
    return 0;
  }, &sum);
  check(result == 0, "all chunks succeed");
  return sum.load();
}

}  // namespace

int main() {
  ge::SymbolTable symbols;
  const ge::Expr n = symbols.symbol("N");
  check(ge::to_string(2 * n + 1 - n) == "N + 1", "2*N + 1 - N is N + 1");
  check(ge::evaluate(ge::floor_div(n, 2), [](uint32_t) { return std::optional<int64_t>(7); }) == 3, "floor_div(7, 2) is 3");
  check(ge::to_string(ge::constant_shape(symbols, std::vector<int64_t>{2, 3})) == "[2, 3]", "a shape prints itself");

  const ge::Tensor t = ge::Tensor::ints(std::vector<int64_t>{4, 5});
  check(t.count() == 2 && t.at<int64_t>(1) == 5 && t == ge::Tensor(t), "a tensor has its elements");

  ge::Attributes attributes;
  attributes.set("axis", int64_t{-1});
  check(attributes.get_int("axis", 0) == -1, "an attribute is read back");

  ge::ThreadPool pool(2);
  Inline runner;
  check(ge::available_cpus() >= 1, "there is a processor");
  check(sum_up(pool, 100) == 4950 && sum_up(runner, 100) == 4950, "a pool and a runner of one's own do every chunk once");

  check(shapes().at("triangle").corners == 3 && shapes().list().size() == 1, "a registry of one's own has what was registered");

  // Thrown in the library, caught here; thrown here, given its context here.
  check(outside::mentions(outside::text_of<ge::Error>([] { shapes().at("square"); }), "no shape named 'square'"), "an unknown name is an Error");
  check(outside::mentions(outside::text_of<std::runtime_error>([&] { attributes.need_int("keepdims"); }), "keepdims"), "an Error is a std::runtime_error");
  ge::Diagnostics findings;
  findings.add("node 'a'", "has no input");
  check(outside::mentions(outside::text_of<ge::Error>([&] { findings.raise_if_any(ge::ErrorCode::invalid_model, "bad model"); }), "node 'a'"), "findings are raised");
  return outside::done();
}

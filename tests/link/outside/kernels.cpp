// ge-kernels alone: the contract and the registry, with an engine of the program's own.
#include "check.hpp"
#include "one_kernel.hpp"

using outside::check;

REGISTER_ENGINE("outside", 7, "the program's own engine");
REGISTER_CPU_KERNEL("outside", "", "Twice", "", "2 x", {.prepare = outside::prepare_twice});

int main() {
  const ge::Kernel& kernel = outside::choose("", "Twice");
  check(kernel.engine == "outside", "the program's kernel is chosen");
  check(outside::run_kernel(kernel, {1, -2.5f}) == std::vector<float>{2, -5}, "it runs");
  check(outside::mentions(outside::text_of<ge::Error>([] { outside::choose("", "Thrice"); }), "Thrice"), "an op without kernel is an Error");
  check(ge::kernels().list().size() == 1 && ge::engines().list().size() == 1, "no other engine is linked in");
  return outside::done();
}

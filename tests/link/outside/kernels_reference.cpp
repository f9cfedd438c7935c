// ge-kernels-reference alone: all its kernels are there; one runs; a kernel of the program's own joins them.
#include "check.hpp"
#include "one_kernel.hpp"

using outside::check;

REGISTER_CPU_KERNEL("reference", "outside", "Twice", "", "2 x", {.prepare = outside::prepare_twice});

int main() {
  check(outside::run_kernel(outside::choose("", "Relu"), {1, -2}) == std::vector<float>{1, 0}, "Relu of the reference engine runs");
  check(outside::run_kernel(outside::choose("outside", "Twice"), {1, -2}) == std::vector<float>{2, -4}, "a kernel of one's own runs");
  outside::count("kernels_reference", ge::kernels().list().size() - 1);
  return outside::done();
}

// ge-kernels-host alone: shape arithmetic, chosen where all elements are known before the run.
#include "check.hpp"

#include "ge/kernels/kernel.hpp"

using outside::check;

int main() {
  const ge::DType types[] = {ge::DType::int64, ge::DType::int64};
  const ge::Attributes none;
  const ge::Target target;
  ge::KernelQuery query{"", "Add", none, types, {types, 1}, target, true};
  check(ge::choose_kernel(query).engine == "host", "Add of known integers is the host's");
  query.outputs_known = false;
  check(outside::mentions(outside::text_of<ge::Error>([&] { ge::choose_kernel(query); }), "Add"), "Add of unknown ones is nobody's");
  outside::count("kernels_host", ge::kernels().list().size());
  return outside::done();
}

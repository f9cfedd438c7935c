// All that a program may ask for at once, in more than one way: nothing is linked in twice, nothing is left out.
#include "check.hpp"
#include "one_kernel.hpp"

#include "ge/ops/schema.hpp"
#include "ge/session/compile.hpp"

using outside::check;

int main(int, char** argv) {
  ge::CompileOptions options;
  options.import.input_shapes["image"] = {1, 1, 8, 8};
  const ge::Compiled digits = ge::compile_onnx(argv[1], options);
  check(digits.model.has_value(), "the digits model is compiled");
  check(outside::choose("", "Conv").engine == "reference", "Conv is the reference engine's");
  outside::count("ops", ge::op_schemas().list().size());
  outside::count("passes", ge::passes().list().size());
  outside::count("kernels", ge::kernels().list().size());
  outside::count("engines", ge::engines().list().size());
  return outside::done();
}

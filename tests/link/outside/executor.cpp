// ge-executor alone: loads a model file that the session program wrote; with no kernels linked in it says so, naming
// the op; with a kernel of the program's own it runs.   executor DIGITS.onnx FOLDER
#include "check.hpp"
#include "one_kernel.hpp"

#include "ge/executor/model_manager.hpp"
#include "ge/ops/schema.hpp"

using outside::check;

REGISTER_OP("outside", "Twice", 1, "2 x", ge::OpSchema().in("X").out("Y").infer([](ge::InferContext& context) { context.set_output(0, context.input(0)); }));
REGISTER_ENGINE("outside", 7, "the program's own engine");
REGISTER_CPU_KERNEL("outside", "outside", "Twice", "", "2 x", {.prepare = outside::prepare_twice});

int main(int, char** argv) {
  const std::string folder = argv[2];
  ge::ModelManager manager;
  const auto twice = manager.CreateInstance(manager.LoadModelOffline(folder + "/twice.om"));
  std::vector<float> x{1, 2, 3};
  const int64_t dims[] = {3};
  const ge::InputTensor input{x.data(), ge::DType::float32, dims, static_cast<int64_t>(x.size() * sizeof(float))};
  std::vector<ge::OutputTensor> outputs(1);
  twice->NnExecute({&input, 1}, outputs);
  const auto* y = static_cast<const float*>(outputs[0].data);
  check(outputs[0].size_bytes == 12 && y[0] == 2 && y[1] == 4 && y[2] == 6, "a model of an op of one's own runs");

  const std::vector<float> image(64);
  const int64_t image_dims[] = {1, 1, 8, 8};
  const ge::InputTensor picture{image.data(), ge::DType::float32, image_dims, 256};
  const std::string text = outside::text_of<ge::Error>([&] {
    const auto digits = manager.CreateInstance(manager.LoadModelOffline(folder + "/digits.om"));
    digits->NnExecute({&picture, 1}, outputs);
  });
  check(outside::mentions(text, "Conv"), "without kernels the first op is named: " + text);
  check(outside::mentions(outside::text_of<ge::Error>([&] { manager.LoadModelOffline(folder + "/none.om"); }), "none.om"), "a missing file is an Error");
  return outside::done();
}

// An op of one's own, from a model file to its results.   own_op scale_shift.onnx
//
//   x -> Mul -> Add -> ScaleShift -> y      the model: twice the same computation, once in standard ops
//   x -> ScaleShift -> ScaleShift -> y      what runs: the pass of scale_shift.cpp made one op of Mul and Add
#include "ge/executor/model_manager.hpp"
#include "ge/session/compile.hpp"

#include <cstdio>
#include <exception>

namespace {

/// Compiles the model, runs it on x[2, 4] = 0, 1, .. 7 and gives y; prints the program that ran.
std::vector<float> run(const std::string& path, const ge::CompileOptions& options) {
  const ge::Compiled compiled = ge::compile_onnx(path, options);
  std::printf("%s\n", compiled.model->tables.view().dump().c_str());
  const auto bytes = std::make_shared<std::vector<std::byte>>(ge::write_om_bytes(*compiled.model, compiled.metadata_json));

  ge::ModelManager manager;
  const auto model = manager.CreateInstance(manager.LoadModelOffline(*bytes, bytes));
  const float x[] = {0, 1, 2, 3, 4, 5, 6, 7};
  const int64_t dims[] = {2, 4};
  const ge::InputTensor input{x, ge::DType::float32, dims, sizeof x};
  std::vector<float> y(8);
  ge::OutputTensor output;
  output.data = y.data(), output.capacity_bytes = sizeof x;
  model->NnExecute({&input, 1}, {&output, 1});
  return y;
}

size_t count_ops(const std::string& path, std::string_view op, const ge::CompileOptions& options) {
  const ge::Compiled compiled = ge::compile_onnx(path, options);
  const ge::Program program = compiled.model->tables.view();
  size_t count = 0;
  for (const ge::OpRow& row : program.ops) count += program.text_of(row.op) == op;
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s scale_shift.onnx\n", argv[0]);
    return 2;
  }
  try {
    ge::CompileOptions with_pass, without_pass;
    without_pass.disabled_passes = {"fuse_scale_shift"};
    const std::vector<float> fused = run(argv[1], with_pass), plain = run(argv[1], without_pass);

    // (x * scale + shift) * scale + shift with scale = 1, 2, 3, 4 and shift = 0.5, -0.5, 0.25, -0.25, by hand.
    const std::vector<float> expected{1, 2.5f, 19, 46.75f, 5, 18.5f, 55, 110.75f};
    for (size_t i = 0; i < expected.size(); ++i) std::printf("y[%zu] = %g, expected %g\n", i, fused[i], expected[i]);
    const bool right = fused == expected && plain == expected && count_ops(argv[1], "ScaleShift", with_pass) == 2 &&
                       count_ops(argv[1], "ScaleShift", without_pass) == 1;
    std::printf("%s\n", right ? "both programs agree with the figures by hand" : "that is wrong");
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

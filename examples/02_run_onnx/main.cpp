// Compiles an ONNX file in memory and runs it once on ones: every dim that the file leaves open is taken as 1.
//
//     model.onnx ──► compile_onnx ──► model file in memory ──► ModelManager ──► NnExecute
//
//   02_run_onnx model.onnx
#include "ge/executor/model_manager.hpp"
#include "ge/model/om.hpp"
#include "ge/session/compile.hpp"

#include <cstdio>
#include <vector>

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: 02_run_onnx model.onnx\n"), 2;
  const ge::Compiled compiled = ge::compile_onnx(argv[1]);
  const auto file = std::make_shared<std::vector<std::byte>>(ge::write_om_bytes(*compiled.model, compiled.metadata_json));

  ge::ModelManager manager;
  const auto model = manager.CreateInstance(manager.LoadModelOffline(*file, file));
  std::vector<std::vector<int64_t>> dims;
  std::vector<ge::Tensor> tensors;
  std::vector<ge::InputTensor> inputs;
  for (const ge::PortDescription& port : model->inputs()) {
    dims.push_back(port.dims);
    for (int64_t& dim : dims.back()) dim = dim < 0 ? 1 : dim;
    tensors.push_back(ge::Tensor::zeros(port.dtype, dims.back()));
  }
  for (size_t i = 0; i < tensors.size(); ++i)
    inputs.push_back({tensors[i].bytes().data(), tensors[i].dtype(), dims[i], static_cast<int64_t>(tensors[i].bytes().size())});

  std::vector<ge::OutputTensor> outputs(model->outputs().size());  // no memory given: the instance lends its own
  model->NnExecute(inputs, outputs);
  for (size_t i = 0; i < outputs.size(); ++i)
    std::printf("%s %s%s\n", model->outputs()[i].name.c_str(), std::string(ge::to_string(outputs[i].dtype)).c_str(), ge::dims_to_string(outputs[i].shape()).c_str());
} catch (const ge::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

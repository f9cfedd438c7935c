// Runs the model of each folder that standard input names, one a line, all in this one process:
//
//   FOLDER/model.onnx, FOLDER/test_data_set_0/input_I.pb  ->  FOLDER/got_I.pb, and a line of standard output
//
// The line is "ran" or "refused: MESSAGE". Who reads it compares; this program knows nothing of expected results. A crash
// ends it: the line that is missing tells the folder.
#include "ge/executor/static/davinci_model.hpp"
#include "ge/model/om.hpp"
#include "ge/model/tensor_file.hpp"
#include "ge/session/compile.hpp"

#include <algorithm>
#include <iostream>

namespace {

using namespace ge;

std::shared_ptr<const LoadedProgram> compiled(const std::string& onnx) {
  const Compiled result = compile_onnx(onnx);
  const auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(*result.model, result.metadata_json));
  return std::make_shared<const LoadedProgram>(OmFile::from_buffer(bytes, *bytes), std::vector<std::string>{});
}

/// Kernels may count on aligned inputs; the bytes in a file lie anywhere.
Tensor aligned(const Tensor& t) {
  return t.dtype() == DType::string ? t : Tensor::copy_of(t.dtype(), t.dims(), t.bytes());
}

Tensor copied(const OutputTensor& out) {
  std::vector<int64_t> dims(out.shape().begin(), out.shape().end());
  const auto size = static_cast<size_t>(out.size_bytes);
  if (out.dtype != DType::string) return Tensor::copy_of(out.dtype, std::move(dims), {static_cast<const std::byte*>(out.data), size});
  std::vector<std::string> texts;
  for (size_t i = 0; i < size / sizeof(StringRef); ++i) texts.emplace_back(static_cast<const StringRef*>(out.data)[i].view());
  return Tensor::strings(std::move(dims), std::move(texts));
}

void run(const std::string& folder, ThreadPool& pool) {
  ModelParam param;
  param.runner = &pool;
  param.poison = true;
  DavinciModel model(compiled(folder + "/model.onnx"), param);
  std::vector<Tensor> tensors;
  std::vector<InputTensor> inputs;
  for (size_t i = 0; i < model.inputs().size(); ++i) tensors.push_back(aligned(read_tensor_pb(folder + "/test_data_set_0/input_" + std::to_string(i) + ".pb")));
  for (const Tensor& t : tensors) inputs.push_back({t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
  std::vector<OutputTensor> outputs(model.outputs().size());
  model.NnExecute(inputs, outputs);
  for (size_t i = 0; i < outputs.size(); ++i) write_tensor_pb(folder + "/got_" + std::to_string(i) + ".pb", copied(outputs[i]), "");
}

}  // namespace

int main() {
  ThreadPool pool(1);
  for (std::string folder; std::getline(std::cin, folder);) {
    try {
      run(folder, pool);
      std::cout << "ran" << std::endl;
    } catch (const std::exception& error) {
      std::string message = error.what();
      std::replace(message.begin(), message.end(), '\n', ' ');
      std::cout << "refused: " << message << std::endl;
    }
  }
}

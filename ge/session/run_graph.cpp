#include "ge/session/run_graph.hpp"

#include "ge/executor/static/davinci_model.hpp"
#include "ge/session/compile.hpp"

namespace ge {

Tensor to_tensor(const OutputTensor& output) {
  std::vector<int64_t> dims(output.shape().begin(), output.shape().end());
  if (output.dtype != DType::string)
    return Tensor::copy_of(output.dtype, std::move(dims), {static_cast<const std::byte*>(output.data), static_cast<size_t>(output.size_bytes)});
  std::vector<std::string> texts;
  const auto* refs = static_cast<const StringRef*>(output.data);
  for (int64_t i = 0; i < output.size_bytes / static_cast<int64_t>(sizeof(StringRef)); ++i) texts.emplace_back(refs[i].view());
  return Tensor::strings(std::move(dims), std::move(texts));
}

std::vector<Tensor> run_graph(std::unique_ptr<Graph> graph, const std::vector<Tensor>& inputs, const RunGraphOptions& options) {
  CompileOptions compile;
  compile.engines = options.engines;
  compile.max_memory_bytes = options.max_memory_bytes;
  for (const Registered& pass : passes().list())
    if (pass.key != "expand_functions") compile.disabled_passes.insert(pass.key);
  Compiled compiled = compile_graph(std::move(graph), compile);
  auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(*compiled.model, ""));
  compiled = {};
  auto file = OmFile::from_buffer(bytes, *bytes, {OmReadOptions::Weights::lazy});
  ModelParam param;
  param.runner = options.runner;
  param.max_memory_bytes = options.max_memory_bytes;
  DavinciModel model(std::make_shared<const LoadedProgram>(std::move(file), options.engines), param);

  std::vector<InputTensor> given;
  for (const Tensor& t : inputs) given.push_back({t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
  std::vector<OutputTensor> outputs(model.outputs().size());
  model.NnExecute(given, outputs);
  std::vector<Tensor> results;
  for (const OutputTensor& output : outputs) results.push_back(to_tensor(output));
  return results;
}

}  // namespace ge

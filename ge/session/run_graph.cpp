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

Value to_value(const OutputValue& output, ValueKind kind) {
  if (!output.present) return Value::nothing(kind);
  Value value(kind, {});
  for (const OutputTensor& tensor : output.tensors) value.tensors.push_back(to_tensor(tensor));
  return value;
}

std::vector<Value> run_graph(std::unique_ptr<Graph> graph, const std::vector<Value>& inputs, const RunGraphOptions& options) {
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

  std::vector<std::vector<InputTensor>> tensors;
  std::vector<InputValue> given;
  for (const Value& value : inputs) {
    tensors.emplace_back();
    for (const Tensor& t : value.tensors) tensors.back().push_back({t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
    given.push_back({tensors.back(), value.present});
  }
  std::vector<OutputValue> outputs(model.outputs().size());
  model.NnExecute(given, outputs);
  std::vector<Value> results;
  for (size_t i = 0; i < outputs.size(); ++i) results.push_back(to_value(outputs[i], model.outputs()[i].kind));
  return results;
}

}  // namespace ge

#include "executor/model_case.hpp"

#include <cstdio>

namespace ge::testing {

std::string show(const Tensor& t) {
  std::string out = std::string(to_string(t.dtype())) + dims_to_string(t.dims());
  const auto* texts = reinterpret_cast<const StringRef*>(t.bytes().data());
  if (t.dtype() == DType::string)
    for (int64_t i = 0; i < t.count(); ++i) out += " '" + std::string(texts[i].view()) + "'";
  const auto numbers = t.to_doubles();
  for (size_t i = 0; numbers && i < numbers->size() && i < 64; ++i) {
    char number[32];
    std::snprintf(number, sizeof number, " %g", (*numbers)[i]);
    out += number;
  }
  return out;
}

Tensor taken(const OutputTensor& out) {
  std::vector<int64_t> dims(out.shape().begin(), out.shape().end());
  if (out.dtype != DType::string) return Tensor::copy_of(out.dtype, std::move(dims), {static_cast<const std::byte*>(out.data), static_cast<size_t>(out.size_bytes)});
  std::vector<std::string> texts;
  for (int64_t i = 0; i < out.size_bytes / static_cast<int64_t>(sizeof(StringRef)); ++i) texts.emplace_back(static_cast<const StringRef*>(out.data)[i].view());
  return Tensor::strings(std::move(dims), std::move(texts));
}

static ModelParam poisoned(ModelParam param) {
  param.poison = 0xFF;
  return param;
}

Instance::Instance(std::shared_ptr<const LoadedProgram> program, ModelParam param) : model(std::move(program), poisoned(param)) {}
Instance::~Instance() = default;

std::vector<Tensor> Instance::run(const std::vector<Tensor>& inputs) {
  std::vector<InputTensor> in;
  for (const Tensor& t : inputs) in.push_back(given(t));
  std::vector<OutputTensor> out(model.outputs().size());
  model.NnExecute(in, out);
  std::vector<Tensor> results;
  for (const OutputTensor& o : out) results.push_back(taken(o));
  return results;
}

std::string Instance::shown(const std::vector<Tensor>& inputs) {
  std::string out;
  for (const Tensor& t : run(inputs)) out += (out.empty() ? "" : "; ") + show(t);
  return out;
}

std::string Instance::refusal(const std::vector<Tensor>& inputs) {
  try {
    run(inputs);
  } catch (const Error& error) {
    code = error.code();
    return error.what();
  }
  return "";
}

size_t Instance::segments() const { return model.statistics().segments_last_run; }

uint64_t Instance::instantiations() const { return model.statistics().instantiations; }

uint64_t Instance::ops_on(std::string_view engine) const {
  for (const auto& [name, count] : model.statistics().ops_by_engine)
    if (name == engine) return count;
  return 0;
}

ModelCase::ModelCase() : GraphBuild(own_) {}
ModelCase::~ModelCase() = default;

void ModelCase::may_be_zero(const std::string& name) { graph.symbols().symbol(name, {0, INT32_MAX}); }

GeModel ModelCase::build(const Packing& packing) {
  const InferResult inferred = infer(own_);
  return build_program(own_, inferred, packing);
}

std::shared_ptr<const LoadedProgram> ModelCase::load(const GeModel& model) {
  auto bytes = std::make_shared<const std::vector<std::byte>>(write_om_bytes(model, ""));
  return std::make_shared<const LoadedProgram>(OmFile::from_buffer(bytes, *bytes), std::vector<std::string>{});
}

std::shared_ptr<const LoadedProgram> ModelCase::program() {
  if (!program_) program_ = load(build());
  return program_;
}

std::unique_ptr<Instance> ModelCase::instance(ModelParam param) { return std::make_unique<Instance>(program(), param); }

}  // namespace ge::testing

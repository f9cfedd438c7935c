#include "conformance/judge.hpp"

#include "ge/base/tensor_difference.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ge::conformance {
namespace {

/// Two units in the last place of bfloat16, one of float16 (its subnormal numbers included); ONNX's tolerance for the rest.
Tolerance tolerance_for(DType dtype, const Judging& judging) {
  if (dtype == DType::bfloat16) return {std::max(judging.rtol, 0x1p-6), judging.atol};
  if (dtype == DType::float16) return {std::max(judging.rtol, 0x1p-10), std::max(judging.atol, 0x1p-24)};
  return {judging.rtol, judging.atol};
}

std::string type_text(const Tensor& t) { return std::string(to_string(t.dtype())) + dims_to_string(t.dims()); }

/// Dropout of training: element by element 0 or x / (1 - ratio).
bool is_dropout(const Tensor& got, const GivenSet& set) {
  if (got.dtype() == DType::boolean) return true;  // the mask
  const auto x = set.inputs[0].to_doubles(), y = got.to_doubles();
  const auto ratio = set.inputs.size() > 1 ? set.inputs[1].to_doubles() : std::vector<double>{0.5};
  if (!x || !y || !ratio || ratio->size() != 1 || x->size() != y->size()) return false;
  for (size_t i = 0; i < x->size(); ++i)
    if ((*y)[i] != 0 && !(std::abs((*y)[i] * (1 - ratio->front()) - (*x)[i]) <= 1e-5 * std::abs((*x)[i]))) return false;
  return true;
}

std::string judge_random(const Tensor& got, const Tensor& expected, const GivenSet& set, const std::string& rule) {
  if (got.dtype() != expected.dtype() || got.dims() != expected.dims()) return "got " + type_text(got) + ", expected " + type_text(expected);
  const auto values = got.to_doubles();
  if (!values) return "cannot be read as numbers";
  for (const double value : *values)
    if (!std::isfinite(value) || (rule == "zero_or_one" && value != 0 && value != 1)) return "has a random element " + std::to_string(value);
  if (rule == "dropout" && !is_dropout(got, set)) return "has elements that are neither 0 nor the scaled input's";
  return "";
}

}  // namespace

std::string Judging::to_line() const {
  std::ostringstream line;
  line.precision(17);
  line << rtol << ' ' << atol << ' ' << (random.empty() ? "-" : random);
  return line.str();
}

Judging Judging::from_line(const std::string& line) {
  Judging judging;
  std::istringstream words(line);
  if (!(words >> judging.rtol >> judging.atol >> judging.random)) throw Error(ErrorCode::invalid_argument, "cannot read the judging '" + line + "'");
  if (judging.random == "-") judging.random.clear();
  return judging;
}

std::vector<GivenSet> read_given_sets(const std::string& folder, const DavinciModel& model) {
  std::vector<GivenSet> sets;
  for (const tools::DataSet& set : tools::find_data_sets(folder)) {
    GivenSet& given = sets.emplace_back(GivenSet{set.name, {}, {}});
    const auto take = [&](const char* kind, const std::vector<PortDescription>& ports, std::vector<Tensor>& into) {
      const auto tensors = tools::read_tensors(set, kind);
      if (tensors.size() != ports.size() || (!tensors.empty() && tensors.rbegin()->first + 1 != ports.size()))
        throw Error(ErrorCode::invalid_argument, set.name + " has " + std::to_string(tensors.size()) + " files " + kind + "_I.pb, the model has " + std::to_string(ports.size()) + " " + kind + "s");
      for (const auto& [index, tensor] : tensors) into.push_back(tools::as_model_dtype(tensor, ports[index].dtype));
    };
    take("input", model.inputs(), given.inputs);
    take("output", model.outputs(), given.expected);
  }
  return sets;
}

std::vector<Tensor> run_once(DavinciModel& model, const std::vector<Tensor>& inputs) {
  std::vector<InputTensor> in;
  for (const Tensor& t : inputs) in.push_back({t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
  std::vector<OutputTensor> out(model.outputs().size());
  model.NnExecute(in, out);
  std::vector<Tensor> results;
  for (const OutputTensor& o : out) {
    std::vector<int64_t> dims(o.shape().begin(), o.shape().end());
    const std::span bytes(static_cast<const std::byte*>(o.data), static_cast<size_t>(o.size_bytes));
    std::vector<std::string> strings;
    if (o.dtype == DType::string)
      for (size_t i = 0; i < bytes.size() / sizeof(StringRef); ++i) strings.emplace_back(static_cast<const StringRef*>(o.data)[i].view());
    results.push_back(o.dtype == DType::string ? Tensor::strings(std::move(dims), std::move(strings)) : Tensor::copy_of(o.dtype, std::move(dims), bytes));
  }
  return results;
}

std::string judge(const std::vector<Tensor>& got, const GivenSet& set, const Judging& judging) {
  std::string text;
  for (size_t i = 0; i < got.size(); ++i) {
    const std::string what = judging.random.empty() ? describe_difference(got[i], set.expected[i], tolerance_for(got[i].dtype(), judging))
                                                    : judge_random(got[i], set.expected[i], set, judging.random);
    if (!what.empty()) text += (text.empty() ? "" : "; ") + set.name + ", output " + std::to_string(i) + ": " + what;
  }
  return text;
}

}  // namespace ge::conformance

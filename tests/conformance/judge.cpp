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
  const auto x = set.inputs[0].tensors.at(0).to_doubles(), y = got.to_doubles();
  const auto ratio = set.inputs.size() > 1 ? set.inputs[1].tensors.at(0).to_doubles() : std::vector<double>{0.5};
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
    const auto take = [&](const char* role, const std::vector<PortDescription>& ports, std::vector<Value>& into) {
      std::vector<ValueKind> kinds;
      for (const PortDescription& port : ports) kinds.push_back(port.kind);
      const auto values = tools::read_values(set, role, kinds);
      if (values.size() != ports.size() || (!values.empty() && values.rbegin()->first + 1 != ports.size()))
        throw Error(ErrorCode::invalid_argument, set.name + " has " + std::to_string(values.size()) + " files " + role + "_I.pb, the model has " + std::to_string(ports.size()) + " " + role + "s");
      for (const auto& [index, value] : values) into.push_back(tools::as_model_dtype(value, ports[index].dtype));
    };
    take("input", model.inputs(), given.inputs);
    take("output", model.outputs(), given.expected);
  }
  return sets;
}

static Tensor copied(const OutputTensor& out) {
  std::vector<int64_t> dims(out.shape().begin(), out.shape().end());
  const std::span bytes(static_cast<const std::byte*>(out.data), static_cast<size_t>(out.size_bytes));
  if (out.dtype != DType::string) return Tensor::copy_of(out.dtype, std::move(dims), bytes);
  std::vector<std::string> strings;
  for (size_t i = 0; i < bytes.size() / sizeof(StringRef); ++i) strings.emplace_back(static_cast<const StringRef*>(out.data)[i].view());
  return Tensor::strings(std::move(dims), std::move(strings));
}

std::vector<Value> run_once(DavinciModel& model, const std::vector<Value>& inputs) {
  std::vector<std::vector<InputTensor>> tensors(inputs.size());
  std::vector<InputValue> in;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (const Tensor& t : inputs[i].tensors) tensors[i].push_back({t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
    in.push_back({tensors[i], inputs[i].present});
  }
  std::vector<OutputValue> out(model.outputs().size());
  model.NnExecute(in, out);
  std::vector<Value> results;
  for (size_t i = 0; i < out.size(); ++i) {
    results.push_back(Value(model.outputs()[i].kind, {}));
    results.back().present = out[i].present;
    for (const OutputTensor& tensor : out[i].tensors)
      if (out[i].present) results.back().tensors.push_back(copied(tensor));
  }
  return results;
}

bool equal(const Value& a, const Value& b) { return a.kind == b.kind && a.present == b.present && a.tensors == b.tensors; }

std::string judge(const std::vector<Value>& got, const GivenSet& set, const Judging& judging) {
  std::string text;
  for (size_t i = 0; i < got.size(); ++i) {
    const Value &mine = got[i], &expected = set.expected[i];
    const DType dtype = mine.tensors.empty() ? DType::undefined : mine.tensors[0].dtype();
    const bool random = !judging.random.empty() && mine.tensors.size() == 1 && expected.tensors.size() == 1;
    const std::string what = random ? judge_random(mine.tensors[0], expected.tensors[0], set, judging.random)
                                    : describe_difference(mine, expected, tolerance_for(dtype, judging));
    if (!what.empty()) text += (text.empty() ? "" : "; ") + set.name + ", output " + std::to_string(i) + ": " + what;
  }
  return text;
}

}  // namespace ge::conformance

// A program that only runs models: it links executor, kernels_reference and kernels_host, and nothing that compiles.
//   run_only MODEL.om FOLDER     runs each FOLDER/test_data_set_K/input_I.pb, compares with output_I.pb
// check_run_only.py looks at what came with it.
#include "ge/executor/model_manager.hpp"
#include "ge/model/tensor_file.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>

namespace {

using namespace ge;

std::vector<Tensor> read_tensors(const std::string& folder, const std::string& kind) {
  std::vector<Tensor> tensors;
  for (;;) {
    const std::string path = folder + "/" + kind + "_" + std::to_string(tensors.size()) + ".pb";
    if (!std::filesystem::exists(path)) return tensors;
    tensors.push_back(read_tensor_pb(path));
  }
}

Tensor tensor_of(const OutputTensor& out) {
  std::vector<int64_t> dims(out.shape().begin(), out.shape().end());
  const std::span bytes(static_cast<const std::byte*>(out.data), static_cast<size_t>(out.size_bytes));
  if (out.dtype != DType::string) return Tensor::copy_of(out.dtype, std::move(dims), bytes);
  std::vector<std::string> strings;
  for (size_t i = 0; i < bytes.size() / sizeof(StringRef); ++i) strings.emplace_back(static_cast<const StringRef*>(out.data)[i].view());
  return Tensor::strings(std::move(dims), std::move(strings));
}

/// "" when they agree: floats within 1e-3 relative + 1e-4 absolute, all else exactly.
std::string difference(const Tensor& got, const Tensor& expected) {
  const auto type = [](const Tensor& t) { return std::string(to_string(t.dtype())) + dims_to_string(t.dims()); };
  if (got.dtype() != expected.dtype() || got.dims() != expected.dims()) return "got " + type(got) + ", expected " + type(expected);
  if (!contains(dtypes::floats, got.dtype())) return got == expected ? "" : "elements of " + type(got) + " differ";
  const auto a = got.to_doubles(), b = expected.to_doubles();
  if (!a || !b) return "elements of " + type(got) + " cannot be compared";
  for (size_t i = 0; i < a->size(); ++i) {
    const double x = (*a)[i], y = (*b)[i];
    if (x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-4 + 1e-3 * std::abs(y)) continue;
    return "element " + std::to_string(i) + ": got " + std::to_string(x) + ", expected " + std::to_string(y);
  }
  return "";
}

/// Runs one data set; "" when all outputs agree.
std::string run_set(DavinciModel& model, const std::string& folder) {
  const std::vector<Tensor> given = read_tensors(folder, "input"), expected = read_tensors(folder, "output");
  if (expected.empty() || expected.size() > model.outputs().size())
    return std::to_string(expected.size()) + " output files for " + std::to_string(model.outputs().size()) + " outputs";
  std::vector<InputTensor> inputs;
  for (const Tensor& t : given) inputs.push_back({t.bytes().data(), t.dtype(), t.dims(), static_cast<int64_t>(t.bytes().size())});
  std::vector<OutputTensor> outputs(model.outputs().size());
  model.NnExecute(inputs, outputs);
  for (size_t i = 0; i < expected.size(); ++i)
    if (const std::string what = difference(tensor_of(outputs[i]), expected[i]); !what.empty())
      return "output '" + model.outputs()[i].name + "': " + what;
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s MODEL.om FOLDER\n  FOLDER has test_data_set_0, test_data_set_1, ... with input_I.pb and output_I.pb\n", argv[0]);
    return 2;
  }
  int passed = 0, failed = 0;
  try {
    ModelManager manager;
    const auto model = manager.CreateInstance(manager.LoadModelOffline(argv[1]));
    for (int set = 0;; ++set) {
      const std::string folder = std::string(argv[2]) + "/test_data_set_" + std::to_string(set);
      if (!std::filesystem::is_directory(folder)) break;
      std::string what;
      try {
        what = run_set(*model, folder);
      } catch (const Error& error) {
        what = error.what();
      }
      std::printf("%s: %s\n", folder.c_str(), what.empty() ? "agrees" : what.c_str());
      ++(what.empty() ? passed : failed);
    }
    if (passed + failed == 0) {
      std::printf("%s has no folder test_data_set_0\n", argv[2]);
      ++failed;
    }
  } catch (const Error& error) {
    std::printf("%s: %s\n", argv[1], error.what());
    ++failed;
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

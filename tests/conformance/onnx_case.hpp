#pragma once
#include <string>
#include <vector>

// ONNX's test layout: GROUP/test_X/model.onnx with test_data_set_K/input_I.pb and output_I.pb. The group is node, simple,
// pytorch-converted, pytorch-operator, light, …
namespace ge::conformance {

struct OnnxCase {
  std::string group, name;
  std::string folder;
  bool only_url = false;               ///< has no model, only the address of one (group "real")
  double rtol = 1e-3, atol = 1e-7;     ///< ONNX's own defaults, or what the case's data.json says

  std::string title() const { return group + "/" + name; }
  std::string model() const { return folder + "/model.onnx"; }
};

/// The cases in `folder`, which holds groups or is one, sorted by title. `filter` is a pattern with * and ? for names or
/// titles; "" takes all. Throws Error(io) when the folder cannot be read or has no case at all.
std::vector<OnnxCase> find_cases(const std::string& folder, const std::string& filter);

}  // namespace ge::conformance

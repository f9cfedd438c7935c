#pragma once
#include "ge/base/tensor.hpp"

#include <map>
#include <string>
#include <vector>

namespace ge::tools {

/// One folder "test_data_set_K" of ONNX's test layout.
struct DataSet {
  unsigned number = 0;
  std::string name, folder;  ///< "test_data_set_0"
};

/// The data sets in `folder` by ascending number. Throws Error(io) when there are none.
std::vector<DataSet> find_data_sets(const std::string& folder);

/// The tensors of files "<kind>_I.pb" ("input", "output") by I.
std::map<unsigned, Tensor> read_tensors(const DataSet& set, const std::string& kind);

}  // namespace ge::tools

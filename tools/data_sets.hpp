#pragma once
#include "ge/base/value.hpp"

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

/// The values of files "<role>_I.pb" ("input", "output") by I. `kinds`, by I, says what each is: the files do not tell
/// tensors, sequences and optionals apart. Those beyond `kinds` are read as tensors.
std::map<unsigned, Value> read_values(const DataSet& set, const std::string& role, const std::vector<ValueKind>& kinds);

/// ONNX's node tests up to 1.12 hold bfloat16 tensors as uint16, bit for bit. Where the model says bfloat16, a uint16
/// tensor of the file is taken as those bits, with one note on standard output; everything else stays as it is.
Tensor as_model_dtype(const Tensor& tensor, DType in_model);
Value as_model_dtype(Value value, DType in_model);

}  // namespace ge::tools

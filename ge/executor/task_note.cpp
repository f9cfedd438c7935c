#include "ge/executor/task_note.hpp"

namespace ge {

static std::string types_of(std::span<const SiteTensor> tensors) {
  std::string text;
  for (const SiteTensor& tensor : tensors) {
    if (!text.empty()) text += ", ";
    text += tensor.present ? std::string(to_string(tensor.dtype)) + dims_to_string(tensor.dims) : "-";
  }
  return text;
}

TaskNote make_note(const Kernel& kernel, std::span<const SiteTensor> inputs, std::span<const SiteTensor> outputs) {
  return {&kernel, types_of(inputs), types_of(outputs)};
}

}  // namespace ge

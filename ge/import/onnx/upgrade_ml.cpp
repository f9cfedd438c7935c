#include "ge/import/onnx/upgrade.hpp"

#include <algorithm>
#include <numeric>

namespace ge::onnx {
namespace {

/// LabelEncoder, opset 1 → 2 of ai.onnx.ml: one list of labels stood for both directions, strings to places and places to
/// strings. Of equal labels the first place counted, now the last key does.
void labels_to_keys(Upgrade& u) {
  Attributes& attributes = u.node.attributes;
  if (!attributes.has("classes_strings")) return u.finding("attribute 'classes_strings' (strings) is missing");
  std::vector<std::string> labels = attributes.get_strings("classes_strings");
  std::vector<int64_t> places(labels.size());
  std::iota(places.begin(), places.end(), int64_t{0});
  const bool to_place = attributes.has("default_int64"), to_label = attributes.has("default_string");
  const DType dtype = u.dtype(0) != DType::undefined || to_place == to_label ? u.dtype(0) : to_place ? DType::string : DType::int64;
  attributes.erase("classes_strings");
  if (dtype == DType::string) {
    std::reverse(labels.begin(), labels.end());
    std::reverse(places.begin(), places.end());
    attributes.set("keys_strings", std::move(labels));
    attributes.set("values_int64s", std::move(places));
  } else if (dtype == DType::int64) {
    attributes.set("keys_int64s", std::move(places));
    attributes.set("values_strings", std::move(labels));
  } else {
    u.finding("is of opset 1 of ai.onnx.ml, where its input's dtype says what it does, and that is not known to be string or int64; "
              "convert the model to opset 2 or newer of ai.onnx.ml");
  }
}

}  // namespace

REGISTER_ONNX_UPGRADE_OF("ai.onnx.ml", LabelEncoder, 2, "labels become keys or values", labels_to_keys);

}  // namespace ge::onnx

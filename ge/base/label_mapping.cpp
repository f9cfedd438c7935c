#include "ge/base/label_mapping.hpp"

#include "ge/base/error.hpp"

#include <limits>

namespace ge {
namespace {

constexpr DTypeSet label_types = dtype_set(DType::string, DType::int64, DType::float32, DType::int32, DType::int16, DType::float64);

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::invalid_model, what); }

/// The one list among "<side>_strings", "<side>_int64s", "<side>_floats" and "<side>_tensor".
Tensor list_of(const Attributes& attributes, const std::string& side) {
  std::vector<Tensor> found;
  const auto row = [](size_t size) { return std::vector<int64_t>{static_cast<int64_t>(size)}; };
  if (attributes.has(side + "_strings")) {
    std::vector<std::string> list = attributes.get_strings(side + "_strings");
    const auto dims = row(list.size());
    found.push_back(Tensor::strings(dims, std::move(list)));
  }
  if (attributes.has(side + "_int64s")) found.push_back(Tensor::ints(attributes.get_ints(side + "_int64s")));
  if (attributes.has(side + "_floats")) {
    const std::vector<float> list = attributes.get_floats(side + "_floats");
    found.push_back(Tensor::from<float>(DType::float32, row(list.size()), list));
  }
  if (const Tensor* tensor = attributes.get_tensor(side + "_tensor")) {
    if (!contains(label_types, tensor->dtype()))
      refuse("attribute '" + side + "_tensor' is of " + std::string(to_string(tensor->dtype())) + ", expected string, int16, int32, int64, float32 or float64");
    if (tensor->dims().size() != 1) refuse("attribute '" + side + "_tensor' has rank " + std::to_string(tensor->dims().size()) + ", expected rank 1");
    found.push_back(*tensor);
  }
  if (found.size() != 1) refuse("has " + std::to_string(found.size()) + " of the attributes '" + side + "_*', expected exactly one");
  return found[0];
}

template <class T>
Tensor one(DType dtype, T value) { return Tensor::from<T>(dtype, {1}, std::span<const T>(&value, 1)); }

template <class T>
Tensor one_int(DType dtype, int64_t value) {
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
    refuse("attribute 'default_int64' is " + std::to_string(value) + ", which is no " + std::string(to_string(dtype)) + " as the values are; use 'default_tensor'");
  return one(dtype, static_cast<T>(value));
}

Tensor default_of(const Attributes& attributes, DType dtype) {
  if (const Tensor* tensor = attributes.get_tensor("default_tensor")) {
    if (tensor->dtype() != dtype || tensor->count() != 1)
      refuse("attribute 'default_tensor' is " + std::to_string(tensor->count()) + " elements of " + std::string(to_string(tensor->dtype())) +
             ", expected one of " + std::string(to_string(dtype)) + " as the values are");
    return *tensor;
  }
  const int64_t whole = attributes.get_int("default_int64", -1);
  const float broken = attributes.get_float("default_float", -0.0F);
  switch (dtype) {
    case DType::string: return Tensor::strings({1}, {attributes.get_string("default_string", "_Unused")});
    case DType::float32: return one(dtype, broken);
    case DType::float64: return one(dtype, static_cast<double>(broken));
    case DType::int16: return one_int<int16_t>(dtype, whole);
    case DType::int32: return one_int<int32_t>(dtype, whole);
    default: return one(dtype, whole);
  }
}

}  // namespace

LabelMapping LabelMapping::read(const Attributes& attributes) {
  LabelMapping mapping{list_of(attributes, "keys"), list_of(attributes, "values"), {}};
  if (mapping.keys.count() != mapping.values.count())
    refuse("has " + std::to_string(mapping.keys.count()) + " keys and " + std::to_string(mapping.values.count()) + " values, expected as many of both");
  mapping.otherwise = default_of(attributes, mapping.values.dtype());
  return mapping;
}

}  // namespace ge

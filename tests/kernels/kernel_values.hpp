#pragma once
#include "support/run_kernel.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

/// Short forms for tests of single kernels.
namespace ge::testing {

using Ints = std::vector<int64_t>;
using Floats = std::vector<float>;
inline constexpr float nan_value = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

template <class T>
std::vector<T> values_of(const Tensor& t) {
  std::vector<T> out;
  for (int64_t i = 0; i < t.count(); ++i) out.push_back(t.at<T>(i));
  return out;
}
inline Attributes attributes(std::vector<std::pair<std::string, AttributeValue>> items) {
  Attributes all;
  for (auto& [name, value] : items) all.set(name, std::move(value));
  return all;
}
inline Attributes with(std::string_view name, AttributeValue value) {
  Attributes attributes;
  attributes.set(name, std::move(value));
  return attributes;
}
/// 0, 1, 2, … as int64, so that an element's value says where it came from.
inline Tensor counting(Ints dims) {
  std::vector<int64_t> values(static_cast<size_t>(*element_count(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i);
  return int64s(std::move(dims), std::move(values));
}
/// 0, 1, 2, … as float32.
inline Tensor counting_floats(Ints dims) {
  Floats values(static_cast<size_t>(*element_count(dims)));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return floats(std::move(dims), std::move(values));
}
/// The one output of a kernel with float32 inputs.
inline Floats run_floats(const char* op, const std::vector<Tensor>& inputs, Ints out, Attributes attributes = {}) {
  return values_of<float>(KernelRunner(op, std::move(attributes)).run(inputs, {{DType::float32, std::move(out)}})[0]);
}
/// The message of the error that `attempt` ends with, "no error" without one.
template <class Attempt>
std::string failure(Attempt attempt) {
  try {
    attempt();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
inline const std::string out_of_range = to_string(Status::index_out_of_range);

}  // namespace ge::testing

#include "tools/model_inputs.hpp"

#include "tools/inference.hpp"
#include "tools/random_tensor.hpp"

#include "ge/base/mapped_file.hpp"
#include "ge/model/tensor_file.hpp"

#include <algorithm>

namespace ge::tools {
namespace {

std::string shape_example(const PortDescription& port) {
  std::string text = port.name + ":";
  for (size_t axis = 0; axis < port.dims.size(); ++axis) text += (axis == 0 ? "" : ",") + (port.dims[axis] < 0 ? "?" : std::to_string(port.dims[axis]));
  if (!port.rank_known) text += "?,…";
  return text;
}

/// What is known of the input's dims, with what --input_shape says where the model leaves a dim open.
std::vector<int64_t> dims_for(const PortDescription& port, const RunOptions& options) {
  std::vector<int64_t> dims = port.dims;
  const auto given = options.input_shapes.find(port.name);
  if (given != options.input_shapes.end()) {
    if (!port.rank_known) dims.assign(given->second.size(), -1);
    bool fits = dims.size() == given->second.size();
    for (size_t axis = 0; fits && axis < dims.size(); ++axis) {
      if (dims[axis] < 0) dims[axis] = given->second[axis];
      fits = given->second[axis] < 0 || given->second[axis] == dims[axis];
    }
    if (!fits)
      throw Error(ErrorCode::invalid_argument, "--input_shape gives input '" + port.name + "' the dims " + dims_to_string(given->second) + ", the model takes " + port.text);
  }
  const bool open = !port.rank_known && given == options.input_shapes.end();
  if (open || std::find(dims.begin(), dims.end(), -1) != dims.end())
    throw Error(ErrorCode::invalid_argument, "input '" + port.name + "' is " + port.text + " and has open dims: give them with --input_shape=\"" + shape_example(port) +
                                                 "\" (a number for each ?), or " + (port.kind == ValueKind::tensor ? "a tensor" : "its value") + " with --input=" + port.name +
                                                 "=@FILE." + (port.kind == ValueKind::tensor ? "npy" : "pb"));
  return dims;
}

/// Bytes of random elements for an input, refused when there are not as many left.
int64_t checked_bytes(const PortDescription& port, const std::vector<int64_t>& dims, int64_t left) {
  const auto count = element_count(dims);
  const auto bytes = count ? bytes_for(port.dtype, *count) : std::nullopt;
  if (!bytes || *bytes > left)
    throw Error(ErrorCode::out_of_memory, "input '" + port.name + "' with dims " + dims_to_string(dims) + " needs " + (bytes ? std::to_string(*bytes) : std::string("more than 2^63")) +
                                              " bytes, " + std::to_string(left) + " are left for tensors; give it smaller dims with --input_shape, or raise --max_memory");
  return *bytes;
}

Tensor read_raw(const std::string& path, const PortDescription& port, const RunOptions& options) {
  auto dims = dims_for(port, options);
  auto file = MappedFile::open(path);
  const auto count = element_count(dims);
  const auto bytes = count ? bytes_for(port.dtype, *count) : std::nullopt;
  if (port.dtype == DType::string) throw Error(ErrorCode::unsupported, "input '" + port.name + "' has strings, which a raw file cannot hold; use a .pb file");
  if (!bytes || static_cast<uint64_t>(*bytes) != file->bytes().size())
    throw Error(ErrorCode::invalid_argument, "'" + path + "' has " + std::to_string(file->bytes().size()) + " bytes; input '" + port.name + "' with dims " +
                                                 dims_to_string(dims) + " needs " + (bytes ? std::to_string(*bytes) : std::string("too many")));
  return Tensor(port.dtype, std::move(dims), file->bytes(), file);
}

Value read_input(const std::string& path, const PortDescription& port, const RunOptions& options) {
  if (port.kind != ValueKind::tensor) {
    if (path.ends_with(".pb")) return read_value_pb(path, port.kind);
    throw Error(ErrorCode::invalid_argument, "input '" + port.name + "' is " + port.text + ": it can be read from a .pb file alone");
  }
  if (path.ends_with(".npy")) return read_npy(path);
  if (path.ends_with(".pb")) return read_tensor_pb(path);
  if (path.ends_with(".bin")) return read_raw(path, port, options);
  throw Error(ErrorCode::invalid_argument, "input '" + port.name + "': '" + path + "' is no .npy, .pb or .bin file");
}

void check_names(const std::vector<PortDescription>& ports, const std::string& name, const char* option) {
  std::string known;
  for (const PortDescription& port : ports) {
    if (port.name == name) return;
    known += (known.empty() ? "" : ", ") + port.name;
  }
  throw Error(ErrorCode::unknown_name, std::string(option) + ": the model has no input '" + name + "'; its inputs are " + (known.empty() ? "none" : known));
}

}  // namespace

/// Random tensors for the input: one, or as many as a sequence or an optional is given here.
Value random_value(const PortDescription& port, const RunOptions& options, uint32_t seed, int64_t& left) {
  constexpr int tensors_of_sequence = 2;
  Value value(port.kind, {});
  const auto dims = dims_for(port, options);
  for (int i = 0; i < (held_by(port.kind) == ValueKind::sequence ? tensors_of_sequence : 1); ++i) {
    left -= checked_bytes(port, dims, left);
    value.tensors.push_back(random_tensor(port.dtype, dims, seed));
  }
  return value;
}

std::vector<Value> make_inputs(const std::vector<PortDescription>& ports, const RunOptions& options) {
  for (const auto& [name, file] : options.input_files) check_names(ports, name, "--input");
  for (const auto& [name, dims] : options.input_shapes) check_names(ports, name, "--input_shape");
  std::vector<Value> inputs;
  int64_t left = options.max_memory_bytes;
  for (size_t i = 0; i < ports.size(); ++i) {
    const auto file = options.input_files.find(ports[i].name);
    inputs.push_back(file == options.input_files.end() ? random_value(ports[i], options, static_cast<uint32_t>(i + 1), left)
                                                       : aligned(read_input(file->second, ports[i], options)));
  }
  return inputs;
}

}  // namespace ge::tools

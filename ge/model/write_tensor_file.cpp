#include "ge/model/tensor_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace ge {

std::string npy_header(const Tensor& tensor);  // npy_file.cpp

static void write_file(const std::string& path, std::string_view first, std::string_view second) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(first.data(), static_cast<std::streamsize>(first.size()));
  file.write(second.data(), static_cast<std::streamsize>(second.size()));
  file.close();
  if (!file) throw Error(ErrorCode::io, "cannot write file '" + path + "': " + std::strerror(errno));
}

void write_tensor_pb(const std::string& path, const Tensor& tensor, const std::string& name) { write_file(path, serialize_tensor_pb(tensor, name), {}); }

void write_npy(const std::string& path, const Tensor& tensor) {
  write_file(path, npy_header(tensor), {reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()});
}

}  // namespace ge

#include "ge/import/onnx/sparse_tensor.hpp"

#include <cstring>

namespace ge::onnx {
namespace {

constexpr int64_t most_dense_bytes = int64_t{256} << 20;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::invalid_model, "sparse tensor: " + what); }

/// Position of value `i` in row-major order.
int64_t position_of(const Tensor& indices, int64_t i, std::span<const int64_t> dims, int64_t count) {
  int64_t position = 0;
  if (indices.dims().size() == 1) {
    position = indices.at<int64_t>(i);
    if (position < 0 || position >= count) refuse("index " + std::to_string(position) + " is out of range, expected 0 to " + std::to_string(count - 1));
    return position;
  }
  const auto rank = static_cast<int64_t>(dims.size());
  for (int64_t axis = 0; axis < rank; ++axis) {
    const int64_t at = indices.at<int64_t>(i * rank + axis), size = dims[static_cast<size_t>(axis)];
    if (at < 0 || at >= size) refuse("index " + std::to_string(at) + " is out of range, expected 0 to " + std::to_string(size - 1) + " on axis " + std::to_string(axis));
    position = position * size + at;
  }
  return position;
}

}  // namespace

SparseTensorProto read_sparse_tensor(const Message& message) {
  SparseTensorProto sparse;
  for (Fields f(message, "SparseTensorProto"); f.next();) switch (f.id()) {
      case 1: sparse.values = read_tensor(f.message()); break;
      case 2: sparse.indices = read_tensor(f.message()); break;
      case 3:
        f.each_integer([&](int64_t dim) {
          if (sparse.dims.size() == 255) f.fail("more than 255 dims");
          sparse.dims.push_back(dim);
        });
        break;
      default: f.skip();
    }
  return sparse;
}

Tensor make_dense(const SparseTensorProto& proto, Source& source) {
  const Tensor values = make_tensor(proto.values, source);
  const auto count = element_count(proto.dims);
  const auto size = count ? bytes_for(values.dtype(), *count) : std::nullopt;
  if (!size) refuse("dims " + dims_to_string(proto.dims) + " do not give a 64-bit size");
  if (values.dims().size() != 1) refuse("its values have dims " + dims_to_string(values.dims()) + ", expected one axis");
  // Without values the indices may be left out.
  const Tensor indices = values.count() == 0 && proto.indices.data_type == 0 ? Tensor::ints({}) : make_tensor(proto.indices, source);
  const bool linear = indices.dims() == std::vector<int64_t>{values.count()};
  if (indices.dtype() != DType::int64 || (!linear && indices.dims() != std::vector<int64_t>{values.count(), static_cast<int64_t>(proto.dims.size())}))
    refuse("its indices are " + std::string(to_string(indices.dtype())) + dims_to_string(indices.dims()) + ", expected int64 with one position or " +
           std::to_string(proto.dims.size()) + " coordinates for each of " + std::to_string(values.count()) + " values");
  const auto width = static_cast<int64_t>(bits_of(values.dtype()) / 8);
  if (values.dtype() == DType::string || width == 0) refuse("elements of " + std::string(to_string(values.dtype())) + " are not read; store them densely");
  if (*size > most_dense_bytes - source.sparse_bytes)
    refuse("with its zeros it has " + std::to_string(*size) + " bytes, and all such tensors of the model more than " + std::to_string(most_dense_bytes) + "; store it densely");
  source.sparse_bytes += *size;
  Tensor dense = Tensor::zeros(values.dtype(), proto.dims);
  for (int64_t i = 0; i < values.count(); ++i) {
    const int64_t to = position_of(indices, i, proto.dims, *count);
    std::memcpy(dense.mutable_data() + to * width, values.bytes().data() + i * width, static_cast<size_t>(width));
  }
  return dense;
}

}  // namespace ge::onnx

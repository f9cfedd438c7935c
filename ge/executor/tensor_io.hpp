#pragma once
#include "ge/kernels/kernel.hpp"

#include <array>
#include <span>
#include <vector>

namespace ge {

/// An input of one run: a view of the caller's memory, read only during the run. String elements are StringRefs.
struct InputTensor {
  const void* data = nullptr;
  DType dtype = DType::undefined;
  std::span<const int64_t> dims;
  int64_t size_bytes = 0;
};

/// An output of one run. The caller gives memory of at least the output's size, or none: then the instance lends memory
/// of its own, good until its next run. What the run fills in: `data` (where it lends), dtype, rank, dims, size_bytes.
struct OutputTensor {
  void* data = nullptr;
  int64_t capacity_bytes = 0;   ///< of the caller's memory
  bool lent = false;            ///< `data` belongs to the instance
  DType dtype = DType::undefined;
  size_t rank = 0;
  std::array<int64_t, max_rank> dims{};
  int64_t size_bytes = 0;

  std::span<const int64_t> shape() const { return {dims.data(), rank}; }
};

/// An input of any kind: a tensor is one of `tensors`, an optional one or none, a sequence any number.
struct InputValue {
  std::span<const InputTensor> tensors;
  bool present = true;  ///< false: an optional that holds nothing
};

/// An output of any kind. A tensor has one of `tensors`, with the caller's memory or without, as above. For other kinds the
/// run sets their number; those that were there before keep their memory, so that a second run of the same lengths
/// allocates nothing.
struct OutputValue {
  std::vector<OutputTensor> tensors;
  bool present = true;  ///< false: an optional that holds nothing
};

}  // namespace ge

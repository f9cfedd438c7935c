#pragma once
#include "ge/base/small_float.hpp"
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

namespace ge::reference {

/// Floats of 8 bits and fewer, integers of 4 and 2 bits: what Cast and the quantising ops take beyond convertible.
inline constexpr DTypeSet small_types = dtypes::small_floats | dtypes::packed;

// Types of which several elements share a byte (4 and 2 bits). Two rules keep chunks from writing the same byte:
//  - a kernel that stores runs of elements cuts them where bytes end (whole_byte_range);
//  - a kernel that only moves elements works on a byte an element, between tasks that unpack and pack (prepare_unpacked).

/// Part `chunk` of elements 0..n-1 cut into `chunks` parts; each starts on a whole byte, whatever the dtype.
inline Range whole_byte_range(int64_t n, uint32_t chunks, uint32_t chunk) {
  constexpr int64_t most_per_byte = 4;
  const Range groups = chunk_range(n / most_per_byte + (n % most_per_byte != 0), chunks, chunk);
  return {groups.first * most_per_byte, groups.last * most_per_byte < n ? groups.last * most_per_byte : n};
}

/// Loads and stores of packed elements; null for other dtypes. Storing: `first` is where a byte starts and `stride` is 1;
/// what the last byte has left becomes 0.
template <class T>
LoadBlock<T> packed_loader(DType dtype);
template <class T>
StoreBlock<T> packed_storer(DType dtype);

/// Prepares a kernel that moves elements of whole bytes: as it is, or, where inputs or outputs are packed, on copies of
/// them with one byte an element.
void prepare_unpacked(const KernelSite& site, TaskBuilder& builder, PrepareFn prepare);
template <PrepareFn Prepare>
void on_whole_bytes(const KernelSite& site, TaskBuilder& builder) {
  prepare_unpacked(site, builder, Prepare);
}

}  // namespace ge::reference

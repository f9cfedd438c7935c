#pragma once
#include "ge/base/tensor.hpp"

#include <span>
#include <vector>

namespace ge {

/// A string constant in the weights section: for each string (offset from the start of the block, size) as two uint64,
/// then all characters. Offsets, unlike the addresses in a StringRef, hold wherever the file is mapped.
std::vector<std::byte> write_string_block(const Tensor& strings);

/// References to the `count` strings of `block`, which may be unaligned and must outlive them. Throws
/// Error(corrupt_file) when a string is not inside the block.
std::vector<StringRef> read_string_block(std::span<const std::byte> block, uint64_t count);

}  // namespace ge

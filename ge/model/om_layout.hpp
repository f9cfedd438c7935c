#pragma once
#include "ge/model/om_format.hpp"

#include <vector>

namespace ge::om {

/// Proves that a file of `file_size` bytes, whose first bytes are given (a whole header where the file has one), is of
/// this format and complete.
Header read_header(std::span<const std::byte> first_bytes, uint64_t file_size);

/// The section table of a whole file, once proven: the header's checksum, that this machine can run it, that sections
/// lie one after the other with zeros between and match their checksums (the weights' only if `verify_weights`).
std::vector<SectionEntry> read_sections(std::span<const std::byte> file, bool verify_weights);

}  // namespace ge::om

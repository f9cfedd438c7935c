#pragma once
#include "ge/model/om_format.hpp"

#include <cstddef>
#include <cstdint>
#include <random>

namespace ge::fuzz {

/// Makes size and checksums of a model file's bytes right after a change, as someone who means harm would. What has no
/// place for a header and one section stays as it is.
void reseal(uint8_t* data, size_t size);

using Mutate = size_t (*)(uint8_t* data, size_t size, size_t max_size);

/// Changes one section by `mutate`, or a few words of it (small numbers pass more checks than noise does), moves the
/// sections behind it, and sets the table to match. Returns the new size.
size_t mutate_section(uint8_t* data, size_t size, size_t max_size, std::minstd_rand& random, Mutate mutate);

}  // namespace ge::fuzz

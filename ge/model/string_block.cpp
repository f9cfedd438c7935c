#include "ge/model/string_block.hpp"

namespace ge {
namespace {

struct Place {
  uint64_t offset, size;
};

}  // namespace

std::vector<std::byte> write_string_block(const Tensor& strings) {
  const auto count = static_cast<size_t>(strings.count());
  std::vector<std::byte> block(count * sizeof(Place));
  for (size_t i = 0; i < count; ++i) {
    const std::string_view text = strings.at<StringRef>(static_cast<int64_t>(i)).view();
    const Place place{block.size(), text.size()};
    std::memcpy(block.data() + i * sizeof(Place), &place, sizeof(Place));
    const auto characters = std::as_bytes(std::span(text));
    block.insert(block.end(), characters.begin(), characters.end());
  }
  return block;
}

std::vector<StringRef> read_string_block(std::span<const std::byte> block, uint64_t count) {
  if (count > block.size() / sizeof(Place))
    throw Error(ErrorCode::corrupt_file, "a constant of " + std::to_string(count) + " strings has " + std::to_string(block.size()) +
                                             " bytes, expected " + std::to_string(sizeof(Place)) + " for each and the characters");
  std::vector<StringRef> strings;
  strings.reserve(static_cast<size_t>(count));
  for (size_t i = 0; i < count; ++i) {
    Place place;
    std::memcpy(&place, block.data() + i * sizeof(Place), sizeof(Place));
    if (place.offset > block.size() || place.size > block.size() - place.offset)
      throw Error(ErrorCode::corrupt_file, "string " + std::to_string(i) + " of a constant is bytes " + std::to_string(place.offset) + " + " +
                                               std::to_string(place.size) + " of " + std::to_string(block.size()));
    strings.push_back({reinterpret_cast<const char*>(block.data()) + place.offset, place.size});
  }
  return strings;
}

}  // namespace ge

#include "ge/base/error.hpp"
#include "ge/model/om_format.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ge::om {

Checksum::Checksum() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw Error(ErrorCode::out_of_memory, "no memory for the state of a checksum");
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}
Checksum::~Checksum() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }

void Checksum::add(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size());
}
uint64_t Checksum::value() const { return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_)); }

uint64_t checksum_of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

uint64_t checksum_of(Header header, std::span<const SectionEntry> table) {
  header.checksum = 0;
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(&header, 1)));
  checksum.add(std::as_bytes(table));
  return checksum.value();
}

}  // namespace ge::om

#include "fuzz/reseal.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace ge::fuzz {
namespace {

using Bytes = std::vector<uint8_t>;

/// Header and sections apart, so that any of them can change its size.
struct Parts {
  om::Header header;
  std::vector<om::SectionEntry> table;
  std::vector<Bytes> sections;
};

/// False when the bytes are no header with sections inside the file.
bool take_apart(const uint8_t* data, size_t size, Parts& parts) {
  if (size < sizeof(om::Header)) return false;
  std::memcpy(&parts.header, data, sizeof(om::Header));
  if (parts.header.section_count == 0 || parts.header.section_count > 64) return false;
  if ((size - sizeof(om::Header)) / sizeof(om::SectionEntry) < parts.header.section_count) return false;
  parts.table.resize(parts.header.section_count);
  std::memcpy(parts.table.data(), data + sizeof(om::Header), parts.table.size() * sizeof(om::SectionEntry));
  for (const om::SectionEntry& entry : parts.table) {
    if (entry.offset > size || entry.size > size - entry.offset) return false;
    parts.sections.emplace_back(data + entry.offset, data + entry.offset + entry.size);
  }
  return true;
}

Bytes put_together(Parts& parts) {
  Bytes file(sizeof(om::Header) + parts.table.size() * sizeof(om::SectionEntry));
  for (size_t i = 0; i < parts.table.size(); ++i) {
    parts.table[i].offset = om::aligned(file.size());
    parts.table[i].size = parts.sections[i].size();
    file.resize(parts.table[i].offset);
    file.insert(file.end(), parts.sections[i].begin(), parts.sections[i].end());
  }
  std::memcpy(file.data(), &parts.header, sizeof(om::Header));
  std::memcpy(file.data() + sizeof(om::Header), parts.table.data(), parts.table.size() * sizeof(om::SectionEntry));
  return file;
}

void change_words(Bytes& section, std::minstd_rand& random) {
  const auto words = section.size() / 4;
  for (unsigned changes = 1 + random() % 3; changes > 0 && words > 0; --changes) {
    uint32_t word = 0;
    const size_t at = random() % words * 4;
    std::memcpy(&word, section.data() + at, 4);
    const uint32_t values[] = {static_cast<uint32_t>(random() % 16), word + 1, word - 1, UINT32_MAX, static_cast<uint32_t>(random()), word ^ (1u << random() % 32)};
    word = values[random() % std::size(values)];
    std::memcpy(section.data() + at, &word, 4);
  }
}

}  // namespace

void reseal(uint8_t* data, size_t size) {
  Parts parts;
  if (!take_apart(data, size, parts)) return;
  parts.header.file_bytes = size;
  parts.header.checksum = 0;
  for (size_t i = 0; i < parts.table.size(); ++i) parts.table[i].checksum = XXH3_64bits(parts.sections[i].data(), parts.sections[i].size());
  std::memcpy(data + sizeof(om::Header), parts.table.data(), parts.table.size() * sizeof(om::SectionEntry));
  std::memcpy(data, &parts.header, sizeof(om::Header));
  parts.header.checksum = XXH3_64bits(data, sizeof(om::Header) + parts.table.size() * sizeof(om::SectionEntry));
  std::memcpy(data, &parts.header, sizeof(om::Header));
}

size_t mutate_section(uint8_t* data, size_t size, size_t max_size, std::minstd_rand& random, Mutate mutate) {
  Parts parts;
  if (!take_apart(data, size, parts)) return mutate(data, size, max_size);
  if (random() % 32 == 0) {  // the header or the table itself
    const size_t head = std::min(size, sizeof(om::Header) + parts.table.size() * sizeof(om::SectionEntry));
    mutate(data, head, head);
    return size;
  }
  const size_t which = random() % parts.table.size();
  Bytes& section = parts.sections[which];
  if (random() % 2 == 0) {
    change_words(section, random);
  } else {
    const size_t before = section.size(), room = before + (max_size > size ? std::min<size_t>(max_size - size, 256) : 0);
    section.resize(room == 0 ? 1 : room);
    size_t after = mutate(section.data(), before, section.size());
    const size_t row = std::max<size_t>(parts.table[which].row_bytes, 1);
    if (random() % 8 != 0) after = after / row * row;  // whole rows
    section.resize(after);
  }
  const Bytes file = put_together(parts);
  if (file.size() > max_size) return size;
  std::copy(file.begin(), file.end(), data);
  return file.size();
}

}  // namespace ge::fuzz

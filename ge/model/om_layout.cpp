#include "ge/model/om_layout.hpp"

#include "ge/base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace ge::om {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::corrupt_file, why + "; copy or compile the file again"); }

std::string section_name(SectionId id) {
  std::string name;
  for_each_table(static_cast<const Program&>(Program()), [&](SectionId table, const char* text, auto&) {
    if (table == id) name = text;
  });
  if (id == SectionId::name) name = "name";
  if (id == SectionId::metadata) name = "metadata";
  if (id == SectionId::weights) name = "weights";
  return name.empty() ? "section " + std::to_string(static_cast<uint32_t>(id)) : "section '" + name + "'";
}

template <size_t N>
std::string_view text_field(const char (&field)[N]) { return {field, strnlen(field, N)}; }

void check_target(const Header& header) {
  const auto architecture = text_field(header.architecture);
  if (architecture != "any" && architecture != host_architecture())
    throw Error(ErrorCode::unsupported, "the model file is for architecture '" + std::string(architecture) + "', this machine is '" +
                                            std::string(host_architecture()) + "'; compile the model for this machine");
  std::string_view features = text_field(header.cpu_features);
  while (!features.empty()) {
    const auto feature = features.substr(0, features.find(','));
    features.remove_prefix(std::min(features.size(), feature.size() + 1));
    if (!host_has_feature(feature))
      throw Error(ErrorCode::unsupported, "the model file needs the CPU feature '" + std::string(feature) +
                                              "', which this machine does not have; compile the model for this machine");
  }
}

void check_zero(std::span<const std::byte> gap, uint64_t offset) {
  const auto found = std::ranges::find_if(gap, [](std::byte b) { return b != std::byte{0}; });
  if (found != gap.end()) refuse("the model file is damaged: byte " + std::to_string(offset + static_cast<uint64_t>(found - gap.begin())) + " lies between sections and is not zero");
}

void check_section(std::span<const std::byte> file, const SectionEntry& entry, uint64_t end_of_previous, bool verify) {
  const uint64_t expected = aligned(end_of_previous);
  if (entry.offset != expected)
    refuse(section_name(entry.id) + " begins at byte " + std::to_string(entry.offset) + ", expected " + std::to_string(expected) + ", after the one before it");
  if (entry.offset > file.size() || entry.size > file.size() - entry.offset)
    refuse(section_name(entry.id) + " is bytes " + std::to_string(entry.offset) + " + " + std::to_string(entry.size) + " of a file with " + std::to_string(file.size()));
  check_zero(file.subspan(end_of_previous, expected - end_of_previous), end_of_previous);
  if (!verify) return;
  const uint64_t found = checksum_of(file.subspan(entry.offset, entry.size));
  if (found != entry.checksum)
    refuse(section_name(entry.id) + " is damaged: its checksum is " + std::to_string(found) + ", expected " + std::to_string(entry.checksum));
}

}  // namespace

Header read_header(std::span<const std::byte> first_bytes, uint64_t file_size) {
  if constexpr (!host_is_little_endian) throw Error(ErrorCode::unsupported, "model files are read on little-endian machines only");
  const size_t magic_bytes = std::min(first_bytes.size(), sizeof(magic));
  if (magic_bytes != 0 && std::memcmp(first_bytes.data(), magic, magic_bytes) != 0)
    throw Error(ErrorCode::corrupt_file, "this is not a model file of this library (.om): its first bytes are others than expected; to use a model of another format, compile it first");
  if (file_size >= offsetof(Header, section_count)) {
    // Before the size: a newer format may have another header, but has its version in the same place.
    uint32_t version;
    std::memcpy(&version, first_bytes.data() + offsetof(Header, format_version), sizeof(version));
    if (version > format_version)
      throw Error(ErrorCode::unsupported, "the model file has format version " + std::to_string(version) + ", this library (" +
                                              std::string(library_version) + ") reads up to version " + std::to_string(format_version) +
                                              "; use a newer library or compile the model with this one");
    if (version != format_version) refuse("the model file has format version " + std::to_string(version) + ", expected " + std::to_string(format_version));
  }
  if (file_size < sizeof(Header)) refuse("the model file is truncated: found " + std::to_string(file_size) + " bytes, expected a header of " + std::to_string(sizeof(Header)));
  Header header;
  std::memcpy(&header, first_bytes.data(), sizeof(Header));
  if (header.file_bytes != file_size)
    refuse(std::string("the model file is ") + (file_size < header.file_bytes ? "truncated" : "too long") + ": found " + std::to_string(file_size) + " bytes, expected " + std::to_string(header.file_bytes));
  if (header.section_count > (file_size - sizeof(Header)) / sizeof(SectionEntry))
    refuse("the model file has no room for a table of " + std::to_string(header.section_count) + " sections");
  return header;
}

std::vector<SectionEntry> read_sections(std::span<const std::byte> file, bool verify_weights) {
  const Header header = read_header(file.first(std::min(file.size(), sizeof(Header))), file.size());
  std::vector<SectionEntry> table(header.section_count);
  if (!table.empty()) std::memcpy(table.data(), file.data() + sizeof(Header), table.size() * sizeof(SectionEntry));
  if (checksum_of(header, table) != header.checksum) refuse("the header of the model file is damaged: its checksum does not match");
  check_target(header);
  uint64_t end = sizeof(Header) + table.size() * sizeof(SectionEntry);
  for (const SectionEntry& entry : table) {
    check_section(file, entry, end, verify_weights || entry.id != SectionId::weights);
    end = entry.offset + entry.size;
  }
  if (end != file.size()) refuse("the last section ends at byte " + std::to_string(end) + ", expected the end of the file, " + std::to_string(file.size()));
  return table;
}

}  // namespace ge::om

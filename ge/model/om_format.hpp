#pragma once
// The layout of a model file. All numbers are little-endian.
//
//   header (256 bytes) | section table (one entry of 32 bytes a section) | sections
//
// Each section begins at the next multiple of 64 after what precedes it, in the order of the table; the gaps are zero;
// the file ends with the last section. So every byte is covered by the header's checksum, a section's, or the rule that
// gaps are zero. Table sections are the rows of ge/model/program.hpp as they are: a change to a row, to a number of an
// enum there or to PostfixOp is a new format version. Sections of unknown id are skipped.

#include "ge/model/program.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ge::om {

/// The line ends and the high bit show a file that was transferred as text.
inline constexpr char magic[8] = {'\x89', 'G', 'E', 'O', 'M', '\r', '\n', '\x1a'};
inline constexpr uint32_t format_version = 1;
inline constexpr std::string_view library_version = "0.1.0";
inline constexpr uint64_t section_alignment = 64;
inline constexpr bool host_is_little_endian = std::endian::native == std::endian::little;

struct Header {
  char magic[8] = {};
  uint32_t format_version = 0;  ///< keeps its place in every version
  uint32_t section_count = 0;
  uint64_t file_bytes = 0;
  uint64_t checksum = 0;        ///< of header and section table, with this field zero
  char library_version[32] = {};
  char architecture[32] = {};   ///< zero-terminated, as are the others
  char cpu_features[160] = {};
};
static_assert(sizeof(Header) == 256);

enum class SectionId : uint32_t {
  symbols = 1, values, expressions, ops, ranges, conditions, constants, attributes, inputs, outputs,
  operands = 32, code, numbers, text,
  name = 64,      ///< the model's name, characters
  metadata = 65,  ///< CBOR, or empty
  weights = 66,
};

struct SectionEntry {
  SectionId id{};
  uint32_t row_bytes = 0;  ///< size of one row
  uint64_t offset = 0;     ///< from the start of the file
  uint64_t size = 0;       ///< in bytes
  uint64_t checksum = 0;   ///< XXH3, 64 bits
};
static_assert(sizeof(SectionEntry) == 32);

constexpr uint64_t aligned(uint64_t offset) { return (offset + section_alignment - 1) / section_alignment * section_alignment; }

/// Calls visit(id, name, table) for each table of a Program or ProgramTables.
template <class Tables, class Visit>
void for_each_table(Tables& t, Visit&& visit) {
  visit(SectionId::symbols, "symbols", t.symbols);
  visit(SectionId::values, "values", t.values);
  visit(SectionId::expressions, "expressions", t.expressions);
  visit(SectionId::ops, "ops", t.ops);
  visit(SectionId::ranges, "ranges", t.ranges);
  visit(SectionId::conditions, "conditions", t.conditions);
  visit(SectionId::constants, "constants", t.constants);
  visit(SectionId::attributes, "attributes", t.attributes);
  visit(SectionId::inputs, "inputs", t.inputs);
  visit(SectionId::outputs, "outputs", t.outputs);
  visit(SectionId::operands, "operands", t.operands);
  visit(SectionId::code, "code", t.code);
  visit(SectionId::numbers, "numbers", t.numbers);
  visit(SectionId::text, "text", t.text);
}

/// XXH3 with 64 bits, over bytes given in pieces.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(const Checksum&) = delete;
  Checksum& operator=(const Checksum&) = delete;
  void add(std::span<const std::byte> bytes);
  uint64_t value() const;

 private:
  void* state_;
};
uint64_t checksum_of(std::span<const std::byte> bytes);
/// That of `header` (its checksum field taken as zero) and the section table.
uint64_t checksum_of(Header header, std::span<const SectionEntry> table);

/// "x86-64", "aarch64", or "unknown".
std::string_view host_architecture();
/// Whether this CPU has a feature, by GCC's name for it; false for names not known here.
bool host_has_feature(std::string_view feature);

/// JSON text to CBOR and back. Throw Error(invalid_argument) and Error(corrupt_file).
std::vector<uint8_t> metadata_to_cbor(const std::string& json);
std::string metadata_from_cbor(std::span<const std::byte> cbor);

}  // namespace ge::om

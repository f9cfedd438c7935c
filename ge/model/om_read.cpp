#include "ge/base/mapped_file.hpp"
#include "ge/model/om.hpp"
#include "ge/model/om_layout.hpp"
#include "ge/model/string_block.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace ge {
namespace {

/// The bytes of the one section of that id, which has rows of `row_bytes`.
std::span<const std::byte> find_section(std::span<const std::byte> file, const std::vector<om::SectionEntry>& table, om::SectionId id,
                                        const char* name, size_t row_bytes) {
  const om::SectionEntry* found = nullptr;
  for (const om::SectionEntry& entry : table) {
    if (entry.id != id) continue;
    if (found) throw Error(ErrorCode::corrupt_file, std::string("the model file has two sections '") + name + "', expected one");
    found = &entry;
  }
  if (!found) throw Error(ErrorCode::corrupt_file, std::string("the model file has no section '") + name + "'");
  if (found->row_bytes != row_bytes || found->size % row_bytes != 0)
    throw Error(ErrorCode::corrupt_file, std::string("section '") + name + "' has " + std::to_string(found->size) + " bytes in rows of " +
                                             std::to_string(found->row_bytes) + ", expected rows of " + std::to_string(row_bytes));
  return file.subspan(found->offset, found->size);
}

std::shared_ptr<std::byte> allocate(uint64_t size) {
  if (size > SIZE_MAX - om::section_alignment) throw Error(ErrorCode::out_of_memory, "a model file of " + std::to_string(size) + " bytes fits in no memory");
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(om::section_alignment, std::max(om::aligned(size), om::section_alignment)));
  if (!memory) throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(size) + " bytes for a model file");
  return {memory, [](std::byte* p) { std::free(p); }};
}

bool is_aligned(const std::byte* data) { return reinterpret_cast<uintptr_t>(data) % om::section_alignment == 0; }

}  // namespace

OmFile::OmFile(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, OmReadOptions options)
    : owner_(std::move(owner)), bytes_(bytes) {
  const auto table = om::read_sections(bytes, options.weights == OmReadOptions::Weights::verify);
  om::for_each_table(program_, [&](om::SectionId id, const char* name, auto& rows) {
    using Row = std::remove_reference_t<decltype(rows[0])>;
    const auto section = find_section(bytes, table, id, name, sizeof(Row));
    rows = {reinterpret_cast<Row*>(section.data()), section.size() / sizeof(Row)};
  });
  weights_ = find_section(bytes, table, om::SectionId::weights, "weights", 1);
  metadata_ = find_section(bytes, table, om::SectionId::metadata, "metadata", 1);
  const auto name = find_section(bytes, table, om::SectionId::name, "name", 1);
  name_.assign(reinterpret_cast<const char*>(name.data()), name.size());
  check_program(program_, weights_.size());
  rebuild_strings();
}

/// Addresses for the strings of each place in the weights. Places do not overlap (check_program), so this takes no more
/// memory than the file has for their offsets.
void OmFile::rebuild_strings() {
  std::unordered_map<uint64_t, uint32_t> array_at;
  for (uint32_t row = 0; row < program_.constants.size(); ++row) {
    const ConstantRow& constant = program_.constants[row];
    if (static_cast<DType>(constant.dtype) != DType::string) continue;
    string_array_of_row_.resize(program_.constants.size(), no_index);
    const auto count = element_count(program_.numbers.subspan(constant.dims.first, constant.dims.count)).value_or(0);
    const auto [known, is_new] = count == 0 ? std::pair(array_at.end(), true) : array_at.try_emplace(constant.offset, static_cast<uint32_t>(string_arrays_.size()));
    if (is_new) {
      in_context([&] { return "reading constant " + std::to_string(row); },
                 [&] { string_arrays_.push_back(read_string_block(weights_.subspan(constant.offset, constant.size), static_cast<uint64_t>(count))); });
    }
    string_array_of_row_[row] = is_new ? static_cast<uint32_t>(string_arrays_.size() - 1) : known->second;
  }
}

std::shared_ptr<const OmFile> OmFile::open(const std::string& path, OmReadOptions options) {
  const auto file = MappedFile::open(path);
  return in_context([&] { return "loading model file '" + path + "'"; }, [&] { return std::shared_ptr<const OmFile>(new OmFile(file, file->bytes(), options)); });
}

std::shared_ptr<const OmFile> OmFile::from_buffer(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, OmReadOptions options) {
  if (!is_aligned(bytes.data())) {
    om::read_header(bytes.first(std::min(bytes.size(), sizeof(om::Header))), bytes.size());
    auto copy = allocate(bytes.size());
    std::ranges::copy(bytes, copy.get());
    bytes = {copy.get(), bytes.size()};
    owner = std::move(copy);
  }
  return std::shared_ptr<const OmFile>(new OmFile(std::move(owner), bytes, options));
}

std::shared_ptr<const OmFile> OmFile::from_reader(const ReadAt& read_at, uint64_t size, OmReadOptions options) {
  const auto read = [&](uint64_t offset, std::span<std::byte> into) {
    if (!into.empty() && !read_at(offset, into))
      throw Error(ErrorCode::io, "the reader of a model file gave no " + std::to_string(into.size()) + " bytes at offset " + std::to_string(offset));
  };
  std::byte first[sizeof(om::Header)];
  const std::span<std::byte> header(first, static_cast<size_t>(std::min<uint64_t>(size, sizeof(first))));
  read(0, header);
  om::read_header(header, size);
  auto memory = allocate(size);
  const std::span<std::byte> bytes(memory.get(), static_cast<size_t>(size));
  read(0, bytes);
  return std::shared_ptr<const OmFile>(new OmFile(std::move(memory), bytes, options));
}

std::string OmFile::metadata_json() const { return om::metadata_from_cbor(metadata_); }

const std::byte* OmFile::constant_data(uint32_t row) const noexcept {
  const ConstantRow& constant = program_.constants[row];
  if (static_cast<DType>(constant.dtype) != DType::string) return weights_.data() + constant.offset;
  return reinterpret_cast<const std::byte*>(string_arrays_[string_array_of_row_[row]].data());
}

Tensor OmFile::constant(uint32_t row) const {
  const ConstantRow& constant = program_.constants[row];
  const auto own = program_.numbers.subspan(constant.dims.first, constant.dims.count);
  const auto dtype = constant.packing.count != 0 ? DType::uint8 : static_cast<DType>(constant.dtype);
  std::vector<int64_t> dims(own.begin(), own.end());
  if (constant.packing.count != 0) dims = {static_cast<int64_t>(constant.size)};
  const auto size = dtype == DType::string ? static_cast<size_t>(element_count(own).value_or(0)) * sizeof(StringRef) : static_cast<size_t>(constant.size);
  return Tensor(dtype, std::move(dims), {constant_data(row), size}, shared_from_this());
}

}  // namespace ge

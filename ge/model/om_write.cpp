#include "ge/model/om.hpp"
#include "ge/model/om_format.hpp"
#include "ge/base/replace_file.hpp"
#include "ge/model/string_block.hpp"

#include <algorithm>
#include <unordered_map>

namespace ge {
namespace {

using Bytes = std::span<const std::byte>;
using Sink = std::function<void(Bytes)>;

/// Where each constant lies in the weights section, and what is written there. Equal bytes are stored once.
class WeightsLayout {
 public:
  explicit WeightsLayout(const GeModel& model) : rows_(model.tables.constants) {
    if (rows_.size() != model.constants.size())
      throw Error(ErrorCode::internal, "a model has " + std::to_string(model.constants.size()) + " constants, but its table has " +
                                           std::to_string(rows_.size()) + " rows");
    for (size_t i = 0; i < rows_.size(); ++i) place(rows_[i], model.constants[i]);
  }

  const std::vector<ConstantRow>& rows() const { return rows_; }
  uint64_t size() const { return size_; }

  void emit(const Sink& sink) const {
    uint64_t at = 0;
    for (const Piece& piece : pieces_) {
      sink(zeros(piece.offset - at));
      sink(piece.bytes);
      at = piece.offset + piece.bytes.size();
    }
  }

  /// Less than a section alignment's worth of zeros.
  static Bytes zeros(uint64_t count) {
    static constexpr std::byte none[om::section_alignment] = {};
    return Bytes(none, static_cast<size_t>(count));
  }

 private:
  struct Piece {
    uint64_t offset;
    Bytes bytes;
    uint32_t dtype;
  };

  void place(ConstantRow& row, const Tensor& tensor) {
    Bytes bytes = tensor.bytes();
    if (tensor.dtype() == DType::string) bytes = string_blocks_.emplace_back(write_string_block(tensor));
    row.dtype = static_cast<uint32_t>(tensor.dtype());
    row.size = bytes.size();
    row.offset = 0;
    if (bytes.empty()) return;
    // Only the first piece of a checksum is compared, which keeps this linear whatever the bytes are.
    const auto [known, is_new] = by_checksum_.try_emplace(om::checksum_of(bytes), pieces_.size());
    if (!is_new) {
      const Piece& other = pieces_[known->second];
      if (other.dtype == row.dtype && std::ranges::equal(other.bytes, bytes)) {
        row.offset = other.offset;
        return;
      }
    }
    row.offset = om::aligned(size_);
    pieces_.push_back({row.offset, bytes, row.dtype});
    size_ = row.offset + bytes.size();
  }

  std::vector<ConstantRow> rows_;
  std::vector<Piece> pieces_;
  std::vector<std::vector<std::byte>> string_blocks_;  // moving a vector keeps its bytes in place
  std::unordered_map<uint64_t, size_t> by_checksum_;
  uint64_t size_ = 0;
};

void set_text(std::span<char> field, std::string_view text, const char* what) {
  if (text.size() >= field.size())
    throw Error(ErrorCode::invalid_argument, std::string(what) + " '" + std::string(text) + "' has " + std::to_string(text.size()) +
                                                 " characters, expected less than " + std::to_string(field.size()));
  std::ranges::copy(text, field.begin());
}

/// Everything of a file but the bytes of the weights, which are passed through from the model's tensors.
class OmImage {
 public:
  OmImage(const GeModel& model, const std::string& metadata_json, const OmTarget& target)
      : weights_(model), metadata_(om::metadata_to_cbor(metadata_json)) {
    if constexpr (!om::host_is_little_endian) throw Error(ErrorCode::unsupported, "model files are written on little-endian machines only");
    Program program = model.tables.view();
    program.constants = weights_.rows();
    check(program);
    om::for_each_table(program, [&](om::SectionId id, const char*, auto rows) { add(id, sizeof(rows[0]), std::as_bytes(rows)); });
    add(om::SectionId::name, 1, std::as_bytes(std::span(model.name)));
    add(om::SectionId::metadata, 1, std::as_bytes(std::span(metadata_)));
    add_weights();
    place_sections();
    fill_header(target);
  }

  uint64_t size() const { return header_.file_bytes; }

  void emit(const Sink& sink) const {
    sink(std::as_bytes(std::span(&header_, 1)));
    sink(std::as_bytes(std::span(table_)));
    uint64_t at = sizeof(header_) + table_.size() * sizeof(om::SectionEntry);
    for (size_t i = 0; i < table_.size(); ++i) {
      sink(WeightsLayout::zeros(table_[i].offset - at));
      if (table_[i].id == om::SectionId::weights) weights_.emit(sink);
      else sink(contents_[i]);
      at = table_[i].offset + table_[i].size;
    }
  }

 private:
  void check(const Program& program) const {
    try {
      check_program(program, weights_.size());
    } catch (const Error& error) {
      throw Error(ErrorCode::internal, std::string("the compiled program is broken: ") + error.what());
    }
  }

  void add(om::SectionId id, size_t row_bytes, Bytes bytes) {
    table_.push_back({id, static_cast<uint32_t>(row_bytes), 0, bytes.size(), om::checksum_of(bytes)});
    contents_.push_back(bytes);
  }

  void add_weights() {
    om::Checksum checksum;
    weights_.emit([&](Bytes bytes) { checksum.add(bytes); });
    table_.push_back({om::SectionId::weights, 1, 0, weights_.size(), checksum.value()});
    contents_.push_back({});
  }

  void place_sections() {
    uint64_t at = sizeof(om::Header) + table_.size() * sizeof(om::SectionEntry);
    for (om::SectionEntry& entry : table_) {
      entry.offset = om::aligned(at);
      at = entry.offset + entry.size;
    }
    header_.file_bytes = at;
  }

  void fill_header(const OmTarget& target) {
    std::ranges::copy(om::magic, header_.magic);
    header_.format_version = om::format_version;
    header_.section_count = static_cast<uint32_t>(table_.size());
    set_text(header_.library_version, om::library_version, "library version");
    set_text(header_.architecture, target.architecture, "architecture");
    set_text(header_.cpu_features, target.cpu_features, "list of CPU features");
    header_.checksum = om::checksum_of(header_, table_);
  }

  WeightsLayout weights_;
  std::vector<uint8_t> metadata_;
  std::vector<om::SectionEntry> table_;
  std::vector<Bytes> contents_;  ///< by section; empty for the weights
  om::Header header_;
};

}  // namespace

void write_om(const std::string& path, const GeModel& model, const std::string& metadata_json, const OmTarget& target) {
  const OmImage image(model, metadata_json, target);
  ReplaceFile file(path);
  image.emit([&](Bytes bytes) { file.write(bytes); });
  file.commit();
}

std::vector<std::byte> write_om_bytes(const GeModel& model, const std::string& metadata_json, const OmTarget& target) {
  const OmImage image(model, metadata_json, target);
  std::vector<std::byte> bytes;
  bytes.reserve(image.size());
  image.emit([&](Bytes piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  return bytes;
}

}  // namespace ge

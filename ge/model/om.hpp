#pragma once
#include "ge/model/program.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ge {

/// The machine that a model file's packings and code need. "any" runs everywhere.
struct OmTarget {
  std::string architecture = "any";  ///< "any", "x86-64", "aarch64"
  std::string cpu_features;          ///< names joined by commas: "avx2,fma"
};

/// Writes `model` (whose `constants` are stored in their rows' order, equal ones once) and a JSON text for people
/// (options, I/O description, report; may be empty) to a model file. The file appears under its name only when all of
/// it is on disk: a writer that is killed leaves at most a file named ".ge-new-*.tmp" beside it. Throws Error(io), or
/// Error(internal) when the program does not satisfy check_program().
GE_API void write_om(const std::string& path, const GeModel& model, const std::string& metadata_json, const OmTarget& target = {});
/// The same as bytes in memory.
GE_API std::vector<std::byte> write_om_bytes(const GeModel& model, const std::string& metadata_json, const OmTarget& target = {});

struct OmReadOptions {
  /// lazy: the checksum of the weights is not compared, so they are read from disk only when used. All else always is.
  enum class Weights { verify, lazy } weights = Weights::verify;
};

/// A loaded model file, its tables and weights used where they lie. Immutable: shared by all instances and threads.
/// Loading proves checksums, bounds and indices once and throws Error(corrupt_file) (damaged), Error(unsupported)
/// (newer format, other machine) or Error(io), each with what was found and expected.
class GE_API OmFile : public std::enable_shared_from_this<OmFile> {
 public:
  /// Maps the file. Whoever changes it in place meanwhile changes the model; write_om() replaces files instead.
  static std::shared_ptr<const OmFile> open(const std::string& path, OmReadOptions options = {});
  /// Uses the bytes in place when they are aligned to 64, else copies them; `owner` keeps them alive.
  static std::shared_ptr<const OmFile> from_buffer(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, OmReadOptions options = {});
  /// Fills a span with the bytes at an offset; false when it cannot.
  using ReadAt = std::function<bool(uint64_t offset, std::span<std::byte> into)>;
  /// Reads all `size` bytes into memory of its own, the header first: nothing is allocated for what is no model file.
  static std::shared_ptr<const OmFile> from_reader(const ReadAt& read_at, uint64_t size, OmReadOptions options = {});

  const Program& program() const noexcept { return program_; }
  /// The weights section, aligned to 64. Strings lie in it as (offset, size) pairs: use constant_data() for them.
  std::span<const std::byte> weights() const noexcept { return weights_; }
  const std::string& name() const noexcept { return name_; }
  /// The JSON text given to the writer, formatted anew. Decoded at each call.
  std::string metadata_json() const;
  uint64_t file_bytes() const noexcept { return bytes_.size(); }

  /// What a kernel reads: the constant's bytes in the weights, or an array of StringRef for strings.
  const std::byte* constant_data(uint32_t row) const noexcept;
  /// The same as a tensor that keeps the file loaded. A packed constant is a uint8 tensor of its bytes.
  Tensor constant(uint32_t row) const;

 private:
  OmFile(std::shared_ptr<const void> owner, std::span<const std::byte> bytes, OmReadOptions options);
  void rebuild_strings();

  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_, weights_, metadata_;
  Program program_;
  std::string name_;
  std::vector<std::vector<StringRef>> string_arrays_;
  std::vector<uint32_t> string_array_of_row_;  ///< empty when there are no string constants
};

}  // namespace ge

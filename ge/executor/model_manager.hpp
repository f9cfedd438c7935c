#pragma once
#include "ge/executor/static/davinci_model.hpp"

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace ge {

/// How a model file is loaded.
struct LoadOptions {
  std::vector<std::string> engines;  ///< engines to use; empty: all that are linked in
  OmReadOptions file;
};

/// Loads model files and hands out instances. A loaded file is named by an id until UnloadModel; instances made before
/// that go on (they share the file). Thread-safe.
class GE_API ModelManager {
 public:
  /// Maps and checks a model file. Throws Error(io, corrupt_file, unsupported) with the reason.
  uint32_t LoadModelOffline(const std::string& path, const LoadOptions& options = {});
  /// The same from memory; the bytes are used in place where they are aligned to 64, `owner` keeps them alive.
  uint32_t LoadModelOffline(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, const LoadOptions& options = {});
  /// A new instance of a loaded file. Throws Error(unknown_name) when the id is not loaded.
  std::unique_ptr<DavinciModel> CreateInstance(uint32_t id, ModelParam param = {}) const;
  std::shared_ptr<const LoadedProgram> GetProgram(uint32_t id) const;
  void UnloadModel(uint32_t id);

 private:
  uint32_t add(std::shared_ptr<const OmFile> file, const LoadOptions& options);

  mutable std::shared_mutex mutex_;
  std::map<uint32_t, std::shared_ptr<const LoadedProgram>> models_;
  uint32_t next_id_ = 1;
};

}  // namespace ge

#include "ge/executor/model_manager.hpp"

#include <mutex>

namespace ge {

uint32_t ModelManager::LoadModelOffline(const std::string& path, const LoadOptions& options) {
  auto file = OmFile::open(path, options.file);  // names the path in its errors itself
  return in_context([&] { return "loading model file '" + path + "'"; }, [&] { return add(std::move(file), options); });
}

uint32_t ModelManager::LoadModelOffline(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, const LoadOptions& options) {
  return in_context([&] { return "loading a model from " + std::to_string(bytes.size()) + " bytes of memory"; },
                    [&] { return add(OmFile::from_buffer(std::move(owner), bytes, options.file), options); });
}

uint32_t ModelManager::add(std::shared_ptr<const OmFile> file, const LoadOptions& options) {
  auto program = std::make_shared<const LoadedProgram>(std::move(file), options.engines);
  std::unique_lock lock(mutex_);
  models_.emplace(next_id_, std::move(program));
  return next_id_++;
}

std::shared_ptr<const LoadedProgram> ModelManager::GetProgram(uint32_t id) const {
  std::shared_lock lock(mutex_);
  const auto it = models_.find(id);
  if (it == models_.end()) throw Error(ErrorCode::unknown_name, "no model with id " + std::to_string(id) + " is loaded");
  return it->second;
}

std::unique_ptr<DavinciModel> ModelManager::CreateInstance(uint32_t id, ModelParam param) const {
  return std::make_unique<DavinciModel>(GetProgram(id), param);
}

void ModelManager::UnloadModel(uint32_t id) {
  std::unique_lock lock(mutex_);
  if (models_.erase(id) == 0) throw Error(ErrorCode::unknown_name, "no model with id " + std::to_string(id) + " is loaded");
}

}  // namespace ge

#pragma once
#include "ge/base/export.hpp"

#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ge {

/// Where a registration stands in the source.
struct SourceSite {
  const char* file;
  unsigned line;
  friend bool operator==(SourceSite a, SourceSite b) { return a.line == b.line && std::string_view(a.file) == b.file; }
};

/// What a listing shows of a registration.
struct Registered {
  std::string key;
  std::string doc;
  SourceSite site;
};

[[noreturn]] GE_API void raise_unknown_key(std::string_view kind, std::string_view key,
                                           const std::vector<Registered>& known);
[[noreturn]] GE_API void raise_conflicts(std::string_view kind,
                                         const std::vector<std::pair<Registered, Registered>>& conflicts);

/// A sorted table from name to Value that static objects fill before main (or when a plugin is loaded).
///  - Thread-safe: any call may race any other.
///  - Values are owned by the registry and never move; a pointer from find() is good until its Registration dies.
///  - The same key from two places is an error that names both; it is raised at the first use, not before main.
template <class Value>
class Registry {
 public:
  explicit Registry(std::string_view kind) : kind_(kind) {}
  /// True when this call added the entry, false when the key was taken.
  bool add(Registered item, Value value) {
    std::unique_lock lock(mutex_);
    auto [it, fresh] = entries_.try_emplace(item.key, Entry{item, std::move(value)});
    if (!fresh && !(it->second.item.site == item.site)) conflicts_.emplace_back(it->second.item, std::move(item));
    return fresh;
  }
  void remove(const std::string& key) {
    std::unique_lock lock(mutex_);
    entries_.erase(key);
  }
  /// Null when nothing of that name is linked in. Throws Error when two registrations claimed one key.
  const Value* find(std::string_view key) const {
    std::shared_lock lock(mutex_);
    if (!conflicts_.empty()) raise_conflicts(kind_, conflicts_);
    auto it = entries_.find(key);
    return it == entries_.end() ? nullptr : &it->second.value;
  }
  /// Like find(), but throws Error(unknown_name) with a list of what is there.
  const Value& at(std::string_view key) const {
    if (const Value* value = find(key)) return *value;
    raise_unknown_key(kind_, key, list());
  }
  /// All entries, sorted by key.
  std::vector<Registered> list() const {
    std::shared_lock lock(mutex_);
    if (!conflicts_.empty()) raise_conflicts(kind_, conflicts_);
    std::vector<Registered> out;
    for (const auto& [key, entry] : entries_) out.push_back(entry.item);
    return out;
  }
  /// Keys that start with `prefix`, sorted.
  std::vector<std::string> keys_below(std::string_view prefix) const {
    std::shared_lock lock(mutex_);
    std::vector<std::string> out;
    for (auto it = entries_.lower_bound(prefix); it != entries_.end() && it->first.starts_with(prefix); ++it) out.push_back(it->first);
    return out;
  }

 private:
  struct Entry {
    Registered item;
    Value value;
  };
  std::string_view kind_;
  mutable std::shared_mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::pair<Registered, Registered>> conflicts_;
};

/// Adds an entry for as long as it lives; what the REGISTER macros put into a source file.
template <class Value>
class Registration {
 public:
  Registration(Registry<Value>& into, Registered item, std::type_identity_t<Value> value)
      : registry_(into), key_(item.key), owner_(into.add(std::move(item), std::move(value))) {}
  ~Registration() {
    if (owner_) registry_.remove(key_);
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  Registry<Value>& registry_;
  std::string key_;
  bool owner_;
};

}  // namespace ge

#define GE_CONCAT_(a, b) a##b
#define GE_CONCAT(a, b) GE_CONCAT_(a, b)
/// In a header: declares the accessor of a registry.
#define GE_DECLARE_REGISTRY(accessor, Value) GE_API ::ge::Registry<Value>& accessor()
/// In one source file: defines it. The registry is leaked on purpose, so that it outlives every Registration.
#define GE_DEFINE_REGISTRY(accessor, Value, kind)                  \
  ::ge::Registry<Value>& accessor() {                              \
    static auto& leaked = *new ::ge::Registry<Value>(kind);        \
    return leaked;                                                 \
  }
/// As the last lines of a source file: adds an entry.
#define GE_REGISTER(accessor, key, doc, ...)                                                  \
  [[maybe_unused]] static const ::ge::Registration GE_CONCAT(ge_registration_, __COUNTER__) { \
    accessor(), ::ge::Registered{key, doc, {__FILE__, __LINE__}}, __VA_ARGS__                 \
  }

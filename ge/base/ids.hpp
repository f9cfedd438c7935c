#pragma once
#include <compare>
#include <cstdint>
#include <functional>

namespace ge {

/// An index that cannot be mixed up with another kind of index. Default-constructed: none.
template <class Tag>
struct StrongId {
  static constexpr uint32_t none = UINT32_MAX;
  uint32_t value = none;
  constexpr StrongId() = default;
  constexpr explicit StrongId(uint32_t v) : value(v) {}
  constexpr explicit operator bool() const { return value != none; }
  friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

}  // namespace ge

template <class Tag>
struct std::hash<ge::StrongId<Tag>> {
  size_t operator()(ge::StrongId<Tag> id) const noexcept { return std::hash<uint32_t>()(id.value); }
};

#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace ge {

/// What a value is. Most are tensors. A sequence holds any number of tensors of one dtype; an optional holds a tensor, or
/// a sequence, or nothing. (ONNX allows no deeper nesting for the operators of ai.onnx.)
enum class ValueKind : uint8_t { tensor, sequence, optional, optional_sequence };
inline constexpr unsigned value_kind_count = 4;

constexpr bool is_optional(ValueKind kind) { return kind == ValueKind::optional || kind == ValueKind::optional_sequence; }
/// What an optional holds; other kinds stay as they are.
constexpr ValueKind held_by(ValueKind kind) {
  if (kind == ValueKind::optional) return ValueKind::tensor;
  return kind == ValueKind::optional_sequence ? ValueKind::sequence : kind;
}
/// The optional that holds a tensor or a sequence; optionals stay as they are.
constexpr ValueKind optional_of(ValueKind kind) {
  if (kind == ValueKind::tensor) return ValueKind::optional;
  return kind == ValueKind::sequence ? ValueKind::optional_sequence : kind;
}

constexpr std::string_view to_string(ValueKind kind) {
  constexpr std::string_view names[] = {"tensor", "sequence", "optional", "optional sequence"};
  return names[static_cast<unsigned>(kind)];
}

/// "sequence(<element>)", "optional(sequence(<element>))"; a tensor is its element.
inline std::string kind_text(ValueKind kind, std::string element) {
  if (held_by(kind) == ValueKind::sequence) element = "sequence(" + element + ")";
  return is_optional(kind) ? "optional(" + element + ")" : element;
}

/// A set of kinds.
enum class KindSet : uint8_t {};
constexpr KindSet kind_bit(ValueKind kind) { return static_cast<KindSet>(1u << static_cast<unsigned>(kind)); }
constexpr KindSet operator|(KindSet a, KindSet b) { return static_cast<KindSet>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); }
constexpr bool contains(KindSet set, ValueKind kind) { return (static_cast<unsigned>(set) & static_cast<unsigned>(kind_bit(kind))) != 0; }

namespace kinds {
inline constexpr KindSet tensor = kind_bit(ValueKind::tensor);
inline constexpr KindSet sequence = kind_bit(ValueKind::sequence);
inline constexpr KindSet optional = kind_bit(ValueKind::optional) | kind_bit(ValueKind::optional_sequence);
inline constexpr KindSet any = tensor | sequence | optional;
}  // namespace kinds

}  // namespace ge

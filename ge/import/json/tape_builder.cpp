#include "ge/import/json/tape_builder.hpp"

#include <algorithm>

namespace ge::json {

std::string describe(Value value) {
  constexpr size_t shown = 60;
  switch (value.kind()) {
    case Kind::null: return "null";
    case Kind::boolean: return value.integer() != 0 ? "true" : "false";
    case Kind::integer: return std::to_string(value.integer());
    case Kind::large: return std::to_string(value.large());
    case Kind::real: return std::string(value.text().substr(0, shown));
    case Kind::array: return "an array of " + std::to_string(value.size()) + " items";
    case Kind::object: return "an object of " + std::to_string(value.size()) + " members";
    default: break;
  }
  const std::string_view text = value.text();
  if (text.size() <= shown) return "'" + std::string(text) + "'";
  size_t end = shown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a character
  return "'" + std::string(text.substr(0, end)) + "…'";
}

TapeBuilder::~TapeBuilder() { budget_.release(tape_.tokens.capacity() * sizeof(Tape::Token) + tape_.characters.capacity()); }

/// Grows by doubling; for a moment the old and the new memory are both there.
template <class Container>
void TapeBuilder::reserve(Container& container, size_t more) {
  const size_t needed = container.size() + more, before = container.capacity();
  if (needed <= before) return;
  const size_t item = sizeof(typename Container::value_type);
  const size_t wanted = std::max(needed, 2 * before);
  budget_.add(wanted * item);
  container.reserve(wanted);
  budget_.add((container.capacity() - wanted) * item);
  budget_.release(before * item);
}

void TapeBuilder::add(Kind kind, uint64_t at, uint64_t size) {
  if (tape_.tokens.size() >= UINT32_MAX - 1) throw Error(ErrorCode::unsupported, "one JSON value has more than 2^32 parts");
  if (!open_.empty() && kind != Kind::key) {
    Tape::Token& outer = tape_.tokens[open_.back()];
    ++outer.size;
  }
  reserve(tape_.tokens, 1);
  tape_.tokens.push_back({kind, static_cast<uint32_t>(tape_.tokens.size() + 1), at, size});
}

void TapeBuilder::scalar(Kind kind, uint64_t value) { add(kind, value, 0); }

void TapeBuilder::characters(Kind kind, std::string_view text) {
  reserve(tape_.characters, text.size());
  const size_t at = tape_.characters.size();
  tape_.characters.append(text);
  add(kind, at, text.size());
}

void TapeBuilder::open(Kind kind) {
  if (open_.size() >= max_nesting)
    throw Error(ErrorCode::invalid_model, "arrays and objects are nested more than " + std::to_string(max_nesting) + " deep");
  add(kind, 0, 0);
  open_.push_back(static_cast<uint32_t>(tape_.tokens.size() - 1));
}

void TapeBuilder::close() {
  tape_.tokens[open_.back()].end = static_cast<uint32_t>(tape_.tokens.size());
  open_.pop_back();
}

void TapeBuilder::clear() {
  tape_.tokens.clear();
  tape_.characters.clear();
  open_.clear();
}

}  // namespace ge::json

// StringNormalizer (ONNX 10): without stop words, in upper or lower case. Case is Unicode's simple one in any locale
// (letter_case.hpp), and stop words are compared without regard to it when both are the same in lower case. Bytes that are
// no UTF-8 stay as they are.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/letter_case.hpp"
#include "ge/kernels/reference/utf8.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace ge::reference {
namespace {

using MapCase = uint32_t (*)(uint32_t) noexcept;

struct NormalizerArgs {
  const StringRef* x = nullptr;
  StringRef* y = nullptr;  ///< null: the task is dynamic
  StringPool* pool = nullptr;
  const char* stops = nullptr;           ///< the characters of all stop words
  const int64_t* stop_ends = nullptr;    ///< where each ends; sorted by their texts
  int64_t stop_count = 0;
  MapCase change = nullptr;              ///< null: as they are
  MapCase compare = nullptr;             ///< null: case counts
  Dims dims;
  int64_t count = 0;
};

/// Calls `put(character, its bytes)` for all characters of `text` in another case.
template <class Put>
void for_each_mapped(std::string_view text, MapCase map, Put put) {
  while (!text.empty()) {
    const Utf8 next = first_utf8(text);
    put(next.code == Utf8::bad_byte ? next.code : map(next.code), text.substr(0, next.size));
    text.remove_prefix(next.size);
  }
}

size_t mapped_size(std::string_view text, MapCase map) {
  size_t size = 0;
  for_each_mapped(text, map, [&](uint32_t code, std::string_view bytes) { size += code == Utf8::bad_byte ? bytes.size() : utf8_size(code); });
  return size;
}

void put_mapped(std::string_view text, MapCase map, char* to) {
  for_each_mapped(text, map, [&](uint32_t code, std::string_view bytes) {
    if (code == Utf8::bad_byte) return void(to = std::copy(bytes.begin(), bytes.end(), to));
    put_utf8(code, to);
    to += utf8_size(code);
  });
}

/// -1, 0 or 1: how `text`, mapped where `map` is not null, and `word`, which is mapped already, are ordered byte by byte.
int compare(std::string_view text, MapCase map, std::string_view word) {
  if (map == nullptr) return text.compare(word) < 0 ? -1 : text != word;
  while (!text.empty()) {
    const Utf8 next = first_utf8(text);
    char bytes[4] = {text[0]};
    size_t size = 1;
    if (next.code != Utf8::bad_byte) {
      const uint32_t code = map(next.code);
      put_utf8(code, bytes);
      size = utf8_size(code);
    }
    const std::string_view here(bytes, size), there = word.substr(0, size);
    if (here != there) return here.compare(there) < 0 ? -1 : 1;
    text.remove_prefix(next.size);
    word.remove_prefix(size);
  }
  return word.empty() ? 0 : -1;
}

bool is_stop(const NormalizerArgs& a, std::string_view text) {
  int64_t first = 0, last = a.stop_count;
  while (first < last) {
    const int64_t middle = first + (last - first) / 2, begin = middle == 0 ? 0 : a.stop_ends[middle - 1];
    const int order = compare(text, a.compare, {a.stops + begin, static_cast<size_t>(a.stop_ends[middle] - begin)});
    if (order == 0) return true;
    if (order < 0) last = middle;
    else first = middle + 1;
  }
  return false;
}

std::string_view view_of(StringRef text) { return text.size == 0 ? std::string_view() : text.view(); }

/// Writes the strings that are left, or one empty one.
Status write_kept(const NormalizerArgs& a, StringRef* y) noexcept {
  StringRef* next = y;
  for (int64_t i = 0; i < a.count; ++i) {
    const std::string_view text = view_of(a.x[i]);
    if (is_stop(a, text)) continue;
    *next = a.x[i];
    if (a.change != nullptr && !text.empty()) {
      const size_t size = mapped_size(text, a.change);
      char* copy = a.pool->room(size);
      if (copy == nullptr) return Status::out_of_memory;
      put_mapped(text, a.change, copy);
      *next = {copy, size};
    }
    ++next;
  }
  if (next == y) *next = {"", 0};
  return Status::ok;
}

Status run_all(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const NormalizerArgs*>(args);
  return write_kept(a, a.y);
}
Status run_without_stops(const void* args, OutputAllocator& outputs) noexcept {
  const auto& a = *static_cast<const NormalizerArgs*>(args);
  int64_t kept = 0;
  for (int64_t i = 0; i < a.count; ++i) kept += !is_stop(a, view_of(a.x[i]));
  Dims dims = a.dims;
  dims.size[dims.rank - 1] = std::max<int64_t>(kept, 1);
  auto* y = reinterpret_cast<StringRef*>(outputs.allocate(0, {dims.size, static_cast<size_t>(dims.rank)}));
  return y == nullptr ? Status::out_of_memory : write_kept(a, y);
}

MapCase case_of(const std::string& action) { return action == "UPPER" ? to_upper : action == "LOWER" ? to_lower : nullptr; }

/// The stop words as they are compared: mapped, sorted.
std::vector<std::string> stop_words(const KernelSite& site, MapCase map) {
  std::vector<std::string> words = site.attributes.get_strings("stopwords");
  for (std::string& word : words) {
    if (map == nullptr) continue;
    std::string mapped(mapped_size(word, map), '\0');
    put_mapped(word, map, mapped.data());
    word = std::move(mapped);
  }
  std::sort(words.begin(), words.end());
  return words;
}

void prepare_normalizer(const KernelSite& site, TaskBuilder& builder) {
  using Args = NormalizerArgs;
  Args args;
  args.change = case_of(site.attributes.get_string("case_change_action", "NONE"));
  args.compare = site.attributes.get_int("is_case_sensitive", 0) != 0 ? nullptr : to_lower;
  args.dims = make_dims(site.inputs[0].dims);
  args.count = site.inputs[0].count;
  const std::vector<std::string> words = stop_words(site, args.compare);
  args.stop_count = static_cast<int64_t>(words.size());
  std::string text;
  std::vector<int64_t> ends;
  for (const std::string& word : words) {
    text += word;
    ends.push_back(static_cast<int64_t>(text.size()));
  }
  if (words.empty()) {
    builder.append(run_all, args).input(&Args::x, 0).output(&Args::y, 0).string_pool(&Args::pool);
    return;
  }
  auto task = builder.append_dynamic(run_without_stops, args).input(&Args::x, 0).string_pool(&Args::pool);
  task.constant(&Args::stops, std::as_bytes(std::span(text))).constant(&Args::stop_ends, std::as_bytes(std::span(ends)));
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "StringNormalizer", "", "by Unicode's simple cases", {.prepare = prepare_normalizer});

}  // namespace ge::reference

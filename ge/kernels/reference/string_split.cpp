// StringSplit (ONNX 20): the parts of each string, filled up with empty ones to the largest number of parts, and their
// numbers. Parts are views of the input's characters.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/utf8.hpp"

#include <algorithm>
#include <limits>

namespace ge::reference {
namespace {

struct SplitArgs {
  const StringRef* x = nullptr;
  const char* delimiter = nullptr;
  int64_t delimiter_size = 0;  ///< 0: split at white space
  int64_t max_splits = 0;
  Dims dims;
};

/// Unicode's White_Space, and the separators U+001C to U+001F, as Python's str.split() has it.
bool is_space(uint32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/// Bytes of `text` up to its first character that is (or is not) white space.
size_t span_of(std::string_view text, bool spaces) {
  size_t i = 0;
  while (i < text.size()) {
    const Utf8 next = first_utf8(text.substr(i));
    if (is_space(next.code) != spaces) break;
    i += next.size;
  }
  return i;
}

/// Calls `part(view)` for what lies between runs of white space. What is left after the last split is a part of its own,
/// with the white space at its end.
template <class Part>
void split_at_spaces(std::string_view text, int64_t splits, Part part) {
  text.remove_prefix(span_of(text, true));
  for (; !text.empty(); text.remove_prefix(span_of(text, true))) {
    if (splits-- == 0) return part(text);
    const size_t end = span_of(text, false);
    part(text.substr(0, end));
    text.remove_prefix(end);
  }
}

template <class Part>
void split_at(std::string_view delimiter, std::string_view text, int64_t splits, Part part) {
  for (; splits > 0; --splits) {
    const size_t end = text.find(delimiter);
    if (end == std::string_view::npos) break;
    part(text.substr(0, end));
    text.remove_prefix(end + delimiter.size());
  }
  part(text);
}

template <class Part>
void for_each_part(const SplitArgs& a, StringRef text, Part part) {
  const std::string_view view = text.size == 0 ? std::string_view() : text.view();
  if (a.delimiter_size == 0) split_at_spaces(view, a.max_splits, part);
  else split_at({a.delimiter, static_cast<size_t>(a.delimiter_size)}, view, a.max_splits, part);
}

Status run_split(const void* args, OutputAllocator& outputs) noexcept {
  const auto& a = *static_cast<const SplitArgs*>(args);
  const int64_t count = count_of(a.dims);
  auto* numbers = reinterpret_cast<int64_t*>(outputs.allocate(1, {a.dims.size, static_cast<size_t>(a.dims.rank)}));
  if (numbers == nullptr) return Status::out_of_memory;
  int64_t most = 0;
  for (int64_t i = 0; i < count; ++i) {
    numbers[i] = 0;
    for_each_part(a, a.x[i], [&](std::string_view) { ++numbers[i]; });
    most = std::max(most, numbers[i]);
  }
  int64_t dims[max_rank + 1];
  std::copy_n(a.dims.size, a.dims.rank, dims);
  dims[a.dims.rank] = most;
  auto* parts = reinterpret_cast<StringRef*>(outputs.allocate(0, {dims, static_cast<size_t>(a.dims.rank) + 1}));
  if (parts == nullptr) return Status::out_of_memory;
  for (int64_t i = 0; i < count; ++i) {
    StringRef* next = parts + i * most;
    for_each_part(a, a.x[i], [&](std::string_view part) { *next++ = {part.data(), part.size()}; });
    std::fill(next, parts + (i + 1) * most, StringRef{"", 0});
  }
  return Status::ok;
}

void prepare_split(const KernelSite& site, TaskBuilder& builder) {
  const std::string delimiter = site.attributes.get_string("delimiter", "");
  SplitArgs args;
  args.delimiter_size = static_cast<int64_t>(delimiter.size());
  args.max_splits = site.attributes.get_int("maxsplit", -1);
  if (args.max_splits < 0) args.max_splits = std::numeric_limits<int64_t>::max();
  args.dims = make_dims(site.inputs[0].dims);
  auto task = builder.append_dynamic(run_split, args).input(&SplitArgs::x, 0);
  if (!delimiter.empty()) task.constant(&SplitArgs::delimiter, std::as_bytes(std::span(delimiter)));
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "StringSplit", "", "views of the parts", {.prepare = prepare_split});

}  // namespace ge::reference

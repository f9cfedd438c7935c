// LabelEncoder (ai.onnx.ml 4): each element is looked up in a sorted list of keys. Of equal keys the last one counts; NaN
// is one key, whatever its bits.
#include "ge/base/label_mapping.hpp"
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace ge::reference {
namespace {

/// Strings, one behind the other.
struct Texts {
  const char* characters = nullptr;
  const int64_t* ends = nullptr;
  std::string_view operator[](int64_t i) const {
    const int64_t begin = i == 0 ? 0 : ends[i - 1];
    return {characters + begin, static_cast<size_t>(ends[i] - begin)};
  }
};

/// x[count] -> y[count]; `keys` sorted keys and the values beside them, behind them the default.
struct EncoderArgs {
  const void* x = nullptr;
  std::byte* y = nullptr;
  StringPool* pool = nullptr;
  LoadInt64s load_ints = nullptr;
  LoadDoubles load_doubles = nullptr;  ///< both null: strings
  const int64_t* int_keys = nullptr;
  const double* double_keys = nullptr;
  const char* key_characters = nullptr;
  const int64_t* key_ends = nullptr;
  const std::byte* values = nullptr;  ///< null: strings
  const char* value_characters = nullptr;
  const int64_t* value_ends = nullptr;
  int64_t keys = 0, count = 0, value_size = 1;
  uint32_t chunks = 1;
};

/// -1, 0 or 1; NaN is behind all numbers.
int order_of(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) - std::isnan(b);
  return a < b ? -1 : a > b;
}
int order_of(int64_t a, int64_t b) { return a < b ? -1 : a > b; }
int order_of(std::string_view a, std::string_view b) { return a.compare(b); }

/// The place of `key` among `count` sorted ones, or `count`.
template <class Key, class Keys>
int64_t place_of(Key key, const Keys& keys, int64_t count) {
  for (int64_t first = 0, last = count; first < last;) {
    const int64_t middle = first + (last - first) / 2;
    const int order = order_of(keys[middle], key);
    if (order == 0) return middle;
    if (order < 0) first = middle + 1;
    else last = middle;
  }
  return count;
}

int64_t place_of_element(const EncoderArgs& a, int64_t i) noexcept {
  if (a.load_ints != nullptr) {
    int64_t key = 0;
    a.load_ints(a.x, i, 1, 1, &key);
    return place_of(key, a.int_keys, a.keys);
  }
  if (a.load_doubles != nullptr) {
    double key = 0;
    a.load_doubles(a.x, i, 1, 1, &key);
    return place_of(key, a.double_keys, a.keys);
  }
  const StringRef text = static_cast<const StringRef*>(a.x)[i];
  return place_of(text.size == 0 ? std::string_view() : text.view(), Texts{a.key_characters, a.key_ends}, a.keys);
}

Status run_encoder(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const EncoderArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  for (int64_t i = range.first; i < range.last; ++i) {
    const int64_t place = place_of_element(a, i);
    if (a.values != nullptr) {
      std::memcpy(a.y + i * a.value_size, a.values + place * a.value_size, static_cast<size_t>(a.value_size));
      continue;
    }
    const std::string_view text = Texts{a.value_characters, a.value_ends}[place];
    const StringRef value = text.empty() ? StringRef{"", 0} : a.pool->add(text);
    if (value.data == nullptr) return Status::out_of_memory;
    reinterpret_cast<StringRef*>(a.y)[i] = value;
  }
  return Status::ok;
}

/// Places of the keys in sorted order, of equal ones only the last.
template <class Key>
std::vector<size_t> sorted_places(const std::vector<Key>& keys) {
  std::vector<size_t> places(keys.size()), kept;
  std::iota(places.begin(), places.end(), size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](size_t a, size_t b) { return order_of(keys[a], keys[b]) < 0; });
  for (size_t i = 0; i < places.size(); ++i)
    if (i + 1 == places.size() || order_of(keys[places[i]], keys[places[i + 1]]) != 0) kept.push_back(places[i]);
  return kept;
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) { return std::as_bytes(std::span(values)); }

struct JoinedTexts {
  std::string characters;
  std::vector<int64_t> ends;
  void add(std::string_view text) {
    characters += text;
    ends.push_back(static_cast<int64_t>(characters.size()));
  }
};

void prepare_encoder(const KernelSite& site, TaskBuilder& builder) {
  using Args = EncoderArgs;
  const LabelMapping mapping = LabelMapping::read(site.attributes);
  const DType from = mapping.keys.dtype();
  std::vector<int64_t> ints;
  std::vector<double> doubles;
  std::vector<std::string_view> texts;
  std::vector<size_t> places;
  if (from == DType::string) {
    for (int64_t i = 0; i < mapping.keys.count(); ++i) texts.push_back(mapping.keys.at<StringRef>(i).view());
    places = sorted_places(texts);
  } else if (contains(dtypes::ints, from)) {
    ints = *mapping.keys.to_ints();
    places = sorted_places(ints);
  } else {
    doubles = *mapping.keys.to_doubles();
    places = sorted_places(doubles);
  }

  Args args;
  args.keys = static_cast<int64_t>(places.size());
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(times(args.count, 64));
  if (contains(dtypes::ints, from)) args.load_ints = int64_loader(from);
  else if (from != DType::string) args.load_doubles = double_loader(from);
  const bool to_texts = mapping.values.dtype() == DType::string;
  args.value_size = to_texts ? static_cast<int64_t>(sizeof(StringRef)) : element_size(mapping.values.dtype());
  auto task = builder.append(run_encoder, args, args.chunks).input(&Args::x, 0).output(&Args::y, 0).string_pool(&Args::pool);

  // One element is added to each list, so that none is empty.
  JoinedTexts key_texts;
  std::vector<int64_t> sorted_ints;
  std::vector<double> sorted_doubles;
  for (const size_t place : places) {
    if (from == DType::string) key_texts.add(texts[place]);
    else if (args.load_ints != nullptr) sorted_ints.push_back(ints[place]);
    else sorted_doubles.push_back(doubles[place]);
  }
  key_texts.add("-");
  sorted_ints.push_back(0);
  sorted_doubles.push_back(0);
  if (from == DType::string) task.constant(&Args::key_characters, std::as_bytes(std::span(key_texts.characters))).constant(&Args::key_ends, bytes_of(key_texts.ends));
  else if (args.load_ints != nullptr) task.constant(&Args::int_keys, bytes_of(sorted_ints));
  else task.constant(&Args::double_keys, bytes_of(sorted_doubles));

  if (to_texts) {
    JoinedTexts values;
    for (const size_t place : places) values.add(mapping.values.at<StringRef>(static_cast<int64_t>(place)).view());
    values.add(mapping.otherwise.at<StringRef>(0).view());
    values.characters += '-';
    task.constant(&Args::value_characters, std::as_bytes(std::span(values.characters))).constant(&Args::value_ends, bytes_of(values.ends));
    return;
  }
  const auto size = static_cast<size_t>(args.value_size);
  std::vector<std::byte> values;
  for (const size_t place : places) {
    const auto value = mapping.values.bytes().subspan(place * size, size);
    values.insert(values.end(), value.begin(), value.end());
  }
  const auto otherwise = mapping.otherwise.bytes();
  values.insert(values.end(), otherwise.begin(), otherwise.end());
  task.constant(&Args::values, std::span<const std::byte>(values));
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "ai.onnx.ml", "LabelEncoder", "", "by search in sorted keys", {.prepare = prepare_encoder});

}  // namespace ge::reference

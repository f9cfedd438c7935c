// TfIdfVectorizer (ONNX 9): how often the n-grams of a pool occur in each row, with items skipped between theirs. Weights
// are by column of the output, as ONNX's reference evaluator and ONNX Runtime have it (the text says "by n-gram", which is
// the same where n-grams have columns of their own in order).
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/ngram_pool.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

enum class Weighting : uint8_t { count, presence, both };

/// x[rows, n] to y[rows, width].
struct TfIdfArgs {
  const void* x = nullptr;
  float* y = nullptr;
  int64_t* scratch = nullptr;  ///< [chunks, n + width]: the row's items by number, and the counts
  const int64_t* ints = nullptr;
  const char* text = nullptr;
  const int64_t* text_ends = nullptr;
  const NgramTable* tables = nullptr;
  const int64_t* items = nullptr;
  const int64_t* columns = nullptr;
  const float* weights = nullptr;  ///< null: ones
  LoadInt64s load = nullptr;       ///< null: strings
  int64_t rows = 1, n = 0, width = 0, distinct = 0, table_count = 0, most_skips = 0;
  Weighting weighting = Weighting::count;
  uint32_t chunks = 1;
};

/// The place of what `compare(place)` calls 0 among `count` sorted ones (it gives -1 for those before, 1 for those
/// behind); -1 when there is none.
template <class Compare>
int64_t place_of(int64_t count, Compare compare) {
  for (int64_t first = 0, last = count; first < last;) {
    const int64_t middle = first + (last - first) / 2;
    const int order = compare(middle);
    if (order == 0) return middle;
    if (order < 0) first = middle + 1;
    else last = middle;
  }
  return -1;
}

int order_of(int64_t a, int64_t b) { return a < b ? -1 : a != b; }

/// The items of a row by number, -1 for those that the pool does not have.
void number_items(const TfIdfArgs& a, int64_t row, int64_t* numbers) noexcept {
  if (a.load != nullptr) {
    a.load(a.x, row * a.n, a.n, 1, numbers);
    for (int64_t i = 0; i < a.n; ++i) numbers[i] = place_of(a.distinct, [&](int64_t place) { return order_of(a.ints[place], numbers[i]); });
    return;
  }
  for (int64_t i = 0; i < a.n; ++i) {
    const StringRef word = static_cast<const StringRef*>(a.x)[row * a.n + i];
    const std::string_view view = word.size == 0 ? std::string_view() : word.view();
    numbers[i] = place_of(a.distinct, [&](int64_t place) {
      const int64_t begin = place == 0 ? 0 : a.text_ends[place - 1];
      return order_of(std::string_view(a.text + begin, static_cast<size_t>(a.text_ends[place] - begin)).compare(view), 0);
    });
  }
}

/// Counts the n-grams of one table whose items lie `step` apart.
void count_grams(const TfIdfArgs& a, const NgramTable& table, int64_t step, const int64_t* numbers, int64_t* counts) noexcept {
  const int64_t behind = a.n - (table.length - 1) * step;
  for (int64_t start = 0; start < behind; ++start) {
    const int64_t found = place_of(table.count, [&](int64_t gram) {
      const int64_t* const items = a.items + table.first_item + gram * table.length;
      int64_t k = 0;
      while (k + 1 < table.length && items[k] == numbers[start + k * step]) ++k;
      return order_of(items[k], numbers[start + k * step]);
    });
    if (found >= 0) ++counts[a.columns[table.first_gram + found]];
  }
}

Status run_tfidf(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const TfIdfArgs*>(args);
  int64_t* const numbers = a.scratch + (a.n + a.width) * chunk;
  int64_t* const counts = numbers + a.n;
  const Range rows = chunk_range(a.rows, a.chunks, chunk);
  for (int64_t row = rows.first; row < rows.last; ++row) {
    number_items(a, row, numbers);
    std::fill_n(counts, a.width, 0);
    for (int64_t t = 0; t < a.table_count; ++t) {
      const NgramTable& table = a.tables[t];
      if (table.length > a.n) break;
      // A single item has no gaps. Wider gaps than these do not fit in the row.
      const int64_t most_step = table.length == 1 ? 1 : std::min(a.most_skips, a.n - 1) + 1;
      for (int64_t step = 1; step <= most_step && (a.n - 1) / step >= table.length - 1; ++step) count_grams(a, table, step, numbers, counts);
    }
    for (int64_t i = 0; i < a.width; ++i) {
      const double weight = a.weights != nullptr && a.weighting != Weighting::count ? static_cast<double>(a.weights[i]) : 1.0;
      const auto count = static_cast<double>(a.weighting == Weighting::presence ? std::min<int64_t>(counts[i], 1) : counts[i]);
      a.y[row * a.width + i] = static_cast<float>(count > 0 ? count * weight : 0);
    }
  }
  return Status::ok;
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) { return std::as_bytes(std::span(values)); }

void prepare_tfidf(const KernelSite& site, TaskBuilder& builder) {
  using Args = TfIdfArgs;
  const auto x = site.inputs[0].dims, y = site.outputs[0].dims;
  const NgramPool pool = ngram_pool(site.attributes);
  const bool of_strings = site.inputs[0].dtype == DType::string;
  const std::string mode = site.attributes.get_string("mode", "");
  const std::vector<float> weights = site.attributes.get_floats("weights");
  Args args;
  args.rows = x.size() == 2 ? x[0] : 1;
  args.n = x.empty() ? 1 : x.back();
  args.width = y.back();
  if (args.n > int64_t{1} << 40) throw Error(ErrorCode::unsupported, "a row of " + std::to_string(args.n) + " items, expected at most 2^40");
  args.load = of_strings ? nullptr : int64_loader(site.inputs[0].dtype);
  args.distinct = static_cast<int64_t>(of_strings ? pool.text_ends.size() : pool.ints.size());
  args.table_count = static_cast<int64_t>(pool.tables.size());
  args.most_skips = site.attributes.need_int("max_skip_count");
  args.weighting = mode == "TF" ? Weighting::count : mode == "IDF" ? Weighting::presence : Weighting::both;
  const int64_t each = (args.n + args.width) * static_cast<int64_t>(sizeof(int64_t));
  const int64_t by_memory = std::max<int64_t>((int64_t{16} << 20) / each, 1);  // 16 MiB, unless one chunk needs more
  args.chunks = static_cast<uint32_t>(std::clamp<int64_t>(std::min(args.rows, by_memory), 1, chunks_for(times(args.rows, each * 4))));
  auto task = builder.append(run_tfidf, args, args.chunks).input(&Args::x, 0).output(&Args::y, 0).workspace(&Args::scratch, each * args.chunks);
  task.constant(&Args::tables, bytes_of(pool.tables)).constant(&Args::items, bytes_of(pool.items)).constant(&Args::columns, bytes_of(pool.columns));
  if (of_strings) task.constant(&Args::text, std::as_bytes(std::span(pool.text))).constant(&Args::text_ends, bytes_of(pool.text_ends));
  else task.constant(&Args::ints, bytes_of(pool.ints));
  if (!weights.empty()) task.constant(&Args::weights, bytes_of(weights));
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "TfIdfVectorizer", "", "by search in sorted n-grams", {.prepare = prepare_tfidf});

}  // namespace ge::reference

// TfIdfVectorizer (9).
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

#include <algorithm>

namespace ge {
namespace {

/// The number of n-grams that `counts` (where the pool's 1-grams, 2-grams, … start) cut the pool into.
size_t checked_ngrams(const InferContext& context, const std::vector<int64_t>& starts, size_t pool) {
  size_t ngrams = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    const int64_t first = starts[i], end = i + 1 < starts.size() ? starts[i + 1] : static_cast<int64_t>(pool);
    if (first < 0 || end < first || end > static_cast<int64_t>(pool))
      context.fail("attribute 'ngram_counts' has " + std::to_string(first) + " before " + std::to_string(end) + ", expected increasing positions in the pool of " + std::to_string(pool));
    const size_t items = static_cast<size_t>(end - first), length = i + 1;
    if (items % length != 0)
      context.fail("attribute 'ngram_counts' gives " + std::to_string(items) + " items to " + std::to_string(length) + "-grams, expected a multiple of " + std::to_string(length));
    ngrams += items / length;
  }
  return ngrams;
}

int64_t checked_width(const InferContext& context, size_t ngrams) {
  const std::vector<int64_t> indexes = context.attributes().get_ints("ngram_indexes");
  if (indexes.empty()) context.fail("attribute 'ngram_indexes' is empty, expected one index for each n-gram of the pool");
  if (indexes.size() < ngrams)
    context.fail("attribute 'ngram_indexes' has " + std::to_string(indexes.size()) + " values, expected one for each of the pool's " + std::to_string(ngrams) + " n-grams");
  const auto [least, most] = std::minmax_element(indexes.begin(), indexes.end());
  constexpr int64_t limit = int64_t{1} << 40;
  if (*least < 0 || *most >= limit)
    context.fail("attribute 'ngram_indexes' has values from " + std::to_string(*least) + " to " + std::to_string(*most) + ", expected 0 to 2^40");
  return *most + 1;
}

void check_lengths(const InferContext& context) {
  const Attributes& attributes = context.attributes();
  const int64_t least = attributes.need_int("min_gram_length"), most = attributes.need_int("max_gram_length"), skips = attributes.need_int("max_skip_count");
  if (least < 1 || most < least)
    context.fail("attributes 'min_gram_length' and 'max_gram_length' are " + std::to_string(least) + " and " + std::to_string(most) + ", expected 1 <= min <= max");
  if (skips < 0) context.fail("attribute 'max_skip_count' is " + std::to_string(skips) + ", expected at least 0");
}

void infer_tfidf(InferContext& context) {
  const Attributes& attributes = context.attributes();
  const std::string mode = attributes.get_string("mode", "");
  require_one_of(context, "mode", mode, {"TF", "IDF", "TFIDF"});
  const size_t strings = attributes.get_strings("pool_strings").size(), ints = attributes.get_ints("pool_int64s").size();
  if ((strings == 0) == (ints == 0)) context.fail("expected one of the attributes 'pool_strings' and 'pool_int64s', found " + std::string(strings == 0 ? "none" : "both"));
  if ((context.dtype(0) == DType::string) != (strings != 0))
    context.fail("input 0 (X) is " + std::string(to_string(context.dtype(0))) + ", but the pool has " + (strings != 0 ? "strings" : "integers"));
  check_lengths(context);
  const int64_t width = checked_width(context, checked_ngrams(context, attributes.get_ints("ngram_counts"), strings + ints));
  const size_t weights = attributes.get_floats("weights").size();
  if (mode != "TF" && weights != 0 && weights < static_cast<size_t>(width))
    context.fail("attribute 'weights' has " + std::to_string(weights) + " values, expected one for each of the " + std::to_string(width) + " columns of the output");
  require_rank(context, 0, 0, 2, "X");
  if (!context.has_rank(0)) return context.set_output_unknown_rank(0, DType::float32);
  Shape out;
  if (context.rank(0) == 2) out.push_back(context.dim(0, 0));
  out.push_back(context.constant(width));
  context.set_output(0, DType::float32, std::move(out));
}

REGISTER_OP("", "TfIdfVectorizer", 9, "how often each n-gram of a pool occurs, weighted",
            OpSchema()
                .in("X", dtypes::string | onnx_types::index)
                .out("Y", dtype_bit(DType::float32))
                .required_attribute("mode", std::string{})
                .required_attribute("ngram_counts", std::vector<int64_t>{})
                .required_attribute("ngram_indexes", std::vector<int64_t>{})
                .required_attribute("min_gram_length", int64_t{})
                .required_attribute("max_gram_length", int64_t{})
                .required_attribute("max_skip_count", int64_t{})
                .optional_attribute("pool_int64s", std::vector<int64_t>{})
                .optional_attribute("pool_strings", std::vector<std::string>{})
                .optional_attribute("weights", std::vector<float>{})
                .infer(infer_tfidf));

}  // namespace
}  // namespace ge

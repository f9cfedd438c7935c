#include "ge/kernels/reference/scatter.hpp"

#include "ge/kernels/reference/broadcast.hpp"

#include <algorithm>
#include <cstring>

namespace ge::reference {
namespace {

void replace(std::byte* to, const std::byte* from, DType dtype, int64_t count) noexcept {
  if (count > 0) std::memcpy(to, from, static_cast<size_t>(count * element_size(dtype)));
}

struct Sum {
  template <class T>
  static T of(T a, T b) { return wrapping_add(a, b); }
};
struct Product {
  template <class T>
  static T of(T a, T b) { return wrapping_mul(a, b); }
};
// NaN wins, as in Max and Min.
struct Largest {
  template <class T>
  static T of(T a, T b) { return a > b || a != a ? a : b; }
};
struct Smallest {
  template <class T>
  static T of(T a, T b) { return a < b || a != a ? a : b; }
};

template <class Op, class T>
void combine_in(std::byte* to, const std::byte* from, DType dtype, int64_t count) noexcept {
  T old[block_size], update[block_size];
  const auto load = loader<T>(dtype);
  const auto store = storer<T>(dtype);
  for (int64_t i = 0; i < count; i += block_size) {
    const int64_t n = std::min(block_size, count - i);
    load(to, i, n, 1, old);
    load(from, i, n, 1, update);
    for (int64_t j = 0; j < n; ++j) old[j] = Op::of(old[j], update[j]);
    store(to, i, n, 1, old);
  }
}

template <class Op>
void combine(std::byte* to, const std::byte* from, DType dtype, int64_t count) noexcept {
  if (is_float(dtype)) combine_in<Op, double>(to, from, dtype, count);
  else if (dtype == DType::uint64) combine_in<Op, uint64_t>(to, from, dtype, count);
  else combine_in<Op, int64_t>(to, from, dtype, count);
}

}  // namespace

CombineElements combiner(const KernelSite& site) {
  const std::string reduction = site.attributes.get_string("reduction", "none");
  if (reduction == "none") return replace;
  if (reduction == "add") return combine<Sum>;
  if (reduction == "mul") return combine<Product>;
  if (reduction == "max") return combine<Largest>;
  if (reduction == "min") return combine<Smallest>;
  throw Error(ErrorCode::invalid_model, "attribute 'reduction' is '" + reduction + "', expected one of none, add, mul, max, min");
}

bool supports_scatter(const KernelQuery& query) {
  if (query.attributes.get_string("reduction", "none") == "none") return whole_bytes(query);
  return takes<convertible>(query);
}

}  // namespace ge::reference

#pragma once
#include "ge/ops/infer_context.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Checks that many ops share. Each throws Error(invalid_model) for what is known to be wrong and records what depends
/// on symbols as a condition. One context, one thread.
namespace ge {

template <class What>
std::string text_of(const What& what) {
  if constexpr (std::is_invocable_v<const What&>)
    return what();
  else
    return std::string(what);
}

/// "<what> is <found>, expected <expected>"; `what` is a text, or a callable that makes one where it is needed.
template <class What>
void require_equal(InferContext& context, Expr found, Expr expected, const What& what) {
  if (found == expected) return;
  context.require(equal(found, expected), [&] { return text_of(what) + " is " + to_string(found) + ", expected " + to_string(expected); });
}
/// The rank of input `i`, where known, is in lo..hi.
void require_rank(const InferContext& context, size_t i, size_t lo, size_t hi, std::string_view name);

/// Axes as 0..rank-1, in the order given; fails for one out of range or given twice.
std::vector<size_t> normal_axes(const InferContext& context, const std::vector<int64_t>& axes, size_t rank);

/// `value` as the dim that it decides: at least 0. `what` as above.
template <class What>
Expr as_dim(InferContext& context, Expr value, const What& what) {
  context.require(greater_equal(value, 0), [&] { return text_of(what) + " is " + to_string(value) + ", expected a dim of at least 0"; });
  return value;
}

/// `shape` with a fresh unknown dim in place of each null.
Shape with_unknowns(InferContext& context, Shape shape);

/// The number of elements of a rank-1 (or, counting as 1, rank-0) input; nullopt where the model does not tell.
std::optional<size_t> known_length(const InferContext& context, size_t i);

/// The single element of an integer input of any width; null, and noted as wanted, where it is not known.
Expr scalar_value(InferContext& context, size_t i, std::string_view name);

/// Attribute `name` as 0 or 1.
bool flag(const InferContext& context, std::string_view name, bool otherwise);
/// The dtype that int attribute `name` numbers (TensorProto.DataType).
DType dtype_attribute(const InferContext& context, std::string_view name, DType otherwise);
/// Fails unless `value` is one of `allowed`.
void require_one_of(const InferContext& context, std::string_view name, const std::string& value,
                    std::initializer_list<std::string_view> allowed);

}  // namespace ge

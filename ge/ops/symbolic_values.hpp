#pragma once
#include "ge/ops/infer_context.hpp"

#include <optional>
#include <span>
#include <vector>

/// How the elements of small integer tensors (CR-2: at most max_symbolic_values) travel through an op. Each function is
/// called after the outputs' shapes are set and leaves an output's values unknown where something is missing: dims that
/// are no constants, elements that are not known, results that a dtype cannot hold.
namespace ge {

/// The dims of output `i` when all are constants and the elements are few; nullopt otherwise.
std::optional<std::vector<int64_t>> small_output_dims(const InferContext& context, size_t i);
/// The dims of input `i` when its elements are known.
std::optional<std::vector<int64_t>> valued_input_dims(const InferContext& context, size_t i);

using Index = std::vector<int64_t>;
/// Row-major position of `index` in a tensor of `dims`.
int64_t flat_position(std::span<const int64_t> dims, std::span<const int64_t> index);
/// Moves `index` to the next element in row-major order; false (and all zeros) behind the last.
bool next_index(std::span<const int64_t> dims, Index& index);

/// Output `output` has the elements of input `input` in the same order (Reshape, Squeeze, Identity, …).
void pass_values(InferContext& context, size_t input = 0, size_t output = 0);

/// Output `output`'s element at `at` is input `input`'s element at the index that `source(at, from)` writes to `from`
/// (sized to the input's rank).
template <class Source>
void rearrange_values(InferContext& context, size_t input, size_t output, Source source) {
  const auto in = valued_input_dims(context, input);
  const auto out = small_output_dims(context, output);
  if (!in || !out) return;
  const std::vector<Expr>& elements = *context.values_if_known(input);
  const auto count = static_cast<size_t>(*element_count(*out));
  std::vector<Expr> result;
  Index at(out->size()), from(in->size());
  for (size_t i = 0; i < count; ++i, next_index(*out, at)) {
    source(std::span<const int64_t>(at), std::span<int64_t>(from));
    result.push_back(elements.at(static_cast<size_t>(flat_position(*in, from))));
  }
  context.set_values(output, std::move(result));
}

/// The elements of the first `count` inputs as broadcasting lines them up with output 0; nullopt when not all are known.
std::optional<std::vector<std::vector<Expr>>> broadcast_values(const InferContext& context, size_t count);

/// Output 0's elements are f(span of the operands' elements); f may return a null Expr for "not known".
template <class F>
void map_values(InferContext& context, size_t operands, F f) {
  const auto columns = broadcast_values(context, operands);
  if (!columns || columns->empty()) return;
  std::vector<Expr> result, row(operands);
  for (size_t i = 0; i < columns->front().size(); ++i) {
    for (size_t k = 0; k < operands; ++k) row[k] = (*columns)[k][i];
    result.push_back(f(std::span<const Expr>(row)));
    if (!result.back()) return;
  }
  context.set_values(0, std::move(result));
}

}  // namespace ge

#include "ge/ops/symbolic_values.hpp"

namespace ge {

std::optional<std::vector<int64_t>> small_output_dims(const InferContext& context, size_t i) {
  if (!context.has_output(i)) return std::nullopt;
  const TensorType& type = context.results()[i];
  auto dims = type.shape ? constant_dims(*type.shape) : std::nullopt;
  const auto count = dims ? element_count(*dims) : std::nullopt;
  return count && *count <= max_symbolic_values ? dims : std::nullopt;
}

std::optional<std::vector<int64_t>> valued_input_dims(const InferContext& context, size_t i) {
  const std::vector<Expr>* values = context.values_if_known(i);
  if (values == nullptr || !context.has_rank(i)) return std::nullopt;
  auto dims = constant_dims(context.shape(i));
  if (!dims || element_count(*dims) != static_cast<int64_t>(values->size())) return std::nullopt;
  return dims;
}

int64_t flat_position(std::span<const int64_t> dims, std::span<const int64_t> index) {
  int64_t position = 0;
  for (size_t d = 0; d < dims.size(); ++d) position = position * dims[d] + index[d];
  return position;
}

bool next_index(std::span<const int64_t> dims, Index& index) {
  for (size_t d = dims.size(); d-- > 0;) {
    if (++index[d] < dims[d]) return true;
    index[d] = 0;
  }
  return false;
}

void pass_values(InferContext& context, size_t input, size_t output) {
  if (const std::vector<Expr>* values = context.values_if_known(input)) context.set_values(output, *values);
}

std::optional<std::vector<std::vector<Expr>>> broadcast_values(const InferContext& context, size_t count) {
  const auto out = small_output_dims(context, 0);
  if (!out) return std::nullopt;
  const auto elements = static_cast<size_t>(*element_count(*out));
  std::vector<std::vector<Expr>> columns;
  for (size_t k = 0; k < count; ++k) {
    const auto in = valued_input_dims(context, k);
    if (!in) return std::nullopt;
    const std::vector<Expr>& values = *context.values_if_known(k);
    std::vector<Expr>& column = columns.emplace_back();
    Index at(out->size()), from(in->size());
    for (size_t i = 0; i < elements; ++i, next_index(*out, at)) {
      for (size_t d = 0; d < in->size(); ++d) from[d] = (*in)[d] == 1 ? 0 : at[out->size() - in->size() + d];
      column.push_back(values[static_cast<size_t>(flat_position(*in, from))]);
    }
  }
  return columns;
}

}  // namespace ge

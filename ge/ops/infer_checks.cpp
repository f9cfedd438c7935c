#include "ge/ops/infer_checks.hpp"

#include <algorithm>

namespace ge {

void require_rank(const InferContext& context, size_t i, size_t lo, size_t hi, std::string_view name) {
  if (!context.has_input(i) || !context.has_rank(i)) return;
  const size_t rank = context.rank(i);
  if (rank >= lo && rank <= hi) return;
  std::string expected = std::to_string(lo);
  if (hi != lo) expected = hi == SIZE_MAX ? "at least " + expected : expected + " to " + std::to_string(hi);
  context.fail("input " + std::to_string(i) + " (" + std::string(name) + ") has shape " + to_string(context.shape(i)) + " of rank " +
               std::to_string(rank) + ", expected rank " + expected);
}

std::vector<size_t> normal_axes(const InferContext& context, const std::vector<int64_t>& axes, size_t rank) {
  std::vector<size_t> out;
  for (int64_t axis : axes) {
    out.push_back(context.axis(axis, rank));
    if (std::count(out.begin(), out.end(), out.back()) > 1)
      context.fail("axis " + std::to_string(axis) + " is given twice, expected distinct axes");
  }
  return out;
}

Shape with_unknowns(InferContext& context, Shape shape) {
  for (Expr& dim : shape)
    if (!dim) dim = context.unknown_dim();
  return shape;
}

std::optional<size_t> known_length(const InferContext& context, size_t i) {
  const std::vector<Expr>* values = context.values_if_known(i);
  if (values != nullptr) return values->size();
  if (!context.has_input(i) || !context.has_rank(i)) return std::nullopt;
  const Shape& shape = context.shape(i);
  if (shape.empty()) return 1;
  if (shape.size() > 1) context.fail("input " + std::to_string(i) + " has shape " + to_string(shape) + ", expected a list (rank 1)");
  return shape[0].is_constant() ? std::optional(static_cast<size_t>(shape[0].value())) : std::nullopt;
}

Expr scalar_value(InferContext& context, size_t i, std::string_view name) {
  const auto one = [&](size_t count) {
    if (count != 1)
      context.fail("input " + std::to_string(i) + " (" + std::string(name) + ") has " + std::to_string(count) + " elements, expected 1");
  };
  if (const std::vector<Expr>* known = context.values_if_known(i)) return one(known->size()), known->front();
  const Tensor* content = context.content(i);
  if (content == nullptr) return {};
  const auto ints = content->to_ints();
  return ints ? (one(ints->size()), context.constant(ints->front())) : Expr{};
}

bool flag(const InferContext& context, std::string_view name, bool otherwise) {
  return context.attributes().get_int(name, otherwise ? 1 : 0) != 0;
}

DType dtype_attribute(const InferContext& context, std::string_view name, DType otherwise) {
  if (!context.attributes().has(name)) return otherwise;
  const int64_t number = context.attributes().need_int(name);
  const auto dtype = dtype_from_onnx(number);
  if (!dtype)
    context.fail("attribute '" + std::string(name) + "' is " + std::to_string(number) +
                 ", expected the number of a dtype (TensorProto.DataType)");
  return *dtype;
}

void require_one_of(const InferContext& context, std::string_view name, const std::string& value,
                    std::initializer_list<std::string_view> allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  std::string list;
  for (std::string_view option : allowed) list += (list.empty() ? "" : ", ") + std::string(option);
  context.fail("attribute '" + std::string(name) + "' is '" + value + "', expected one of " + list);
}

}  // namespace ge

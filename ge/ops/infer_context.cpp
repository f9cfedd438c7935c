#include "ge/ops/infer_context.hpp"

#include <algorithm>

namespace ge {
namespace {

bool has_symbolic_values(DType dtype) { return dtype == DType::int64 || dtype == DType::int32 || dtype == DType::boolean; }

/// Whether a mathematical integer of these bounds is what a tensor of that dtype holds: int32 would wrap beyond its
/// range. (int64 wraps too, but no model means that in a shape.)
bool fits(DType dtype, Bounds bounds) {
  if (dtype == DType::int32) return bounds.lo >= INT32_MIN && bounds.hi <= INT32_MAX;
  return dtype != DType::boolean || (bounds.lo >= 0 && bounds.hi <= 1);
}

}  // namespace

InferContext::InferContext(SymbolTable& symbols, const Attributes& attributes, std::vector<Input> inputs, std::vector<bool> outputs)
    : symbols_(symbols), attributes_(attributes), inputs_(std::move(inputs)), made_(inputs_.size()),
      made_values_(inputs_.size()), wanted_outputs_(std::move(outputs)), outputs_(wanted_outputs_.size()) {}

const TensorType& InferContext::input(size_t i) const {
  if (!has_input(i)) fail("input " + std::to_string(i) + " is missing");
  return *inputs_[i].type;
}

const Shape& InferContext::shape(size_t i) const {
  const TensorType& type = input(i);
  if (!type.shape) throw Error(ErrorCode::internal, "the rank of input " + std::to_string(i) + " was used but is unknown");
  return *type.shape;
}

Expr InferContext::dim(size_t i, size_t axis) const {
  const Shape& dims = shape(i);
  if (axis >= dims.size())
    fail("input " + std::to_string(i) + " has rank " + std::to_string(dims.size()) + ", expected at least " + std::to_string(axis + 1));
  return dims[axis];
}

void InferContext::want(size_t i) {
  auto it = std::lower_bound(wanted_.begin(), wanted_.end(), i);
  if (it == wanted_.end() || *it != i) wanted_.insert(it, i);
}

const Tensor* InferContext::content(size_t i) {
  if (!has_input(i)) return nullptr;
  if (inputs_[i].content != nullptr) return inputs_[i].content;
  if (made_[i]) return &made_[i];
  const TensorType& type = *inputs_[i].type;
  const auto ints = type.values ? constant_ints(i) : std::nullopt;
  if (!ints || !type.shape || !constant_dims(*type.shape)) {
    want(i);
    return nullptr;
  }
  const auto dims = *constant_dims(*type.shape);
  if (type.dtype == DType::int32) {
    std::vector<int32_t> narrow(ints->begin(), ints->end());
    made_[i] = Tensor::from<int32_t>(type.dtype, dims, narrow);
  } else if (type.dtype == DType::boolean) {
    std::vector<uint8_t> narrow(ints->begin(), ints->end());
    made_[i] = Tensor::from<uint8_t>(type.dtype, dims, narrow);
  } else {
    made_[i] = Tensor::from<int64_t>(type.dtype, dims, *ints);
  }
  return &made_[i];
}

const std::vector<Expr>* InferContext::values_if_known(size_t i) const {
  if (!has_input(i)) return nullptr;
  if (inputs_[i].type->values) return &*inputs_[i].type->values;
  const Tensor* bytes = inputs_[i].content;
  if (bytes == nullptr || bytes->count() > max_symbolic_values || !has_symbolic_values(bytes->dtype())) return nullptr;
  const auto ints = bytes->to_ints();
  if (made_values_[i].size() != ints->size())
    for (int64_t value : *ints) made_values_[i].push_back(constant(value));
  return &made_values_[i];
}

const std::vector<Expr>* InferContext::values(size_t i) {
  const std::vector<Expr>* known = values_if_known(i);
  if (known == nullptr && has_input(i)) want(i);
  return known;
}

std::optional<std::vector<int64_t>> InferContext::constant_ints(size_t i) {
  if (!has_input(i)) return std::nullopt;
  if (inputs_[i].content != nullptr) return inputs_[i].content->to_ints();
  std::vector<int64_t> ints;
  const std::vector<Expr>* known = values_if_known(i);
  if (known != nullptr)
    for (Expr value : *known)
      if (value.is_constant()) ints.push_back(value.value());
  if (known == nullptr || ints.size() != known->size()) {
    want(i);
    return std::nullopt;
  }
  return ints;
}

void InferContext::set_output(size_t i, DType dtype, Shape shape) {
  if (has_output(i)) outputs_[i] = TensorType{dtype, std::move(shape), std::nullopt};
}

void InferContext::set_output_unknown_rank(size_t i, DType dtype) {
  if (has_output(i)) outputs_[i] = TensorType{dtype, std::nullopt, std::nullopt};
}

void InferContext::set_output(size_t i, const TensorType& type) {
  if (has_output(i)) outputs_[i] = type;
}

void InferContext::set_values(size_t i, std::vector<Expr> values) {
  if (!has_output(i)) return;
  const DType dtype = outputs_[i].dtype;
  if (!has_symbolic_values(dtype) || static_cast<int64_t>(values.size()) > max_symbolic_values) return;
  const auto dims = outputs_[i].shape ? constant_dims(*outputs_[i].shape) : std::nullopt;
  if (!dims || element_count(*dims) != static_cast<int64_t>(values.size())) return;
  if (!std::all_of(values.begin(), values.end(), [&](Expr value) { return value && fits(dtype, value.bounds()); })) return;
  outputs_[i].values = std::move(values);
}

Expr InferContext::unknown_dim() {
  unknowns_.push_back(symbols_.symbol("u"));
  return unknowns_.back();
}

Shape InferContext::unknown_shape(size_t rank) {
  if (rank > max_unknown_rank) fail("a result would have " + std::to_string(rank) + " axes, expected at most " + std::to_string(max_unknown_rank));
  Shape shape;
  for (size_t i = 0; i < rank; ++i) shape.push_back(unknown_dim());
  return shape;
}

void InferContext::require(Expr condition, std::string what) {
  if (known_true(condition)) return;
  if (known_false(condition)) fail(what);
  conditions_.push_back({condition, std::move(what)});
}

void InferContext::fail(const std::string& what) const { throw Error(ErrorCode::invalid_model, what); }

size_t InferContext::axis(int64_t axis, size_t rank) const {
  const auto r = static_cast<int64_t>(rank);
  if (axis < -r || axis >= r)
    fail("axis " + std::to_string(axis) + " is out of range for rank " + std::to_string(rank) + ", expected " + std::to_string(-r) +
         " to " + std::to_string(r - 1));
  return static_cast<size_t>(axis < 0 ? axis + r : axis);
}

Shape InferContext::broadcast(const Shape& a, const Shape& b) {
  const size_t rank = std::max(a.size(), b.size());
  Shape out(rank);
  for (size_t i = 0; i < rank; ++i) {  // i counts from the last axis
    Expr x = i < a.size() ? a[a.size() - 1 - i] : constant(1);
    Expr y = i < b.size() ? b[b.size() - 1 - i] : constant(1);
    if (x != y)
      require(logical_or(equal(x, y), logical_or(equal(x, 1), equal(y, 1))), [&] {
        return "shapes " + to_string(a) + " and " + to_string(b) + " do not broadcast: " + to_string(x) + " against " + to_string(y) +
               ", expected equal dims or a 1";
      });
    out[rank - 1 - i] = ge::broadcast(x, y);
  }
  return out;
}

}  // namespace ge

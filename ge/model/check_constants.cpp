#include "ge/model/program_checks.hpp"

#include <algorithm>
#include <vector>

namespace ge::checks {
namespace {

std::span<const int64_t> dims_of(const Program& program, const ConstantRow& constant) {
  return program.numbers.subspan(constant.dims.first, constant.dims.count);
}

void check_size(const Program& program, Row row, const ConstantRow& constant) {
  const auto dtype = static_cast<DType>(constant.dtype);
  const auto dims = dims_of(program, constant);
  const auto count = element_count(dims);
  const auto bytes = count ? bytes_for(dtype, *count) : std::nullopt;
  const auto what = [&] { return std::string(to_string(dtype)) + dims_to_string(dims); };
  if (!bytes) refuse(row, "no " + what() + " can exist: its size is not a 64-bit number of bytes");
  const auto expected = static_cast<uint64_t>(*bytes);
  if (constant.packing.count != 0) {
    // The packing decides the size; a kernel that knows it checks the size in prepare().
    if (dtype == DType::string) refuse(row, "strings have a packing, expected none");
  } else if (dtype == DType::string ? constant.size < expected : constant.size != expected) {
    refuse(row, "size is " + std::to_string(constant.size) + " bytes, but " + what() + " has " + std::to_string(expected) +
                    (dtype == DType::string ? " and the characters" : ""));
  }
}

void check_place(Row row, const ConstantRow& constant, uint64_t weights_bytes) {
  if (constant.offset % 64 != 0) refuse(row, "offset is " + std::to_string(constant.offset) + ", expected a multiple of 64");
  if (constant.size > weights_bytes || constant.offset > weights_bytes - constant.size)
    refuse(row, "bytes " + std::to_string(constant.offset) + " + " + std::to_string(constant.size) + " of weights that have " +
                    std::to_string(weights_bytes));
}

/// Equal constants may share their place; otherwise places are apart, so what is built per place (the references of
/// strings) is together no larger than the weights.
void check_overlaps(const Program& program) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < program.constants.size(); ++i)
    if (program.constants[i].size != 0) order.push_back(i);
  std::ranges::sort(order, {}, [&](uint32_t i) { return std::pair(program.constants[i].offset, i); });
  for (size_t i = 1; i < order.size(); ++i) {
    const ConstantRow &before = program.constants[order[i - 1]], &constant = program.constants[order[i]];
    const bool same_place = before.offset == constant.offset && before.size == constant.size && before.dtype == constant.dtype;
    if (same_place && static_cast<DType>(constant.dtype) == DType::string &&
        element_count(dims_of(program, before)) != element_count(dims_of(program, constant)))
      refuse({"constants", order[i]}, "shares the place of row " + std::to_string(order[i - 1]) + ", which has another number of strings");
    if (!same_place && constant.offset - before.offset < before.size)
      refuse({"constants", order[i]}, "overlaps row " + std::to_string(order[i - 1]));
  }
}

/// A value's dims say how much of the constant is read.
void check_reference(const Program& program, Row row, const ValueRow& value) {
  const ConstantRow& constant = program.constants[value.constant];
  if (!(value.flags & value_rank_known)) refuse(row, "is a constant of unknown rank");
  std::vector<int64_t> dims;
  for (uint32_t dim : program.operands_of(value.dims)) {
    const auto known = constant_expression(program, dim);
    if (!known || *known < 0) refuse(row, "is a constant, but dim " + std::to_string(dims.size()) + " is no constant that is 0 or more");
    dims.push_back(*known);
  }
  if (!element_count(dims)) refuse(row, "is a constant with more than 2^63 elements: " + dims_to_string(dims));
  if (constant.packing.count != 0) return;
  const auto expected = dims_of(program, constant);
  if (value.dtype != constant.dtype || !std::ranges::equal(dims, expected))
    refuse(row, "is " + std::string(to_string(static_cast<DType>(value.dtype))) + dims_to_string(dims) + ", but its constant is " +
                    std::string(to_string(static_cast<DType>(constant.dtype))) + dims_to_string(expected));
}

}  // namespace

void check_constants(const Program& program, uint64_t weights_bytes) {
  for (size_t i = 0; i < program.constants.size(); ++i) {
    check_size(program, {"constants", i}, program.constants[i]);
    check_place({"constants", i}, program.constants[i], weights_bytes);
  }
  check_overlaps(program);
  for (size_t i = 0; i < program.values.size(); ++i)
    if (program.values[i].constant != no_index) check_reference(program, {"values", i}, program.values[i]);
}

}  // namespace ge::checks

// Shape and Size: numbers that are known when the task is prepared.
#include "ge/kernels/reference/dims.hpp"

#include <algorithm>
#include <cstring>

namespace ge::reference {
namespace {

struct NumbersArgs {
  int64_t* y = nullptr;
  Dims numbers;
};
Status run_numbers(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const NumbersArgs*>(args);
  if (a.numbers.rank > 0) std::memcpy(a.y, a.numbers.size, static_cast<size_t>(a.numbers.rank) * sizeof(int64_t));
  return Status::ok;
}

/// ONNX Shape-25: the dims from `start` to `end`; both may count from the end and are limited to 0..rank.
void prepare_shape(const KernelSite& site, TaskBuilder& builder) {
  const std::span<const int64_t> dims = site.inputs[0].dims;
  const auto rank = static_cast<int64_t>(dims.size());
  const auto limited = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank); };
  const int64_t start = limited(site.attributes.get_int("start", 0));
  const int64_t end = std::max(start, limited(site.attributes.get_int("end", rank)));
  NumbersArgs args;
  args.numbers = make_dims(dims.subspan(static_cast<size_t>(start), static_cast<size_t>(end - start)));
  builder.append(run_numbers, args).output(&NumbersArgs::y, 0);
}

void prepare_size(const KernelSite& site, TaskBuilder& builder) {
  NumbersArgs args;
  args.numbers = make_dims(std::span(&site.inputs[0].count, 1));
  builder.append(run_numbers, args).output(&NumbersArgs::y, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Shape", "", "the dims of x", {.prepare = prepare_shape});
REGISTER_CPU_KERNEL("reference", "", "Size", "", "the number of elements of x", {.prepare = prepare_size});

}  // namespace ge::reference

// NonZero: the indices of elements that are not 0, as y[rank, count]; the count is found while running (ONNX NonZero-13;
// a scalar gives y[0, count]).
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

struct NonZeroArgs {
  const void* x = nullptr;
  LoadDoubles load = nullptr;  ///< no integer but 0 becomes 0.0
  Dims dims;
};

/// Calls `visit(number)` for each element that is not 0.
template <class Visit>
void for_each_nonzero(const NonZeroArgs& a, Visit visit) {
  double block[block_size];
  const int64_t count = count_of(a.dims);
  for (int64_t i = 0; i < count; i += block_size) {
    const int64_t n = std::min(block_size, count - i);
    a.load(a.x, i, n, 1, block);
    for (int64_t j = 0; j < n; ++j)
      if (block[j] != 0) visit(i + j);
  }
}

Status run_nonzero(const void* args, OutputAllocator& outputs) noexcept {
  const auto& a = *static_cast<const NonZeroArgs*>(args);
  int64_t found = 0;
  for_each_nonzero(a, [&](int64_t) { ++found; });
  const int64_t dims[] = {a.dims.rank, found};
  auto* y = reinterpret_cast<int64_t*>(outputs.allocate(0, dims));
  if (y == nullptr) return Status::out_of_memory;
  int64_t next = 0;
  for_each_nonzero(a, [&](int64_t number) {
    for (int32_t axis = a.dims.rank; axis-- > 0; number /= a.dims.size[axis]) y[axis * found + next] = number % a.dims.size[axis];
    ++next;
  });
  return Status::ok;
}

void prepare_nonzero(const KernelSite& site, TaskBuilder& builder) {
  NonZeroArgs args;
  args.load = double_loader(site.inputs[0].dtype);
  args.dims = make_dims(site.inputs[0].dims);
  builder.append_dynamic(run_nonzero, args).input(&NonZeroArgs::x, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "NonZero", "", "indices of elements that are not 0", {.supports = takes<convertible>, .prepare = prepare_nonzero});

}  // namespace ge::reference

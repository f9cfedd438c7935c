// NonZero: the indices of elements that are not 0, as y[rank, count]; the count is found while running (ONNX NonZero-13;
// a scalar gives y[0, count]). A complex number is 0 where both of its parts are, a string where it is empty.
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cstddef>

namespace ge::reference {
namespace {

struct NonZeroArgs {
  const void* x = nullptr;
  LoadDoubles load = nullptr;  ///< no integer but 0 becomes 0.0
  int64_t step = 1;            ///< numbers that `load` sees to an element; the elements' first and last number that count
  int64_t first_part = 0, last_part = 0;
  Dims dims;
};

/// Calls `visit(number)` for each element that is not 0.
template <class Visit>
void for_each_nonzero(const NonZeroArgs& a, Visit visit) {
  double block[block_size];
  const int64_t count = count_of(a.dims);
  for (int64_t i = 0; i < count; i += block_size) {
    const int64_t n = std::min(block_size, count - i);
    bool found[block_size] = {};
    for (int64_t part = a.first_part; part <= a.last_part; ++part) {
      a.load(a.x, i * a.step + part, n, a.step, block);
      for (int64_t j = 0; j < n; ++j) found[j] |= block[j] != 0;
    }
    for (int64_t j = 0; j < n; ++j)
      if (found[j]) visit(i + j);
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
  const DType dtype = site.inputs[0].dtype;
  if (contains(dtypes::complex, dtype)) {
    args.load = double_loader(dtype == DType::complex64 ? DType::float32 : DType::float64);
    args.step = 2, args.last_part = 1;
  } else if (dtype == DType::string) {
    static_assert(offsetof(StringRef, size) == sizeof(uint64_t));
    args.load = double_loader(DType::uint64);
    args.step = 2, args.first_part = args.last_part = 1;
  } else {
    args.load = double_loader(dtype);
  }
  args.dims = make_dims(site.inputs[0].dims);
  builder.append_dynamic(run_nonzero, args).input(&NonZeroArgs::x, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "NonZero", "", "indices of elements that are not 0", {.supports = takes<convertible | dtypes::complex | dtypes::string>, .prepare = prepare_nonzero});

}  // namespace ge::reference

// Unique (ONNX 28): the different elements of the flat tensor, or slices along an axis, in ascending order or in that of their
// first occurrence; where each was found first, which one each element of x is, and how often each occurs. Slices are ordered
// by their first difference; complex numbers by real, then imaginary part; strings by bytes. NaN equals NaN and comes last.
#include "ge/kernels/reference/component.hpp"
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/takes.hpp"

#include <algorithm>
#include <cstring>

namespace ge::reference {
namespace {

struct UniqueArgs;
/// Below 0, 0 or above 0: how element `i` of x compares to element `j`.
using CompareElements = int (*)(const UniqueArgs& args, int64_t i, int64_t j);

struct UniqueArgs {
  const std::byte* x = nullptr;
  int64_t *order = nullptr, *group = nullptr, *number = nullptr;  ///< workspaces, one entry per slice
  LoadDoubles load_doubles = nullptr;
  LoadInt64s load_ints = nullptr;
  LoadUint64s load_uints = nullptr;
  CompareElements compare = nullptr;
  Dims dims;  ///< of output 0 but for the axis
  int32_t axis = 0, components = 1;
  bool sorted = true;
  bool has_indices = false, has_inverse = false, has_counts = false;
  int64_t outer = 1, n = 1, inner = 1, element_size = 1;  ///< x as [outer, n, inner]
};

template <class T>
int compare_values(T a, T b) {
  const bool a_number = a == a, b_number = b == b;
  if (!a_number || !b_number) return static_cast<int>(b_number) - static_cast<int>(a_number);
  return a < b ? -1 : b < a ? 1 : 0;
}
int compare_doubles(const UniqueArgs& a, int64_t i, int64_t j) {
  for (int32_t c = 0; c < a.components; ++c) {
    double u, v;
    a.load_doubles(a.x, i * a.components + c, 1, 1, &u);
    a.load_doubles(a.x, j * a.components + c, 1, 1, &v);
    if (const int order = compare_values(u, v); order != 0) return order;
  }
  return 0;
}
int compare_ints(const UniqueArgs& a, int64_t i, int64_t j) {
  int64_t u, v;
  a.load_ints(a.x, i, 1, 1, &u), a.load_ints(a.x, j, 1, 1, &v);
  return compare_values(u, v);
}
int compare_uints(const UniqueArgs& a, int64_t i, int64_t j) {
  uint64_t u, v;
  a.load_uints(a.x, i, 1, 1, &u), a.load_uints(a.x, j, 1, 1, &v);
  return compare_values(u, v);
}
int compare_strings(const UniqueArgs& a, int64_t i, int64_t j) {
  const auto* texts = reinterpret_cast<const StringRef*>(a.x);
  const int order = texts[i].view().compare(texts[j].view());
  return order;
}

int compare_slices(const UniqueArgs& a, int64_t i, int64_t j) {
  for (int64_t o = 0; o < a.outer; ++o)
    for (int64_t k = 0; k < a.inner; ++k)
      if (const int order = a.compare(a, (o * a.n + i) * a.inner + k, (o * a.n + j) * a.inner + k); order != 0) return order;
  return 0;
}

/// Fills group[i], the first slice equal to slice i, and number[f], the place in the output of each slice f that is a first
/// one. Returns how many there are.
int64_t find_groups(const UniqueArgs& a) {
  for (int64_t i = 0; i < a.n; ++i) a.order[i] = i;
  std::sort(a.order, a.order + a.n, [&](int64_t i, int64_t j) {
    const int order = compare_slices(a, i, j);
    return order != 0 ? order < 0 : i < j;
  });
  int64_t found = 0;
  for (int64_t k = 0; k < a.n; ++k) {
    const bool starts = k == 0 || compare_slices(a, a.order[k - 1], a.order[k]) != 0;
    a.group[a.order[k]] = starts ? a.order[k] : a.group[a.order[k - 1]];
    if (starts) a.number[a.order[k]] = found++;
  }
  if (!a.sorted) {
    int64_t next = 0;
    for (int64_t i = 0; i < a.n; ++i)
      if (a.group[i] == i) a.number[i] = next++;
  }
  return found;
}

int64_t* allocate_ints(OutputAllocator& outputs, size_t index, int64_t count) {
  const int64_t dims[] = {count};
  return reinterpret_cast<int64_t*>(outputs.allocate(index, dims));
}

Status run_unique(const void* block, OutputAllocator& outputs) noexcept {
  const auto& a = *static_cast<const UniqueArgs*>(block);
  const int64_t found = find_groups(a);
  Dims dims = a.dims;
  dims.size[a.axis] = found;
  std::byte* y = outputs.allocate(0, std::span<const int64_t>(dims.size, static_cast<size_t>(dims.rank)));
  int64_t* indices = a.has_indices ? allocate_ints(outputs, 1, found) : nullptr;
  int64_t* inverse = a.has_inverse ? allocate_ints(outputs, 2, a.n) : nullptr;
  int64_t* counts = a.has_counts ? allocate_ints(outputs, 3, found) : nullptr;
  if (y == nullptr || (a.has_indices && indices == nullptr) || (a.has_inverse && inverse == nullptr) || (a.has_counts && counts == nullptr))
    return Status::out_of_memory;
  if (a.has_counts) std::fill_n(counts, found, int64_t{0});
  const int64_t row = a.inner * a.element_size;
  for (int64_t i = 0; i < a.n; ++i) {
    const int64_t to = a.number[a.group[i]];
    if (a.has_inverse) inverse[i] = to;
    if (a.has_counts) ++counts[to];
    if (a.group[i] != i) continue;
    if (a.has_indices) indices[to] = i;
    if (row > 0)
      for (int64_t o = 0; o < a.outer; ++o) std::memcpy(y + (o * found + to) * row, a.x + (o * a.n + i) * row, static_cast<size_t>(row));
  }
  return Status::ok;
}

void set_comparison(UniqueArgs& args, DType dtype) {
  args.components = components_of(dtype);
  if (dtype == DType::string) {
    args.compare = compare_strings;
  } else if (args.components == 2 || is_float(dtype)) {
    args.load_doubles = double_loader(component_of(dtype));
    args.compare = compare_doubles;
  } else if (dtype == DType::uint64) {
    args.load_uints = uint64_loader(dtype);
    args.compare = compare_uints;
  } else {
    args.load_ints = int64_loader(dtype);
    args.compare = compare_ints;
  }
}

void prepare_unique(const KernelSite& site, TaskBuilder& builder) {
  const Dims x = make_dims(site.inputs[0].dims);
  UniqueArgs args;
  set_comparison(args, site.inputs[0].dtype);
  args.element_size = element_size(site.inputs[0].dtype);
  args.sorted = site.attributes.get_int("sorted", 1) != 0;
  args.has_indices = site.has_output(1), args.has_inverse = site.has_output(2), args.has_counts = site.has_output(3);
  if (site.attributes.has("axis")) {
    args.dims = x;
    args.axis = normal_axis(site.attributes.get_int("axis", 0), x.rank);
    args.n = x.size[args.axis];
    args.outer = count_of(x, 0, args.axis);
    args.inner = count_of(x, args.axis + 1, x.rank);
    if (site.inputs[0].count == 0) args.outer = args.inner = 0;  // slices of no elements are all equal
  } else {
    args.dims.rank = 1;
    args.n = site.inputs[0].count;
  }
  using Args = UniqueArgs;
  const int64_t bytes = times(args.n, static_cast<int64_t>(sizeof(int64_t)));
  builder.append_dynamic(run_unique, args).input(&Args::x, 0).workspace(&Args::order, bytes).workspace(&Args::group, bytes).workspace(&Args::number, bytes);
}

REGISTER_CPU_KERNEL("reference", "", "Unique", "", "elements or slices without repetitions",
                    {.supports = takes<convertible | dtypes::complex | dtypes::string>, .prepare = prepare_unique});

}  // namespace
}  // namespace ge::reference

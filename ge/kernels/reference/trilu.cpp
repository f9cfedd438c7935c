// Trilu: the upper or lower triangle of matrices, zero elsewhere (ONNX Trilu-14). x[batch, rows, columns].
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/element.hpp"

#include <algorithm>
#include <cstring>

namespace ge::reference {
namespace {

struct TriluArgs {
  const std::byte* x = nullptr;
  const int64_t* k = nullptr;  ///< null: 0
  std::byte* y = nullptr;
  int64_t element_size = 1, batch = 1, rows = 1, columns = 1;
  bool upper = true;
};

Status run_trilu(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const TriluArgs*>(args);
  const int64_t k = a.k == nullptr ? 0 : std::clamp(*a.k, -a.rows - 1, a.columns + 1);
  for (int64_t row = 0; row < a.batch * a.rows; ++row) {
    // Columns from `split` on are on or above diagonal k; the lower triangle has the diagonal too.
    const int64_t diagonal = row % a.rows + k;
    const int64_t split = std::clamp<int64_t>(a.upper ? diagonal : diagonal + 1, 0, a.columns);
    const int64_t first = a.upper ? split : 0, last = a.upper ? a.columns : split;
    std::byte* to = a.y + row * a.columns * a.element_size;
    const auto bytes = [&](int64_t elements) { return static_cast<size_t>(elements * a.element_size); };
    std::memmove(to + first * a.element_size, a.x + (row * a.columns + first) * a.element_size, bytes(last - first));  // y may be x
    std::memset(to, 0, bytes(first));
    std::memset(to + last * a.element_size, 0, bytes(a.columns - last));
  }
  return Status::ok;
}

void prepare_trilu(const KernelSite& site, TaskBuilder& builder) {
  const Dims dims = make_dims(site.inputs[0].dims);
  if (dims.rank < 2) throw Error(ErrorCode::invalid_model, "Trilu: the input is " + dims_to_string(site.inputs[0].dims) + ", expected at least two axes");
  if (site.inputs[0].count == 0) return;
  TriluArgs args;
  args.element_size = element_size(site.inputs[0].dtype);
  args.batch = count_of(dims, 0, dims.rank - 2);
  args.rows = dims.size[dims.rank - 2];
  args.columns = dims.size[dims.rank - 1];
  args.upper = site.attributes.get_int("upper", 1) != 0;
  auto task = builder.append(run_trilu, args).input(&TriluArgs::x, 0).output(&TriluArgs::y, 0);
  if (site.has_input(1)) task.input(&TriluArgs::k, 1);
  builder.may_overwrite(0, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Trilu", "", "a triangle of matrices", {.supports = whole_bytes, .prepare = prepare_trilu});

}  // namespace ge::reference

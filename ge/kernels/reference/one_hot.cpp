// OneHot: indices[outer, inner] -> y[outer, depth, inner] (ONNX OneHot-28). Indices from -depth count from the end;
// others outside of 0..depth-1 switch nothing on.
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/element.hpp"

namespace ge::reference {
namespace {

struct OneHotArgs {
  const void* indices = nullptr;
  const std::byte* values = nullptr;  ///< off, on
  std::byte* y = nullptr;
  LoadInt64s load = nullptr;
  CopyElements copy = nullptr;
  int64_t element_size = 1, outer = 1, depth = 1, inner = 1;
};

Status run_one_hot(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const OneHotArgs*>(args);
  a.copy(a.y, 1, a.values, 0, a.outer * a.depth * a.inner);
  for (int64_t i = 0; i < a.outer * a.inner; ++i) {
    int64_t index;
    a.load(a.indices, i, 1, 1, &index);
    if (index < 0) index += a.depth;
    if (index < 0 || index >= a.depth) continue;
    const int64_t place = (i / a.inner * a.depth + index) * a.inner + i % a.inner;
    a.copy(a.y + place * a.element_size, 1, a.values + a.element_size, 1, 1);
  }
  return Status::ok;
}

void prepare_one_hot(const KernelSite& site, TaskBuilder& builder) {
  const Dims out = make_dims(site.outputs[0].dims);
  const int32_t axis = normal_axis(site.attributes.get_int("axis", -1), out.rank);
  if (site.outputs[0].count == 0) return;
  OneHotArgs args;
  args.load = int64_loader(site.inputs[0].dtype);
  args.element_size = element_size(site.outputs[0].dtype);
  args.copy = copier(args.element_size);
  args.outer = count_of(out, 0, axis);
  args.depth = out.size[axis];
  args.inner = count_of(out, axis + 1, out.rank);
  using Args = OneHotArgs;
  builder.append(run_one_hot, args).input(&Args::indices, 0).input(&Args::values, 2).output(&Args::y, 0);
}

bool supports_one_hot(const KernelQuery& query) { return takes<dtypes::numeric>(query) && writes_whole_bytes(query); }

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "OneHot", "", "a line of off values with one on", {.supports = supports_one_hot, .prepare = prepare_one_hot});

}  // namespace ge::reference

// DepthToSpace and SpaceToDepth (ONNX 13; modes of SpaceToDepth: ONNX 28): one strided copy each, inverse to each other.
//   deep[n, channel c, place i, place j, h, w]  <->  wide[n, c, h, i, w, j]
// "DCR" has the places before the channels in the deep tensor's second axis, "CRD" behind them.
#include "ge/kernels/reference/copy.hpp"

namespace ge::reference {
namespace {

/// The six axes (n, c, h, i, w, j) in the wide tensor of these dims.
CopyNest wide_axes(const Dims& wide, int64_t block) {
  CopyNest nest;
  nest.rank = 6;
  const int64_t sizes[] = {wide.size[0], wide.size[1], wide.size[2] / block, block, wide.size[3] / block, block};
  for (int32_t i = 0; i < 6; ++i) nest.size[i] = sizes[i];
  return nest;
}

void set_wide_steps(CopyNest& nest, int operand) {
  int64_t step = 1;
  for (int32_t i = 6; i-- > 0; step *= nest.size[i]) nest.step[operand][i] = step;
}

void set_deep_steps(CopyNest& nest, int operand, bool places_first) {
  const int64_t channels = nest.size[1], height = nest.size[2], block = nest.size[3], width = nest.size[4];
  const int64_t plane = height * width;
  const int64_t place = places_first ? plane * channels : plane;
  const int64_t steps[] = {plane * channels * block * block, places_first ? plane : plane * block * block, width, place * block, 1, place};
  for (int32_t i = 0; i < 6; ++i) nest.step[operand][i] = steps[i];
}

template <bool ToSpace>
void prepare_depth_space(const KernelSite& site, TaskBuilder& builder) {
  const Dims wide = make_dims(ToSpace ? site.outputs[0].dims : site.inputs[0].dims);
  const bool places_first = site.attributes.get_string("mode", "DCR") == "DCR";
  CopyNest nest = wide_axes(wide, site.attributes.need_int("blocksize"));
  set_wide_steps(nest, ToSpace ? 0 : 1);
  set_deep_steps(nest, ToSpace ? 1 : 0, places_first);
  append_copy(builder, site.inputs[0].dtype, nest, 0, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "DepthToSpace", "", "channels to blocks of pixels", {.supports = whole_bytes, .prepare = prepare_depth_space<true>});
REGISTER_CPU_KERNEL("reference", "", "SpaceToDepth", "", "blocks of pixels to channels", {.supports = whole_bytes, .prepare = prepare_depth_space<false>});

}  // namespace ge::reference

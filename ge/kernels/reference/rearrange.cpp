// Transpose, Slice, Concat, Split, Expand, Tile: one strided copy each (Concat and Split: one a part).
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/packed.hpp"

#include <algorithm>

namespace ge::reference {
namespace {

/// ONNX Transpose-25: output axis i is input axis perm[i]; by default the axes are reversed.
void prepare_transpose(const KernelSite& site, TaskBuilder& builder) {
  const Dims in = make_dims(site.inputs[0].dims), out = make_dims(site.outputs[0].dims);
  std::vector<int64_t> perm = site.attributes.get_ints("perm");
  if (perm.empty())
    for (int32_t i = in.rank; i-- > 0;) perm.push_back(i);
  const Strides own = row_major(in);
  Layout from;
  for (int32_t i = 0; i < in.rank; ++i) from.strides.step[i] = own.step[normal_axis(perm.at(static_cast<size_t>(i)), in.rank)];
  append_copy(builder, site.inputs[0].dtype, out, from, {row_major(out), 0});
}

/// ONNX Slice-13: starts, ends, axes, steps are inputs. Negative starts and ends count from the end; then both are
/// limited: to 0..size for positive steps, to -1..size-1 for negative ones (the start to 0..size-1).
void prepare_slice(const KernelSite& site, TaskBuilder& builder) {
  const Dims in = make_dims(site.inputs[0].dims), out = make_dims(site.outputs[0].dims);
  const std::vector<int64_t> starts = site.input_ints(1);
  std::vector<int64_t> axes, steps;
  if (site.has_input(3)) axes = site.input_ints(3);
  if (site.has_input(4)) steps = site.input_ints(4);
  Layout from{row_major(in), 0};
  for (size_t i = 0; i < starts.size(); ++i) {
    const int32_t axis = normal_axis(site.has_input(3) ? axes.at(i) : static_cast<int64_t>(i), in.rank);
    const int64_t step = site.has_input(4) ? steps.at(i) : 1;
    const int64_t size = in.size[axis];
    if (step == 0) throw Error(ErrorCode::invalid_argument, "Slice: step 0 on axis " + std::to_string(axis) + ", expected another number");
    // The number of elements is known from the output's dims; an axis without any has no first element.
    if (out.size[axis] == 0) return;
    int64_t start = starts[i] < 0 ? starts[i] + size : starts[i];
    start = step > 0 ? std::clamp<int64_t>(start, 0, size) : std::clamp<int64_t>(start, 0, size - 1);
    from.first += start * from.strides.step[axis];
    // One element needs no step; a huge step must not be multiplied.
    from.strides.step[axis] = out.size[axis] == 1 ? 0 : from.strides.step[axis] * step;
  }
  append_copy(builder, site.inputs[0].dtype, out, from, {row_major(out), 0});
  if (site.outputs[0].count > 0 && in_one_piece(out, from.strides)) builder.output_in_input(0, 0, from.first * element_size(site.inputs[0].dtype));
}

/// Copies each part of an axis from or to its place in the whole (ONNX Concat-13, Split-18). Where nothing but axes of
/// size 1 comes before that axis, a part is one piece of the whole.
void prepare_concat(const KernelSite& site, TaskBuilder& builder) {
  const Dims whole = make_dims(site.outputs[0].dims);
  const int32_t axis = normal_axis(site.attributes.need_int("axis"), whole.rank);
  const Strides whole_strides = row_major(whole);
  int64_t at = 0;
  for (size_t i = 0; i < site.inputs.size(); ++i) {
    const Dims part = make_dims(site.inputs[i].dims);
    const int64_t first = at * whole_strides.step[axis];
    append_copy(builder, site.outputs[0].dtype, part, {row_major(part), 0}, {whole_strides, first}, {.input = i});
    if (site.inputs[i].count > 0 && in_one_piece(part, whole_strides)) builder.input_in_output(i, 0, first * element_size(site.outputs[0].dtype));
    at += part.size[axis];
  }
}
void prepare_split(const KernelSite& site, TaskBuilder& builder) {
  const Dims whole = make_dims(site.inputs[0].dims);
  const int32_t axis = normal_axis(site.attributes.get_int("axis", 0), whole.rank);
  const Strides whole_strides = row_major(whole);
  int64_t at = 0;
  for (size_t i = 0; i < site.outputs.size(); ++i) {
    const Dims part = make_dims(site.outputs[i].dims);
    const int64_t first = at * whole_strides.step[axis];
    if (site.has_output(i)) {
      append_copy(builder, site.inputs[0].dtype, part, {whole_strides, first}, {row_major(part), 0}, {.output = i});
      if (site.outputs[i].count > 0 && in_one_piece(part, whole_strides)) builder.output_in_input(i, 0, first * element_size(site.inputs[0].dtype));
    }
    at += part.size[axis];
  }
}

/// ONNX Expand-13: the output's dims are the broadcast of the input's and `shape`.
void prepare_expand(const KernelSite& site, TaskBuilder& builder) {
  const Dims in = make_dims(site.inputs[0].dims), out = make_dims(site.outputs[0].dims);
  append_copy(builder, site.inputs[0].dtype, out, {broadcast_strides(in, out), 0}, {row_major(out), 0});
}

/// ONNX Tile-13: each output axis is two, the repetition (which the source does not see) and the position in the input.
void prepare_tile(const KernelSite& site, TaskBuilder& builder) {
  const Dims in = make_dims(site.inputs[0].dims), out = make_dims(site.outputs[0].dims);
  if (site.outputs[0].count == 0) return;
  const Strides from = row_major(in), to = row_major(out);
  CopyNest nest;
  for (int32_t i = 0; i < in.rank; ++i) {
    nest.size[nest.rank] = out.size[i] / in.size[i];
    nest.step[0][nest.rank] = to.step[i] * in.size[i];
    nest.step[1][nest.rank++] = 0;
    nest.size[nest.rank] = in.size[i];
    nest.step[0][nest.rank] = to.step[i];
    nest.step[1][nest.rank++] = from.step[i];
  }
  append_copy(builder, site.inputs[0].dtype, nest, 0, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Transpose", "", "axes in another order", {.prepare = on_whole_bytes<prepare_transpose>});
REGISTER_CPU_KERNEL("reference", "", "Slice", "", "part of each axis", {.supports = whole_bytes, .prepare = prepare_slice});
REGISTER_CPU_KERNEL("reference", "", "Concat", "", "joins along an axis", {.supports = whole_bytes, .prepare = prepare_concat});
REGISTER_CPU_KERNEL("reference", "", "Split", "", "cuts along an axis", {.supports = whole_bytes, .prepare = prepare_split});
REGISTER_CPU_KERNEL("reference", "", "Expand", "", "stretches by broadcasting", {.supports = whole_bytes, .prepare = prepare_expand});
REGISTER_CPU_KERNEL("reference", "", "Tile", "", "repeats along each axis", {.supports = whole_bytes, .prepare = prepare_tile});

}  // namespace ge::reference

#include "ge/kernels/reference/quantized_product.hpp"

#include "ge/base/small_float.hpp"
#include "ge/base/tensor.hpp"
#include "ge/kernels/reference/element.hpp"
#include "ge/kernels/reference/scale_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ge::reference {
namespace {

struct CentreArgs {
  const void* x = nullptr;
  const void* zero_point = nullptr;  ///< null: 0
  void* y = nullptr;
  LoadDoubles load = nullptr;
  StoreDoubles store = nullptr;
  int64_t count = 0;
  uint32_t chunks = 1;
  LoopNest<1> nest;                  ///< over x, which is dense; the operand is the zero point
};
Status run_centre(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const CentreArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  const int64_t step = a.nest.step[0][a.nest.rank - 1];
  return for_each_run(a.nest, range.first, range.last, [&](int64_t number, const int64_t* offsets, int64_t count) {
    double block[block_size], zero_point[block_size];
    for (int64_t i = 0; i < count; i += block_size) {
      const int64_t n = std::min(block_size, count - i);
      a.load(a.x, number + i, n, 1, block);
      if (a.zero_point != nullptr) {
        a.load(a.zero_point, offsets[0] + i * step, n, step, zero_point);
        for (int64_t j = 0; j < n; ++j) block[j] -= zero_point[j];
      }
      a.store(a.y, number + i, n, 1, block);
    }
    return Status::ok;
  });
}

enum Parameter { a_scale, b_scale, y_scale, y_zero_point, parameters };
struct RequantizeArgs {
  const void* sums = nullptr;
  const void* parameter[parameters] = {};
  void* y = nullptr;
  LoadDoubles load_sums = nullptr, load[parameters] = {};
  StoreDoubles store = nullptr;
  IntegerRange range{};
  bool to_float = false;
  int64_t count = 0;
  uint32_t chunks = 1;
  LoopNest<parameters> nest;  ///< over the sums, which are dense
};
Status run_requantize(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const RequantizeArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  const int32_t inner = a.nest.rank - 1;
  return for_each_run(a.nest, range.first, range.last, [&](int64_t number, const int64_t* offsets, int64_t count) {
    double block[block_size], scale[block_size], by[block_size], zero_point[block_size];
    const auto load = [&](Parameter p, int64_t i, int64_t n, double* to) { a.load[p](a.parameter[p], offsets[p] + i * a.nest.step[p][inner], n, a.nest.step[p][inner], to); };
    for (int64_t i = 0; i < count; i += block_size) {
      const int64_t n = std::min(block_size, count - i);
      a.load_sums(a.sums, number + i, n, 1, block);
      load(a_scale, i, n, scale);
      load(b_scale, i, n, by);
      for (int64_t j = 0; j < n; ++j) scale[j] *= by[j];
      load(y_scale, i, n, by);
      load(y_zero_point, i, n, zero_point);
      for (int64_t j = 0; j < n; ++j) {
        const double value = block[j] * (scale[j] / by[j]);
        if (a.to_float) {
          block[j] = value + zero_point[j];
          continue;
        }
        const double rounded = std::nearbyint(value) + zero_point[j];
        block[j] = rounded > a.range.low ? std::min(rounded, a.range.high) : a.range.low;  // NaN: the lowest
      }
      a.store(a.y, number + i, n, 1, block);
    }
    return Status::ok;
  });
}

}  // namespace

Strides parameter_steps(const KernelSite& site, size_t i, const Dims& to, int32_t axis) {
  const Dims dims = make_dims(site.inputs[i].dims);
  Strides steps;
  if (site.inputs[i].count == 1) return steps;
  if (dims.rank == 1 && axis >= 0 && axis < to.rank && dims.size[0] == to.size[axis]) {
    steps.step[axis] = 1;
    return steps;
  }
  bool fits = dims.rank == to.rank;
  for (int32_t d = 0; d < to.rank && fits; ++d) fits = dims.size[d] == 1 || dims.size[d] == to.size[d];
  if (fits) return broadcast_strides(dims, to);
  throw Error(ErrorCode::invalid_model, "input " + std::to_string(i) + " has dims " + dims_to_string(site.inputs[i].dims) + ", expected one element, one for each place of axis " +
                                            std::to_string(axis) + " of " + dims_to_string({to.size, static_cast<size_t>(to.rank)}) + ", or dims that broadcast to it");
}

Slot append_centred(const KernelSite& site, TaskBuilder& builder, const QuantizedOperand& operand, DType wide) {
  const SiteTensor& x = site.inputs[operand.values];
  const bool has_zero_point = operand.zero_point != QuantizedOperand::none && site.has_input(operand.zero_point);
  CentreArgs args;
  args.load = double_loader(x.dtype);
  args.store = double_storer(wide);
  args.count = x.count;
  args.chunks = chunks_for(x.count * 2);
  const Dims dims = make_dims(x.dims);
  args.nest.set_dims(dims);
  if (has_zero_point) args.nest.set_steps(0, parameter_steps(site, operand.zero_point, dims, operand.axis));
  args.nest.coalesce();
  const Slot centred = new_workspace(builder, wide, x.count);
  builder.append(run_centre, args, args.chunks).input(&CentreArgs::x, operand.values);
  if (has_zero_point) bind(builder, offsetof(CentreArgs, zero_point), input_slot(operand.zero_point));
  bind(builder, offsetof(CentreArgs, y), centred);
  return centred;
}

void append_requantize(const KernelSite& site, TaskBuilder& builder, Slot sums, DType wide, const Requantization& scales) {
  const SiteTensor& y = site.outputs[0];
  const Dims dims = make_dims(y.dims);
  RequantizeArgs args;
  args.load_sums = double_loader(wide);
  args.store = double_storer(y.dtype);
  args.to_float = is_float(y.dtype);
  if (!args.to_float) args.range = integer_range(y.dtype);
  args.count = y.count;
  args.chunks = chunks_for(y.count * 8);
  args.nest.set_dims(dims);
  const size_t inputs[parameters] = {scales.a_scale, scales.b_scale, scales.y_scale, scales.y_zero_point};
  const int32_t axes[parameters] = {scales.a_axis, scales.b_axis, scales.y_axis, scales.y_axis};
  for (int p = 0; p < parameters; ++p) {
    args.nest.set_steps(p, parameter_steps(site, inputs[p], dims, axes[p]));
    args.load[p] = double_loader(site.inputs[inputs[p]].dtype);
  }
  args.nest.coalesce();
  builder.append(run_requantize, args, args.chunks).output(&RequantizeArgs::y, 0);
  bind(builder, offsetof(RequantizeArgs, sums), sums);
  for (size_t p = 0; p < parameters; ++p) bind(builder, offsetof(RequantizeArgs, parameter) + p * sizeof(void*), input_slot(inputs[p]));
}

}  // namespace ge::reference

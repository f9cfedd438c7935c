#include "ge/kernels/reference/broadcast.hpp"

#include <cstddef>

namespace ge::reference {
namespace {

/// Inputs of one task; longer lists go on in further tasks that read the output so far.
constexpr int max_operands = 8;

template <class T>
struct BroadcastArgs {
  const void* x[max_operands] = {};
  void* y = nullptr;
  LoadBlock<T> load[max_operands] = {};
  StoreBlock<T> store = nullptr;
  BinaryBlock<T> op = nullptr;
  BinaryParams params;
  double divisor = 1;
  int32_t operands = 0;
  uint32_t chunks = 1;
  int64_t count = 0;
  LoopNest<max_operands> nest;  ///< over the output's elements, which are dense
};

template <class T>
Status run_broadcast(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const BroadcastArgs<T>*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  const int32_t inner = a.nest.rank - 1;
  return for_each_run(a.nest, range.first, range.last, [&](int64_t number, const int64_t* offsets, int64_t count) {
    T left[block_size], right[block_size];
    for (int64_t i = 0; i < count; i += block_size) {
      const int64_t n = count - i < block_size ? count - i : block_size;
      for (int32_t k = 0; k < a.operands; ++k) {
        const int64_t step = a.nest.step[k][inner];
        a.load[k](a.x[k], offsets[k] + i * step, n, step, k == 0 ? left : right);
        if (k == 0) continue;
        if (const Status status = a.op(left, right, left, n, a.params); status != Status::ok) return status;
      }
      if constexpr (std::is_same_v<T, double>) {
        if (a.divisor != 1)
          for (int64_t j = 0; j < n; ++j) left[j] /= a.divisor;
      }
      a.store(a.y, number + i, n, 1, left);
    }
    return Status::ok;
  });
}

template <class T>
void append(const KernelSite& site, TaskBuilder& builder, BinaryBlock<T> op, const BinaryParams& params, double divisor) {
  if (op == nullptr)
    throw Error(ErrorCode::unsupported, std::string(site.op) + " is not defined for " + std::string(to_string(site.inputs[0].dtype)));
  const SiteTensor& out = site.outputs[0];
  const Dims to = make_dims(out.dims);
  for (size_t next = 0; next < site.inputs.size();) {
    BroadcastArgs<T> args;
    args.store = storer<T>(out.dtype);
    args.op = op;
    args.params = params;
    args.count = out.count;
    args.nest.set_dims(to);
    Slot slots[max_operands];
    const auto add = [&](const SiteTensor& x, Slot slot) {
      const int32_t k = args.operands++;
      args.load[k] = loader<T>(x.dtype);
      args.nest.set_steps(k, broadcast_strides(make_dims(x.dims), to));
      slot.arg_offset = static_cast<uint32_t>(offsetof(BroadcastArgs<T>, x) + sizeof(void*) * static_cast<size_t>(k));
      slots[k] = slot;
    };
    if (next > 0) add(out, {0, SlotKind::output, 0});
    for (; next < site.inputs.size() && args.operands < max_operands; ++next)
      add(site.inputs[next], {0, SlotKind::input, static_cast<uint32_t>(next)});
    if (next == site.inputs.size()) args.divisor = divisor;
    args.nest.coalesce();
    args.chunks = chunks_for(args.count * 2 * args.operands);
    builder.append(run_broadcast<T>, args, args.chunks).output(&BroadcastArgs<T>::y, 0);
    auto& bound = builder.drafts.back().slots;
    bound.insert(bound.end(), slots, slots + args.operands);
  }
}

}  // namespace

void append_broadcast(const KernelSite& site, TaskBuilder& builder, const BinaryOp& op, int64_t flag, double divisor, DType compute) {
  const DType first = site.inputs[0].dtype, second = site.inputs[site.inputs.size() > 1 ? 1 : 0].dtype;
  if (compute == DType::undefined) compute = first;
  const BinaryParams params{flag, bits_of(first), is_unsigned_int(first), is_unsigned_int(second)};
  if (is_float(compute))
    append<double>(site, builder, op.on_doubles, params, divisor);
  else if (compute == DType::uint64)
    append<uint64_t>(site, builder, op.on_uint64s, params, divisor);
  else
    append<int64_t>(site, builder, op.on_ints, params, divisor);
  // An input that is not stretched is read just before the same elements are written. With more tasks than one a later
  // task may still need an input that an earlier one has overwritten.
  const SiteTensor& out = site.outputs[0];
  for (size_t i = 0; i < site.inputs.size() && builder.drafts.size() == 1; ++i)
    if (site.inputs[i].count == out.count && bits_of(site.inputs[i].dtype) == bits_of(out.dtype)) builder.may_overwrite(0, i);
}

}  // namespace ge::reference

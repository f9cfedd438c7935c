// StringConcat (ONNX 20): x followed by y, with broadcasting.
#include "ge/kernels/reference/dims.hpp"

#include <cstring>

namespace ge::reference {
namespace {

struct ConcatArgs {
  const StringRef* x = nullptr;
  const StringRef* y = nullptr;
  StringRef* z = nullptr;
  StringPool* pool = nullptr;
  LoopNest<2> nest;
  int64_t count = 0;
  uint32_t chunks = 1;
};

/// The characters of both, copied only where neither is empty; data is null when memory is gone.
StringRef joined(StringPool& pool, StringRef x, StringRef y) noexcept {
  if (x.size == 0) return y;
  if (y.size == 0) return x;
  char* text = pool.room(x.size + y.size);
  if (text == nullptr) return {nullptr, 0};
  std::memcpy(text, x.data, x.size);
  std::memcpy(text + x.size, y.data, y.size);
  return {text, x.size + y.size};
}

Status run_concat(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const ConcatArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  const int64_t x_step = a.nest.step[0][a.nest.rank - 1], y_step = a.nest.step[1][a.nest.rank - 1];
  return for_each_run(a.nest, range.first, range.last, [&](int64_t number, const int64_t* offsets, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const StringRef x = a.x[offsets[0] + i * x_step], y = a.y[offsets[1] + i * y_step], both = joined(*a.pool, x, y);
      if (both.size != x.size + y.size) return Status::out_of_memory;
      a.z[number + i] = both;
    }
    return Status::ok;
  });
}

void prepare_concat(const KernelSite& site, TaskBuilder& builder) {
  ConcatArgs args;
  const Dims dims = make_dims(site.outputs[0].dims);
  args.nest.set_dims(dims);
  for (int i = 0; i < 2; ++i) args.nest.set_steps(i, broadcast_strides(make_dims(site.inputs[static_cast<size_t>(i)].dims), dims));
  args.nest.coalesce();
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(times(args.count, 64));
  builder.append(run_concat, args, args.chunks).input(&ConcatArgs::x, 0).input(&ConcatArgs::y, 1).output(&ConcatArgs::z, 0).string_pool(&ConcatArgs::pool);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "StringConcat", "", "x followed by y", {.prepare = prepare_concat});

}  // namespace ge::reference

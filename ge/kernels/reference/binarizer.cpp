// Binarizer (ai.onnx.ml 1): 1 where x > threshold, else 0 (also for NaN).
#include "ge/kernels/reference/dims.hpp"
#include "ge/kernels/reference/element.hpp"

#include <algorithm>
#include <cmath>

namespace ge::reference {
namespace {

struct BinarizerArgs {
  const void* x = nullptr;
  void* y = nullptr;
  LoadDoubles load_doubles = nullptr;
  LoadInt64s load_ints = nullptr;  ///< one of both is null
  StoreInt64s store = nullptr;
  double threshold = 0;
  int64_t whole = 0;    ///< an integer is above the threshold where it is above this
  bool never = false;   ///< no integer is above the threshold
  bool always = false;  ///< every integer is
  int64_t count = 0;
  uint32_t chunks = 1;
};

Status run_binarizer(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const BinarizerArgs*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  double doubles[block_size];
  int64_t ints[block_size];
  for (int64_t first = range.first; first < range.last; first += block_size) {
    const int64_t n = std::min(block_size, range.last - first);
    if (a.load_ints != nullptr) {
      a.load_ints(a.x, first, n, 1, ints);
      for (int64_t i = 0; i < n; ++i) ints[i] = a.always || (!a.never && ints[i] > a.whole);
    } else {
      a.load_doubles(a.x, first, n, 1, doubles);
      for (int64_t i = 0; i < n; ++i) ints[i] = doubles[i] > a.threshold;
    }
    a.store(a.y, first, n, 1, ints);
  }
  return Status::ok;
}

void prepare_binarizer(const KernelSite& site, TaskBuilder& builder) {
  const DType dtype = site.inputs[0].dtype;
  BinarizerArgs args;
  args.threshold = static_cast<double>(site.attributes.get_float("threshold", 0));
  if (contains(dtypes::ints, dtype)) {
    // x > t is x > floor(t), which int64 may not hold.
    args.load_ints = int64_loader(dtype);
    args.always = args.threshold < -0x1p63;
    args.never = !(args.threshold < 0x1p63);
    if (!args.always && !args.never) args.whole = static_cast<int64_t>(std::floor(args.threshold));
  } else {
    args.load_doubles = double_loader(dtype);
  }
  args.store = int64_storer(dtype);
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(args.count);
  builder.append(run_binarizer, args, args.chunks).input(&BinarizerArgs::x, 0).output(&BinarizerArgs::y, 0);
  builder.may_overwrite(0, 0);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "ai.onnx.ml", "Binarizer", "", "1 where x > threshold", {.prepare = prepare_binarizer});

}  // namespace ge::reference

#include "ge/kernels/reference/unary.hpp"

namespace ge::reference {
namespace {

template <class T>
struct UnaryArgs {
  const void* x = nullptr;
  void* y = nullptr;
  LoadBlock<T> load = nullptr;
  StoreBlock<T> store = nullptr;
  UnaryBlock<T> op = nullptr;
  UnaryParams params;
  int64_t count = 0;
  uint32_t chunks = 1;
};

template <class T>
Status run_unary(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const UnaryArgs<T>*>(args);
  const Range range = chunk_range(a.count, a.chunks, chunk);
  T block[block_size];
  for (int64_t i = range.first; i < range.last; i += block_size) {
    const int64_t n = range.last - i < block_size ? range.last - i : block_size;
    a.load(a.x, i, n, 1, block);
    a.op(block, block, n, a.params);
    a.store(a.y, i, n, 1, block);
  }
  return Status::ok;
}

template <class T>
void append(const KernelSite& site, TaskBuilder& builder, UnaryBlock<T> op, const UnaryParams& params) {
  UnaryArgs<T> args;
  args.load = loader<T>(site.inputs[0].dtype);
  args.store = storer<T>(site.outputs[0].dtype);
  args.op = op;
  args.params = params;
  args.count = site.outputs[0].count;
  args.chunks = chunks_for(args.count * 4);
  builder.append(run_unary<T>, args, args.chunks).input(&UnaryArgs<T>::x, 0).output(&UnaryArgs<T>::y, 0);
}

}  // namespace

void append_unary(const KernelSite& site, TaskBuilder& builder, UnaryBlock<double> on_doubles, UnaryBlock<int64_t> on_ints,
                  UnaryParams params) {
  const DType from = site.inputs[0].dtype;
  params.is_unsigned = is_unsigned_int(from);
  if (is_float(from))
    append<double>(site, builder, on_doubles, params);
  else if (on_ints != nullptr)
    append<int64_t>(site, builder, on_ints, params);
  else
    throw Error(ErrorCode::unsupported, std::string(site.op) + " is not defined for " + std::string(to_string(from)));
  if (bits_of(from) == bits_of(site.outputs[0].dtype)) builder.may_overwrite(0, 0);
}

}  // namespace ge::reference

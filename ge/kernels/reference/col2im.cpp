// Col2Im (ONNX 18): each position of image y[n, c, d1, …] is the sum of the elements of input[n, c * taps, blocks] that the
// blocks have there; block b, tap t lies at b * stride + t * dilation - pad. Integers wrap, bool is "any". Any number of axes.
#include "ge/kernels/reference/broadcast.hpp"
#include "ge/kernels/reference/component.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"
#include "ge/kernels/reference/window_taps.hpp"

namespace ge::reference {
namespace {

template <class T>
struct Col2ImArgs {
  const void* x;
  void* y;
  LoadBlock<T> load;
  StoreBlock<T> store;
  WindowNest nest;  ///< input: blocks by axis, output: the image
  int64_t taps, blocks, image, count;
  int32_t components;  ///< numbers of an element (complex: 2)
  uint32_t chunks;
};

template <class T>
Status run_col2im(const void* block, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const Col2ImArgs<T>*>(block);
  const auto [first, last] = chunk_range(a.count, a.chunks, chunk);
  for (int64_t number = first; number < last; ++number) {
    int64_t at[max_rank];
    output_position(a.nest, number % a.image, at);
    T sum[2] = {};
    for_each_window_tap(a.nest, at, writing_position, [&](int64_t tap, int64_t from) {
      T value[2];
      a.load(a.x, ((number / a.image * a.taps + tap) * a.blocks + from) * a.components, a.components, 1, value);
      for (int32_t c = 0; c < a.components; ++c) sum[c] = wrapping_add(sum[c], value[c]);
    });
    a.store(a.y, number * a.components, a.components, 1, sum);
  }
  return Status::ok;
}

template <class T>
void append_col2im(const KernelSite& site, TaskBuilder& builder) {
  const auto y = site.outputs[0].dims;
  const std::vector<int64_t> kernel = site.input_ints(2), image(y.begin() + 2, y.end());
  Col2ImArgs<T> args{};
  args.components = components_of(site.inputs[0].dtype);
  args.load = loader<T>(component_of(site.inputs[0].dtype)), args.store = storer<T>(component_of(site.inputs[0].dtype));
  args.nest = read_window_nest(site.attributes, image, image, kernel);
  args.taps = args.blocks = args.image = 1;
  for (int32_t i = 0; i < args.nest.rank; ++i) {
    WindowAxis& axis = args.nest.axis[i];
    axis.input = window_outputs(axis, AutoPad::notset, false);
    args.taps = times(args.taps, axis.kernel);
    args.blocks = times(args.blocks, axis.input);
    args.image *= axis.output;
  }
  const auto x = site.inputs[0].dims;
  if (x[1] != times(y[1], args.taps) || x[2] != args.blocks)
    throw Error(ErrorCode::invalid_model, "Col2Im has an input of dims " + dims_to_string(x) + " for an image of dims " + dims_to_string(y) + ", expected [" +
                                              std::to_string(y[0]) + ", " + std::to_string(times(y[1], args.taps)) + ", " + std::to_string(args.blocks) + "]");
  args.count = site.outputs[0].count;
  args.chunks = chunks_for_units(args.count, 20 * static_cast<double>(args.taps));
  builder.append(run_col2im<T>, args, args.chunks).input(&Col2ImArgs<T>::x, 0).output(&Col2ImArgs<T>::y, 0);
}

bool supports_col2im(const KernelQuery& query) { return contains(convertible | dtypes::complex, query.inputs[0]); }

void prepare_col2im(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  const DType dtype = site.inputs[0].dtype;
  // Sums of integers wrap alike in 64 bits, signed or not; a sum of flags is not 0 where one is set.
  is_float(component_of(dtype)) ? append_col2im<double>(site, builder) : append_col2im<int64_t>(site, builder);
}

REGISTER_CPU_KERNEL("reference", "", "Col2Im", "", "overlapping blocks added up to an image, any number of axes",
                    {.supports = supports_col2im, .prepare = prepare_col2im});

}  // namespace
}  // namespace ge::reference

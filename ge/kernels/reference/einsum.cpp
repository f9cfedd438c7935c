// Einsum (ONNX 28): y[output labels] = sum over all other labels of the product of the operands, each read at its own labels:
// one loop over all labels, in which an operand's place is the sum of index times step (0 along labels that it has not, or
// has with one element). Floats are multiplied and added in double and rounded once; integers wrap.
#include "ge/base/einsum_equation.hpp"
#include "ge/kernels/reference/broadcast.hpp"
#include "ge/kernels/reference/gemm_chunks.hpp"

#include <algorithm>
#include <cstddef>

namespace ge::reference {
namespace {

constexpr size_t max_operands = 64;
/// Letters, and the axes of an ellipsis.
constexpr size_t max_labels = 52 + max_rank;

template <class T>
struct EinsumArgs {
  const void* x[max_operands];
  void* y;
  const int64_t* steps;  ///< [operand][label]
  LoadBlock<T> load;
  StoreBlock<T> store;
  int32_t operands, outer, labels;  ///< the first `outer` labels are the output's
  int64_t size[max_labels], count;  ///< elements by label; of the output
  uint32_t chunks;
};

/// Products of `count` steps along label `last`, added up.
template <class T>
T sum_run(const EinsumArgs<T>& a, const int64_t* base, int64_t start, int64_t count, int32_t last) {
  T product[block_size], factor[block_size];
  for (int32_t k = 0; k < a.operands; ++k) {
    const int64_t step = last < 0 ? 0 : a.steps[k * a.labels + last];
    a.load(a.x[k], base[k] + start * step, count, step, k == 0 ? product : factor);
    for (int64_t j = 0; k > 0 && j < count; ++j) product[j] = wrapping_mul(product[j], factor[j]);
  }
  T sum{};
  for (int64_t j = 0; j < count; ++j) sum = wrapping_add(sum, product[j]);
  return sum;
}

/// The sum over all labels behind the output's; `base` are the operands' places, moved while it runs.
template <class T>
T sum_products(const EinsumArgs<T>& a, int64_t* base) {
  const int32_t last = a.labels > a.outer ? a.labels - 1 : -1;
  const int64_t length = last < 0 ? 1 : a.size[last];
  int64_t at[max_labels] = {};
  T sum{};
  for (int32_t i = a.outer; i < a.labels; ++i)
    if (a.size[i] == 0) return sum;
  while (true) {
    for (int64_t start = 0; start < length; start += block_size)
      sum = wrapping_add(sum, sum_run(a, base, start, std::min(block_size, length - start), last));
    int32_t i = last - 1;
    for (; i >= a.outer; --i) {
      for (int32_t k = 0; k < a.operands; ++k) base[k] += a.steps[k * a.labels + i];
      if (++at[i] < a.size[i]) break;
      for (int32_t k = 0; k < a.operands; ++k) base[k] -= a.size[i] * a.steps[k * a.labels + i];
      at[i] = 0;
    }
    if (i < a.outer) return sum;
  }
}

template <class T>
Status run_einsum(const void* block, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const EinsumArgs<T>*>(block);
  const auto [first, last] = chunk_range(a.count, a.chunks, chunk);
  for (int64_t number = first; number < last; ++number) {
    int64_t base[max_operands] = {}, rest = number;
    for (int32_t i = a.outer; i-- > 0; rest /= a.size[i])
      for (int32_t k = 0; k < a.operands; ++k) base[k] += rest % a.size[i] * a.steps[k * a.labels + i];
    const T sum = sum_products(a, base);
    a.store(a.y, number, 1, 1, &sum);
  }
  return Status::ok;
}

/// The labels of a node, the output's first, and where each operand has them.
struct EinsumTable {
  std::vector<int> labels;
  std::vector<int64_t> size;
  std::vector<std::vector<int64_t>> steps;  ///< by operand and label

  size_t place(int label) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found != labels.end()) return static_cast<size_t>(found - labels.begin());
    labels.push_back(label), size.push_back(1);
    return labels.size() - 1;
  }
  void add_operand(const std::string& term, const Dims& dims) {
    const Strides strides = row_major(dims);
    std::vector<int64_t> step(max_labels, 0);
    const std::vector<int> names = einsum_labels(term, static_cast<size_t>(dims.rank));
    for (size_t d = 0; d < names.size(); ++d) {
      const size_t i = place(names[d]);
      if (dims.size[d] == 1) continue;
      if (size[i] != 1 && size[i] != dims.size[d])
        throw Error(ErrorCode::invalid_model, "Einsum has axes of " + std::to_string(size[i]) + " and " + std::to_string(dims.size[d]) + " elements with one label in term '" +
                                                  term + "', expected equal ones or 1");
      size[i] = dims.size[d];
      step[i] += strides.step[d];
    }
    steps.push_back(std::move(step));
  }
};

EinsumTable make_table(const KernelSite& site) {
  const EinsumEquation equation = EinsumEquation::read(site.attributes.get_string("equation", ""));
  if (equation.inputs.size() != site.inputs.size() || site.inputs.size() > max_operands)
    throw Error(ErrorCode::unsupported, "Einsum has " + std::to_string(site.inputs.size()) + " operands and " + std::to_string(equation.inputs.size()) +
                                            " terms, expected as many, up to " + std::to_string(max_operands));
  EinsumTable table;
  for (const int label : einsum_labels(equation.output, site.outputs[0].dims.size())) table.place(label);
  for (size_t k = 0; k < site.inputs.size(); ++k) table.add_operand(equation.inputs[k], make_dims(site.inputs[k].dims));
  return table;
}

template <class T>
void append_einsum(const KernelSite& site, TaskBuilder& builder) {
  const EinsumTable table = make_table(site);
  EinsumArgs<T> args{};
  args.load = loader<T>(site.inputs[0].dtype), args.store = storer<T>(site.outputs[0].dtype);
  args.operands = static_cast<int32_t>(site.inputs.size());
  args.outer = static_cast<int32_t>(site.outputs[0].dims.size());
  args.labels = static_cast<int32_t>(table.labels.size());
  args.count = site.outputs[0].count;
  double work = 10;
  for (size_t i = 0; i < table.labels.size(); ++i) {
    args.size[i] = table.size[i];
    if (i >= site.outputs[0].dims.size()) work *= static_cast<double>(table.size[i]);
  }
  args.chunks = chunks_for_units(args.count, work * args.operands);
  std::vector<int64_t> steps;
  for (const auto& operand : table.steps) steps.insert(steps.end(), operand.begin(), operand.begin() + args.labels);
  using Args = EinsumArgs<T>;
  builder.append(run_einsum<T>, args, args.chunks).output(&Args::y, 0).constant(&Args::steps, std::as_bytes(std::span(steps)));
  for (uint32_t k = 0; k < site.inputs.size(); ++k)
    builder.drafts.back().slots.push_back({static_cast<uint32_t>(offsetof(Args, x) + k * sizeof(void*)), SlotKind::input, k});
}

void prepare_einsum(const KernelSite& site, TaskBuilder& builder) {
  if (site.outputs[0].count == 0) return;
  // Products and sums of integers wrap alike in 64 bits, signed or not.
  is_float(site.inputs[0].dtype) ? append_einsum<double>(site, builder) : append_einsum<int64_t>(site, builder);
}

REGISTER_CPU_KERNEL("reference", "", "Einsum", "", "sum of products over labelled axes", {.supports = takes<dtypes::numeric>, .prepare = prepare_einsum});

}  // namespace
}  // namespace ge::reference

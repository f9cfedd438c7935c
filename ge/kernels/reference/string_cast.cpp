// Cast between strings and numbers (ONNX Cast-28). A text that is no number ends the run.
#include "ge/kernels/reference/cast.hpp"
#include "ge/kernels/reference/packed.hpp"
#include "ge/kernels/reference/redirect.hpp"
#include "ge/kernels/reference/text_numbers.hpp"

#include <charconv>
#include <cstddef>

namespace ge::reference {
namespace {

struct StringCastArgs {
  const void* x = nullptr;
  void* y = nullptr;
  StringPool* pool = nullptr;
  DType number = DType::undefined;  ///< the dtype that is not string
  LoadDoubles load_double = nullptr;
  LoadUint64s load_bits = nullptr;
  StoreDoubles store_double = nullptr;
  StoreUint64s store_bits = nullptr;
  int64_t count = 0;
};

std::string_view number_text(const StringCastArgs& a, int64_t i, char (&buffer)[number_text_size]) {
  if (is_float(a.number)) {
    double value;
    a.load_double(a.x, i, 1, 1, &value);
    return format_float(a.number, value, buffer);
  }
  uint64_t bits;
  a.load_bits(a.x, i, 1, 1, &bits);
  if (a.number == DType::boolean) return bits != 0 ? "True" : "False";
  const auto result = is_signed_int(a.number) ? std::to_chars(buffer, buffer + number_text_size, static_cast<int64_t>(bits))
                                              : std::to_chars(buffer, buffer + number_text_size, bits);
  return {buffer, static_cast<size_t>(result.ptr - buffer)};
}

Status run_to_string(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const StringCastArgs*>(args);
  char buffer[number_text_size];
  for (int64_t i = 0; i < a.count; ++i) {
    const StringRef copy = a.pool->add(number_text(a, i, buffer));
    if (copy.data == nullptr) return Status::out_of_memory;
    static_cast<StringRef*>(a.y)[i] = copy;
  }
  return Status::ok;
}

Status run_from_string(const void* args, uint32_t) noexcept {
  const auto& a = *static_cast<const StringCastArgs*>(args);
  for (int64_t i = 0; i < a.count; ++i) {
    const std::string_view text = static_cast<const StringRef*>(a.x)[i].view();
    if (is_float(a.number)) {
      double value;
      if (!parse_float(text, value)) return Status::invalid_value;
      a.store_double(a.y, i, 1, 1, &value);
      continue;
    }
    uint64_t bits = 0;
    bool flag = false;
    if (a.number == DType::boolean ? !parse_bool(text, flag) : !parse_int(text, !is_signed_int(a.number), bits)) return Status::invalid_value;
    if (a.number == DType::boolean) bits = flag;
    a.store_bits(a.y, i, 1, 1, &bits);
  }
  return Status::ok;
}

}  // namespace

void append_string_cast(const KernelSite& site, TaskBuilder& builder) {
  using Args = StringCastArgs;
  const bool to_string = site.outputs[0].dtype == DType::string;
  Args args;
  args.number = to_string ? site.inputs[0].dtype : site.outputs[0].dtype;
  // A text that becomes a small type is read as the widest type of its kind and cast from there.
  const bool two_steps = !to_string && contains(small_types, args.number);
  if (two_steps) args.number = is_float(args.number) ? DType::float64 : DType::int64;
  args.load_double = double_loader(args.number);
  args.load_bits = uint64_loader(args.number);
  args.store_double = double_storer(args.number);
  args.store_bits = uint64_storer(args.number);
  args.count = site.outputs[0].count;
  auto task = builder.append(to_string ? run_to_string : run_from_string, args).input(&Args::x, 0);
  if (to_string) task.string_pool(&Args::pool);
  if (!two_steps) return static_cast<void>(task.output(&Args::y, 0));
  const Slot wide = new_workspace(builder, args.number, args.count);
  bind(builder, offsetof(Args, y), wide);
  append_number_cast(site, builder, {args.number, wide}, {site.outputs[0].dtype, output_slot(0)});
}

}  // namespace ge::reference

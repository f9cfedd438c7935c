// Pad: each axis has a table that says where every output position comes from.
#include "ge/kernels/reference/copy.hpp"
#include "ge/kernels/reference/packed.hpp"

#include <algorithm>
#include <cstring>

namespace ge::reference {
namespace {

enum class PadMode { constant, reflect, edge, wrap };

PadMode mode_of(const Attributes& attributes) {
  const std::string mode = attributes.get_string("mode", "constant");
  if (mode == "constant") return PadMode::constant;
  if (mode == "reflect") return PadMode::reflect;
  if (mode == "edge") return PadMode::edge;
  if (mode == "wrap") return PadMode::wrap;
  throw Error(ErrorCode::invalid_model, "Pad: attribute mode is '" + mode + "', expected constant, reflect, edge or wrap");
}

/// Where position `at` (relative to an axis of `size` > 0 elements) comes from; -1: the constant. Reflections and
/// wraps go on as far as the pads reach, as in numpy.
int64_t source_of(PadMode mode, int64_t at, int64_t size) {
  if (at >= 0 && at < size) return at;
  const auto floor_mod = [](int64_t a, int64_t b) { return (a % b + b) % b; };
  switch (mode) {
    case PadMode::constant: return -1;
    case PadMode::edge: return at < 0 ? 0 : size - 1;
    case PadMode::wrap: return floor_mod(at, size);
    case PadMode::reflect: {
      if (size == 1) return 0;
      const int64_t in_period = floor_mod(at, 2 * (size - 1));
      return in_period < size ? in_period : 2 * (size - 1) - in_period;
    }
  }
  return -1;
}

using PadRow = void (*)(std::byte* to, const std::byte* from, const int64_t* map, int64_t count, const std::byte* fill) noexcept;
template <size_t Size>
void pad_row(std::byte* to, const std::byte* from, const int64_t* map, int64_t count, const std::byte* fill) noexcept {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * static_cast<int64_t>(Size), map[i] < 0 || from == nullptr ? fill : from + map[i] * static_cast<int64_t>(Size), Size);
}
PadRow row_of(int64_t element_size) {
  switch (element_size) {
    case 1: return pad_row<1>;
    case 2: return pad_row<2>;
    case 4: return pad_row<4>;
    case 8: return pad_row<8>;
    default: return pad_row<16>;
  }
}

struct PadArgs {
  const std::byte* x = nullptr;
  const std::byte* fill = nullptr;  ///< null: zero, false or the empty string
  std::byte* y = nullptr;
  const int64_t* maps = nullptr;    ///< one table after the other: source offset on that axis, or -1
  PadRow row = nullptr;
  int64_t element_size = 1;
  uint32_t chunks = 1;
  Dims out;
  int64_t map_first[max_rank] = {};
};

Status run_pad(const void* args, uint32_t chunk) noexcept {
  const auto& a = *static_cast<const PadArgs*>(args);
  static constexpr std::byte zeros[16] = {};
  const std::byte* fill = a.fill != nullptr ? a.fill : zeros;
  const int32_t last = a.out.rank - 1;
  const int64_t row_size = a.out.size[last];
  const Range rows = chunk_range(count_of(a.out, 0, last), a.chunks, chunk);
  for (int64_t row = rows.first; row < rows.last; ++row) {
    int64_t offset = 0, rest = row;
    bool filled = false;  // some outer position lies in the padding
    for (int32_t i = last; i-- > 0; rest /= a.out.size[i]) {
      const int64_t source = a.maps[a.map_first[i] + rest % a.out.size[i]];
      filled |= source < 0;
      offset += source;
    }
    a.row(a.y + row * row_size * a.element_size, filled ? nullptr : a.x + offset * a.element_size, a.maps + a.map_first[last], row_size, fill);
  }
  return Status::ok;
}

/// ONNX Pad-25: `pads` holds all begins, then all ends, of `axes` (default: every axis). A negative pad first removes
/// elements; the mode then sees what is left.
void prepare_pad(const KernelSite& site, TaskBuilder& builder) {
  const PadMode mode = mode_of(site.attributes);
  const Dims in = make_dims(site.inputs[0].dims);
  PadArgs args;
  args.out = make_dims(site.outputs[0].dims);
  if (site.outputs[0].count == 0) return;
  if (in.rank == 0) return append_copy(builder, site.inputs[0].dtype, in, {}, {});

  const std::vector<int64_t> pads = site.input_ints(1);
  const size_t padded = pads.size() / 2;
  std::vector<int64_t> axes;
  if (site.has_input(3)) axes = site.input_ints(3);
  int64_t begin[max_rank] = {}, end[max_rank] = {};
  for (size_t i = 0; i < padded; ++i) {
    const int32_t axis = normal_axis(site.has_input(3) ? axes.at(i) : static_cast<int64_t>(i), in.rank);
    begin[axis] = pads[i];
    end[axis] = pads[padded + i];
  }

  const Strides strides = row_major(in);
  std::vector<int64_t> maps;
  for (int32_t i = 0; i < in.rank; ++i) {
    args.map_first[i] = static_cast<int64_t>(maps.size());
    const int64_t removed = std::max<int64_t>(0, -begin[i]);
    const int64_t left = in.size[i] - removed - std::max<int64_t>(0, -end[i]);
    if (left <= 0 && mode != PadMode::constant)
      throw Error(ErrorCode::invalid_argument, "Pad: axis " + std::to_string(i) + " has no elements to pad from; use mode constant");
    for (int64_t o = 0; o < args.out.size[i]; ++o) {
      const int64_t source = source_of(mode, o - std::max<int64_t>(0, begin[i]), left);
      maps.push_back(source < 0 ? -1 : (source + removed) * strides.step[i]);
    }
  }
  args.element_size = element_size(site.inputs[0].dtype);
  args.row = row_of(args.element_size);
  args.chunks = chunks_for(site.outputs[0].count * 2);
  auto task = builder.append(run_pad, args, args.chunks).input(&PadArgs::x, 0).output(&PadArgs::y, 0).constant(&PadArgs::maps, std::as_bytes(std::span(maps)));
  if (site.has_input(2)) task.input(&PadArgs::fill, 2);
}

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "Pad", "", "more (or fewer) elements at the ends of axes", {.prepare = on_whole_bytes<prepare_pad>});

}  // namespace ge::reference

// And, Or, Xor on bools; their Bitwise forms and BitShift on integers.
#include "ge/kernels/reference/broadcast.hpp"

namespace ge::reference {
namespace {

struct BitAnd {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a & b; }
};
struct BitOr {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a | b; }
};
struct BitXor {
  template <class T>
  static T of(T a, T b, const BinaryParams&) { return a ^ b; }
};
/// Bools as 0 or 1, whatever bits they are stored in.
template <class Bitwise>
struct Logical {
  template <class T>
  static T of(T a, T b, const BinaryParams& params) { return Bitwise::template of<T>(a != 0, b != 0, params); }
};

/// ONNX BitShift-28: right shifts of signed types keep the sign; a negative amount, or one of all bits or more, leaves
/// only what the sign fills in.
struct ShiftRight {
  template <class T>
  static T of(T x, T amount, const BinaryParams& params) {
    if (amount < 0 || static_cast<uint64_t>(amount) >= params.bits) return std::is_signed_v<T> && x < 0 ? static_cast<T>(-1) : T{0};
    return x >> amount;
  }
};
struct ShiftLeft {
  template <class T>
  static T of(T x, T amount, const BinaryParams& params) {
    if (amount < 0 || static_cast<uint64_t>(amount) >= params.bits) return 0;
    return static_cast<T>(static_cast<uint64_t>(x) << amount);
  }
};

constexpr BinaryOp logical_and = integer_op<Logical<BitAnd>>, logical_or = integer_op<Logical<BitOr>>, logical_xor = integer_op<Logical<BitXor>>;
constexpr BinaryOp bit_and = integer_op<BitAnd>, bit_or = integer_op<BitOr>, bit_xor = integer_op<BitXor>;
constexpr BinaryOp shift_left = integer_op<ShiftLeft>, shift_right = integer_op<ShiftRight>;

void prepare_shift(const KernelSite& site, TaskBuilder& builder) {
  const std::string direction = site.attributes.get_string("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    throw Error(ErrorCode::invalid_model, "BitShift: attribute direction is '" + direction + "', expected LEFT or RIGHT");
  append_broadcast(site, builder, direction == "LEFT" ? shift_left : shift_right);
}

constexpr SupportsFn bools = all_take<dtypes::boolean>;
constexpr SupportsFn ints = all_take<dtypes::ints>;

}  // namespace

REGISTER_CPU_KERNEL("reference", "", "And", "", "a and b", {.supports = bools, .prepare = prepare_broadcast<logical_and>});
REGISTER_CPU_KERNEL("reference", "", "Or", "", "a or b", {.supports = bools, .prepare = prepare_broadcast<logical_or>});
REGISTER_CPU_KERNEL("reference", "", "Xor", "", "either a or b", {.supports = bools, .prepare = prepare_broadcast<logical_xor>});
REGISTER_CPU_KERNEL("reference", "", "BitwiseAnd", "", "a & b", {.supports = ints, .prepare = prepare_broadcast<bit_and>});
REGISTER_CPU_KERNEL("reference", "", "BitwiseOr", "", "a | b", {.supports = ints, .prepare = prepare_broadcast<bit_or>});
REGISTER_CPU_KERNEL("reference", "", "BitwiseXor", "", "a ^ b", {.supports = ints, .prepare = prepare_broadcast<bit_xor>});
REGISTER_CPU_KERNEL("reference", "", "BitShift", "", "x shifted by y bits", {.supports = ints, .prepare = prepare_shift});

}  // namespace ge::reference

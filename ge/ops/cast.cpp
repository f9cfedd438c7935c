// Changes of dtype: Cast (28), CastLike (25), BitCast (26). The shape stays.
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/schema.hpp"
#include "ge/ops/symbolic_values.hpp"

namespace ge {
namespace {

constexpr DTypeSet castable = dtypes::all & ~dtypes::complex;
constexpr DTypeSet castable_like = castable & ~dtypes::float6;
constexpr DTypeSet bit_castable = dtypes::all & ~dtypes::string & ~dtypes::float6;

/// Integers keep their values where the target's range holds them (the context drops others); bool is x != 0.
void cast_to(InferContext& context, DType to) {
  require_one_of(context, "round_mode", context.attributes().get_string("round_mode", "up"), {"up", "down", "nearest"});
  set_like_first(context, to);
  map_values(context, 1, [&](auto x) { return to == DType::boolean ? not_equal(x[0], 0) : x[0]; });
}

void infer_cast(InferContext& context) {
  const DType to = dtype_attribute(context, "to", DType::undefined);
  if (!contains(castable, to)) context.fail("attribute 'to' asks for " + std::string(to_string(to)) + ", expected a type that is not complex");
  cast_to(context, to);
}

void infer_cast_like(InferContext& context) { cast_to(context, context.dtype(1)); }

void infer_bit_cast(InferContext& context) {
  const DType from = context.dtype(0), to = dtype_attribute(context, "to", DType::undefined);
  if (!contains(bit_castable, to)) context.fail("attribute 'to' asks for " + std::string(to_string(to)) + ", expected a type that is neither string nor a float of 6 bits");
  if (bits_of(from) != bits_of(to))
    context.fail("attribute 'to' asks for " + std::string(to_string(to)) + ", which has " + std::to_string(bits_of(to)) + " bits; expected " +
                 std::to_string(bits_of(from)) + " as " + std::string(to_string(from)) + " has");
  set_like_first(context, to);
}

REGISTER_OP("", "Cast", 28, "the same numbers in another dtype",
            OpSchema()
                .in("input", castable)
                .out("output", castable)
                .required_attribute("to", int64_t{})
                .attribute("saturate", int64_t{1})
                .attribute("round_mode", std::string("up"))
                .infer(infer_cast));
REGISTER_OP("", "CastLike", 25, "the same numbers in the dtype of another tensor",
            OpSchema()
                .in("input", castable_like)
                .in("target_type", castable_like, "T2")
                .out("output", castable_like, "T2")
                .attribute("saturate", int64_t{1})
                .attribute("round_mode", std::string("up"))
                .infer(infer_cast_like));
REGISTER_OP("", "BitCast", 26, "the same bits as another dtype of the same width",
            OpSchema()
                .in("input", bit_castable)
                .out("output", bit_castable)
                .required_attribute("to", int64_t{})
                .infer(infer_bit_cast));

}  // namespace
}  // namespace ge

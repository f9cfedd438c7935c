// Strings: StringConcat (20), StringNormalizer (10), StringSplit (20), RegexFullMatch (20).
#include "ge/ops/elementwise_shapes.hpp"
#include "ge/ops/infer_checks.hpp"
#include "ge/ops/onnx_types.hpp"
#include "ge/ops/schema.hpp"

namespace ge {
namespace {

/// [C] or [1, C]; how many strings are left without stop words is known once the kernel has run. None left gives one
/// empty string.
void infer_normalizer(InferContext& context) {
  require_one_of(context, "case_change_action", context.attributes().get_string("case_change_action", "NONE"), {"NONE", "LOWER", "UPPER"});
  require_rank(context, 0, 1, 2, "X");
  if (!context.has_rank(0)) return context.set_output_unknown_rank(0, DType::string);
  Shape out = context.shape(0);
  if (out.size() == 2) require_equal(context, out[0], context.constant(1), "dim 0 of X (a matrix)");
  out.front() = out.size() == 2 ? context.constant(1) : out.front();
  out.back() = context.attributes().get_strings("stopwords").empty() ? max_of(out.back(), 1) : context.unknown_dim();
  context.set_output(0, DType::string, std::move(out));
}

/// X's dims and the largest number of parts; how many that is is known once the kernel has run.
void infer_split(InferContext& context) {
  if (!context.has_rank(0)) {
    context.set_output_unknown_rank(0, DType::string);
    return context.set_output_unknown_rank(1, DType::int64);
  }
  Shape parts = context.shape(0);
  context.set_output(1, DType::int64, parts);
  bool none = false;
  for (Expr dim : parts) none |= dim.is_constant(0);
  parts.push_back(none ? context.constant(0) : context.unknown_dim());
  context.set_output(0, DType::string, std::move(parts));
}

void infer_full_match(InferContext& context) { set_like_first(context, DType::boolean); }

REGISTER_OP("", "StringConcat", 20, "x followed by y",
            OpSchema().in("X", dtypes::string, "T").in("Y", dtypes::string, "T").out("Z", dtypes::string, "T").infer(infer_broadcast));
REGISTER_OP("", "StringNormalizer", 10, "without stop words, in upper or lower case",
            OpSchema()
                .in("X", dtypes::string)
                .out("Y", dtypes::string)
                .attribute("case_change_action", std::string("NONE"))
                .attribute("is_case_sensitive", int64_t{0})
                .optional_attribute("locale", std::string{})
                .optional_attribute("stopwords", std::vector<std::string>{})
                .infer(infer_normalizer));
REGISTER_OP("", "StringSplit", 20, "the parts of strings between delimiters, and their number",
            OpSchema()
                .in("X", dtypes::string)
                .out("Y", dtypes::string)
                .out("Z", onnx_types::int64)
                .optional_attribute("delimiter", std::string{})
                .optional_attribute("maxsplit", int64_t{})
                .infer(infer_split));
REGISTER_OP("", "RegexFullMatch", 20, "does a regular expression match the whole string?",
            OpSchema().in("X", dtypes::string).out("Y", dtypes::boolean).optional_attribute("pattern", std::string{}).infer(infer_full_match));

}  // namespace
}  // namespace ge

// CenterCropPad (ONNX 18): along the given axes, the middle of what is longer than asked, zeros around what is shorter.
// Odd differences: the crop starts half a pixel to the left, the padding has one more to the right.
#include "ge/passes/function_bodies.hpp"

namespace ge {
namespace {

std::vector<Term> build_center_crop_pad(FunctionBody& body) {
  const Term x = body.in(0), wanted = body.cast(body.in(1), DType::int64);
  const Term axes = body.has_attribute("axes") ? body.ints(body.integers("axes")) : Term();
  const Term found = axes ? body.op("Gather", {body.shape(x), axes}) : body.shape(x);
  const Term zero = body.ints({0}), two = body.ints({2});
  const Term start = body.op("Max", {found - wanted, zero}) / two;
  const Term end = start + body.op("Min", {found, wanted});
  std::vector<Term> slice_inputs{x, start, end};
  if (axes) slice_inputs.push_back(axes);
  const Term cropped = body.label("cropped").op("Slice", std::move(slice_inputs));

  const Term missing = body.op("Max", {wanted - found, zero});
  const Term before = missing / two, after = missing - before;
  std::vector<Term> pad_inputs{cropped, body.concat({before, after}, 0)};
  if (axes) pad_inputs.insert(pad_inputs.end(), {Term(), axes});
  return {body.op("Pad", std::move(pad_inputs))};
}

}  // namespace
}  // namespace ge

REGISTER_FUNCTION_BODY("", "CenterCropPad", "Slice, then Pad", ge::build_center_crop_pad);

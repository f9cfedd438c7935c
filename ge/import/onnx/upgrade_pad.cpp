#include "ge/import/onnx/upgrade.hpp"

namespace ge::onnx {

/// Pad, opset 2 → 11: pads and value become inputs. A value of 0 is the default of both forms.
static void pads_to_inputs(Upgrade& u) {
  if (!u.ints_to_input("pads", 1)) return u.finding("attribute 'pads' (ints) is missing");
  const float value = u.node.attributes.get_float("value", 0);
  if (value != 0 || value != value) u.set_input(2, u.add_scalar_like("value", 0, value));
  u.node.attributes.erase("value");
}

}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(Pad, 11, "pads and value become inputs", ge::onnx::pads_to_inputs);

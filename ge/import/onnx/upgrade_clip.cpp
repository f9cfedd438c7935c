#include "ge/import/onnx/upgrade.hpp"

namespace ge::onnx {

/// Clip, opset 6 → 11: the bounds become inputs. An absent bound stays absent: both forms then use the dtype's limits.
static void clip_bounds_to_inputs(Upgrade& u) {
  size_t input = 1;
  for (const char* bound : {"min", "max"}) {
    if (u.node.attributes.has(bound)) u.set_input(input, u.add_scalar_like(bound, 0, u.node.attributes.get_float(bound, 0)));
    u.node.attributes.erase(bound);
    ++input;
  }
}

}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(Clip, 11, "min and max become inputs", ge::onnx::clip_bounds_to_inputs);

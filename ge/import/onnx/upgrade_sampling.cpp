#include "ge/import/onnx/upgrade.hpp"

namespace ge::onnx {
namespace {

/// RoiAlign, opset 10 → 16: the default became "half_pixel".
void old_roi_default(Upgrade& u) {
  if (!u.node.attributes.has("coordinate_transformation_mode"))
    u.node.attributes.set("coordinate_transformation_mode", std::string("output_half_pixel"));
}

/// GridSample, opset 16 → 20: two modes were renamed.
void rename_modes(Upgrade& u) {
  const std::string mode = u.node.attributes.get_string("mode", "bilinear");
  u.node.attributes.set("mode", mode == "bilinear" ? std::string("linear") : mode == "bicubic" ? std::string("cubic") : mode);
}

/// Scatter, opset 9 → 11.
void scatter_to_elements(Upgrade& u) { u.node.op = "ScatterElements"; }

}  // namespace
}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(RoiAlign, 16, "the old default is said", ge::onnx::old_roi_default);
REGISTER_ONNX_UPGRADE(GridSample, 20, "modes are renamed", ge::onnx::rename_modes);
REGISTER_ONNX_UPGRADE(Scatter, 11, "becomes ScatterElements", ge::onnx::scatter_to_elements);

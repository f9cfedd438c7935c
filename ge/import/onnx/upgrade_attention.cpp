#include "ge/import/onnx/upgrade.hpp"

namespace ge::onnx {
namespace {

/// Attention, opset 23 → 24: a mask's last dim of 1 was stretched over all keys; now what is missing is masked.
void stretch_mask(Upgrade& u) {
  if (!u.node.has_input(3) || !u.node.has_input(1)) return;
  Attributes last;
  last.set("start", int64_t{-2});
  last.set("end", int64_t{-1});
  std::string keys = u.add_before("Shape", {u.node.inputs[1]}, last);
  if (u.node.has_input(4)) keys = u.add_before("Add", {u.add_before("Shape", {u.node.inputs[4]}, last), keys});
  u.set_input(3, u.add_before("Expand", {u.node.inputs[3], keys}));
}

}  // namespace
}  // namespace ge::onnx

REGISTER_ONNX_UPGRADE(Attention, 24, "the mask is stretched over the keys", ge::onnx::stretch_mask);

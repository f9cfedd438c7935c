#!/usr/bin/env python3
"""make_model.py: writes scale_shift.onnx. It holds the same computation twice: as Mul and Add of the standard, which our
pass makes one op of, and as our own op, which the importer knows because the program registers its schema.

    x[N, 4] -> Mul(scale) -> Add(shift) -> h -> example::ScaleShift(h, scale, shift) -> y
"""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

scale = np.array([1, 2, 3, 4], np.float32)
shift = np.array([0.5, -0.5, 0.25, -0.25], np.float32)
graph = helper.make_graph(
    [
        helper.make_node("Mul", ["x", "scale"], ["scaled"], name="scale_x"),
        helper.make_node("Add", ["scaled", "shift"], ["h"], name="shift_x"),
        helper.make_node("ScaleShift", ["h", "scale", "shift"], ["y"], name="again", domain="example"),
    ],
    "scale_shift",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 4])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 4])],
    [numpy_helper.from_array(scale, "scale"), numpy_helper.from_array(shift, "shift")],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("example", 1)], ir_version=8)
onnx.save(model, "scale_shift.onnx")

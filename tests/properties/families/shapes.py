"""Operators on dims and sizes: Shape, Size, ConstantOfShape, Range."""
import numpy
import onnx.numpy_helper

from case import Case, Expected, is_float


def make(draw):
    return draw.pick([make_shape, make_shape, make_size, make_constant, make_range])(draw)


def make_shape(draw):
    opset = draw.version("Shape")
    x = draw.values(draw.dtype("Shape", opset), draw.shape())
    attributes = {}
    if opset >= 15:
        attributes = {name: draw.integer(-x.ndim - 2, x.ndim + 2) for name in ("start", "end") if draw.flip()}
    y = numpy.array(x.shape[attributes.get("start", 0):attributes.get("end", x.ndim)], numpy.int64)
    return draw.declared(Case("Shape", opset, [x], [Expected(y, "int64")], attributes))


def make_size(draw):
    opset = draw.version("Size")
    x = draw.values(draw.dtype("Size", opset), draw.shape(zero=0.2))
    return draw.declared(Case("Size", opset, [x], [Expected(numpy.array(x.size), "int64")]))


def make_constant(draw):
    opset = draw.version("ConstantOfShape", since=9)
    dims = draw.shape(0, 4, zero=0.15)
    dtype = numpy.dtype(draw.pick(["float32", "float16", "float64", "int64", "int32", "uint8", "int8", "bool", "uint64"]))
    value = draw.values(dtype, [1]) if draw.flip(0.8) else None
    y = numpy.zeros(dims, "float32") if value is None else numpy.full(dims, value[0], dtype)
    attributes = {"value": None if value is None else onnx.numpy_helper.from_array(value)}
    return draw.declared(Case("ConstantOfShape", opset, [numpy.array(dims, numpy.int64)], [Expected(y, y.dtype)], attributes), can_be_constant=(0,))


def make_range(draw):
    """start + i * delta, ceil((limit - start) / delta) numbers."""
    opset = draw.version("Range", since=11)
    dtype = draw.dtype("Range", opset)
    if is_float(dtype):
        start, delta = draw.integer(-8, 8) / 4, draw.pick([0.25, 0.5, 1.0, -0.5, -2.0])
        limit = start + delta * (draw.integer(-2, 9) - draw.pick([0, 0.5]))
    else:
        start, limit, delta = draw.integer(-9, 9), draw.integer(-9, 9), draw.pick([1, 2, 3, -1, -2])
    count = max(0, int(numpy.ceil((limit - start) / delta)))
    y = start + numpy.arange(count) * delta
    inputs = [numpy.array(v, dtype) for v in (start, limit, delta)]
    return draw.declared(Case("Range", opset, inputs, [Expected(y, dtype)]), can_be_constant=(0, 1, 2))

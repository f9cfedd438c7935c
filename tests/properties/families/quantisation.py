"""QuantizeLinear, DequantizeLinear (one scale, or one for each index of an axis), DynamicQuantizeLinear, MatMulInteger."""
import numpy

from case import Case, Expected

EIGHT = [numpy.dtype("int8"), numpy.dtype("uint8")]
FLOAT = numpy.dtype("float32")


def make(draw):
    return draw.pick([make_quantize, make_quantize, make_dequantize, make_dequantize, make_dynamic, make_matmul])(draw)


def scales_for(draw, op, dtype):
    """(x's dims, axis, scales, zero points, attributes): powers of two as scales, so that halves are met exactly."""
    opset = draw.version(op, since=10)
    shape = draw.shape(1, 4)
    by_axis = opset >= 13 and draw.flip()
    axis = draw.axis(len(shape))
    dims = [shape[axis]] if by_axis else draw.pick([[], [1]]) if opset >= 13 else []
    if dims == [1] and not by_axis and shape[axis] != 1:
        dims = []
    scale = numpy.exp2(draw.random.integers(-3, 3, tuple(dims))).astype(FLOAT).reshape(dims)
    zero = draw.values(dtype, dims, -5 if dtype.kind == "i" else 0, 20) if draw.flip(0.8) else None
    return opset, shape, axis, scale, zero, {"axis": axis} if by_axis or (opset >= 13 and draw.flip(0.3)) else {}


def spread(values, shape, axis):
    """Scales or zero points where they can be broadcast to x."""
    if values.size != 1 or (values.ndim == 1 and shape[axis] == 1):
        return values.reshape([-1 if a == axis % len(shape) else 1 for a in range(len(shape))]) if values.ndim == 1 else values
    return values.reshape([])


def make_quantize(draw):
    """round(x / scale), halves to even, plus the zero point, saturated. Without a zero point: uint8."""
    dtype = draw.pick(EIGHT)
    opset, shape, axis, scale, zero, attributes = scales_for(draw, "QuantizeLinear", dtype)
    to = dtype if zero is not None else EIGHT[1]
    if not attributes and (len(shape) < 2 or axis % len(shape) != 1):
        scale = scale.reshape(-1)[:1].reshape([]) if scale.size else numpy.ones([], FLOAT)
        zero = None if zero is None else zero.reshape(-1)[:1].reshape([]) if zero.size else numpy.zeros([], dtype)
    x = (numpy.rint(draw.random.uniform(-300, 300, shape)) / 4).astype(FLOAT)
    offset = 0 if zero is None else spread(zero, shape, axis).astype(numpy.float64)
    info = numpy.iinfo(to)
    y = numpy.clip(numpy.rint(x.astype(numpy.float64) / spread(scale, shape, axis)) + offset, info.min, info.max).astype(to)
    return draw.declared(Case("QuantizeLinear", opset, [x, scale, zero], [Expected(y, to)], attributes), can_be_constant=(1, 2))


def make_dequantize(draw):
    dtype = draw.pick(EIGHT)
    opset, shape, axis, scale, zero, attributes = scales_for(draw, "DequantizeLinear", dtype)
    if not attributes and (len(shape) < 2 or axis % len(shape) != 1):
        scale = scale.reshape(-1)[:1].reshape([]) if scale.size else numpy.ones([], FLOAT)
        zero = None if zero is None else zero.reshape(-1)[:1].reshape([]) if zero.size else numpy.zeros([], dtype)
    x = draw.values(dtype, shape, -128, 127, odd=0.1)
    offset = 0 if zero is None else spread(zero, shape, axis).astype(numpy.float64)
    y = (x.astype(numpy.float64) - offset) * spread(scale, shape, axis)
    return draw.declared(Case("DequantizeLinear", opset, [x, scale, zero], [Expected(y, FLOAT)], attributes), can_be_constant=(1, 2))


def make_dynamic(draw):
    """scale = (max(0, x) - min(0, x)) / 255, zero point = round(-min / scale); float32 throughout."""
    x = draw.values(FLOAT, draw.shape(1, 4, zero=0), *draw.pick([(-4, 4), (1, 3), (-3, -1)]))
    low, high = min(FLOAT.type(0), x.min()), max(FLOAT.type(0), x.max())
    scale = FLOAT.type(high - low) / FLOAT.type(255)
    if scale == 0:
        return make_dynamic(draw)
    exact = -float(low) / float(scale)
    zero = int(numpy.clip(numpy.rint(exact), 0, 255))
    y = x.astype(numpy.float64) / float(scale)
    if abs(exact % 1 - 0.5) < 1e-3 or (numpy.abs(y % 1 - 0.5) < 1e-3).any():
        return make_dynamic(draw)  # too near a half to say how float32 rounds
    y = numpy.clip(numpy.rint(y) + zero, 0, 255).astype(EIGHT[1])
    expected = [Expected(y, EIGHT[1]), Expected(float(scale), FLOAT), Expected(numpy.array(zero), EIGHT[1])]
    return draw.declared(Case("DynamicQuantizeLinear", draw.version("DynamicQuantizeLinear"), [x], expected))


def make_matmul(draw):
    """(a - its zero point) @ (b - its zero point) in int32; a's by row or one, b's by column or one."""
    a_type, b_type = draw.pick(EIGHT), draw.pick(EIGHT)
    m, k, n = draw.integer(1, 4), draw.integer(0, 20), draw.integer(1, 4)
    a, b = draw.values(a_type, [m, k], -128, 255), draw.values(b_type, [k, n], -128, 255)
    a_zero = draw.values(a_type, [], -9, 9) if draw.flip() else None
    b_zero = draw.values(b_type, draw.pick([[], [n]]), -9, 9) if draw.flip() else None
    if b_zero is not None and a_zero is None:
        a_zero = draw.values(a_type, [], -9, 9)
    wide = [v.astype(numpy.int64) - (0 if z is None else z.astype(numpy.int64)) for v, z in ((a, a_zero), (b, b_zero))]
    y = (wide[0] @ wide[1]).astype(numpy.int32)
    return draw.declared(Case("MatMulInteger", draw.version("MatMulInteger"), [a, b, a_zero, b_zero], [Expected(y, "int32")]), can_be_constant=(1, 2, 3))

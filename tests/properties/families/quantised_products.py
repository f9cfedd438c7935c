"""MatMulInteger and ConvInteger with any dims, QLinearMatMul, QLinearConv; QuantizeLinear and DequantizeLinear by blocks and of 4, 2 and 16 bits."""
import ml_dtypes
import numpy

from case import Case, Expected, onnx_type

EIGHT = [numpy.dtype("int8"), numpy.dtype("uint8")]
FLOAT = numpy.dtype("float32")
# Bits, least and largest number, and the opset that brought them.
SMALL = {numpy.dtype("int8"): (-128, 127, 21), numpy.dtype("uint8"): (0, 255, 21), numpy.dtype("int16"): (-32768, 32767, 21), numpy.dtype("uint16"): (0, 65535, 21),
         numpy.dtype(ml_dtypes.int4): (-8, 7, 21), numpy.dtype(ml_dtypes.uint4): (0, 15, 21), numpy.dtype(ml_dtypes.int2): (-2, 1, 25), numpy.dtype(ml_dtypes.uint2): (0, 3, 25)}


def make(draw):
    return draw.pick([make_quantize, make_dequantize, make_matmul, make_conv])(draw)


def small(draw, dtype, dims):
    low, high, _ = SMALL[dtype]
    return numpy.asarray(draw.random.integers(low, high + 1, tuple(dims))).astype(dtype)


def layout(draw, shape):
    """(dims of the scale, attributes, spread): spread brings a tensor of those dims to x's shape."""
    kind = draw.pick(["one", "axis", "block"])
    axis = draw.integer(0, len(shape) - 1)
    named = axis - len(shape) if draw.flip() else axis
    if kind == "one":
        return [], {}, lambda s: s
    if kind == "axis":
        return [shape[axis]], {"axis": named}, lambda s: s.reshape([-1 if a == axis else 1 for a in range(len(shape))])
    block = draw.integer(1, 4)
    dims = [-(-d // block) if a == axis else d for a, d in enumerate(shape)]
    return dims, {"axis": named, "block_size": block}, lambda s: numpy.take(numpy.repeat(s, block, axis), range(shape[axis]), axis)


def scales(draw, dims, dtype=FLOAT):
    return numpy.exp2(draw.random.integers(-3, 3, tuple(dims))).astype(dtype).reshape(tuple(dims))


def make_quantize(draw):
    """Scales are powers of two: quotients are exact, and halves are met."""
    dtype = draw.pick(list(SMALL))
    low, high, since = SMALL[dtype]
    opset = draw.version("QuantizeLinear", since=since)
    shape = draw.shape(1, 4)
    dims, attributes, spread = layout(draw, shape)
    x_type = numpy.dtype(draw.pick(["float32", "float32", "float16", "int32"]))
    scale = scales(draw, dims, x_type if x_type.kind == "f" else FLOAT)
    x = draw.random.integers(-2 * high - 9, 2 * high + 10, tuple(shape)) / (4 if x_type.kind == "f" else 1)
    if x_type == numpy.float16:
        x = numpy.clip(x, -60, 60)
    x = numpy.asarray(x).astype(x_type)
    zero = small(draw, dtype, dims) if draw.flip(0.7) else None
    if zero is None:
        attributes["output_dtype"] = int(onnx_type(dtype))
    offset = 0 if zero is None else spread(zero.astype(numpy.int64))
    y = numpy.clip(numpy.rint(x.astype(numpy.float64) / spread(scale.astype(numpy.float64))) + offset, low, high)
    return draw.declared(Case("QuantizeLinear", opset, [x, scale, zero], [Expected(y.astype(dtype), dtype)], attributes), can_be_constant=(1, 2))


def make_dequantize(draw):
    dtype = draw.pick(list(SMALL))
    opset = draw.version("DequantizeLinear", since=SMALL[dtype][2])
    shape = draw.shape(1, 4)
    dims, attributes, spread = layout(draw, shape)
    to = numpy.dtype(draw.pick(["float32", "float16"]))
    x, scale, zero = small(draw, dtype, shape), scales(draw, dims, to), small(draw, dtype, dims) if draw.flip(0.7) else None
    offset = 0 if zero is None else spread(zero.astype(numpy.int64))
    y = (x.astype(numpy.int64) - offset) * spread(scale.astype(numpy.float64))
    return draw.declared(Case("DequantizeLinear", opset, [x, scale, zero], [Expected(y, to)], attributes), can_be_constant=(0, 1, 2))


def requantized(draw, sums, factor, dtype):
    """(y_scale, y_zero_point, the sums times factor / y_scale, rounded and saturated); scales are powers of two."""
    scale, zero = scales(draw, []), small(draw, dtype, [])
    low, high, _ = SMALL[dtype]
    y = numpy.clip(numpy.rint(sums.astype(numpy.float64) * (factor / float(scale))) + int(zero), low, high).astype(dtype)
    return scale, zero, y


def make_matmul(draw):
    a_type, b_type = draw.pick(EIGHT), draw.pick(EIGHT)
    batch = draw.shape(0, 2, most=3, zero=0)
    m, k, n = draw.integer(1, 4), draw.integer(0, 6), draw.integer(1, 4)
    own = [[1 if draw.flip(0.2) else d for d in batch][draw.integer(0, len(batch)) if draw.flip(0.3) else 0:] for _ in range(2)]
    a_dims, b_dims = [*own[0], m, k], [*own[1], k, n]
    if draw.flip(0.15):
        a_dims = [k]
    elif draw.flip(0.15):
        b_dims = [k]
    a, b = small(draw, a_type, a_dims), small(draw, b_type, b_dims)
    az = small(draw, a_type, draw.pick([[], [m]]) if len(a_dims) > 1 else [])
    bz = small(draw, b_type, draw.pick([[], [n]]) if len(b_dims) > 1 else [])
    by_row = az[:, None] if az.ndim else az
    sums = (a.astype(numpy.int64) - by_row.astype(numpy.int64)) @ (b.astype(numpy.int64) - bz.astype(numpy.int64))
    if draw.flip():
        inputs = [a, b, az, bz]
        return draw.declared(Case("MatMulInteger", draw.version("MatMulInteger", since=10), inputs, [Expected(sums.astype(numpy.int32), "int32")]), can_be_constant=(1, 2, 3))
    a_scale, b_scale = scales(draw, []), scales(draw, bz.shape)
    dtype = draw.pick(EIGHT)
    scale, zero, y = requantized(draw, sums, float(a_scale) * b_scale.astype(numpy.float64), dtype)
    inputs = [a, a_scale, az if az.ndim == 0 else az.reshape(-1)[:1].reshape([]), b, b_scale, bz, scale, zero]
    if az.ndim:
        sums = (a.astype(numpy.int64) - int(inputs[2])) @ (b.astype(numpy.int64) - bz.astype(numpy.int64))
        low, high, _ = SMALL[dtype]
        y = numpy.clip(numpy.rint(sums * (float(a_scale) * b_scale.astype(numpy.float64) / float(scale))) + int(zero), low, high).astype(dtype)
    return draw.declared(Case("QLinearMatMul", draw.version("QLinearMatMul", since=10), inputs, [Expected(y, dtype)]), can_be_constant=(1, 3, 4))


def make_conv(draw):
    rank = draw.integer(1, 2)
    while True:
        image, kernel = [draw.integer(1, 5) for _ in range(rank)], [draw.integer(1, 3) for _ in range(rank)]
        strides, dilations, pads = [draw.integer(1, 2) for _ in range(rank)], [draw.integer(1, 2) for _ in range(rank)], [draw.integer(0, 2) for _ in range(2 * rank)]
        out = [(image[i] + pads[i] + pads[rank + i] - (kernel[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i in range(rank)]
        if min(out) >= 1:
            break
    n, group, each, rows = draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 2)
    x_type, w_type = draw.pick(EIGHT), draw.pick(EIGHT)
    x, w = small(draw, x_type, [n, group * each, *image]), small(draw, w_type, [group * rows, each, *kernel])
    xz, wz = small(draw, x_type, []), small(draw, w_type, draw.pick([[], [group * rows]]))
    # Padding is the zero point: nothing is added there.
    wide = numpy.pad(x.astype(numpy.int64) - int(xz), [(0, 0), (0, 0), *((pads[i], pads[rank + i]) for i in range(rank))])
    taps = w.astype(numpy.int64) - (wz.reshape([-1, *[1] * (rank + 1)]) if wz.ndim else wz).astype(numpy.int64)
    sums = numpy.zeros([n, group * rows, *out], numpy.int64)
    for f, *at in numpy.ndindex(group * rows, *out):
        part = wide[(slice(None), slice(f // rows * each, (f // rows + 1) * each),
                     *(slice(o * s, o * s + (k - 1) * d + 1, d) for o, s, k, d in zip(at, strides, kernel, dilations)))]
        sums[(slice(None), f, *at)] = (part * taps[f]).reshape(n, -1).sum(1)
    attributes = {"group": group, "strides": strides, "dilations": dilations, "pads": pads, "kernel_shape": kernel if draw.flip() else None}
    if draw.flip():
        inputs = [x, w, xz, wz]
        return draw.declared(Case("ConvInteger", draw.version("ConvInteger"), inputs, [Expected(sums.astype(numpy.int32), "int32")], attributes), can_be_constant=(1, 2, 3))
    bias = draw.random.integers(-500, 500, [group * rows]).astype(numpy.int32) if draw.flip() else None
    if bias is not None:
        sums = sums + bias.reshape([-1, *[1] * rank])
    x_scale, w_scale = scales(draw, []), scales(draw, wz.shape)
    factor = float(x_scale) * (w_scale.reshape([-1, *[1] * rank]) if w_scale.ndim else w_scale).astype(numpy.float64)
    dtype = draw.pick(EIGHT)
    scale, zero, y = requantized(draw, sums, factor, dtype)
    inputs = [x, x_scale, xz, w, w_scale, wz, scale, zero, bias]
    return draw.declared(Case("QLinearConv", draw.version("QLinearConv"), inputs, [Expected(y, dtype)], attributes), can_be_constant=(1, 3, 4, 5, 8))

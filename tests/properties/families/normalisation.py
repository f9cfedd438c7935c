"""BatchNormalization (also training), InstanceNormalization, LayerNormalization, RMSNormalization, LRN."""
import numpy

from case import Case, Expected, product


def wide(x):
    return x.astype(numpy.float64)


def error_of(y, n, dtype):
    """A mean and a variance of n numbers, a root, a product and a sum: the roundings of each, relative to the largest
    part. 16-bit floats may be normalised in float32; stash_type says so for LayerNormalization."""
    eps = 2.0**-53 if dtype == numpy.float64 else 2.0**-24
    return 8 * (n + 8) * eps * (1 + numpy.abs(y))


def make(draw):
    return draw.pick([make_batch, make_instance, make_layer, make_layer, make_rms, make_lrn])(draw)


def channels_last(values, rank):
    return wide(values).reshape([1, -1] + [1] * (rank - 2))


def make_batch(draw):
    opset = draw.version("BatchNormalization", since=9)
    dtype = draw.dtype("BatchNormalization", opset)
    shape = [draw.integer(1, 3), draw.integer(1, 4), *draw.shape(0, 3, zero=0)]
    if draw.flip(0.05):
        shape[0] = 0
    c = shape[1]
    training = opset >= 14 and draw.flip(0.3) and 0 not in shape
    other = [dtype if opset < 14 else draw.dtype("BatchNormalization", opset, 1), None]
    other[1] = other[0] if opset < 14 else draw.dtype("BatchNormalization", opset, 3)
    x = draw.values(dtype, shape, -3, 3)
    scale, bias = draw.values(other[0], [c], -2, 2), draw.values(other[0], [c], -2, 2)
    mean, var = draw.values(other[1], [c], -2, 2), draw.values(other[1], [c], 0.5, 3)
    epsilon, momentum = draw.real(1e-3, 1e-1) if draw.flip() else None, draw.real(0.1, 0.9) if draw.flip() else None
    attributes = {"epsilon": epsilon, "momentum": momentum, "training_mode": 1 if training else None}
    used_mean, used_var = (channels_last(v, len(shape)) for v in (mean, var))
    axes = tuple(a for a in range(len(shape)) if a != 1)
    if training:
        used_mean, used_var = numpy.mean(wide(x), axis=axes, keepdims=True), numpy.var(wide(x), axis=axes, keepdims=True)
    root = numpy.sqrt(used_var + (float(numpy.float32(1e-5)) if epsilon is None else epsilon))
    normal = (wide(x) - used_mean) / root
    y = normal * channels_last(scale, len(shape)) + channels_last(bias, len(shape))
    n = product(shape) // max(1, c) if training else 1
    # x - mean cancels: its error is that of the larger part, blown up by the same factor.
    lost = (numpy.abs(wide(x)) + numpy.abs(used_mean)) / root * numpy.abs(channels_last(scale, len(shape)))
    expected = [Expected(y, dtype, extra=error_of(lost + 2, n, dtype))]
    if training:
        keep = float(numpy.float32(0.9)) if momentum is None else momentum
        for old, new in ((mean, used_mean), (var, used_var)):
            value = wide(old) * keep + new.reshape(-1) * (1 - keep)
            expected.append(Expected(value, other[1], extra=error_of(value + 3, n, dtype) + 2e-7 * numpy.abs(new.reshape(-1))))
    return draw.declared(Case("BatchNormalization", opset, [x, scale, bias, mean, var], expected, attributes), can_be_constant=(1, 2, 3, 4))


def normalised(x, axes, epsilon):
    mean = numpy.mean(x, axis=axes, keepdims=True)
    inverse = 1 / numpy.sqrt(numpy.var(x, axis=axes, keepdims=True) + epsilon)
    return mean, inverse, (x - mean) * inverse


def make_instance(draw):
    opset = draw.version("InstanceNormalization")
    dtype = draw.dtype("InstanceNormalization", opset)
    shape = [draw.integer(1, 3), draw.integer(1, 4), *draw.shape(1, 3, zero=0)]
    x = draw.values(dtype, shape, -3, 3)
    scale, bias = draw.values(dtype, [shape[1]], -2, 2), draw.values(dtype, [shape[1]], -2, 2)
    epsilon = draw.real(1e-3, 1e-1) if draw.flip() else None
    mean, inverse, normal = normalised(wide(x), tuple(range(2, len(shape))), float(numpy.float32(1e-5)) if epsilon is None else epsilon)
    y = normal * channels_last(scale, len(shape)) + channels_last(bias, len(shape))
    lost = (numpy.abs(wide(x)) + numpy.abs(mean)) * inverse * numpy.abs(channels_last(scale, len(shape)))
    n = product(shape[2:])
    expected = Expected(y, dtype, extra=error_of(lost * (1 + numpy.abs(mean) * inverse) + 2, n, dtype))
    return draw.declared(Case("InstanceNormalization", opset, [x, scale, bias], [expected], {"epsilon": epsilon}), can_be_constant=(1, 2))


def affine_shape(draw, shape, axis):
    """A shape that broadcasts to the normalised axes from one side."""
    return shape[axis:] if draw.flip(0.7) else [1 if draw.flip() else d for d in shape[axis:]]


def make_layer(draw):
    opset = draw.version("LayerNormalization")
    dtype = draw.dtype("LayerNormalization", opset)
    shape = draw.shape(1, 4, zero=0)
    if len(shape) > 1 and draw.flip(0.06):
        shape[0] = 0
    axis = draw.axis(len(shape)) if shape[0] else draw.pick([-1, len(shape) - 1])
    along = axis % len(shape)
    x = draw.values(dtype, shape, -3, 3)
    scale = draw.values(dtype, shape[along:], -2, 2)
    bias = draw.values(dtype, shape[along:], -2, 2) if draw.flip() else None
    epsilon = draw.real(1e-3, 1e-1) if draw.flip() else None
    used = float(numpy.float32(1e-5)) if epsilon is None else epsilon
    mean, inverse, normal = normalised(wide(x), tuple(range(along, len(shape))), used)
    y = normal * wide(scale) + (0 if bias is None else wide(bias))
    n = product(shape[along:])
    # What is normalised is rounded to the dtype before it is scaled (the function body casts back).
    unit = {2: 2.0**-8 if dtype.name == "bfloat16" else 2.0**-11}.get(dtype.itemsize, 0)
    lost = (numpy.abs(wide(x)) + numpy.abs(mean)) * inverse
    if dtype == numpy.float64:  # stash_type 1: the statistics are float32
        lost = lost * 2.0**29
    expected = [Expected(y, dtype, extra=error_of(lost * (1 + numpy.abs(mean) * inverse) * (1 + numpy.abs(wide(scale))) + 2, n, dtype) + 2 * unit * numpy.abs(normal * wide(scale)))]
    attributes = {"axis": None if along == len(shape) - 1 and draw.flip() else axis, "epsilon": epsilon}
    if draw.flip(0.4):
        magnitude = error_of(numpy.mean(numpy.abs(wide(x)), axis=tuple(range(along, len(shape))), keepdims=True), n, numpy.dtype("float32"))
        expected += [Expected(mean, "float32", extra=magnitude), Expected(inverse, "float32", extra=magnitude * (1 + inverse**3 * 10))]
    return draw.declared(Case("LayerNormalization", opset, [x, scale, bias], expected, attributes), can_be_constant=(1, 2))


def make_rms(draw):
    opset = draw.version("RMSNormalization")
    dtype = draw.dtype("RMSNormalization", opset)
    shape = draw.shape(1, 4, zero=0)
    axis = draw.axis(len(shape))
    along = axis % len(shape)
    x = draw.values(dtype, shape, -3, 3)
    scale = draw.values(draw.dtype("RMSNormalization", opset, 1) if draw.flip(0) else dtype, affine_shape(draw, shape, along), -2, 2)
    epsilon = draw.real(1e-3, 1e-1) if draw.flip() else None
    square = numpy.mean(wide(x)**2, axis=tuple(range(along, len(shape))), keepdims=True)
    normal = wide(x) / numpy.sqrt(square + (float(numpy.float32(1e-5)) if epsilon is None else epsilon))
    y = normal * wide(scale)
    unit = {2: 2.0**-8 if dtype.name == "bfloat16" else 2.0**-11}.get(dtype.itemsize, 0)
    error = error_of(y, product(shape[along:]), numpy.dtype("float32"))
    attributes = {"axis": None if along == len(shape) - 1 and draw.flip() else axis, "epsilon": epsilon}
    return draw.declared(Case("RMSNormalization", opset, [x, scale], [Expected(y, dtype, extra=error + 2 * unit * numpy.abs(y))], attributes), can_be_constant=(1,))


def make_lrn(draw):
    opset = draw.version("LRN")
    dtype = draw.dtype("LRN", opset)
    shape = [draw.integer(1, 2), draw.integer(1, 6), *draw.shape(0, 2, zero=0.1)]
    x = draw.values(dtype, shape, -3, 3)
    size = draw.integer(1, 5)
    attributes = {"size": size, "alpha": draw.real(0.1, 2) if draw.flip() else None, "beta": draw.real(0.2, 1) if draw.flip() else None,
                  "bias": draw.real(0.5, 2) if draw.flip() else None}
    alpha = float(numpy.float32(1e-4)) if attributes["alpha"] is None else attributes["alpha"]
    beta, bias = (default if attributes[name] is None else attributes[name] for name, default in (("beta", 0.75), ("bias", 1.0)))
    squares = numpy.zeros(shape)
    for c in range(shape[1]):
        squares[:, c] = numpy.sum(wide(x)[:, max(0, c - (size - 1) // 2):c + size // 2 + 1]**2, axis=1)  # floor and ceil of (size - 1) / 2
    y = wide(x) / (bias + alpha / size * squares)**beta
    return draw.declared(Case("LRN", opset, [x], [Expected(y, dtype, extra=error_of(y, size, dtype))], attributes))

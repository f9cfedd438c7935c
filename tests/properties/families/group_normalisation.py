"""GroupNormalization, LpNormalization, MeanVarianceNormalization."""
import numpy

from case import Case, Expected
from families.normalisation import channels_last, error_of, wide

# These are made of other operators (their function bodies): each step may be rounded to the dtype.
STEP = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24, "float64": 2.0**-53}


def make(draw):
    return draw.pick([make_group, make_lp, make_mean_variance])(draw)


def make_group(draw):
    opset = draw.version("GroupNormalization", since=21)
    dtype = draw.dtype("GroupNormalization", opset, of=lambda d: d.itemsize >= 4)
    groups, each = draw.integer(1, 3), draw.integer(1, 3)
    shape = [draw.integer(1, 3), groups * each, *draw.shape(1, 2, zero=0)]
    x = draw.values(dtype, shape, -3, 3)
    scale, bias = draw.values(dtype, [shape[1]], -2, 2), draw.values(dtype, [shape[1]], -2, 2)
    epsilon = draw.real(1e-2, 1e-1)
    rows = wide(x).reshape(shape[0], groups, -1)
    mean, inverse = rows.mean(-1, keepdims=True), 1 / numpy.sqrt(rows.var(-1, keepdims=True) + epsilon)
    normal = ((rows - mean) * inverse).reshape(shape)
    y = normal * channels_last(scale, len(shape)) + channels_last(bias, len(shape))
    error = error_of(numpy.abs(y) + 100 / epsilon**0.5, rows.shape[-1], numpy.dtype("float32"))
    return draw.declared(Case("GroupNormalization", opset, [x, scale, bias], [Expected(y, dtype, extra=error)], {"num_groups": groups, "epsilon": epsilon}), can_be_constant=(1, 2))


def make_lp(draw):
    """x over the p-norm along an axis; 0 where the norm is 0."""
    opset = draw.version("LpNormalization")
    dtype = draw.dtype("LpNormalization", opset)
    shape = draw.shape(1, 4, zero=0)
    axis = draw.axis(len(shape))
    p = draw.pick([1, 2])
    x = draw.values(dtype, shape, -3, 3)
    if draw.flip(0.2):
        x = numpy.zeros_like(x)
    norm = numpy.sum(numpy.abs(wide(x))**p, axis=axis, keepdims=True)**(1 / p)
    y = wide(x) / numpy.where(norm == 0, 1, norm)
    attributes = {"axis": None if axis % len(shape) == len(shape) - 1 and draw.flip() else axis, "p": None if p == 2 and draw.flip() else p}
    return draw.declared(Case("LpNormalization", opset, [x], [Expected(y, dtype, extra=(shape[axis] + 6) * STEP[dtype.name] * numpy.abs(y))], attributes))


def make_mean_variance(draw):
    """(x - mean) / (deviation + 1e-9)."""
    opset = draw.version("MeanVarianceNormalization", since=9)
    dtype = draw.dtype("MeanVarianceNormalization", opset, of=lambda d: d.itemsize >= 4)
    shape = [draw.integer(2, 3), draw.integer(1, 3), draw.integer(2, 4), draw.integer(2, 4)]
    axes = draw.pick([None, [0, 2, 3], [2, 3], [0], [-1]])
    if opset < 13 and axes == [-1]:
        axes = [3]
    x = draw.values(dtype, shape, -3, 3)
    along = tuple([0, 2, 3] if axes is None else axes)
    deviation = wide(x).std(axis=along, keepdims=True)
    if (deviation < 0.3).any():
        return make_mean_variance(draw)
    y = (wide(x) - wide(x).mean(axis=along, keepdims=True)) / (deviation + 1e-9)
    return draw.declared(Case("MeanVarianceNormalization", opset, [x], [Expected(y, dtype, extra=4000 * STEP["float32"])], {"axes": axes}))

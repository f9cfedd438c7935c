"""Softmax, LogSoftmax and Hardmax; before opset 13 they flatten their input to two dims."""
import numpy

from case import Case, Expected, product, sum_error


def rows(op, x):
    """Along the last axis of float64s."""
    if x.shape[-1] == 0:
        return x
    top = numpy.max(x, axis=-1, keepdims=True)
    if op == "Hardmax":
        return (numpy.arange(x.shape[-1]) == numpy.argmax(x, axis=-1)[..., None]).astype(numpy.float64)
    e = numpy.exp(x - top)
    total = numpy.sum(e, axis=-1, keepdims=True)
    return e / total if op == "Softmax" else x - top - numpy.log(total)


def make(draw):
    op = draw.pick(["Softmax", "LogSoftmax", "Hardmax"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    shape = draw.shape(1, 5, zero=0.1)
    rank = len(shape)
    axis = draw.axis(rank) if opset >= 11 else draw.integer(0, rank - 1)
    default = 1 if opset < 13 else -1
    if draw.flip(0.2) and -rank <= default < rank:
        axis = None
    along = (default if axis is None else axis) % rank
    x = draw.values(dtype, shape, -30, 30)
    if op == "Hardmax":
        x = numpy.rint(x.astype(numpy.float64) / 15).astype(dtype)
    wide = x.astype(numpy.float64)
    if opset < 13:
        y = rows(op, wide.reshape(product(shape[:along]), product(shape[along:]))).reshape(shape)
        n = product(shape[along:])
    else:
        y = numpy.moveaxis(rows(op, numpy.moveaxis(wide, along, -1)), -1, along)
        n = shape[along]
    extra = 0.0 if op == "Hardmax" else sum_error(n + 4, numpy.abs(y) + (60 if op == "LogSoftmax" else 0), dtype)
    return draw.declared(Case(op, opset, [x], [Expected(y, dtype, extra=extra)], {"axis": axis}))

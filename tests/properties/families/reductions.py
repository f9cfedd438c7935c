"""Reductions: axes as attribute or input, none, empty ones, NaN anywhere, axes without elements."""
import numpy

from case import Case, Expected, is_float, product, sum_error
from draw import schema

OPS = ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"]


def log_sum_exp(x, axis):
    top = numpy.max(x, axis=axis, keepdims=True, initial=-numpy.inf)
    safe = numpy.where(numpy.isfinite(top), top, 0)
    return numpy.squeeze(safe, axis) + numpy.log(numpy.sum(numpy.exp(x - safe), axis=axis))


def reduce_floats(op, x, axis):
    """(value, what rounding may change) of float64s."""
    n = product(x.shape[a] for a in axis)
    if op in ("ReduceMax", "ReduceMin"):
        f, start = (numpy.max, -numpy.inf) if op == "ReduceMax" else (numpy.min, numpy.inf)
        return f(x, axis=axis, initial=start), None
    finite = numpy.nan_to_num(numpy.abs(x), nan=0.0, posinf=0.0)
    if op == "ReduceProd":
        y = numpy.prod(x, axis=axis)
        return y, (n, numpy.nan_to_num(numpy.abs(y), nan=0.0, posinf=0.0))
    if op in ("ReduceSum", "ReduceMean", "ReduceL1"):
        y = numpy.sum(numpy.abs(x) if op == "ReduceL1" else x, axis=axis)
        error = numpy.sum(finite, axis=axis)
        return (y / n if n else y * numpy.nan, (n, error / n if n else error)) if op == "ReduceMean" else (y, (n, error))
    if op in ("ReduceL2", "ReduceSumSquare"):
        y = numpy.sum(x * x, axis=axis)
        return (numpy.sqrt(y), (n, numpy.sqrt(numpy.sum(finite * finite, axis=axis)))) if op == "ReduceL2" else (y, (n, numpy.sum(finite * finite, axis=axis)))
    if op == "ReduceLogSum":
        s = numpy.sum(x, axis=axis)
        relative = numpy.sum(finite, axis=axis) / numpy.where(s == 0, 1, numpy.abs(s))
        return numpy.log(s), (n, numpy.nan_to_num(relative, nan=0.0, posinf=0.0) + 1)
    return log_sum_exp(x, axis), (n, 4.0)


def reduce_integers(op, x, axis, dtype):
    """Sums wrap; roots and logarithms are cut off as a conversion does; a mean is cut off towards zero."""
    wide = x.astype(object)
    total = lambda values: numpy.asarray(numpy.sum(values, axis=axis, initial=0), object)  # noqa: E731
    if op == "ReduceMax":
        return numpy.max(x, axis=axis, initial=numpy.iinfo(dtype).min)
    if op == "ReduceMin":
        return numpy.min(x, axis=axis, initial=numpy.iinfo(dtype).max)
    if op == "ReduceProd":
        y = numpy.asarray(numpy.prod(wide, axis=axis, initial=1), object)
    elif op in ("ReduceSum", "ReduceMean", "ReduceL1"):
        y = total(numpy.abs(wide) if op == "ReduceL1" else wide)
        if op == "ReduceMean":
            n = product(x.shape[a] for a in axis)
            y = each(lambda v: int(abs(v) // n * (1 if v >= 0 else -1)), y)
    elif op == "ReduceSumSquare":
        y = total(wide * wide)
    elif op == "ReduceL2":
        y = each(lambda v: int(numpy.sqrt(float(v))), total(wide * wide))
    elif op == "ReduceLogSum":
        y = each(lambda v: int(numpy.log(float(v))), total(wide))
    else:
        y = each(int, log_sum_exp(x.astype(numpy.float64), axis))
    bits = numpy.iinfo(dtype).bits
    return each(lambda v: (int(v) - low(dtype)) % (1 << bits) + low(dtype), y).astype(dtype)


def low(dtype):
    return int(numpy.iinfo(dtype).min)


def each(f, values):
    values = numpy.asarray(values, object)
    return numpy.array([f(v) for v in values.reshape(-1)], object).reshape(values.shape)


def make(draw):
    op = draw.pick(OPS)
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    shape = draw.shape(zero=0.15)
    rank = len(shape)
    axes_are_input = len(schema(op, opset).inputs) == 2
    given = draw.axes(rank) if draw.flip(0.75) else None
    noop = axes_are_input and draw.flip(0.25)
    keepdims = draw.pick([None, 0, 1])
    axis = tuple(range(rank)) if not given else tuple(sorted(a % rank for a in given))
    if not given and noop:
        axis = ()
    small = (0.1, 3) if op == "ReduceLogSum" else (-3, 3)
    if dtype == bool:
        x = draw.values(bool, shape)
        y = numpy.any(x, axis=axis) if op == "ReduceMax" else numpy.all(x, axis=axis)
        expected = Expected(y, bool)
    elif is_float(dtype):
        x = draw.values(dtype, shape, *small, odd=draw.pick([0, 0, 0.05]))
        with numpy.errstate(all="ignore"):
            y, error = reduce_floats(op, x.astype(numpy.float64), axis)
            extra = 0.0 if error is None else sum_error(error[0] + 2, error[1], dtype)
            expected = Expected(y, dtype, extra=extra)
    else:
        x = draw.values(dtype, shape, *((1, 5) if op.startswith("ReduceLog") else (-5, 5)))
        empty = product(x.shape[a] for a in axis) == 0
        if empty and op in ("ReduceMean", "ReduceLogSum", "ReduceLogSumExp"):
            return make(draw)  # no integer stands for NaN or minus infinity
        expected = Expected(reduce_integers(op, x, axis, dtype), dtype)
    if keepdims != 0:
        value = expected.value.reshape([1 if a in axis else d for a, d in enumerate(shape)])
        if expected.floating:
            expected.bound = numpy.broadcast_to(expected.bound, expected.value.shape).reshape(value.shape)
        expected.value = value
    attributes = {"keepdims": keepdims}
    if not axes_are_input:
        if given == []:
            given = None
        return draw.declared(Case(op, opset, [x], [expected], attributes | {"axes": given}))
    attributes["noop_with_empty_axes"] = 1 if noop else draw.pick([None, 0])
    axes = None if given is None else numpy.array(given, numpy.int64)
    return draw.declared(Case(op, opset, [x, axes], [expected], attributes), can_be_constant=(1,))

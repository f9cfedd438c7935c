"""ArgMax, ArgMin, CumSum, CumProd."""
import numpy

from case import Case, Expected, is_float, sum_error


def make(draw):
    return draw.pick([make_arg, make_cumulative])(draw)


def make_arg(draw):
    op = draw.pick(["ArgMax", "ArgMin"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    shape = draw.shape(1, 5, zero=0.1)
    axis = draw.axis(len(shape)) if opset >= 11 else draw.integer(0, len(shape) - 1)
    if draw.flip(0.2):
        axis = None
    along = 0 if axis is None else axis % len(shape)
    if shape[along] == 0:
        shape[along] = 2
    x = draw.values(dtype, shape, -2, 2)
    if is_float(dtype):
        x = numpy.rint(x.astype(numpy.float64)).astype(dtype)  # many equal ones
    attributes = {"axis": axis, "keepdims": draw.pick([None, 0, 1])}
    last = opset >= 12 and draw.flip(0.4)
    attributes["select_last_index"] = 1 if last else None
    f = numpy.argmax if op == "ArgMax" else numpy.argmin
    wide = x.astype(numpy.float64) if is_float(dtype) else x
    y = shape[along] - 1 - f(numpy.flip(wide, along), axis=along) if last else f(wide, axis=along)
    if attributes["keepdims"] != 0:
        y = numpy.expand_dims(y, along)
    return draw.declared(Case(op, opset, [x], [Expected(y, "int64")], attributes))


def make_cumulative(draw):
    op = draw.pick(["CumSum", "CumProd"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    shape = draw.shape(1, 5, zero=0.1)
    axis = draw.axis(len(shape))
    exclusive, reverse = draw.flip(), draw.flip()
    x = draw.values(dtype, shape, -3, 3, odd=draw.pick([0, 0.05]))
    floating = is_float(dtype)
    with numpy.errstate(all="ignore"):
        wide = x.astype(numpy.float64) if floating else x
        f, start = (numpy.cumsum, 0) if op == "CumSum" else (numpy.cumprod, 1)

        def accumulated(values):
            values = numpy.flip(values, axis) if reverse else values
            if exclusive and shape[axis]:
                first = numpy.full_like(numpy.take(values, [0], axis), start)
                values = numpy.concatenate([first, numpy.take(values, range(shape[axis] - 1), axis)], axis)
            y = f(values, axis=axis, dtype=values.dtype)
            return numpy.flip(y, axis) if reverse else y
        y = accumulated(wide)
        magnitude = numpy.nan_to_num(accumulated(numpy.nan_to_num(numpy.abs(wide), nan=0.0, posinf=0.0)), nan=0.0, posinf=0.0) if floating else 0
        expected = Expected(y, dtype, extra=sum_error(shape[axis], magnitude, dtype)) if floating else Expected(y, dtype)
    attributes = {"exclusive": int(exclusive) if exclusive or draw.flip() else None, "reverse": int(reverse) if reverse or draw.flip() else None}
    where = numpy.array(axis, draw.pick(["int32", "int64"]))
    return draw.declared(Case(op, opset, [x, where], [expected], attributes), can_be_constant=(1,))

"""Element-wise arithmetic of two or more inputs, with broadcasting."""
import functools

import numpy

from case import Case, Expected, is_float


def broadcastable(draw, count, most_rank=4):
    """Shapes that numpy broadcasts to each other: axes are left out at the front or have one element."""
    full = draw.shape(0, most_rank)
    shapes = []
    for _ in range(count):
        shape = [1 if draw.flip(0.25) else d for d in full]
        shapes.append(shape[draw.integer(0, len(shape)) if draw.flip(0.3) else 0:])
    if draw.flip():
        shapes[draw.integer(0, count - 1)] = full
    return shapes


def wrapped(numbers, dtype, shape):
    """Python's integers as they wrap in the dtype."""
    info = numpy.iinfo(dtype)
    return numpy.array([(n - info.min) % (1 << info.bits) + info.min for n in numbers], dtype).reshape(shape)


def pairs(a, b):
    """([(element of a, element of b), ...], dims) of two integer tensors, broadcast."""
    a, b = numpy.broadcast_arrays(a, b)
    return list(zip(a.reshape(-1).tolist(), b.reshape(-1).tolist())), a.shape


def integer_divide(a, b):
    """Truncated towards zero (C); the most negative number by -1 wraps."""
    items, shape = pairs(a, b)
    return wrapped([abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in items], a.dtype, shape)


def integer_power(a, b):
    """Exact, then wrapped."""
    items, shape = pairs(a, b)
    return wrapped([int(x)**int(y) for x, y in items], a.dtype, shape)


FLOAT_FORMS = {"Add": numpy.add, "Sub": numpy.subtract, "Mul": numpy.multiply, "Div": numpy.divide, "Pow": numpy.power, "Mod": numpy.fmod,  # Mod of floats needs fmod=1
              
               "PRelu": lambda x, slope: numpy.where(x < 0, slope * x, x)}
MANY = {"Max": numpy.maximum, "Min": numpy.minimum, "Sum": numpy.add, "Mean": numpy.add}


def make(draw):
    op = draw.pick(sorted(FLOAT_FORMS) + sorted(MANY))
    if op in MANY:
        return make_many(draw, op)
    if op == "Pow":
        return make_pow(draw)
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    shapes = broadcastable(draw, 2)
    if op == "PRelu":  # unidirectional: slope to x
        shapes[0] = list(numpy.broadcast_shapes(*map(tuple, shapes)))
    a, b = (draw.values(dtype, shape, -9, 9, odd=draw.pick([0, 0.2])) for shape in shapes)
    attributes = {}
    with numpy.errstate(all="ignore"):
        if op == "Mod":
            fmod = is_float(dtype) or draw.flip()
            attributes = {"fmod": 1} if fmod else draw.pick([{}, {"fmod": 0}])
        if is_float(dtype):
            expected = Expected(FLOAT_FORMS[op](a.astype(numpy.float64), b.astype(numpy.float64)), dtype)
        else:
            if op in ("Div", "Mod"):
                b = numpy.where(b == 0, b.dtype.type(3), b)  # division by zero: families/integer.py
                y = integer_divide(a, b) if op == "Div" else numpy.fmod(a, b) if attributes.get("fmod") else numpy.mod(a, b)
                y = numpy.broadcast_to(y, numpy.broadcast_shapes(a.shape, b.shape))
            else:
                y = FLOAT_FORMS[op](a, b)
            expected = Expected(y, dtype)
    return draw.declared(Case(op, opset, [a, b], [expected], attributes), can_be_constant=(0, 1) if draw.flip(0.3) else ())


def make_pow(draw):
    opset = draw.version("Pow")
    dtype = draw.dtype("Pow", opset)
    exponent_dtype = dtype if opset < 12 else draw.dtype("Pow", opset, 1)
    one, other = broadcastable(draw, 2)
    x = draw.values(dtype, one, -4, 4)
    y = draw.values(exponent_dtype, other, 0 if not is_float(dtype) else -3, 5)
    with numpy.errstate(all="ignore"):
        if is_float(dtype):
            expected = Expected(numpy.power(x.astype(numpy.float64), y.astype(numpy.float64)), dtype)
        else:
            if is_float(exponent_dtype):
                y = numpy.rint(y.astype(numpy.float64)).astype(exponent_dtype)
                y = numpy.abs(y)
            expected = Expected(integer_power(x, y), dtype)
    return draw.declared(Case("Pow", opset, [x, y], [expected]))


def make_many(draw, op):
    opset = draw.version(op, since=8)  # before 8 there was no broadcasting
    dtype = draw.dtype(op, opset)
    inputs = [draw.values(dtype, shape, -9, 9, odd=draw.pick([0, 0.15])) for shape in broadcastable(draw, draw.integer(1, 4))]
    with numpy.errstate(all="ignore"):
        if not is_float(dtype):
            return draw.declared(Case(op, opset, inputs, [Expected(functools.reduce(MANY[op], inputs), dtype)]))
        wide = [x.astype(numpy.float64) for x in inputs]
        y = functools.reduce(MANY[op], wide)
        count = len(inputs)
        # Sums in the order of the inputs, each partial sum may be rounded to float32 (or double).
        magnitude = functools.reduce(numpy.add, [numpy.nan_to_num(numpy.abs(x), nan=0.0, posinf=0.0) for x in wide])
        eps = 2.0**-53 if dtype == numpy.float64 else 2.0**-24
        if dtype.itemsize == 2:
            eps = 2.0**-8 if dtype.name == "bfloat16" else 2.0**-11
        extra = count * eps * magnitude if op in ("Sum", "Mean") and count > 2 else 0.0
        expected = Expected(y / count if op == "Mean" else y, dtype, extra=extra)
    return draw.declared(Case(op, opset, inputs, [expected]))

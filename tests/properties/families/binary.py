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


def integer_divide(a, b):
    """Truncated towards zero (C); the most negative number by -1 wraps."""
    quotient = numpy.abs(a.astype(object)) // numpy.abs(b.astype(object))
    signed = numpy.where((a.astype(object) < 0) != (b.astype(object) < 0), -quotient, quotient)
    info = numpy.iinfo(a.dtype)
    return numpy.asarray(numpy.vectorize(lambda v: (int(v) - int(info.min)) % (1 << info.bits) + int(info.min), otypes=[object])(signed) if signed.size else signed).astype(a.dtype)


def integer_power(a, b):
    """Exact, then wrapped."""
    info = numpy.iinfo(a.dtype)
    def power(x, y):
        return (pow(int(x), int(y), 1 << info.bits) - int(info.min)) % (1 << info.bits) + int(info.min)
    a, b = numpy.broadcast_arrays(a, b)
    return numpy.array([power(x, y) for x, y in zip(a.reshape(-1), b.reshape(-1))], object).astype(a.dtype).reshape(a.shape)


def nan_mod(a, b):
    """numpy.mod for integers; Mod of floats needs fmod=1 (C's fmod)."""
    return numpy.fmod(a, b)


FLOAT_FORMS = {"Add": numpy.add, "Sub": numpy.subtract, "Mul": numpy.multiply, "Div": numpy.divide, "Pow": numpy.power, "Mod": nan_mod,
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

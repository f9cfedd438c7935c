"""Comparisons, logic and Where, with broadcasting."""
import numpy

from case import Case, Expected, is_float
from families.binary import broadcastable

COMPARISONS = {"Equal": numpy.equal, "Less": numpy.less, "LessOrEqual": numpy.less_equal, "Greater": numpy.greater, "GreaterOrEqual": numpy.greater_equal}
LOGIC = {"And": numpy.logical_and, "Or": numpy.logical_or, "Xor": numpy.logical_xor}


def make(draw):
    op = draw.pick(sorted(COMPARISONS) + sorted(LOGIC) + ["Where", "Where"])
    opset = draw.version(op)
    if op == "Where":
        return make_where(draw, opset)
    dtype = draw.dtype(op, opset)
    shapes = broadcastable(draw, 2)
    # Few different values, so that many are equal; a comparison with NaN is false.
    a, b = (draw.values(dtype, shape, -2, 2, odd=draw.pick([0, 0.2])) for shape in shapes)
    if is_float(dtype):
        a, b = (numpy.where(draw.flip(), numpy.rint(x.astype(numpy.float64)), x.astype(numpy.float64)).astype(dtype) for x in (a, b))
    with numpy.errstate(all="ignore"):
        y = {**COMPARISONS, **LOGIC}[op](a, b)
    return draw.declared(Case(op, opset, [a, b], [Expected(numpy.asarray(y, bool), bool)]), can_be_constant=(0, 1) if draw.flip(0.3) else ())


def make_where(draw, opset):
    dtype = draw.dtype("Where", opset, 1)
    shapes = broadcastable(draw, 3)
    condition = draw.values(bool, shapes[0])
    x, y = (draw.values(dtype, shape, odd=0.1) for shape in shapes[1:])
    z = numpy.where(condition, x, y)
    return draw.declared(Case("Where", opset, [condition, x, y], [Expected(z if dtype == object else z.astype(dtype), dtype)]), can_be_constant=(0, 1, 2) if draw.flip(0.3) else ())

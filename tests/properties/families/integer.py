"""Integer division and remainder at the edges, shifts and bitwise operators."""
import numpy

from case import Case, Expected
from families.binary import broadcastable, integer_divide

BITWISE = {"BitwiseAnd": numpy.bitwise_and, "BitwiseOr": numpy.bitwise_or, "BitwiseXor": numpy.bitwise_xor}


def is_integer(dtype):
    return dtype.kind in "iu"


def make(draw):
    return draw.pick([make_bitwise, make_shift, make_division, make_division])(draw)


def make_bitwise(draw):
    op = draw.pick(sorted(BITWISE) + ["BitwiseNot"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    inputs = [draw.values(dtype, shape, -100, 100, odd=0.3) for shape in broadcastable(draw, 1 if op == "BitwiseNot" else 2)]
    y = numpy.bitwise_not(*inputs) if op == "BitwiseNot" else BITWISE[op](*inputs)
    return draw.declared(Case(op, opset, inputs, [Expected(y, dtype)]))


def make_shift(draw):
    """Amounts that are negative, or the width or more, leave what the sign bit fills in (BitShift-28)."""
    opset = draw.version("BitShift")
    dtype = draw.dtype("BitShift", opset)
    one, other = broadcastable(draw, 2)
    bits = numpy.iinfo(dtype).bits
    x = draw.values(dtype, one, -100, 100, odd=0.3)
    by = draw.values(dtype, other, -2, bits + 2, odd=draw.pick([0, 0.2]))
    direction = draw.pick(["LEFT", "RIGHT"])
    inside = (by >= 0) & (by < bits)
    safe = numpy.where(inside, by, dtype.type(0))
    if direction == "LEFT":
        y = numpy.where(inside, numpy.left_shift(x, safe), dtype.type(0))
    else:
        y = numpy.where(inside, numpy.right_shift(x, safe), numpy.where(x < 0, numpy.asarray(-1).astype(dtype), dtype.type(0)))
    return draw.declared(Case("BitShift", opset, [x, by], [Expected(y, dtype)], {"direction": direction}))


def make_division(draw):
    """A divisor of zero is an error wherever it stands; the least integer by -1 wraps, its remainder is 0."""
    op = draw.pick(["Div", "Mod"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset, of=is_integer)
    one, other = broadcastable(draw, 2)
    a = draw.values(dtype, one, -20, 20, odd=0.4)
    b = draw.values(dtype, other, -2, 3, odd=0.1)
    zero = draw.flip(0.3)
    if not zero:
        b = numpy.where(b == 0, numpy.asarray(-1).astype(dtype), b)
    out = numpy.broadcast_shapes(a.shape, b.shape)
    attributes = draw.pick([{}, {"fmod": 1}]) if op == "Mod" else {}
    case = Case(op, opset, [a, b], "refused", attributes)
    if not (b == 0).any() or 0 in out:
        with numpy.errstate(all="ignore"):
            if 0 in out:
                y = numpy.zeros(out, dtype)
            else:
                y = integer_divide(a, b) if op == "Div" else numpy.fmod(a, b) if attributes else numpy.mod(a, b)
        case.expected = [Expected(y, dtype)]
    return draw.declared(case, can_be_constant=(0, 1) if draw.flip(0.5) else ())

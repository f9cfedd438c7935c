"""Cast and CastLike between floats, integers, bool and text."""
import numpy

from case import BFLOAT16, Case, Expected, is_float, onnx_type
from draw import BY_ONNX_NAME, schema


def make(draw):
    op = draw.pick(["Cast", "Cast", "CastLike"])
    opset = draw.version(op, since=9)
    to = draw.pick(sorted({numpy.dtype(BY_ONNX_NAME[n]) for n in schema(op, opset).outputs[0].types if n in BY_ONNX_NAME}, key=str))
    x, y = make_text(draw, op, opset, to) if draw.flip(0.1) and to.kind != "b" and to != object else make_numbers(draw, op, opset, to)
    if op == "Cast":
        return draw.declared(Case(op, opset, [x], [Expected(y, to)], {"to": onnx_type(to)}))
    return draw.declared(Case(op, opset, [x, draw.values(to, draw.shape(0, 2))], [Expected(y, to)]))


def make_numbers(draw, op, opset, to):
    """Integers wrap; floats are rounded once, cut off towards zero, and not 0 (NaN too) is true. What an integer cannot
    hold of a float is not defined, so that is not drawn."""
    dtype = draw.dtype(op, opset, of=lambda d: d != object)
    shape = draw.shape()
    odd = draw.pick([0, 0.2])
    if to == object:
        # The shortest text that gives the number back, as numpy has it; the texts of ml_dtypes' bfloat16 are not the shortest.
        dtype = numpy.dtype("float32") if dtype == BFLOAT16 else dtype
        x = draw.values(dtype, shape, -100, 100)
        text = [str(v) for v in x.reshape(-1)]
        return x, numpy.array(text, object).reshape(x.shape)
    if is_float(dtype):
        if to.kind in "iu":
            info = numpy.iinfo(to)
            x = draw.values(dtype, shape, max(-1000, info.min) if info.min else 0, min(1000, info.max))
            return x, numpy.trunc(x.astype(numpy.float64)).astype(to)
        x = draw.values(dtype, shape, -1000, 1000, odd=odd)
        return x, x != 0 if to == bool else x.astype(numpy.float64)
    x = draw.values(dtype, shape, -1000, 1000, odd=odd)
    with numpy.errstate(all="ignore"):
        return x, x.astype(numpy.float64) if is_float(to) and dtype.itemsize < 8 else x.astype(to)


def make_text(draw, op, opset, to):
    shape = draw.shape(0, 3)
    whole = to.kind in "iu"
    number = (lambda: draw.integer(0, 100)) if whole else (lambda: draw.integer(-400, 400) / 8)  # noqa: E731
    numbers = numpy.array([number() for _ in range(int(numpy.prod(shape)))], numpy.float64).reshape(shape)
    text = numpy.array([str(int(v)) if whole else draw.pick([repr(float(v)), f"{v:e}", f"{v:+.3f}"]) for v in numbers.reshape(-1)], object).reshape(shape)
    return text, numbers

"""Operators that change dims alone, or repeat elements: Reshape, Flatten, Squeeze, Unsqueeze, Expand, Tile."""
import numpy

from case import Case, Expected, product
from draw import schema


def make(draw):
    op = draw.pick(["Reshape", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Expand", "Tile"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    return globals()[f"make_{op.lower()}"](draw, opset, dtype)


def case(draw, op, opset, x, y, more=(), attributes=None):
    return draw.declared(Case(op, opset, [x, *more], [Expected(y, x.dtype)], attributes), can_be_constant=(1,))


def make_reshape(draw, opset, dtype):
    x = draw.values(dtype, draw.shape(zero=0.12))
    allowzero = opset >= 14 and draw.flip(0.3)
    target, rest = [], x.size
    for _ in range(draw.integer(0, 4)):
        sizes = [f for f in range(1, rest + 1) if rest % f == 0] if rest else [0, 1, 2]
        target.append(draw.pick(sizes))
        rest = rest // target[-1] if rest and target[-1] else rest
    if product(target) != x.size:
        target.append(rest if x.size else 0)
    result, written = list(target), list(target)
    for i, d in enumerate(target):
        # 0 takes the input's dim, where that is the same; with allowzero 0 is 0.
        if not allowzero and d == 0 and not (i < x.ndim and x.shape[i] == 0):
            return make_reshape(draw, opset, dtype)
        if not allowzero and i < x.ndim and x.shape[i] == d and draw.flip(0.4):
            written[i] = 0
    if target and draw.flip(0.4) and 0 not in result and not (allowzero and 0 in written):
        written[draw.integer(0, len(target) - 1)] = -1
    return case(draw, "Reshape", opset, x, x.reshape(result), [numpy.array(written, numpy.int64)], {"allowzero": 1 if allowzero else None})


def make_flatten(draw, opset, dtype):
    x = draw.values(dtype, draw.shape())
    axis = draw.integer(-x.ndim if opset >= 11 else 0, x.ndim)
    if x.ndim == 0:
        axis = 0
    default = draw.flip(0.2) and x.ndim >= 1
    along = 1 if default else axis + x.ndim if axis < 0 else axis
    y = x.reshape(product(x.shape[:along]), product(x.shape[along:]))
    return case(draw, "Flatten", opset, x, y, attributes={"axis": None if default else axis})


def axes_of(draw, op, opset, x, y, axes):
    if len(schema(op, opset).inputs) == 1:
        return case(draw, op, opset, x, y, attributes={"axes": axes})
    return case(draw, op, opset, x, y, [None if axes is None else numpy.array(axes, numpy.int64)])


def make_squeeze(draw, opset, dtype):
    shape = [1 if draw.flip() else d for d in draw.shape()]
    x = draw.values(dtype, shape)
    ones = [i for i, d in enumerate(shape) if d == 1]
    if draw.flip(0.3):
        result = draw.declared(axes_of(draw, "Squeeze", opset, x, numpy.squeeze(x), None))
        return result
    chosen = [i for i in ones if draw.flip()]
    if not chosen and len(schema("Squeeze", opset).inputs) == 1:
        return make_squeeze(draw, opset, dtype)
    axes = [i - x.ndim if opset >= 11 and draw.flip() else i for i in draw.random.permutation(chosen).astype(int).tolist()]
    return axes_of(draw, "Squeeze", opset, x, numpy.squeeze(x, tuple(chosen)), axes)


def make_unsqueeze(draw, opset, dtype):
    x = draw.values(dtype, draw.shape(0, 4))
    rank = x.ndim + draw.integer(1, 3)
    chosen = sorted(draw.random.permutation(rank)[:rank - x.ndim].tolist())
    axes = [i - rank if opset >= 11 and draw.flip() else i for i in (draw.random.permutation(chosen).tolist() if opset >= 11 else chosen)]
    return axes_of(draw, "Unsqueeze", opset, x, numpy.expand_dims(x, tuple(chosen)), axes)


def make_expand(draw, opset, dtype):
    full = draw.shape(0, 4)
    x = draw.values(dtype, [1 if draw.flip(0.4) else d for d in full][draw.integer(0, len(full)) if draw.flip(0.3) else 0:])
    target = [1 if draw.flip(0.3) else d for d in full]
    target = target[draw.integer(0, len(target)) if draw.flip(0.2) else 0:]
    y = numpy.broadcast_to(x, numpy.broadcast_shapes(x.shape, tuple(target)))  # target may be 1 where x is larger
    return case(draw, "Expand", opset, x, y, [numpy.array(target, numpy.int64)])


def make_tile(draw, opset, dtype):
    x = draw.values(dtype, draw.shape(0, 4, most=3))
    repeats = [draw.pick([1, 1, 2, 3, 0] if draw.flip(0.1) else [1, 2, 3]) for _ in range(x.ndim)]
    return case(draw, "Tile", opset, x, numpy.tile(x, repeats), [numpy.array(repeats, numpy.int64)])

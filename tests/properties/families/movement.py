"""Operators that pick and move elements by axes: Transpose, Slice, Split, Concat, Pad, DepthToSpace, SpaceToDepth, Trilu."""
import numpy

from case import Case, Expected
from draw import schema


def make(draw):
    op = draw.pick(["Transpose", "Slice", "Slice", "Split", "Concat", "Pad", "Pad", "DepthToSpace", "SpaceToDepth"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    return globals()[f"make_{op.lower()}"](draw, opset, dtype)


def make_transpose(draw, opset, dtype):
    x = draw.values(dtype, draw.shape())
    perm = draw.random.permutation(x.ndim).tolist() if x.ndim and draw.flip(0.8) else None
    return draw.declared(Case("Transpose", opset, [x], [Expected(x.transpose(perm), dtype)], {"perm": perm}))


def make_slice(draw, opset, dtype):
    """As Python slices; steps since opset 10."""
    x = draw.values(dtype, draw.shape(1, 5))
    axes = draw.axes(x.ndim, 1)
    if opset < 10:
        axes = [a % x.ndim for a in axes]
    steps = [draw.pick([1, 1, 2, 3, -1, -2, -3]) if opset >= 10 else 1 for _ in axes]
    far = [2**31 - 1, -2**31] + ([2**63 - 1, -2**63] if opset >= 10 else [])
    bounds = lambda a: draw.pick(far) if draw.flip(0.2) else draw.integer(-x.shape[a] - 2, x.shape[a] + 2)  # noqa: E731
    starts, ends = [bounds(a) for a in axes], [bounds(a) for a in axes]
    y = x
    for a, start, end, step in zip(axes, starts, ends, steps):
        n = x.shape[a]
        # One difference from Python: going backwards, a start in front of the first element is the first element (Slice-13
        # clamps it to 0..n-1), where Python takes nothing.
        start = 0 if step < 0 and start < -n else start
        y = numpy.take(y, list(range(n))[slice(start, end, step)], axis=a)
    drop_axes = sorted(a % x.ndim for a in axes) == list(range(x.ndim)) and [a % x.ndim for a in axes] == list(range(x.ndim)) and draw.flip()
    if opset < 10:
        return draw.declared(Case("Slice", opset, [x], [Expected(y, dtype)], {"starts": starts, "ends": ends, "axes": None if drop_axes else axes}))
    index = "int64" if any(abs(v) > 2**31 for v in starts + ends) else draw.pick(["int32", "int64"])
    ints = lambda values: numpy.array(values, index)  # noqa: E731
    inputs = [x, ints(starts), ints(ends), None if drop_axes else ints(axes), None if all(s == 1 for s in steps) and draw.flip() else ints(steps)]
    return draw.declared(Case("Slice", opset, inputs, [Expected(y, dtype)]), can_be_constant=(1, 2, 3, 4))


def make_split(draw, opset, dtype):
    x = draw.values(dtype, draw.shape(1, 5, zero=0.1))
    axis = draw.axis(x.ndim) if opset >= 11 else draw.integer(0, x.ndim - 1)
    n = x.shape[axis]
    parts = draw.integer(1, 4)
    attributes, sizes, more = {"axis": axis}, None, []
    if draw.flip(0.6):
        cuts = sorted(draw.integer(0, n) for _ in range(parts - 1))
        sizes = [b - a for a, b in zip([0, *cuts], [*cuts, n])]
        if len(schema("Split", opset).inputs) == 1:
            attributes["split"] = sizes
        else:
            more = [numpy.array(sizes, numpy.int64)]
    elif opset >= 18:  # equal parts, the last smaller
        each = -(-n // parts)
        if n == 0 or n - each * (parts - 1) < 0:
            return make_split(draw, opset, dtype)
        sizes = [each] * (parts - 1) + [n - each * (parts - 1)]
        attributes["num_outputs"] = parts
    else:
        if n % parts:
            return make_split(draw, opset, dtype)
        sizes = [n // parts] * parts
    outputs = numpy.split(x, numpy.cumsum(sizes)[:-1].tolist(), axis=axis)
    return draw.declared(Case("Split", opset, [x, *more], [Expected(y, dtype) for y in outputs], attributes), can_be_constant=(1,))


def make_concat(draw, opset, dtype):
    shape = draw.shape(1, 5)
    axis = draw.axis(len(shape)) if opset >= 11 else draw.integer(0, len(shape) - 1)
    inputs = []
    for _ in range(draw.integer(1, 4)):
        dims = list(shape)
        dims[axis] = draw.integer(0, 3)
        inputs.append(draw.values(dtype, dims))
    y = numpy.concatenate(inputs, axis)
    return draw.declared(Case("Concat", opset, inputs, [Expected(y, dtype)], {"axis": axis}), can_be_constant=(0, 1) if draw.flip(0.3) else ())


def make_pad(draw, opset, dtype):
    modes = ["constant", "constant", "edge", "reflect"] + (["wrap"] if opset >= 19 else [])
    mode = draw.pick(modes)
    x = draw.values(dtype, draw.shape(1, 5, zero=0.06 if mode == "constant" else 0))
    axes = draw.axes(x.ndim, 1) if opset >= 18 and draw.flip(0.4) else list(range(x.ndim))
    pairs = {}
    for a in axes:
        n = x.shape[a]
        # Negative pads cut off first; what is left is padded (and reflected, which needs as many elements and one more).
        cut = [-draw.integer(0, max(0, n - 1) // 2) if draw.flip(0.25) else 0 for _ in range(2)]
        left = n + sum(cut)
        most = 3 if mode in ("constant", "edge") else max(0, left - 1) if mode == "reflect" else left
        pairs[a] = [c if c else draw.integer(0, min(3, most)) for c in cut]
    y = x
    for a, (begin, end) in pairs.items():
        y = numpy.take(y, range(max(0, -begin), y.shape[a] - max(0, -end)), axis=a)
    value = draw.values(dtype, []) if opset >= 11 and draw.flip() else None
    if opset < 11 and mode == "constant" and draw.flip():
        value = draw.values("float32", []).astype(dtype)  # attributes are float32
    empty = "" if dtype == object else numpy.zeros([], dtype)
    for a, (begin, end) in pairs.items():
        widths = [(0, 0)] * x.ndim
        widths[a] = (max(0, begin), max(0, end))
        if mode == "constant":
            sides = [numpy.full([*y.shape[:a % x.ndim], w, *y.shape[a % x.ndim + 1:]], empty if value is None else value, y.dtype) for w in widths[a]]
            y = numpy.concatenate([sides[0], y, sides[1]], a)
        else:
            at = numpy.pad(numpy.arange(y.shape[a]), widths[a], mode=mode)
            y = numpy.take(y, at, axis=a)
    attributes = {"mode": None if mode == "constant" and draw.flip() else mode}
    pads = [pairs[a][0] for a in axes] + [pairs[a][1] for a in axes]
    expected = [Expected(y, dtype)]
    if opset < 11:
        return draw.declared(Case("Pad", opset, [x], expected, attributes | {"pads": pads, "value": None if value is None else float(value)}))
    inputs = [x, numpy.array(pads, numpy.int64), value] + ([] if axes == list(range(x.ndim)) else [numpy.array(axes, draw.pick(["int32", "int64"]))])
    return draw.declared(Case("Pad", opset, inputs, expected, attributes), can_be_constant=(1, 2, 3))


def make_depthtospace(draw, opset, dtype):
    b, c, h, w = draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 3)
    n = draw.integer(0, 2)
    mode = draw.pick([None, "DCR", "CRD"]) if opset >= 11 else None
    x = draw.values(dtype, [n, c * b * b, h, w])
    if mode == "CRD":
        y = x.reshape(n, c, b, b, h, w).transpose(0, 1, 4, 2, 5, 3)
    else:
        y = x.reshape(n, b, b, c, h, w).transpose(0, 3, 4, 1, 5, 2)
    return draw.declared(Case("DepthToSpace", opset, [x], [Expected(y.reshape(n, c, h * b, w * b), dtype)], {"blocksize": b, "mode": mode}))


def make_spacetodepth(draw, opset, dtype):
    b, c, h, w = draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 3)
    n = draw.integer(0, 2)
    x = draw.values(dtype, [n, c, h * b, w * b])
    y = x.reshape(n, c, h, b, w, b).transpose(0, 3, 5, 1, 2, 4).reshape(n, c * b * b, h, w)
    return draw.declared(Case("SpaceToDepth", opset, [x], [Expected(y, dtype)], {"blocksize": b}))

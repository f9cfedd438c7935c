"""MaxPool (with indices), AveragePool, LpPool and the global pools."""
import numpy

from case import Case, Expected, is_float, product, sum_error
from draw import schema
from families.conv import image
from windows import Window, cells, padded


def make(draw):
    op = draw.pick(["MaxPool", "MaxPool", "AveragePool", "AveragePool", "LpPool", "GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    rank = draw.pick([1, 2, 2, 3])
    sizes = image(draw, rank)
    n, channels = 0 if draw.flip(0.05) else draw.integer(1, 2), draw.integer(1, 3)
    if op.startswith("Global"):
        x = draw.values(dtype, [n, channels, *sizes], -3, 3)
        return make_global(draw, op, opset, x)
    known = schema(op, opset).attributes
    window = Window(draw, rank, sizes, dilations="dilations" in known)
    if not window.fits(sizes):
        return make(draw)
    x = draw.values(dtype, [n, channels, *sizes], -3, 3)
    ceil_mode = "ceil_mode" in known and draw.flip(0.4)
    out = window.outputs(sizes, ceil_mode)
    attributes = window.attributes | {"kernel_shape": window.kernel, "ceil_mode": 1 if ceil_mode else None}
    # With ceil_mode a window may reach beyond the end padding.
    more = [max(0, (o - 1) * s + r - (size + b + e)) for o, s, r, size, b, e in zip(out, window.strides, window.reach, sizes, window.begin, window.end)]
    inside = cells(padded(padded(numpy.ones(x.shape), window.begin, window.end, 0.0), [0] * rank, more, 0.0), window, out)
    axes = tuple(range(2 + rank, 2 + 2 * rank))
    ends = [e + m for e, m in zip(window.end, more)]
    if op == "MaxPool":
        return make_max(draw, opset, x, window, out, ends, inside, attributes)
    wide = cells(padded(x.astype(numpy.float64), window.begin, ends, 0.0), window, out)
    terms = product(window.kernel) + 3
    if op == "LpPool":
        p = draw.integer(1, 3) if draw.flip(0.6) else None
        power = 2 if p is None else p
        y = numpy.sum(numpy.abs(wide)**power, axis=axes)**(1 / power)
        return draw.declared(Case(op, opset, [x], [Expected(y, dtype, extra=sum_error(terms, y, dtype))], attributes | {"p": p}))
    count_pads = draw.flip(0.4)
    counted = inside
    if count_pads:  # the cells of the padding, not those beyond it
        counted = cells(padded(padded(numpy.ones(x.shape), window.begin, window.end, 1.0), [0] * rank, more, 0.0), window, out)
    attributes["count_include_pad"] = 1 if count_pads else draw.pick([None, 0])
    count = numpy.maximum(numpy.sum(counted, axis=axes), 1)
    y, magnitude = numpy.sum(wide, axis=axes) / count, numpy.sum(numpy.abs(wide), axis=axes) / count
    return draw.declared(Case(op, opset, [x], [Expected(y, dtype, extra=sum_error(terms, magnitude, dtype))], attributes))


def make_max(draw, opset, x, window, out, ends, inside, attributes):
    rank = len(out)
    wide = x.astype(numpy.float64) if is_float(x.dtype) else x.astype(numpy.int64)
    lowest = -numpy.inf if is_float(x.dtype) else numpy.iinfo(x.dtype).min - 1  # below every element (no 64-bit integers here)
    values = cells(padded(wide, window.begin, ends, lowest), window, out)
    flat = values.reshape([*values.shape[:2 + rank], product(window.kernel)])
    y = numpy.max(flat, axis=-1)
    expected = [Expected(y if is_float(x.dtype) else numpy.maximum(y, lowest + 1), x.dtype)]
    all_seen = numpy.all(numpy.sum(inside, axis=tuple(range(2 + rank, 2 + 2 * rank))) > 0)  # dilated windows may step over the image
    if opset >= 8 and all_seen and draw.flip():
        # Indices into the whole of x, the first of equals; with storage_order 1 the spatial axes count column by column.
        order = draw.pick([None, 0, 1])
        attributes = attributes | {"storage_order": order}
        spatial = x.shape[2:]
        places = numpy.arange(product(spatial)).reshape(spatial, order="F" if order == 1 else "C")
        base = numpy.arange(x.shape[0] * x.shape[1]).reshape(*x.shape[:2], *[1] * rank) * product(spatial)
        index = cells(padded(base + places, window.begin, ends, -1), window, out).reshape(flat.shape)
        expected.append(Expected(numpy.take_along_axis(index, numpy.argmax(flat, axis=-1)[..., None], -1)[..., 0], "int64"))
    return draw.declared(Case("MaxPool", opset, [x], expected, attributes))


def make_global(draw, op, opset, x):
    axes = tuple(range(2, x.ndim))
    wide = x.astype(numpy.float64)
    attributes, extra = {}, 0.0
    n = product(x.shape[2:]) + 2
    if op == "GlobalMaxPool":
        y = numpy.max(wide, axis=axes, keepdims=True)
    elif op == "GlobalAveragePool":
        y = numpy.mean(wide, axis=axes, keepdims=True)
        extra = sum_error(n, numpy.mean(numpy.abs(wide), axis=axes, keepdims=True), x.dtype)
    else:
        attributes["p"] = draw.pick([None, 1, 2, 3])
        p = attributes["p"] or 2
        y = numpy.sum(numpy.abs(wide)**p, axis=axes, keepdims=True)**(1 / p)
        extra = sum_error(n, y, x.dtype)
    return draw.declared(Case(op, opset, [x], [Expected(y, x.dtype, extra=extra)], attributes))

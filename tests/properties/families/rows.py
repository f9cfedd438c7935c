"""Compress, Unique, ReverseSequence, CenterCropPad."""
import numpy

from case import Case, Expected, is_float


def make(draw):
    return draw.pick([make_compress, make_unique, make_reverse, make_crop])(draw)


def make_compress(draw):
    opset = draw.version("Compress")
    dtype = draw.dtype("Compress", opset)
    x = draw.values(dtype, draw.shape(1, 4))
    axis = draw.axis(x.ndim) if draw.flip(0.7) else None
    if axis is not None and opset < 11:
        axis %= x.ndim
    n = x.size if axis is None else x.shape[axis]
    chosen = draw.values(bool, [draw.integer(0, n)])  # shorter ones leave out the rest
    y = numpy.compress(chosen, x, axis)
    return draw.declared(Case("Compress", opset, [x, chosen], [Expected(y, dtype)], {"axis": axis}), can_be_constant=(1,))


def make_unique(draw):
    """Sorted, or by first place; where each comes first, which each element is, how often."""
    opset = draw.version("Unique")
    dtype = draw.dtype("Unique", opset, of=lambda d: d != object and d != bool)
    x = draw.values(dtype, draw.shape(1, 3, zero=0), 0, 3)
    if is_float(dtype):
        x = numpy.rint(x.astype(numpy.float64)).astype(dtype)
    axis = draw.axis(x.ndim) if draw.flip() else None
    ordered = draw.flip()
    wide = x.astype(numpy.float64)
    y, first, inverse, counts = numpy.unique(wide, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    inverse = inverse.reshape(-1)
    if not ordered:
        order = numpy.argsort(first)
        y = numpy.take(y, order, axis=0 if axis is None else axis)
        first, counts = first[order], counts[order]
        inverse = numpy.argsort(order)[inverse]
    expected = [Expected(y if is_float(dtype) else y.astype(dtype), dtype)] + [Expected(v, "int64") if draw.flip(0.8) else None for v in (first, inverse, counts)]
    return draw.declared(Case("Unique", opset, [x], expected, {"axis": axis, "sorted": None if ordered and draw.flip() else int(ordered)}))


def make_reverse(draw):
    opset = draw.version("ReverseSequence")
    dtype = draw.dtype("ReverseSequence", opset)
    time_first = draw.flip()
    x = draw.values(dtype, [draw.integer(1, 4), draw.integer(1, 4), *draw.shape(0, 2, zero=0)])
    batch_axis, time_axis = (1, 0) if time_first else (0, 1)
    lengths = draw.random.integers(0, x.shape[time_axis], x.shape[batch_axis], endpoint=True)
    y = x.copy()
    for b, n in enumerate(lengths):
        at = (slice(None), b) if time_first else (b, slice(None))
        row = x[at].copy()
        row[:n] = row[:n][::-1]
        y[at] = row
    attributes = {} if time_first and draw.flip() else {"batch_axis": batch_axis, "time_axis": time_axis}
    return draw.declared(Case("ReverseSequence", opset, [x, lengths.astype("int64")], [Expected(y, dtype)], attributes))


def make_crop(draw):
    """Cut or padded with zeros around the middle; the odd one goes behind."""
    opset = draw.version("CenterCropPad")
    dtype = draw.dtype("CenterCropPad", opset, of=lambda d: d != object)
    x = draw.values(dtype, draw.shape(1, 3, zero=0))
    axes = draw.axes(x.ndim, 1) if draw.flip() else list(range(x.ndim))
    sizes = [draw.integer(1, 6) for _ in axes]
    y = x
    for a, size in zip(axes, sizes):
        n = y.shape[a]
        if size < n:
            y = numpy.take(y, range((n - size) // 2, (n - size) // 2 + size), a)
        else:
            widths = [(0, 0)] * x.ndim
            widths[a] = ((size - n) // 2, size - n - (size - n) // 2)
            y = numpy.pad(y, widths)
    attributes = {} if axes == list(range(x.ndim)) else {"axes": axes}
    return draw.declared(Case("CenterCropPad", opset, [x, numpy.array(sizes, numpy.int64)], [Expected(y, dtype)], attributes), can_be_constant=(1,))

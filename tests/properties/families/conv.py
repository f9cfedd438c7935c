"""Conv: 1 to 3 spatial axes, groups, strides, dilations, pads and auto_pad."""
import numpy

from case import Case, Expected, product, sum_error
from windows import Window, cells, padded


def image(draw, rank):
    """Sizes of the spatial axes."""
    return [draw.integer(1, 9 if rank == 1 else 7 if rank == 2 else 4) for _ in range(rank)]


def make(draw):
    opset = draw.version("Conv")
    dtype = draw.dtype("Conv", opset)
    rank = draw.pick([1, 2, 2, 3])
    sizes = image(draw, rank)
    window = Window(draw, rank, sizes)
    while not window.fits(sizes):
        sizes = [n + 2 for n in sizes]
        if window.how.startswith("SAME"):
            return make(draw)
    group = draw.pick([1, 1, 2, 3])
    n = 0 if draw.flip(0.05) else draw.integer(1, 2)
    channels, features = group * draw.integer(1, 3), group * draw.integer(1, 3)
    x = draw.values(dtype, [n, channels, *sizes], -2, 2)
    w = draw.values(dtype, [features, channels // group, *window.kernel], -2, 2)
    b = draw.values(dtype, [features], -2, 2) if draw.flip() else None
    out = window.outputs(sizes)
    wide = cells(padded(x.astype(numpy.float64), window.begin, window.end, 0.0), window, out)
    y, magnitude = (numpy.zeros([n, features, *out]) for _ in range(2))
    each, of = channels // group, features // group
    axes = ([1, *range(2 + rank, 2 + 2 * rank)], [1, *range(2, 2 + rank)])
    for g in range(group):
        part, kernel = wide[:, g * each:(g + 1) * each], w[g * of:(g + 1) * of].astype(numpy.float64)
        y[:, g * of:(g + 1) * of] = numpy.moveaxis(numpy.tensordot(part, kernel, axes), -1, 1)
        magnitude[:, g * of:(g + 1) * of] = numpy.moveaxis(numpy.tensordot(numpy.abs(part), numpy.abs(kernel), axes), -1, 1)
    if b is not None:
        bias = b.astype(numpy.float64).reshape([1, features] + [1] * rank)
        y, magnitude = y + bias, magnitude + numpy.abs(bias)
    terms = each * product(window.kernel) + 1
    attributes = window.attributes | {"group": group if group > 1 or draw.flip() else None, "kernel_shape": window.kernel if draw.flip() else None}
    return draw.declared(Case("Conv", opset, [x, w, b], [Expected(y, dtype, extra=sum_error(terms, magnitude, dtype))], attributes), can_be_constant=(1, 2))

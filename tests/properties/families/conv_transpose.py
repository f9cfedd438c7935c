"""ConvTranspose: groups, strides, dilations, pads, output_padding, output_shape and auto_pad."""
import numpy

from case import Case, Expected, product, sum_error
from families.conv import image


def pads_for(draw, sizes, full, strides):
    """(attributes, begin, end): ConvTranspose-22 says how output_shape and auto_pad decide the pads. `full` is the size without pads."""
    rank = len(sizes)
    how = draw.pick(["none", "pads", "pads", "output_shape", "SAME_UPPER", "SAME_LOWER", "VALID"])
    if how in ("none", "VALID"):
        return {} if how == "none" else {"auto_pad": "VALID"}, [0] * rank, [0] * rank
    if how == "pads":
        begin = [draw.integer(0, min(2, f - 1)) for f in full]
        end = [draw.integer(0, min(2, f - 1 - b)) for f, b in zip(full, begin)]
        return {"pads": begin + end}, begin, end
    attributes = {}
    if how == "output_shape":
        wanted = [draw.integer(max(1, f - 3), f) for f in full]
        attributes["output_shape"] = wanted
        how = draw.pick(["NOTSET", "SAME_UPPER", "SAME_LOWER"])
    else:
        wanted = [n * s for n, s in zip(sizes, strides)]
        if any(f < w for f, w in zip(full, wanted)):
            return pads_for(draw, sizes, full, strides)
    if how != "NOTSET":
        attributes["auto_pad"] = how
    total = [f - w for f, w in zip(full, wanted)]
    half = [t // 2 for t in total]
    rest = [t - t // 2 for t in total]
    return (attributes, half, rest) if how == "SAME_UPPER" else (attributes, rest, half)


def make(draw):
    opset = draw.version("ConvTranspose")
    dtype = draw.dtype("ConvTranspose", opset)
    rank = draw.pick([1, 2, 2, 3])
    sizes = image(draw, rank)
    kernel = [draw.integer(1, 3) for _ in range(rank)]
    attributes = {"kernel_shape": kernel if draw.flip() else None}

    def numbers(name, low, high, default):
        if draw.flip(0.4):
            return [default] * rank
        attributes[name] = [draw.integer(low, high) for _ in range(rank)]
        return attributes[name]
    strides, dilations = numbers("strides", 1, 3, 1), numbers("dilations", 1, 2, 1)
    extra = [0] * rank
    if draw.flip(0.3):
        extra = attributes["output_padding"] = [draw.integer(0, max(s, d) - 1) for s, d in zip(strides, dilations)]
    full = [s * (n - 1) + e + (k - 1) * d + 1 for s, n, e, k, d in zip(strides, sizes, extra, kernel, dilations)]
    pad_attributes, begin, end = pads_for(draw, sizes, full, strides)
    attributes |= pad_attributes
    group = draw.pick([1, 1, 2])
    n, each, of = (0 if draw.flip(0.05) else draw.integer(1, 2)), draw.integer(1, 3), draw.integer(1, 3)
    x = draw.values(dtype, [n, group * each, *sizes], -2, 2)
    w = draw.values(dtype, [group * each, of, *kernel], -2, 2)
    b = draw.values(dtype, [group * of], -2, 2) if draw.flip() else None
    y, magnitude = (numpy.zeros([n, group * of, *full]) for _ in range(2))
    wide_x, wide_w = x.astype(numpy.float64), w.astype(numpy.float64)
    for g in range(group):
        part, taps = wide_x[:, g * each:(g + 1) * each], wide_w[g * each:(g + 1) * each]
        for at in numpy.ndindex(*kernel):
            where = (slice(None), slice(g * of, (g + 1) * of), *[slice(a * d, a * d + s * (m - 1) + 1, s) for a, d, s, m in zip(at, dilations, strides, sizes)])
            tap = taps[(slice(None), slice(None), *at)]
            y[where] += numpy.einsum("nc...,co->no...", part, tap)
            magnitude[where] += numpy.einsum("nc...,co->no...", numpy.abs(part), numpy.abs(tap))
    inside = (slice(None), slice(None), *[slice(p, f - q) for p, f, q in zip(begin, full, end)])
    y, magnitude = y[inside], magnitude[inside]
    if b is not None:
        bias = b.astype(numpy.float64).reshape([1, -1] + [1] * rank)
        y, magnitude = y + bias, magnitude + numpy.abs(bias)
    attributes["group"] = group if group > 1 or draw.flip() else None
    error = sum_error(each * product(kernel) + 1, magnitude, dtype)
    return draw.declared(Case("ConvTranspose", opset, [x, w, b], [Expected(y, dtype, extra=error)], attributes), can_be_constant=(1, 2))

"""GridSample in 2 dims (GridSample-20): modes, paddings, align_corners; grids inside and outside of the image."""
import math

import numpy

from case import Case, Expected, sum_error


def cubic(t, a=-0.75):
    t = abs(t)
    if t <= 1:
        return ((a + 2) * t - (a + 3)) * t * t + 1
    return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a if t < 2 else 0.0


def reflected(x, low, high):
    """x mirrored at low and high until it lies between."""
    span = high - low
    if span == 0:
        return low
    far = (x - low) % (2 * span)
    return low + (far if far <= span else 2 * span - far)


def pixel(i, n, padding, corners):
    """Where the image's element i is read along an axis of n; None: nowhere (zero)."""
    if 0 <= i < n:
        return i
    if padding == "zeros":
        return None
    if padding == "border":
        return min(max(i, 0), n - 1)
    return int(min(max(math.floor(reflected(i, 0, n - 1) if corners else reflected(i, -0.5, n - 0.5)), 0), n - 1))


def weights(x, n, mode, padding, corners):
    """{element: weight} at the grid value x (-1..1 over the axis)."""
    at = (x + 1) / 2 * (n - 1) if corners else ((x + 1) * n - 1) / 2
    # A location out of bounds is taken to the border before its neighbours are looked for; the bounds are the outer edges
    # of the image, which align_corners puts at the middle of the outer pixels.
    edge = 0.0 if corners else 0.5
    if padding == "border" and not -edge <= at <= n - 1 + edge:
        at = min(max(at, 0.0), n - 1.0)
    if mode == "nearest":
        taps = {round(at): 1.0}
    elif mode == "linear":
        base = math.floor(at)
        taps = {base: 1 - (at - base), base + 1: at - base}
    else:
        base = math.floor(at)
        taps = {k: cubic(at - k) for k in range(base - 1, base + 3)}
    found = {}
    for k, w in taps.items():
        place = pixel(k, n, padding, corners)
        if place is not None:
            found[place] = found.get(place, 0.0) + w
    return found


def make(draw):
    opset = draw.version("GridSample", since=16)
    dtype = numpy.dtype(draw.pick(["float32", "float64"]))
    n, c, h, w = draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 5), draw.integer(1, 5)
    x = draw.values(dtype, [n, c, h, w], -3, 3)
    out = [draw.integer(1, 3), draw.integer(1, 3)]
    # Sixteenths and a bit: no value lies on the border between two elements.
    grid = ((draw.random.integers(-22, 23, [n, *out, 2]) + 0.3) / 16).astype(dtype)
    names = ["bilinear", "nearest", "bicubic"] if opset < 20 else ["linear", "nearest", "cubic"]
    k = draw.integer(0, 2)
    mode, padding, corners = ["linear", "nearest", "cubic"][k], draw.pick(["zeros", "border", "reflection"]), draw.flip()
    y, magnitude = numpy.zeros([n, c, *out]), numpy.zeros([n, c, *out])
    for b, i, j in numpy.ndindex(n, *out):
        across, down = (weights(float(grid[b, i, j, d]), size, mode, padding, corners) for d, size in ((0, w), (1, h)))
        for r, wr in down.items():
            for s, ws in across.items():
                y[b, :, i, j] += wr * ws * x[b, :, r, s].astype(numpy.float64)
                magnitude[b, :, i, j] += abs(wr * ws) * numpy.abs(x[b, :, r, s].astype(numpy.float64))
    attributes = {"mode": None if k == 0 and draw.flip() else names[k], "padding_mode": None if padding == "zeros" and draw.flip() else padding, "align_corners": 1 if corners else None}
    return draw.declared(Case("GridSample", opset, [x, grid], [Expected(y, dtype, extra=sum_error(200, magnitude + 3, dtype))], attributes))

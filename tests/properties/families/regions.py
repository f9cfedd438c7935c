"""RoiAlign, MaxRoiPool, NonMaxSuppression, DeformConv, Col2Im, MaxUnpool, Det and AffineGrid, with plain loops."""
import math

import numpy

from case import Case, Expected, is_float, sum_error


def make(draw):
    return draw.pick([make_roi_align, make_roi_pool, make_suppression, make_deform_conv, make_col2im, make_unpool, make_det, make_affine])(draw)


def floats(draw):
    return numpy.dtype(draw.pick(["float32", "float64"]))


def boxes(draw, count, h, w, scale, dtype):
    """x1, y1, x2, y2 in eighths and a bit, some outside of the image."""
    corners = (draw.random.integers(-16, 8 * max(h, w) + 16, [count, 4]) + 0.3) / 8 / scale
    low, high = numpy.minimum(corners[:, :2], corners[:, 2:]), numpy.maximum(corners[:, :2], corners[:, 2:])
    return numpy.concatenate([low, high], 1).astype(dtype)


def make_roi_align(draw):
    opset, dtype = draw.version("RoiAlign", since=10), floats(draw)
    n, c, h, w, count = draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 6), draw.integer(1, 6), draw.integer(0, 3)
    x, scale = draw.values(dtype, [n, c, h, w], -3, 3), draw.pick([1.0, 0.5, 2.0])
    rois, batch = boxes(draw, count, h, w, scale, dtype), draw.random.integers(0, n, [count]).astype(numpy.int64)
    oh, ow, ratio = draw.integer(1, 3), draw.integer(1, 3), draw.integer(0, 3)
    half = draw.flip() if opset >= 16 else False
    mode = draw.pick(["avg", "max"])
    y = numpy.zeros([count, c, oh, ow])

    def taps(at, size):
        if not -1 <= at <= size:
            return []
        at = min(max(at, 0.0), size - 1.0)
        low = math.floor(at)
        return [(low, 1 - (at - low)), (min(low + 1, size - 1), at - low)]

    for r in range(count):
        x1, y1, x2, y2 = (float(v) * scale - (0.5 if half else 0) for v in rois[r])
        rh, rw = (y2 - y1, x2 - x1) if half else (max(y2 - y1, 1.0), max(x2 - x1, 1.0))
        gh, gw = ratio or math.ceil(rh / oh), ratio or math.ceil(rw / ow)
        for k, i, j in numpy.ndindex(c, oh, ow):
            total, best = 0.0, -math.inf
            for a, b in numpy.ndindex(gh, gw):
                rows = taps(y1 + rh / oh * (i + (a + 0.5) / gh), h)
                columns = taps(x1 + rw / ow * (j + (b + 0.5) / gw), w)
                near = [u * v * float(x[batch[r], k, p, q]) for p, u in rows for q, v in columns]
                total += sum(near)
                best = max([best, *(near or [0.0])])
            y[r, k, i, j] = (total / (gh * gw) if mode == "avg" else best) if gh * gw else 0
    attributes = {"output_height": oh, "output_width": ow, "sampling_ratio": ratio, "spatial_scale": scale, "mode": mode,
                  "coordinate_transformation_mode": None if opset < 16 else "half_pixel" if half else "output_half_pixel"}
    return draw.declared(Case("RoiAlign", opset, [x, rois, batch], [Expected(y, dtype, extra=sum_error(100, 4, dtype))], attributes))


def make_roi_pool(draw):
    dtype = floats(draw)
    n, c, h, w, count = draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 6), draw.integer(1, 6), draw.integer(1, 3)
    x, oh, ow = draw.values(dtype, [n, c, h, w], -3, 3), draw.integer(1, 3), draw.integer(1, 3)
    whole = draw.random.integers(-2, max(h, w) + 2, [count, 4])  # whole positions: nothing to round
    low, high = numpy.minimum(whole[:, :2], whole[:, 2:]), numpy.maximum(whole[:, :2], whole[:, 2:])
    batch = draw.random.integers(0, n, [count])
    rois = numpy.concatenate([batch[:, None], low, high], 1).astype(dtype)
    y = numpy.zeros([count, c, oh, ow])
    for r in range(count):
        x1, y1, x2, y2 = (int(v) for v in rois[r, 1:])
        for i, j in numpy.ndindex(oh, ow):
            rows, columns = (range(max(0, first + math.floor(k * (last - first + 1) / bins)), min(size, first + math.ceil((k + 1) * (last - first + 1) / bins)))
                             for k, first, last, bins, size in ((i, y1, y2, oh, h), (j, x1, x2, ow, w)))
            part = x[batch[r]][:, rows.start:max(rows.stop, rows.start), columns.start:max(columns.stop, columns.start)]
            if part.size:
                y[r, :, i, j] = part.max((1, 2))
    return draw.declared(Case("MaxRoiPool", draw.version("MaxRoiPool"), [x, rois], [Expected(y, dtype)], {"pooled_shape": [oh, ow]}))


def make_suppression(draw):
    n, classes, count = draw.integer(1, 2), draw.integer(1, 3), draw.integer(0, 6)
    corners = draw.random.integers(0, 6, [n, count, 4]) / 4
    centre = draw.flip(0.3)
    scores = numpy.float32(draw.random.integers(0, 5, [n, classes, count]) / 4)
    most, overlap, least = draw.integer(0, 4), draw.pick([0.0, 0.3, 0.6, 1.0]), draw.pick([None, 0.0, 0.4])

    def box(b):
        if centre:
            return b[0] - b[2] / 2, b[1] - b[3] / 2, b[0] + b[2] / 2, b[1] + b[3] / 2
        return min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3])

    def shared(a, b):
        a, b = box(a), box(b)
        across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        if across <= 0 or down <= 0:
            return 0.0
        return across * down / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - across * down)

    y = []
    for i, k in numpy.ndindex(n, classes):
        chosen = []
        for j in sorted(range(count), key=lambda j: (-scores[i, k, j], j)):
            if (least is None or scores[i, k, j] > numpy.float32(least)) and len(chosen) < most and all(shared(corners[i, j], corners[i, o]) <= numpy.float32(overlap) for o in chosen):
                chosen.append(j)
        y += [[i, k, j] for j in chosen]
    inputs = [corners.astype(numpy.float32), scores, numpy.array(draw.pick([most, [most]]), numpy.int64), numpy.array([overlap], numpy.float32)]
    if least is not None:
        inputs.append(numpy.array([least], numpy.float32))
    case = Case("NonMaxSuppression", draw.version("NonMaxSuppression", since=10), inputs, [Expected(numpy.array(y, numpy.int64).reshape(-1, 3), "int64")],
                {"center_point_box": 1 if centre else None})
    return draw.declared(case, can_be_constant=(2, 3, 4))


def window(draw, rank, most=5):
    """(image, kernel, strides, dilations, pads, outputs) such that at least one window fits along each axis."""
    while True:
        image, kernel = ([draw.integer(1, n) for _ in range(rank)] for n in (most, 3))
        strides, dilations = ([draw.integer(1, 2) for _ in range(rank)] for _ in range(2))
        pads = [draw.integer(0, 2) for _ in range(2 * rank)]
        out = [(image[i] + pads[i] + pads[rank + i] - (kernel[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i in range(rank)]
        if min(out) >= 1:
            return image, kernel, strides, dilations, pads, out


def make_deform_conv(draw):
    dtype = floats(draw)
    image, kernel, strides, dilations, pads, out = window(draw, 2)
    group, offset_group, each, rows = draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 2)
    c, m, n, taps = 2 * each, group * rows, draw.integer(1, 2), kernel[0] * kernel[1]
    x, w = draw.values(dtype, [n, c, *image], -2, 2), draw.values(dtype, [m, c // group, *kernel], -2, 2)
    offset = draw.values(dtype, [n, offset_group * taps * 2, *out], -2, 2)
    bias = draw.values(dtype, [m], -2, 2) if draw.flip() else None
    mask = draw.values(dtype, [n, offset_group * taps, *out], 0, 1) if draw.flip() else None
    y = numpy.zeros([n, m, *out])

    def read(plane, at):
        low = [math.floor(v) for v in at]
        total = 0.0
        for a, b in numpy.ndindex(2, 2):
            p, q = low[0] + a, low[1] + b
            if 0 <= p < image[0] and 0 <= q < image[1]:
                total += (1 - abs(at[0] - p)) * (1 - abs(at[1] - q)) * float(plane[p, q])
        return total

    for b, f, i, j in numpy.ndindex(n, m, *out):
        total = float(bias[f]) if bias is not None else 0.0
        for k, r, s in numpy.ndindex(c // group, *kernel):
            channel = f // rows * (c // group) + k
            tap = channel // (c // offset_group) * taps + r * kernel[1] + s
            at = (i * strides[0] + r * dilations[0] - pads[0] + float(offset[b, 2 * tap, i, j]), j * strides[1] + s * dilations[1] - pads[1] + float(offset[b, 2 * tap + 1, i, j]))
            total += float(w[f, k, r, s]) * read(x[b, channel], at) * (float(mask[b, tap, i, j]) if mask is not None else 1.0)
        y[b, f, i, j] = total
    attributes = {"group": group, "offset_group": offset_group, "strides": strides, "dilations": dilations, "pads": pads, "kernel_shape": kernel if draw.flip() else None}
    expected = Expected(y, dtype, extra=sum_error(60, 60, dtype))
    return draw.declared(Case("DeformConv", draw.version("DeformConv", since=19), [x, w, offset, bias, mask], [expected], attributes), can_be_constant=(1, 3))


def make_col2im(draw):
    opset = draw.version("Col2Im")
    dtype = draw.dtype("Col2Im", opset, of=lambda d: d != object)
    rank = draw.integer(1, 3)
    image, kernel, strides, dilations, pads, out = window(draw, rank, most=4)
    n, c, taps = draw.integer(1, 2), draw.integer(1, 2), int(numpy.prod(kernel))
    x = draw.values(dtype, [n, c * taps, int(numpy.prod(out))], -3, 3)
    wide = x.astype(numpy.float64 if is_float(dtype) else bool if dtype == bool else numpy.int64).reshape([n, c, *kernel, *out])
    y = numpy.zeros([n, c, *image], wide.dtype)
    for at in numpy.ndindex(*kernel, *out):
        place = [at[rank + i] * strides[i] + at[i] * dilations[i] - pads[i] for i in range(rank)]
        if all(0 <= p < size for p, size in zip(place, image)):
            y[(slice(None), slice(None), *place)] += wide[(slice(None), slice(None), *at)]
    shapes = [numpy.array(v, numpy.int64) for v in (image, kernel)]
    attributes = {"strides": strides, "dilations": dilations, "pads": pads}
    expected = Expected(y, dtype, extra=sum_error(taps, 3 * taps, dtype)) if is_float(dtype) else Expected(y.astype(dtype), dtype)
    return draw.declared(Case("Col2Im", opset, [x, *shapes], [expected], attributes), can_be_constant=(1, 2))


def make_unpool(draw):
    dtype, rank = floats(draw), draw.integer(1, 3)
    image, kernel = [draw.integer(1, 3) for _ in range(rank)], [draw.integer(1, 3) for _ in range(rank)]
    strides = [draw.integer(1, 3) for _ in range(rank)]
    pads = [draw.integer(0, min(1, k - 1)) if image[i % rank] > 1 else 0 for i, k in enumerate(kernel * 2)]
    sizes = [(image[i] - 1) * strides[i] + kernel[i] - pads[i] - pads[rank + i] for i in range(rank)]
    if min(sizes) < 1:
        return make_unpool(draw)
    n, c = draw.integer(1, 2), draw.integer(1, 2)
    x = draw.values(dtype, [n, c, *image], -3, 3)
    room = n * c * int(numpy.prod(sizes))
    if x.size > room:
        return make_unpool(draw)
    indices = draw.random.permutation(room)[: x.size].reshape(x.shape).astype(numpy.int64)
    y = numpy.zeros(room)
    y[indices.reshape(-1)] = x.reshape(-1)
    y = y.reshape([n, c, *sizes])
    inputs = [x, indices]
    if draw.flip(0.4):
        more = [draw.integer(0, 2) for _ in range(rank)]
        y = numpy.pad(y, [(0, 0), (0, 0), *((0, m) for m in more)])
        inputs.append(numpy.array(y.shape, numpy.int64))
    attributes = {"kernel_shape": kernel, "strides": strides, "pads": pads}
    return draw.declared(Case("MaxUnpool", draw.version("MaxUnpool", since=9), inputs, [Expected(y, dtype)], attributes), can_be_constant=(2,))


def make_det(draw):
    dtype, m = floats(draw), draw.integer(0, 4)
    x = draw.values(dtype, [*draw.shape(0, 2, most=3), m, m], -3, 3)
    y = numpy.linalg.det(x.astype(numpy.float64))
    return draw.declared(Case("Det", draw.version("Det", since=11), [x], [Expected(y, dtype, extra=1e-11 * (1 + 5.0**m))]))


def make_affine(draw):
    """Points (x, y[, z], 1) times theta, over a grid from -1 to 1."""
    dtype, axes = floats(draw), draw.pick([2, 3])
    n, sizes, corners = draw.integer(1, 2), [draw.integer(1, 4) for _ in range(axes)], draw.flip()
    theta = draw.values(dtype, [n, axes, axes + 1], -2, 2)
    along = [(-1 + 2 * numpy.arange(s) / max(s - 1, 1)) if corners else (2 * numpy.arange(s) + 1) / s - 1 for s in sizes]
    points = numpy.stack([*numpy.meshgrid(*along, indexing="ij")][::-1] + [numpy.ones(sizes)], -1)
    y = numpy.einsum("...j,nij->n...i", points, theta.astype(numpy.float64))
    size = numpy.array([n, draw.integer(1, 3), *sizes], numpy.int64)
    attributes = {"align_corners": int(corners) if corners or draw.flip() else None}
    return draw.declared(Case("AffineGrid", draw.version("AffineGrid"), [theta, size], [Expected(y, dtype, extra=sum_error(8, 8, dtype))], attributes), can_be_constant=(1,))

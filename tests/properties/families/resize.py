"""Resize and Upsample: every mode and coordinate transformation, axes, aspect ratios, antialias, exclude_outside."""
import math

import numpy

from case import Case, Expected, is_float, sum_error

ROUNDINGS = {"round_prefer_floor": lambda x: math.ceil(x - 0.5), "round_prefer_ceil": lambda x: math.floor(x + 0.5), "floor": math.floor, "ceil": math.ceil}


class Axis:
    """One axis: n elements become out, by `scale` (which may make a fractional width)."""

    def __init__(self, n, out, scale, attributes, roi):
        self.n, self.out, self.scale, self.roi = n, out, scale, roi
        self.attributes = attributes
        self.same = scale == 1 and out == n and attributes["coordinates"] != "tf_crop_and_resize"

    def place(self, x):
        """x_original of Resize-19's document (tf_half_pixel_for_nn: Resize-11's)."""
        n, out, how = self.n, self.out, self.attributes["coordinates"]
        if how == "half_pixel":
            return (x + 0.5) / self.scale - 0.5
        if how == "half_pixel_symmetric":
            return n / 2 * (1 - out / (self.scale * n)) + (x + 0.5) / self.scale - 0.5
        if how == "pytorch_half_pixel":
            return (x + 0.5) / self.scale - 0.5 if out > 1 else 0.0
        if how == "align_corners":  # ONNX's node cases take the width before it is rounded down
            return x * (n - 1) / (self.scale * n - 1) if out > 1 else 0.0
        if how == "asymmetric":
            return x / self.scale
        if how == "tf_half_pixel_for_nn":
            return (x + 0.5) / self.scale
        start, end = self.roi
        return start * (n - 1) + x * (end - start) * (n - 1) / (out - 1) if out > 1 else 0.5 * (start + end) * (n - 1)

    def nearest(self, x):
        """Scales come as float32: what is all but a half or whole number is meant to be one."""
        half = round(2 * x) / 2
        x = half if abs(x - half) < 1e-6 else x
        return min(max(ROUNDINGS[self.attributes["nearest_mode"]](x), 0), self.n - 1)

    def filter(self, t):
        t = abs(t)
        if self.attributes["mode"] == "linear":
            return max(0.0, 1 - t)
        a = self.attributes["cubic_coeff_a"]
        if t <= 1:
            return ((a + 2) * t - (a + 3)) * t * t + 1
        return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a if t < 2 else 0.0

    def weights(self):
        """(matrix[out, n], what lies outside for tf_crop_and_resize)."""
        w, outside = numpy.zeros([self.out, self.n]), numpy.zeros(self.out, bool)
        for i in range(self.out):
            if self.same:
                w[i, i] = 1
                continue
            x = self.place(i)
            outside[i] = self.attributes["coordinates"] == "tf_crop_and_resize" and not 0 <= x <= self.n - 1
            if self.attributes["mode"] == "nearest":
                w[i, self.nearest(x)] = 1
                continue
            stretch = min(1.0, self.scale) if self.attributes["antialias"] else 1.0
            reach = (1 if self.attributes["mode"] == "linear" else 2) / stretch
            taps = {k: self.filter((k - x) * stretch) for k in range(math.floor(x - reach), math.ceil(x + reach) + 1)}
            if self.attributes["exclude_outside"]:
                taps = {k: v for k, v in taps.items() if 0 <= k < self.n}
            total = sum(taps.values())
            for k, v in taps.items():
                w[i, min(max(k, 0), self.n - 1)] += v / total if total else 0
        return w, outside


def drawn_attributes(draw, opset):
    a = {"mode": draw.pick(["nearest", "linear", "cubic"] if opset >= 11 else ["nearest", "linear"]), "coordinates": "asymmetric",
         "nearest_mode": "floor", "cubic_coeff_a": -0.75, "exclude_outside": 0, "antialias": 0}
    written = {"mode": None if a["mode"] == "nearest" and draw.flip() else a["mode"]}
    if opset < 11:
        return a, written
    coordinates = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"]
    coordinates += ["half_pixel_symmetric"] if opset >= 19 else []
    coordinates += ["tf_half_pixel_for_nn"] if opset < 13 and a["mode"] == "nearest" else []
    a["coordinates"] = draw.pick(coordinates)
    a["nearest_mode"] = draw.pick(sorted(ROUNDINGS))
    written["coordinate_transformation_mode"] = None if a["coordinates"] == "half_pixel" and draw.flip() else a["coordinates"]
    written["nearest_mode"] = None if a["nearest_mode"] == "round_prefer_floor" and draw.flip() else a["nearest_mode"]
    if a["mode"] != "nearest" and a["coordinates"] != "tf_crop_and_resize":
        a["exclude_outside"] = written["exclude_outside"] = draw.integer(0, 1)
        if opset >= 18:
            a["antialias"] = written["antialias"] = draw.integer(0, 1)
    if a["mode"] == "cubic" and draw.flip():
        a["cubic_coeff_a"] = written["cubic_coeff_a"] = -0.5
    return a, written


def sizes_and_scales(draw, shape, axes, opset, attributes, written, rois):
    """(out dims, scale of each axis, scales input, sizes input)."""
    out, scale = list(shape), [1.0] * len(shape)
    if opset < 11 or draw.flip():
        given = [draw.pick([0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 0.6]) for _ in axes]
        given = [float(numpy.float32(s)) for s in given]
        if opset < 11 and attributes["mode"] == "nearest" and min(given) < 1:
            given = [1.0 for _ in axes]  # how Resize-10 rounds where it shrinks is not said
        for a, s in zip(axes, given):
            begin, end = rois[a]
            out[a], scale[a] = math.floor(shape[a] * (end - begin) * s), s
        return out, scale, numpy.array(given, numpy.float32), None
    wanted = [draw.integer(1, 2 * shape[a] + 1) for a in axes]
    policy = draw.pick(["stretch", "stretch", "not_larger", "not_smaller"]) if opset >= 18 and attributes["coordinates"] != "tf_crop_and_resize" else "stretch"
    if policy != "stretch" or (opset >= 18 and draw.flip(0.3)):
        written["keep_aspect_ratio_policy"] = policy
    ratios = [w / shape[a] for w, a in zip(wanted, axes)]
    common = min(ratios) if policy == "not_larger" else max(ratios)
    for a, w, r in zip(axes, wanted, ratios):
        out[a], scale[a] = (w, r) if policy == "stretch" else (math.floor(common * shape[a] + 0.5), common)
    return out, scale, None, numpy.array(wanted, numpy.int64)


def make(draw):
    op = "Upsample" if draw.flip(0.08) else "Resize"
    opset = draw.pick([7, 8, 9]) if op == "Upsample" else draw.version(op, since=10)
    attributes, written = drawn_attributes(draw, opset)
    nearest = attributes["mode"] == "nearest"
    dtype = draw.dtype(op, opset, of=lambda d: nearest or is_float(d))
    shape = draw.shape(1, 4, most=6, zero=0)
    axes = list(range(len(shape)))
    if opset >= 18 and draw.flip(0.5):
        axes = sorted(a % len(shape) for a in draw.axes(len(shape), 1))
        written["axes"] = [a - len(shape) if draw.flip() else a for a in axes]
    crop = attributes["coordinates"] == "tf_crop_and_resize"
    if crop and dtype == object:
        return make(draw)  # there is no text for the extrapolation value
    rois = [(0.0, 1.0)] * len(shape)
    roi = None
    if crop:
        begins, ends = [draw.pick([0.0, 0.25, -0.25]) for _ in axes], [draw.pick([1.0, 0.75, 1.25]) for _ in axes]
        for a, begin, end in zip(axes, begins, ends):
            rois[a] = (begin, end)
        roi = numpy.array(begins + ends, numpy.float32)
        if draw.flip():
            written["extrapolation_value"] = draw.real(-2, 2)
    out, scale, scales, sizes = sizes_and_scales(draw, shape, axes, opset, attributes, written, rois)
    if 0 in out:
        return make(draw)
    if op == "Upsample":
        if any(s < 1 for s in scale):
            return make(draw)
    x = draw.values(dtype, shape)
    index = nearest and not is_float(dtype)
    y, outside = x if index else x.astype(numpy.float64), numpy.zeros(out, bool)
    magnitude = None if index else numpy.abs(y)
    for a in axes:
        w, beyond = Axis(shape[a], out[a], scale[a], attributes, rois[a]).weights()
        if nearest:
            y = numpy.take(y, numpy.argmax(w, axis=1), axis=a)
            magnitude = None
        else:
            y = numpy.moveaxis(numpy.tensordot(w, y, (1, a)), 0, a)
            magnitude = numpy.moveaxis(numpy.tensordot(numpy.abs(w), magnitude, (1, a)), 0, a)
        outside |= beyond.reshape([-1 if k == a else 1 for k in range(len(shape))])
    value = numpy.float64(written.get("extrapolation_value", 0.0))
    if outside.any():
        y = numpy.where(outside, value if not index else value.astype(dtype), y)
        y = y if is_float(dtype) else y.astype(dtype)
    # Weights are computed from coordinates in float32 or better.
    extra = 0.0 if magnitude is None else sum_error(40 * len(axes), magnitude, dtype)
    expected = Expected(y, dtype, extra=extra) if is_float(dtype) else Expected(y, dtype)
    if op == "Upsample" and opset < 9:
        return draw.declared(Case(op, opset, [x], [expected], written | {"scales": scales.tolist()}))
    if opset < 11:
        return draw.declared(Case(op, opset, [x, scales], [expected], written), can_be_constant=(1,))
    if opset < 13:  # roi and scales are not optional there, but may be empty
        inputs = [x, numpy.zeros(0, numpy.float32) if roi is None else roi, numpy.zeros(0, numpy.float32) if scales is None else scales, sizes]
    else:
        inputs = [x, roi, scales, sizes]
    return draw.declared(Case(op, opset, inputs, [expected], written), can_be_constant=(1, 2, 3))

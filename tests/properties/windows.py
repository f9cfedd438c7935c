"""What convolutions and pools share: random windows, and where each output's cells lie. Not a family of its own."""
import math

import numpy


class Window:
    """Kernel, strides, dilations and pads of each spatial axis, as attributes and as numbers."""

    def __init__(self, draw, rank, sizes, dilations=True, auto_pads=True, most_pad=2):
        self.kernel = [draw.integer(1, 3) for _ in range(rank)]
        self.attributes = {}
        self.strides = self.drawn(draw, "strides", rank, 3)
        self.dilations = self.drawn(draw, "dilations", rank, 2) if dilations else [1] * rank
        self.begin, self.end = [0] * rank, [0] * rank
        reach = [(k - 1) * d + 1 for k, d in zip(self.kernel, self.dilations)]
        how = draw.pick(["none", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"])
        self.how = how if auto_pads or how in ("none", "pads") else "pads"
        if self.how not in ("none", "pads"):
            self.attributes["auto_pad"] = self.how
        if self.how in ("pads", "NOTSET"):
            # A window sees at least one cell of the image: pads stay below its reach.
            self.begin = [draw.integer(0, min(most_pad, r - 1)) for r in reach]
            self.end = [draw.integer(0, min(most_pad, r - 1)) for r in reach]
            self.attributes["pads"] = self.begin + self.end
        elif self.how.startswith("SAME"):
            for i, (n, r, s) in enumerate(zip(sizes, reach, self.strides)):
                total = max(0, (math.ceil(n / s) - 1) * s + r - n)
                half = total // 2
                self.begin[i], self.end[i] = (half, total - half) if self.how == "SAME_UPPER" else (total - half, half)
        self.reach = reach

    def drawn(self, draw, name, rank, most):
        if draw.flip(0.4):
            return [1] * rank
        self.attributes[name] = [draw.integer(1, most) for _ in range(rank)]
        return self.attributes[name]

    def fits(self, sizes):
        return all(n + b + e >= r for n, b, e, r in zip(sizes, self.begin, self.end, self.reach))

    def outputs(self, sizes, ceil_mode=False):
        """A window that would start in the end padding (or behind it) is left out."""
        out = []
        for n, b, e, r, s in zip(sizes, self.begin, self.end, self.reach, self.strides):
            span = n + b + e - r
            count = (-(-span // s) if ceil_mode and not self.how.startswith("SAME") and self.how != "VALID" else span // s) + 1
            if ceil_mode and (count - 1) * s >= n + b:
                count -= 1
            out.append(count)
        return out


def padded(x, begin, end, value):
    """x[N, C, spatial] with its spatial axes made longer."""
    return numpy.pad(x, [(0, 0), (0, 0), *zip(begin, end)], constant_values=value)


def cells(x, window, out):
    """x[N, C, padded spatial] -> [N, C, out..., kernel...]: each output's cells."""
    y = x
    rank = len(out)
    for i in range(rank):
        at = numpy.arange(out[i])[:, None] * window.strides[i] + numpy.arange(window.kernel[i])[None, :] * window.dilations[i]
        y = numpy.take(y, at.reshape(-1), axis=2 + i)
    shape = list(y.shape[:2])
    for i in range(rank):
        shape += [out[i], window.kernel[i]]
    y = y.reshape(shape)
    order = [0, 1, *[2 + 2 * i for i in range(rank)], *[3 + 2 * i for i in range(rank)]]
    return y.transpose(order)

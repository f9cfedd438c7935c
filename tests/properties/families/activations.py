"""Element-wise operators of one input with parameters: activations, Clip, Shrink, IsInf."""
import math

import numpy

from case import Case, Expected, is_float
from families.unary import erf, sigmoid, softplus


# The defaults are float32 numbers, as the operators' documents have them.
def leaky_relu(x, alpha=float(numpy.float32(0.01))):
    return numpy.where(x < 0, alpha * x, x)


def elu(x, alpha=1.0):
    return numpy.where(x < 0, alpha * numpy.expm1(x), x)


def celu(x, alpha=1.0):
    return numpy.maximum(0, x) + numpy.minimum(0, alpha * numpy.expm1(x / alpha))


def selu(x, alpha=float(numpy.float32(1.67326319217681884765625)), gamma=float(numpy.float32(1.05070102214813232421875))):
    return gamma * numpy.where(x > 0, x, alpha * numpy.expm1(x))


def hard_sigmoid(x, alpha=float(numpy.float32(0.2)), beta=0.5):
    return numpy.clip(alpha * x + beta, 0, 1)


def hard_swish(x):
    return x * numpy.clip(x / 6 + 0.5, 0, 1)


def thresholded_relu(x, alpha=1.0):
    return numpy.where(x > alpha, x, 0.0)


def gelu(x, approximate="none"):
    if approximate == "tanh":
        return 0.5 * x * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


def shrink(x, bias=0.0, lambd=0.5):
    return numpy.where(x < -lambd, x + bias, numpy.where(x > lambd, x - bias, 0))


FUNCTIONS = {
    "Relu": (lambda x: numpy.maximum(x, 0), {}), "LeakyRelu": (leaky_relu, {"alpha": (-1, 1)}), "Elu": (elu, {"alpha": (0.1, 3)}),
    "Celu": (celu, {"alpha": (0.2, 3)}), "Selu": (selu, {"alpha": (0.5, 2), "gamma": (0.5, 2)}),
    "HardSigmoid": (hard_sigmoid, {"alpha": (0.1, 1), "beta": (0, 1)}), "HardSwish": (hard_swish, {}),
    "ThresholdedRelu": (thresholded_relu, {"alpha": (-1, 2)}), "Gelu": (gelu, {}), "Mish": (lambda x: x * numpy.tanh(softplus(x)), {}),
    "Swish": (lambda x, alpha=1.0: x * sigmoid(alpha * x), {"alpha": (0.2, 2)}), "Shrink": (shrink, {"bias": (-1, 1), "lambd": (0, 2)}),
    "Clip": (None, {}), "IsInf": (None, {}), "Not": (None, {}),
}
# What cancels or is a small difference of large numbers may be off by the float32 constants in the formula.
INEXACT = {"Gelu": 1e-7, "HardSwish": 1e-7, "HardSigmoid": 1e-7}


def make(draw):
    op = draw.pick(sorted(FUNCTIONS))
    if op in ("Clip", "IsInf", "Not"):
        return {"Clip": make_clip, "IsInf": make_is_inf, "Not": make_not}[op](draw)
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    # No infinities: several formulas are then inf * 0 or inf - inf in one form and not in another.
    x = draw.values(dtype, draw.shape(), -8, 8)
    function, ranges = FUNCTIONS[op]
    attributes = {name: draw.real(*r) for name, r in ranges.items() if draw.flip()}
    if op == "Gelu" and draw.flip():
        attributes["approximate"] = draw.pick(["none", "tanh"])
    with numpy.errstate(all="ignore"):
        if is_float(dtype):
            y = function(x.astype(numpy.float64), **attributes)
            extra = INEXACT.get(op, 0.0) * numpy.maximum(1, numpy.abs(x.astype(numpy.float64)))
            expected = Expected(y, dtype, extra=extra)
        elif op == "Shrink":
            attributes = {name: float(round(value)) for name, value in attributes.items()}
            expected = Expected(shrink(x.astype(numpy.float64), **attributes).astype(numpy.int64).astype(dtype), dtype)
        else:
            expected = Expected(numpy.maximum(x, dtype.type(0)), dtype)  # Relu of integers
    return draw.declared(Case(op, opset, [x], [expected], attributes))


def make_clip(draw):
    opset = draw.version("Clip")
    dtype = draw.dtype("Clip", opset)
    x = draw.values(dtype, draw.shape(), -8, 8, odd=0.1)
    limit = (lambda a, b: draw.values("float32", [], a, b).astype(dtype)) if opset < 11 else (lambda a, b: draw.values(dtype, [], a, b))  # attributes are float32
    low = limit(-6, 3) if draw.flip(0.7) else None
    high = limit(-3, 6) if draw.flip(0.7) else None
    y = x  # max wins where min is larger (since opset 13 the document says so); NaN stays
    with numpy.errstate(invalid="ignore"):
        y = y if low is None else numpy.maximum(y, low)
        y = y if high is None else numpy.minimum(y, high)
    expected = [Expected(y, dtype)]
    if opset < 11:
        attributes = {"min": None if low is None else float(low), "max": None if high is None else float(high)}
        return draw.declared(Case("Clip", opset, [x], expected, attributes))
    return draw.declared(Case("Clip", opset, [x, low, high], expected), can_be_constant=(1, 2))


def make_is_inf(draw):
    opset = draw.version("IsInf")
    x = draw.values(draw.dtype("IsInf", opset), draw.shape(), odd=0.5)
    attributes = {name: draw.integer(0, 1) for name in ("detect_negative", "detect_positive") if draw.flip()}
    wide = x.astype(numpy.float64)
    y = (numpy.isneginf(wide) & bool(attributes.get("detect_negative", 1))) | (numpy.isposinf(wide) & bool(attributes.get("detect_positive", 1)))
    return draw.declared(Case("IsInf", opset, [x], [Expected(y, bool)], attributes))


def make_not(draw):
    x = draw.values(bool, draw.shape())
    return draw.declared(Case("Not", draw.version("Not"), [x], [Expected(~x, bool)]))

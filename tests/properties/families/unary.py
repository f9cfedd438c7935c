"""Element-wise operators of one input: the mathematical functions."""
import math

import numpy

from case import Case, Expected, is_float

erf = numpy.vectorize(math.erf, otypes=[numpy.float64])


def softplus(x):
    return numpy.logaddexp(x, 0)


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


# Computed in float64 from the inputs as they are.
FUNCTIONS = {
    "Abs": numpy.abs, "Acos": numpy.arccos, "Acosh": numpy.arccosh, "Asin": numpy.arcsin, "Asinh": numpy.arcsinh, "Atan": numpy.arctan,
    "Atanh": numpy.arctanh, "Ceil": numpy.ceil, "Cos": numpy.cos, "Cosh": numpy.cosh, "Erf": erf, "Exp": numpy.exp, "Floor": numpy.floor,
    "Identity": lambda x: x, "Log": numpy.log, "Neg": numpy.negative, "Reciprocal": numpy.reciprocal, "Round": numpy.rint, "Sigmoid": sigmoid,
    "Sign": numpy.sign, "Sin": numpy.sin, "Sinh": numpy.sinh, "Softplus": softplus, "Softsign": lambda x: x / (1 + numpy.abs(x)),
    "Sqrt": numpy.sqrt, "Tan": numpy.tan, "Tanh": numpy.tanh, "IsNaN": numpy.isnan,
}
INTO_UNIT_INTERVAL = {"Acos", "Asin", "Atanh"}


def make(draw):
    op = draw.pick(sorted(FUNCTIONS))
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    narrow = op in INTO_UNIT_INTERVAL and draw.flip(0.8)
    x = draw.values(dtype, draw.shape(), *((-1.0, 1.0) if narrow else (-20, 20)), odd=draw.pick([0, 0.2]))
    with numpy.errstate(all="ignore"):
        if op == "IsNaN":
            expected = Expected(numpy.isnan(x), bool)
        elif is_float(dtype):
            y = FUNCTIONS[op](x.astype(numpy.float64))
            if op == "Softsign":
                y = numpy.where(numpy.isinf(x.astype(numpy.float64)), numpy.nan, y)  # inf / inf
            expected = Expected(y, dtype)
        elif op == "Identity":
            expected = Expected(x, dtype)
        else:
            expected = Expected(FUNCTIONS[op](x), dtype)  # Abs, Neg, Sign of integers: they wrap, as numpy does
    return draw.declared(Case(op, opset, [x], [expected]))

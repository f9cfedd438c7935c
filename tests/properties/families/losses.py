"""NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: weights, ignored targets, reductions, any number of axes."""
import numpy

from case import Case, Expected


def make(draw):
    op = draw.pick(["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"])
    opset, dtype = draw.version(op, since=12), numpy.dtype(draw.pick(["float32", "float64"]))
    classes = draw.integer(1, 4)
    n, rest = draw.integer(1, 3), draw.shape(0, 2, most=3, zero=0)
    x = draw.values(dtype, [n, classes, *rest], -3, 3)
    target = draw.random.integers(0, classes, [n, *rest]).astype(draw.pick(["int32", "int64"]))
    ignored = draw.pick([None, 0, -1, 100])
    if ignored is not None:
        target = numpy.where(draw.random.random(target.shape) < 0.3, ignored, target).astype(target.dtype)
    weight = draw.values(dtype, [classes], 0.25, 2) if draw.flip() else None
    reduction = draw.pick([None, "none", "sum", "mean"])

    logs = x.astype(numpy.float64)
    if op.startswith("Softmax"):
        logs = logs - numpy.log(numpy.exp(logs - logs.max(1, keepdims=True)).sum(1, keepdims=True)) - logs.max(1, keepdims=True)
    counts = numpy.ones(target.shape) if ignored is None else (target != ignored).astype(float)
    place = numpy.where(counts > 0, target, 0)
    weights = counts * (1.0 if weight is None else weight.astype(numpy.float64)[place])
    loss = -numpy.take_along_axis(logs, place[:, None], 1)[:, 0] * weights
    with numpy.errstate(all="ignore"):
        y = loss if reduction == "none" else loss.sum() if reduction == "sum" else loss.sum() / weights.sum()
    eps = 4e-6 if dtype == numpy.float32 else 1e-14
    extra = eps * (1 + numpy.abs(loss).sum()) * (1 if reduction != "mean" or weights.sum() == 0 else 1 + 1 / weights.sum())
    expected = [Expected(y, dtype, extra=extra)]
    if op.startswith("Softmax") and draw.flip():
        expected.append(Expected(logs, dtype, extra=eps * 8))
    return draw.declared(Case(op, opset, [x, target, weight], expected, {"ignore_index": ignored, "reduction": reduction}), can_be_constant=(2,))

"""Gather*, Scatter*: indices from the end, out of range (an error), reductions with equal indices."""
import numpy

from case import Case, Expected, is_float


def make(draw):
    op = draw.pick(["Gather", "GatherElements", "GatherND", "ScatterElements", "ScatterND"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    case = globals()[f"make_{op.lower()}"](draw, opset, dtype)
    indices = case.inputs[1]
    if indices.size and case.expected[0].value.size and draw.flip(0.08):  # one index out of range, where something is read
        low, high = case.limits
        indices.reshape(-1)[draw.integer(0, indices.size - 1)] = draw.pick([high + 1, low - 1, 2**31 - 1, -2**31])
        case.expected = "refused"
    return draw.declared(case, can_be_constant=(1,))


def limited(case, low, high):
    """The least and greatest index that no axis takes beyond."""
    case.limits = (low, high)
    return case


def make_gather(draw, opset, dtype):
    x = draw.values(dtype, draw.shape(1, 4))
    axis = draw.axis(x.ndim) if opset >= 11 else draw.integer(0, x.ndim - 1)
    n = x.shape[axis]
    dims = draw.shape(0, 3, most=3) if n else [0]
    indices = draw.indices(dims, n, negative=opset >= 11)
    y = numpy.take(x, indices.astype(int), axis=axis) if n else numpy.zeros([*x.shape[:axis % x.ndim], 0, *x.shape[axis % x.ndim + 1:]], dtype)
    default = axis == 0 and draw.flip()
    case = Case("Gather", opset, [x, indices], [Expected(y, dtype)], {"axis": None if default else axis})
    return limited(case, -n, n - 1)


def make_gatherelements(draw, opset, dtype):
    x = draw.values(dtype, draw.shape(1, 4))
    axis = draw.axis(x.ndim)
    dims = [draw.integer(0 if draw.flip(0.05) else min(1, d), d) for d in x.shape]
    if x.shape[axis]:
        dims[axis] = draw.integer(0 if draw.flip(0.05) else 1, 6)
    indices = draw.indices(dims, x.shape[axis])
    area = x[tuple(slice(None) if a == axis % x.ndim else slice(d) for a, d in enumerate(dims))]
    y = numpy.take_along_axis(area, indices.astype(numpy.int64), axis)
    return limited(Case("GatherElements", opset, [x, indices], [Expected(y, dtype)], {"axis": axis}), -x.shape[axis], x.shape[axis] - 1)


def make_gathernd(draw, opset, dtype):
    x = draw.values(dtype, draw.shape(1, 4, zero=0))
    batch = draw.integer(0, x.ndim - 1) if opset >= 12 and draw.flip(0.4) else 0
    depth = draw.integer(1, x.ndim - batch)
    outer = list(x.shape[:batch]) + draw.shape(0, 2, most=3, zero=0.1)
    tuples = numpy.stack([draw.indices(outer, x.shape[batch + k], "int64") for k in range(depth)], -1)
    y = numpy.zeros([*outer, *x.shape[batch + depth:]], dtype)
    for at in numpy.ndindex(*outer):
        y[at] = x[(*at[:batch], *tuples[at])]
    case = Case("GatherND", opset, [x, tuples], [Expected(y, dtype)], {"batch_dims": batch or None})
    return limited(case, -max(x.shape), max(x.shape) - 1)


REDUCTIONS = {"none": lambda old, new: new, "add": numpy.add, "mul": numpy.multiply, "max": numpy.maximum, "min": numpy.minimum}


def reduction_for(draw, opset, dtype):
    if opset < 16 or dtype == object:
        return None
    names = [None, "none", "add", "mul"] + (["max", "min"] if opset >= 18 else [])
    return draw.pick(names if dtype != bool else [None, "none"])


def unique(tuples):
    return len({tuple(t) for t in tuples}) == len(tuples)


def scattered(op, opset, x, indices, updates, places, reduction, attributes):
    """places[i] is where updates' element i (in row-major order) goes. 16-bit floats may be rounded at each step."""
    floating = is_float(x.dtype)
    f = REDUCTIONS[reduction or "none"]
    y = x.astype(numpy.float64) if floating else x.copy()
    magnitude = numpy.abs(y) if floating else None
    with numpy.errstate(all="ignore"):
        for place, value in zip(places, updates.reshape(-1)):
            value = float(value) if floating else value
            y[place] = f(y[place], value)
            if floating:
                magnitude[place] = max(abs(f(magnitude[place], abs(value))), magnitude[place])
    eps = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}.get(x.dtype.name, 0)
    expected = Expected(y, x.dtype, extra=len(places) * eps * magnitude if reduction in ("add", "mul") else 0.0) if floating else Expected(y, x.dtype)
    return Case(op, opset, [x, indices, updates], [expected], attributes | {"reduction": reduction})


def make_scatterelements(draw, opset, dtype):
    x = draw.values(dtype, draw.shape(1, 4))
    axis = draw.axis(x.ndim)
    dims = [draw.integer(0 if draw.flip(0.05) else min(1, d), d) for d in x.shape]
    indices = draw.indices(dims, x.shape[axis])
    updates = draw.values(dtype, dims)
    places = []
    for at in numpy.ndindex(*dims):
        place = list(at)
        place[axis] = int(indices[at]) % x.shape[axis]
        places.append(tuple(place))
    reduction = reduction_for(draw, opset, dtype)
    if reduction in (None, "none") and not unique(places):
        return make_scatterelements(draw, opset, dtype)  # equal indices: which one wins is not said
    case = scattered("ScatterElements", opset, x, indices, updates, places, reduction, {"axis": axis})
    return limited(case, -x.shape[axis], x.shape[axis] - 1)


def make_scatternd(draw, opset, dtype):
    x = draw.values(dtype, draw.shape(1, 4, zero=0))
    depth = draw.integer(1, x.ndim)
    outer = draw.shape(0, 2, most=3, zero=0.1)
    tuples = numpy.stack([draw.indices(outer, x.shape[k], "int64") for k in range(depth)], -1)
    updates = draw.values(dtype, [*outer, *x.shape[depth:]])
    where = [tuple(int(i) % n for i, n in zip(tuples[at], x.shape)) for at in numpy.ndindex(*outer)]
    reduction = reduction_for(draw, opset, dtype)
    if reduction in (None, "none") and not unique(where):
        return make_scatternd(draw, opset, dtype)
    places = [(*w, *rest) for w in where for rest in numpy.ndindex(*x.shape[depth:])]
    case = scattered("ScatterND", opset, x, tuples, updates, places, reduction, {})
    return limited(case, -max(x.shape), max(x.shape) - 1)

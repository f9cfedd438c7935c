"""TopK, NonZero, OneHot, Trilu, EyeLike."""
import numpy

from case import Case, Expected, is_float, onnx_type
from draw import BY_ONNX_NAME, schema


def make(draw):
    op = draw.pick(["TopK", "TopK", "NonZero", "OneHot", "OneHot", "Trilu", "EyeLike"])
    opset = draw.version(op)
    return globals()[f"make_{op.lower()}"](draw, opset)


def make_topk(draw, opset):
    """Equal elements by their place: the lower index first (TopK-11)."""
    dtype = draw.dtype("TopK", opset)
    x = draw.values(dtype, draw.shape(1, 4, zero=0.1), -3, 3)
    if is_float(dtype):
        x = numpy.where(draw.flip(), numpy.rint(x.astype(numpy.float64)), x.astype(numpy.float64)).astype(dtype)
    axis = draw.axis(x.ndim) if opset >= 11 else draw.integer(0, x.ndim - 1)
    k = draw.integer(0, x.shape[axis])
    largest = opset < 11 or draw.flip()
    if k == 0 and opset < 11:
        return make_topk(draw, opset)
    keys = x.astype(numpy.float64) if is_float(dtype) else x.astype(object)
    order = numpy.argsort(-keys if largest else keys, axis=axis, kind="stable")
    order = numpy.take(order, range(k), axis=axis)
    expected = [Expected(numpy.take_along_axis(x, order, axis), dtype), Expected(order, "int64")]
    attributes = {"axis": None if axis in (-1, x.ndim - 1) and draw.flip() else axis}
    if opset >= 11:
        attributes |= {"largest": None if largest and draw.flip() else int(largest), "sorted": draw.pick([None, 1])}
    if opset < 10:
        return draw.declared(Case("TopK", opset, [x], expected, attributes | {"k": k}))
    return draw.declared(Case("TopK", opset, [x, numpy.array([k], numpy.int64)], expected, attributes), can_be_constant=(1,))


def make_nonzero(draw, opset):
    dtype = draw.dtype("NonZero", opset, of=lambda d: d != object)
    x = draw.values(dtype, draw.shape(0, 4, zero=0.1), -1, 1)
    if is_float(dtype):
        x = numpy.rint(x.astype(numpy.float64)).astype(dtype)
    places = numpy.nonzero(x.reshape(1) if x.ndim == 0 else x)
    y = numpy.zeros([0, len(places[0])]) if x.ndim == 0 else numpy.stack(places)
    return draw.declared(Case("NonZero", opset, [x], [Expected(y, "int64")]))


def make_onehot(draw, opset):
    """Indices of -depth..depth-1 switch an element on, others none (OneHot-11)."""
    index, depth_type, value = (draw.dtype("OneHot", opset, i, of=lambda d: d != object or i == 2) for i in range(3))
    depth = draw.integer(1, 5)
    indices = draw.values(index, draw.shape(0, 3), -depth - 2 if opset >= 11 else 0, depth + 1)
    if is_float(index):
        indices = numpy.rint(indices.astype(numpy.float64)).astype(index)
    values = draw.values(value, [2])
    axis = draw.axis(indices.ndim + 1)
    if opset < 11:
        axis = draw.pick([-1, axis % (indices.ndim + 1)])
    place = numpy.expand_dims(indices.astype(numpy.float64), axis)
    shape = [1] * (indices.ndim + 1)
    shape[axis] = depth
    on = numpy.where(place < 0, place + depth, place) == numpy.arange(depth).reshape(shape)
    y = numpy.where(on, values[1], values[0])
    size = draw.pick([[], [1]])
    case = Case("OneHot", opset, [indices, numpy.full(size, depth).astype(depth_type), values], [Expected(y if value == object else y.astype(value), value)], {"axis": None if axis in (-1, indices.ndim) and draw.flip() else axis})
    return draw.declared(case, can_be_constant=(1, 2))


def make_trilu(draw, opset):
    dtype = draw.dtype("Trilu", opset)
    x = draw.values(dtype, draw.shape(2, 4, zero=0.1))
    k = numpy.array(draw.integer(-6, 6), numpy.int64) if draw.flip(0.7) else None
    upper = draw.pick([None, 0, 1])
    distance = numpy.arange(x.shape[-1])[None, :] - numpy.arange(x.shape[-2])[:, None]
    by = 0 if k is None else int(k)
    kept = distance <= by if upper == 0 else distance >= by
    y = numpy.where(kept, x, "" if dtype == object else dtype.type(0))
    return draw.declared(Case("Trilu", opset, [x, k], [Expected(y if dtype == object else y.astype(dtype), dtype)], {"upper": upper}), can_be_constant=(1,))


def make_eyelike(draw, opset):
    dtype = draw.dtype("EyeLike", opset)
    x = draw.values(dtype, draw.dims(2, zero=0.1))
    k = draw.integer(-5, 5) if draw.flip(0.7) else None
    results = [numpy.dtype(BY_ONNX_NAME[n]) for n in schema("EyeLike", opset).outputs[0].types if n in BY_ONNX_NAME]
    to = draw.pick(sorted(results, key=str)) if draw.flip() else None
    y = numpy.eye(*x.shape, k or 0).astype(to or dtype)
    attributes = {"k": k, "dtype": None if to is None else onnx_type(to)}
    return draw.declared(Case("EyeLike", opset, [x], [Expected(y, to or dtype)], attributes))

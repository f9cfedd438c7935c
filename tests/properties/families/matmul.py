"""MatMul with batch axes that broadcast, and Gemm."""
import numpy

from case import Case, Expected, is_float, sum_error


def make(draw):
    return draw.pick([make_matmul, make_gemm])(draw)


def size(draw, most=6):
    return 0 if draw.flip(0.04) else draw.integer(1, most)


def products(a, b, dtype):
    """(a @ b, what rounding may change); integers wrap."""
    if not is_float(dtype):
        return numpy.matmul(a, b), 0.0
    wide_a, wide_b = a.astype(numpy.float64), b.astype(numpy.float64)
    return numpy.matmul(wide_a, wide_b), sum_error(a.shape[-1] + 2, numpy.matmul(numpy.abs(wide_a), numpy.abs(wide_b)), dtype)


def expected_of(y, error, dtype):
    return Expected(y, dtype, extra=error) if is_float(dtype) else Expected(y, dtype)


def make_matmul(draw):
    opset = draw.version("MatMul")
    dtype = draw.dtype("MatMul", opset)
    m, k, n = size(draw), size(draw, 40), size(draw)
    batch = draw.shape(0, 3, most=3)
    def dims_of(rows, columns):
        stretched = [1 if draw.flip(0.25) else d for d in batch]
        return stretched[draw.integer(0, len(stretched)) if draw.flip(0.4) else 0:] + [rows, columns]
    a = [k] if draw.flip(0.1) else dims_of(m, k)
    b = [k] if draw.flip(0.1) else dims_of(k, n)
    a, b = draw.values(dtype, a, -3, 3), draw.values(dtype, b, -3, 3)
    y, error = products(a, b, dtype)
    return draw.declared(Case("MatMul", opset, [a, b], [expected_of(y, error, dtype)]), can_be_constant=(0, 1))


def make_gemm(draw):
    opset = draw.version("Gemm")
    dtype = draw.dtype("Gemm", opset)
    m, k, n = size(draw), size(draw, 40), size(draw)
    a, b = draw.values(dtype, [m, k], -3, 3), draw.values(dtype, [k, n], -3, 3)
    y, error = products(a, b, dtype)
    attributes = {name: draw.pick([None, 0, 1]) for name in ("transA", "transB")}
    scale = (lambda: draw.real(-2, 2)) if is_float(dtype) else (lambda: float(draw.integer(-2, 3)))  # noqa: E731
    attributes |= {name: scale() if draw.flip() else None for name in ("alpha", "beta")}
    alpha, beta = (1.0 if attributes[name] is None else attributes[name] for name in ("alpha", "beta"))
    c = None
    if opset < 11 or draw.flip(0.7):
        c = draw.values(dtype, draw.pick([[], [1], [n], [1, n], [m, 1], [m, n], [1, 1]]), -5, 5)
    if is_float(dtype):
        y, error = y * alpha, error * abs(alpha)
        if c is not None:
            y = y + beta * c.astype(numpy.float64)
            error = error + 4 * sum_error(1, numpy.abs(beta * c.astype(numpy.float64)) + numpy.abs(y), dtype)
    else:
        with numpy.errstate(over="ignore"):
            y = y * numpy.asarray(int(alpha)).astype(dtype)
            y = y if c is None else y + numpy.asarray(int(beta)).astype(dtype) * c
    inputs = [a.T if attributes["transA"] else a, b.T if attributes["transB"] else b, c]
    return draw.declared(Case("Gemm", opset, inputs, [expected_of(numpy.broadcast_to(y, (m, n)), error, dtype)], attributes), can_be_constant=(1, 2))

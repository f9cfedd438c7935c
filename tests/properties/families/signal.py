"""DFT (both ways, one-sided, padded and cut) and the window functions."""
import numpy

from case import Case, Expected, onnx_type


def make(draw):
    return draw.pick([make_dft, make_dft, make_window])(draw)


def make_window(draw):
    op = draw.pick(["HannWindow", "HammingWindow", "BlackmanWindow"])
    size = draw.integer(1, 12)
    periodic = draw.flip()
    n = numpy.arange(size)
    over = size if periodic else max(size - 1, 1)
    if op == "BlackmanWindow":
        y = 0.42 - 0.5 * numpy.cos(2 * numpy.pi * n / over) + 0.08 * numpy.cos(4 * numpy.pi * n / over)
    else:
        a = 0.5 if op == "HannWindow" else 25 / 46
        y = a - (1 - a) * numpy.cos(2 * numpy.pi * n / over)
    if size == 1 and not periodic:
        return make_window(draw)  # 0 / 0
    dtype = numpy.dtype(draw.pick(["float32", "float64"]))
    attributes = {"periodic": None if periodic and draw.flip() else int(periodic), "output_datatype": None if dtype == numpy.float32 and draw.flip() else onnx_type(dtype)}
    where = numpy.array(size, draw.pick(["int32", "int64"]))
    # The function body computes in float32 before it casts.
    return draw.declared(Case(op, draw.version(op), [where], [Expected(y, dtype, extra=4e-6)], attributes), can_be_constant=(0,))


def make_dft(draw):
    opset = draw.version("DFT")
    dtype = draw.dtype("DFT", opset)
    parts = draw.pick([1, 2])
    dims = [draw.integer(1, 6) for _ in range(draw.integer(1, 3))]
    x = draw.values(dtype, [*dims, parts], -3, 3)
    if len(dims) < 2:
        x = x[None]
        dims = [1, *dims]
    axis = draw.integer(0, len(dims) - 1)
    inverse, onesided = draw.flip(0.4), parts == 1 and draw.flip()
    if inverse:
        onesided = False
    length = draw.integer(1, 8) if draw.flip(0.4) else None
    wide = x.astype(numpy.float64)
    signal = wide[..., 0] + 1j * wide[..., 1] if parts == 2 else wide[..., 0].astype(complex)
    y = (numpy.fft.ifft if inverse else numpy.fft.fft)(signal, n=length, axis=axis)
    n = y.shape[axis]
    if onesided:
        y = numpy.take(y, range(n // 2 + 1), axis)
    y = numpy.stack([y.real, y.imag], -1)
    eps = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}[dtype.name]
    attributes = {"inverse": 1 if inverse else None, "onesided": 1 if onesided else None}
    inputs = [x, None if length is None else numpy.array(length, numpy.int64)]
    if opset < 20:
        attributes["axis"] = axis
    else:
        inputs.append(numpy.array(axis - len(x.shape) if draw.flip() else axis, numpy.int64))
    return draw.declared(Case("DFT", opset, inputs, [Expected(y, dtype, extra=64 * n * eps)], attributes), can_be_constant=(1, 2))

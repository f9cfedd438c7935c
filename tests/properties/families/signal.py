"""DFT (both ways, one-sided, padded and cut), STFT, MelWeightMatrix and the window functions."""
import numpy

from case import Case, Expected, onnx_type


def make(draw):
    return draw.pick([make_dft, make_dft, make_stft, make_mel, make_window])(draw)


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


def make_stft(draw):
    """Frames, weighted and transformed one by one."""
    dtype = numpy.dtype(draw.pick(["float32", "float64"]))
    parts, batch, length = draw.pick([1, 2]), draw.integer(1, 2), draw.integer(1, 20)
    size, step = draw.integer(1, length), draw.integer(1, 5)
    x = draw.values(dtype, [batch, length, parts], -3, 3)
    window = draw.values(dtype, [size], 0, 1) if draw.flip(0.6) else None
    given = numpy.array(size, numpy.int64) if window is None or draw.flip() else None
    onesided = 0 if parts == 2 else draw.pick([None, 0, 1])
    signal = x[..., 0].astype(numpy.float64) + (1j * x[..., 1].astype(numpy.float64) if parts == 2 else 0)
    frames = numpy.stack([signal[:, k * step:k * step + size] for k in range((length - size) // step + 1)], 1)
    y = numpy.fft.fft(frames * (1 if window is None else window.astype(numpy.float64)))
    if onesided != 0:
        y = y[..., :size // 2 + 1]
    y = numpy.stack([y.real, y.imag], -1)
    inputs = [x, numpy.array(step, numpy.int64), window, given]
    eps = 2.0**-53 if dtype == numpy.float64 else 2.0**-24
    return draw.declared(Case("STFT", draw.version("STFT"), inputs, [Expected(y, dtype, extra=64 * size * eps)], {"onesided": onesided}), can_be_constant=(1, 2, 3))


def make_mel(draw):
    """ONNX's own loops: from each corner up to the next, and down to the one behind it."""
    bands, length, rate = draw.integer(1, 5), draw.integer(8, 40), draw.pick([8000, 16000])
    low, high = float(draw.integer(0, 300)), float(draw.integer(400, rate // 2 - 500))
    mels = [2595 * numpy.log10(1 + f / 700) for f in (low, high)]
    at = mels[0] + numpy.arange(bands + 2) * ((mels[1] - mels[0]) / (bands + 2))
    exact = (length + 1) * 700 * (10 ** (at / 2595) - 1) / rate
    if (numpy.abs(exact - numpy.rint(exact)) < 1e-6).any() and low > 0:
        return make_mel(draw)  # too near a whole number to say where it is rounded to
    corner = numpy.floor(exact + (1e-9 if low == 0 else 0)).astype(int)
    y = numpy.zeros([length // 2 + 1, bands])
    for band in range(bands):
        begin, peak, end = corner[band:band + 3]
        if begin == peak:
            y[peak, band] = 1
        for i in range(begin, peak + 1 if begin < peak else begin):
            y[i, band] = (i - begin) / (peak - begin)
        for i in range(peak, end):
            y[i, band] = (end - i) / (end - peak)
    dtype = numpy.dtype(draw.pick(["float32", "float64"]))
    inputs = [numpy.array(v, t) for v, t in ((bands, "int64"), (length, "int64"), (rate, "int64"), (low, "float32"), (high, "float32"))]
    attributes = {"output_datatype": None if dtype == numpy.float32 else onnx_type(dtype)}
    return draw.declared(Case("MelWeightMatrix", draw.version("MelWeightMatrix"), inputs, [Expected(y, dtype)], attributes), can_be_constant=(0, 1, 2, 3, 4))

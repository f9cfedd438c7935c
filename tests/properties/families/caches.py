"""TensorScatter, LinearAttention, CausalConvWithState and SwiGLU; Dropout where nothing is dropped; BitCast."""
import numpy

from case import Case, Expected, onnx_type

FLOAT = numpy.dtype("float32")


def make(draw):
    return draw.pick([make_scatter, make_linear_attention, make_causal_conv, make_swiglu, make_dropout, make_bit_cast])(draw)


def make_scatter(draw):
    op = "TensorScatter"
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    shape = [draw.integer(1, 3), *draw.dims(draw.integer(1, 3), most=4, zero=0)]
    axis = draw.integer(1, len(shape) - 1)
    length, circular = draw.integer(0, shape[axis]), draw.flip()
    past, update = draw.values(dtype, shape), draw.values(dtype, [length if a == axis else d for a, d in enumerate(shape)])
    last = shape[axis] if circular else shape[axis] - length + 1
    write = draw.random.integers(-9 if circular else 0, last, [shape[0]]).astype(numpy.int64) if draw.flip(0.8) else None
    present = past.copy()
    for b in range(shape[0]):
        for i in range(length):
            at = ((0 if write is None else int(write[b])) + i) % shape[axis]
            present[(b, *[slice(None)] * (axis - 1), at)] = update[(b, *[slice(None)] * (axis - 1), i)]
    attributes = {"axis": axis - len(shape) if axis != len(shape) - 2 or draw.flip() else None, "mode": "circular" if circular else draw.pick([None, "linear"])}
    return draw.declared(Case(op, opset, [past, update, write], [Expected(present, dtype)], attributes), can_be_constant=(2,))


def make_linear_attention(draw):
    b, t, heads, group, dk, dv = (draw.integer(1, n) for n in (2, 4, 2, 2, 3, 3))
    rule = draw.pick(["linear", "gated", "delta", "gated_delta"])
    q, k, v = (draw.values(FLOAT, [b, t, h * d], -1, 1) for h, d in ((heads * group, dk), (heads, dk), (heads, dv)))
    past = draw.values(FLOAT, [b, heads, dk, dv], -1, 1) if draw.flip() else None
    by_row = draw.flip()
    decay = draw.values(FLOAT, [b, t, heads * (dk if by_row else 1)], -2, 0) if rule.startswith("gated") else None
    beta = draw.values(FLOAT, [b, t, heads], 0, 1) if rule.endswith("delta") else None
    scale = draw.real(0.2, 1) if draw.flip() else None
    state = numpy.zeros([b, heads, dk, dv]) if past is None else past.astype(numpy.float64)
    y = numpy.zeros([b, t, heads * group, dv])
    wide = [x.astype(numpy.float64).reshape(b, t, -1, d) for x, d in ((q, dk), (k, dk), (v, dv))]
    for i in range(t):
        key, value = wide[1][:, i], wide[2][:, i]
        if decay is not None:
            state = state * numpy.exp(decay[:, i].astype(numpy.float64).reshape(b, heads, -1))[..., None]
        if beta is not None:
            value = (value - numpy.einsum("bhd,bhde->bhe", key, state)) * beta[:, i, :, None].astype(numpy.float64)
        state = state + key[..., None] * value[:, :, None]
        y[:, i] = numpy.einsum("bhd,bhde->bhe", wide[0][:, i], numpy.repeat(state, group, 1)) * (scale or 1 / numpy.sqrt(dk))
    attributes = {"q_num_heads": heads * group, "kv_num_heads": heads, "update_rule": rule, "scale": scale}
    expected = [Expected(y.reshape(b, t, -1), FLOAT, extra=2e-5), Expected(state, FLOAT, extra=2e-5)]
    return draw.declared(Case("LinearAttention", draw.version("LinearAttention"), [q, k, v, past, decay, beta], expected, attributes))


def make_causal_conv(draw):
    b, c, length, taps = draw.integer(1, 2), draw.integer(1, 3), draw.integer(0, 5), draw.integer(1, 4)
    x, w = draw.values(FLOAT, [b, c, length]), draw.values(FLOAT, [c, 1, taps])
    bias = draw.values(FLOAT, [c]) if draw.flip() else None
    past = draw.values(FLOAT, [b, c, taps - 1]) if draw.flip() else None
    whole = numpy.concatenate([numpy.zeros([b, c, taps - 1]) if past is None else past, x], 2).astype(numpy.float64)
    y = numpy.zeros([b, c, length]) + (0 if bias is None else bias[:, None].astype(numpy.float64))
    for k in range(taps):
        y = y + whole[:, :, k:k + length] * w[:, 0, k, None].astype(numpy.float64)
    activation = draw.pick([None, "none", "silu", "swish"])
    if activation in ("silu", "swish"):
        y = y / (1 + numpy.exp(-y))
    expected = [Expected(y, FLOAT, extra=4e-5), Expected(whole[:, :, length:], FLOAT)]
    return draw.declared(Case("CausalConvWithState", draw.version("CausalConvWithState"), [x, w, bias, past], expected, {"activation": activation}), can_be_constant=(1, 2))


def make_swiglu(draw):
    a, b = (draw.values(FLOAT, dims) for dims in [draw.shape(0, 3)] * 2)
    alpha = draw.real(0.5, 2) if draw.flip() else None
    wide = a.astype(numpy.float64)
    y = wide / (1 + numpy.exp(-wide * (alpha or 1.0))) * b.astype(numpy.float64)
    return draw.declared(Case("SwiGLU", draw.version("SwiGLU"), [a, b], [Expected(y, FLOAT, extra=1e-5)], {"alpha": alpha}))


def make_dropout(draw):
    opset = draw.version("Dropout", since=12)
    dtype = draw.dtype("Dropout", opset)
    x = draw.values(dtype, draw.shape(0, 4), odd=0.1)
    training = draw.pick([None, False, True])
    ratio = numpy.array(0.0, FLOAT) if training else draw.pick([None, numpy.array(0.75, FLOAT)])
    inputs = [x, ratio, None if training is None else numpy.array(training)]
    expected = [Expected(x, dtype)] + ([Expected(numpy.ones(x.shape, bool), bool)] if draw.flip() else [])
    while inputs[-1] is None:
        inputs.pop()
    return draw.declared(Case("Dropout", opset, inputs, expected), can_be_constant=(1, 2))


def make_bit_cast(draw):
    kinds = draw.pick([["int8", "uint8"], ["int16", "uint16", "float16"], ["int32", "uint32", "float32"], ["int64", "uint64", "float64"]])
    source, to = numpy.dtype(draw.pick(kinds)), numpy.dtype(draw.pick(kinds))
    x = draw.values(source, draw.shape(0, 4), odd=0.3)
    y = x.view(to) if x.ndim else x.reshape(1).view(to).reshape([])
    return draw.declared(Case("BitCast", draw.version("BitCast"), [x], [Expected(y, to)], {"to": int(onnx_type(to))}), can_be_constant=(0,))

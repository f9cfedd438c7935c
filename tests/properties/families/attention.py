"""Attention (masks, causal, windows, cache, groups of heads, packed heads) and RotaryEmbedding, in numpy's float64."""
import numpy

from case import Case, Expected

FLOAT = numpy.dtype("float32")


def make(draw):
    return draw.pick([make_attention, make_attention, make_rotary])(draw)


def packed(x):
    """[B,H,S,D] as [B,S,H*D]."""
    b, h, s, d = x.shape
    return x.transpose(0, 2, 1, 3).reshape(b, s, h * d)


def make_attention(draw):
    opset = draw.version("Attention")
    b, heads, group = draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 2)
    s, t, d, dv = draw.integer(1, 4), draw.integer(1, 4), draw.integer(1, 4), draw.integer(1, 4)
    dtype = numpy.dtype(draw.pick(["float32", "float32", "float64", "float16"]))
    q, k, v = (draw.values(dtype, dims, -2, 2) for dims in ([b, heads * group, s, d], [b, heads, t, d], [b, heads, t, dv]))
    past = draw.integer(0, 3) if draw.flip(0.4) else None
    valid = None
    past_k = past_v = None
    if past is not None:
        past_k, past_v = draw.values(dtype, [b, heads, past, d], -2, 2), draw.values(dtype, [b, heads, past, dv], -2, 2)
    elif opset >= 24 and draw.flip(0.3):
        valid = draw.random.integers(0, t + 1, [b]).astype(numpy.int64)
    total = t + (past or 0)
    mask = None
    if draw.flip(0.6):
        full = [b, heads * group, s, total]
        dims = [1 if draw.flip(0.3) and i < 3 else n for i, n in enumerate(full)][draw.integer(0, 2):]
        mask = draw.random.random(dims) < 0.7 if draw.flip() else draw.values(dtype, dims, -2, 2)
    causal = draw.flip(0.4)
    left, right = (draw.integer(0, 2) if opset >= 25 and draw.flip(0.2) else None for _ in range(2))
    scale = draw.real(0.1, 1) if draw.flip(0.4) else None
    cap = draw.real(1, 4) if draw.flip(0.3) else None

    wide = [x.astype(numpy.float64) for x in (q, k, v)]
    if past is not None:
        wide[1], wide[2] = numpy.concatenate([past_k.astype(float), wide[1]], 2), numpy.concatenate([past_v.astype(float), wide[2]], 2)
    present = wide[1:]
    keys, values = (numpy.repeat(x, group, 1) for x in present)
    scores = wide[0] @ keys.swapaxes(2, 3) * (scale if scale is not None else 1 / numpy.sqrt(d))
    if cap:
        scores = cap * numpy.tanh(scores / cap)
    offset = numpy.full([b], past or 0) if valid is None else valid - s
    position = offset[:, None, None, None] + numpy.arange(s)[:, None]
    key = numpy.arange(total)
    seen = numpy.ones([b, 1, s, total], bool)
    if causal:
        seen = seen & (key <= position)
    if left is not None:
        seen = seen & (key >= position - left)
    if right is not None:
        seen = seen & (key <= position + right)
    if valid is not None:
        seen = seen & (key < valid[:, None, None, None])
    if mask is not None:
        if mask.dtype == bool:
            seen = seen & mask
        else:
            scores = scores + mask.astype(numpy.float64)
    scores = numpy.where(seen, scores, -numpy.inf)
    with numpy.errstate(all="ignore"):
        p = numpy.exp(scores - numpy.max(scores, -1, keepdims=True, initial=-1e30))
        p = numpy.where(seen.any(-1, keepdims=True), p / p.sum(-1, keepdims=True), 0)
    y = p @ values
    eps = {2: 2.0**-9, 4: 2.0**-20, 8: 2.0**-48}[dtype.itemsize]
    expected = [Expected(y, dtype, extra=16 * eps)]
    if past is not None:
        expected += [Expected(present[0], dtype), Expected(present[1], dtype)]
    inputs = [q, k, v, mask, past_k, past_v, valid]
    attributes = {"is_causal": 1 if causal else None, "scale": scale, "softcap": cap, "left_window_size": left, "right_window_size": right}
    if draw.flip(0.4):
        inputs[:3] = [packed(x) for x in (q, k, v)]
        expected[0] = Expected(packed(y), dtype, extra=16 * eps)
        attributes |= {"q_num_heads": heads * group, "kv_num_heads": heads}
    while inputs[-1] is None:
        inputs.pop()
    case = draw.declared(Case("Attention", opset, inputs, expected, attributes))
    if case.shapes == "unknown":
        case.shapes = "open"  # the rank decides how heads are stored
    return case


def make_rotary(draw):
    b, h, s, half = draw.integer(1, 2), draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 3)
    kept = draw.integer(0, 2) if draw.flip(0.4) else 0
    size = 2 * half + kept
    x = draw.values(FLOAT, [b, h, s, size], -3, 3)
    positions = draw.random.integers(0, 5, [b, s]).astype(numpy.int64) if draw.flip() else None
    caches = [draw.values(FLOAT, [5, half] if positions is not None else [b, s, half], -1, 1) for _ in range(2)]
    cosine, sine = ((c[positions] if positions is not None else c)[:, None].astype(numpy.float64) for c in caches)
    interleaved = draw.flip()
    wide = x.astype(numpy.float64)
    first, second = (wide[..., 0 : 2 * half : 2], wide[..., 1 : 2 * half : 2]) if interleaved else (wide[..., :half], wide[..., half : 2 * half])
    y = wide.copy()
    turned = cosine * first - sine * second, sine * first + cosine * second
    if interleaved:
        y[..., 0 : 2 * half : 2], y[..., 1 : 2 * half : 2] = turned
    else:
        y[..., :half], y[..., half : 2 * half] = turned
    attributes = {"interleaved": int(interleaved) if interleaved or draw.flip() else None, "rotary_embedding_dim": 2 * half if kept or draw.flip(0.3) else None}
    if draw.flip():
        x, y, attributes["num_heads"] = packed(x), packed(y), h
    inputs = [x, *caches] + ([positions] if positions is not None else [])
    case = draw.declared(Case("RotaryEmbedding", draw.version("RotaryEmbedding"), inputs, [Expected(y, FLOAT, extra=4e-6)], attributes), can_be_constant=(1, 2))
    if case.shapes == "unknown":
        case.shapes = "open"
    return case

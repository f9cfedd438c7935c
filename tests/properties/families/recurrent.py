"""RNN, GRU and LSTM by the equations of their documents: directions, layouts, sequence_lens, peepholes, clip."""
import numpy

from case import Case, Expected
from families.unary import sigmoid

ACTIVATIONS = {"Sigmoid": sigmoid, "Tanh": numpy.tanh, "Relu": lambda x: numpy.maximum(x, 0)}
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
DEFAULT = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}


class Cell:
    """One direction of one layer."""

    def __init__(self, op, hidden, w, r, b, p, functions, clip, linear_before_reset, input_forget):
        self.op, self.hidden, self.w, self.r = op, hidden, w, r
        gates = GATES[op]
        self.wb, self.rb = (b[:gates * hidden], b[gates * hidden:]) if b is not None else (numpy.zeros(gates * hidden),) * 2
        self.p = p if p is not None else numpy.zeros(3 * hidden)
        clipped = (lambda x: x) if clip is None else (lambda x: numpy.clip(x, -clip, clip))
        self.f = [lambda x, f=ACTIVATIONS[name]: f(clipped(x)) for name in functions]
        self.linear_before_reset, self.input_forget = linear_before_reset, input_forget

    def step(self, x, h, c):
        """(new h, new c) of x[batch, input], h and c[batch, hidden]."""
        n = self.hidden
        if self.op == "RNN":
            return self.f[0](x @ self.w.T + h @ self.r.T + self.wb + self.rb), c
        given = x @ self.w.T + self.wb
        part = lambda values, k: values[..., k * n:(k + 1) * n]  # noqa: E731
        if self.op == "GRU":  # gates z, r, h
            past = h @ self.r[:2 * n].T + self.rb[:2 * n]
            z, r = self.f[0](part(given, 0) + part(past, 0)), self.f[0](part(given, 1) + part(past, 1))
            if self.linear_before_reset:
                new = self.f[1](part(given, 2) + r * (h @ self.r[2 * n:].T + self.rb[2 * n:]))
            else:
                new = self.f[1](part(given, 2) + (r * h) @ self.r[2 * n:].T + self.rb[2 * n:])
            return (1 - z) * new + z * h, c
        gates = given + h @ self.r.T + self.rb  # i, o, f, c
        peep = self.p.reshape(3, n)             # i, o, f
        i = self.f[0](part(gates, 0) + peep[0] * c)
        f = 1 - i if self.input_forget else self.f[0](part(gates, 2) + peep[2] * c)
        c = f * c + i * self.f[1](part(gates, 3))
        o = self.f[0](part(gates, 1) + peep[1] * c)
        return o * self.f[2](c), c

    def run(self, x, lengths, h, c, reverse):
        """(y[steps, batch, hidden], last h, last c); steps behind a sequence's end are zero, reverse starts at its own end."""
        steps, batch = x.shape[:2]
        y, h, c = numpy.zeros([steps, batch, self.hidden]), h.copy(), c.copy()
        for b in range(batch):
            order = range(lengths[b])
            for t in reversed(order) if reverse else order:
                h[b:b + 1], c[b:b + 1] = self.step(x[t, b:b + 1], h[b:b + 1], c[b:b + 1])
                y[t, b] = h[b]
        return y, h, c


def make(draw):
    op = draw.pick(["RNN", "GRU", "LSTM"])
    opset = draw.version(op)
    dtype = draw.dtype(op, opset)
    directions = draw.pick(["forward", "reverse", "bidirectional"])
    d = 2 if directions == "bidirectional" else 1
    steps, batch, size, hidden = draw.integer(1, 5), draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 4)
    gates = GATES[op]
    layout = 1 if opset >= 14 and draw.flip(0.3) else 0
    x = draw.values(dtype, [steps, batch, size], -1, 1)
    w, r = draw.values(dtype, [d, gates * hidden, size], -1, 1), draw.values(dtype, [d, gates * hidden, hidden], -1, 1)
    b = draw.values(dtype, [d, 2 * gates * hidden], -1, 1) if draw.flip() else None
    lengths = draw.random.integers(1, steps, batch, endpoint=True).astype("int32") if draw.flip() else None
    h0 = draw.values(dtype, [d, batch, hidden], -1, 1) if draw.flip() else None
    c0 = draw.values(dtype, [d, batch, hidden], -1, 1) if op == "LSTM" and draw.flip() else None
    p = draw.values(dtype, [d, 3 * hidden], -1, 1) if op == "LSTM" and draw.flip(0.4) else None
    functions = DEFAULT[op] * d
    attributes = {"hidden_size": hidden, "direction": directions if directions != "forward" or draw.flip() else None, "layout": layout or None}
    if draw.flip(0.4):
        functions = attributes["activations"] = [draw.pick(sorted(ACTIVATIONS)) for _ in functions]
    clip = attributes["clip"] = draw.real(0.3, 2) if draw.flip(0.3) else None
    linear = op == "GRU" and draw.flip()
    attributes["linear_before_reset"] = 1 if linear else None
    coupled = op == "LSTM" and draw.flip(0.3)
    attributes["input_forget"] = 1 if coupled else None
    up = lambda v, k: None if v is None else v[k].astype(numpy.float64)  # noqa: E731
    results = []
    for k in range(d):
        each = len(functions) // d
        cell = Cell(op, hidden, up(w, k), up(r, k), up(b, k), up(p, k), functions[k * each:(k + 1) * each], clip, linear, coupled)
        start = [numpy.zeros([batch, hidden]) if v is None else up(v, k) for v in (h0, c0)]
        ends = [steps] * batch if lengths is None else lengths
        results.append(cell.run(x.astype(numpy.float64), ends, *start, reverse=directions == "reverse" or k == 1))
    y, h, c = (numpy.stack([result[i] for result in results], 1 if i == 0 else 0) for i in range(3))
    if layout:  # batch first
        x, y, h, c = x.transpose(1, 0, 2), y.transpose(2, 0, 1, 3), h.transpose(1, 0, 2), c.transpose(1, 0, 2)
        h0, c0 = (None if v is None else v.transpose(1, 0, 2) for v in (h0, c0))
    # Steps feed on rounded steps: each adds the roundings of its sums (16-bit results may be kept as such), and an error
    # grows by at most the sum of the recurrent weights, which are below 1 each.
    eps = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}[dtype.name]
    extra = 8 * steps * (size + hidden + 4) * eps * (1 + 0.25 * hidden)**min(steps, 4) * (2 if op == "RNN" else 1)
    extra *= max(1.0, float(numpy.max(numpy.abs(y), initial=0)), float(numpy.max(numpy.abs(c), initial=0)))  # Relu lets them grow
    outputs = [Expected(y, dtype, extra=extra), Expected(h, dtype, extra=extra)] + ([Expected(c, dtype, extra=extra * 2)] if op == "LSTM" else [])
    wanted = [e if draw.flip(0.8) else None for e in outputs]
    if not any(wanted):
        wanted = outputs
    inputs = [x, w, r, b, lengths, h0] + ([c0, p] if op == "LSTM" else [])
    return draw.declared(Case(op, opset, inputs, wanted, attributes), can_be_constant=(1, 2, 3))

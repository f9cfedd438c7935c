"""Writes small ONNX models with Python's standard library. Field numbers are those of the public onnx.proto."""

FLOAT = 1


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """An int, or the bytes of a string or message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(op, name, inputs, outputs):
    """`name` may be bytes that are no UTF-8."""
    name = name if isinstance(name, bytes) else name.encode()
    return (b"".join(field(1, i.encode()) for i in inputs) + b"".join(field(2, o.encode()) for o in outputs) + field(3, name) + field(4, op.encode()))


def value(name, dims, dtype=FLOAT):
    shape = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d.encode())) for d in dims)
    return field(1, name.encode()) + field(2, field(1, field(1, dtype) + field(2, shape)))


def model(nodes, inputs, outputs, opset=17):
    graph = b"".join(field(1, n) for n in nodes) + field(2, b"made") + b"".join(field(11, v) for v in inputs) + b"".join(field(12, v) for v in outputs)
    return field(1, 8) + field(7, graph) + field(8, field(2, opset))


def chain(ops, dims):
    """x → ops[0] → ops[1] → …, each a pair (op, node name); op "Add" and "Mul" take their input twice."""
    nodes, last = [], "x"
    for i, (op, name) in enumerate(ops):
        out = "y" if i + 1 == len(ops) else f"t{i}"
        nodes.append(node(op, name, [last, last] if op in ("Add", "Mul") else [last], [out]))
        last = out
    return model(nodes, [value("x", dims)], [value("y", dims)])

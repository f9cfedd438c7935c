"""Writes ONNX models at the level of protobuf fields; Python's standard library is enough.

Field numbers are those of the public onnx.proto.
"""
import struct


def varint(value):
    value &= 2**64 - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def field(number_, payload):
    payload = payload.encode() if isinstance(payload, str) else payload
    return varint(number_ << 3 | 2) + varint(len(payload)) + payload


def attribute(name, value):
    """An AttributeProto in a NodeProto: int, float, list of ints, or bytes of a TensorProto as ("tensor", bytes)."""
    if isinstance(value, int):
        body = number(3, value) + number(20, 2)
    elif isinstance(value, float):
        body = varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    elif isinstance(value, tuple) and value[0] == "graph":
        body = field(6, value[1]) + number(20, 5)
    elif isinstance(value, tuple):
        body = field(5, value[1]) + number(20, 4)
    else:
        body = b"".join(number(8, v) for v in value) + number(20, 7)
    return field(5, field(1, name) + body)


def node(op, inputs, outputs, attributes=b""):
    return field(1, b"".join(field(1, n) for n in inputs) + b"".join(field(2, n) for n in outputs) + field(4, op) + attributes)


def tensor(name, dims, raw, data_type=1):
    return b"".join(number(1, d) for d in dims) + number(2, data_type) + field(8, name) + field(9, raw)


def initializer(name, dims, raw, data_type=1):
    return field(5, tensor(name, dims, raw, data_type))


def value(name, dims, data_type=1):
    shape = b"".join(field(1, number(1, d) if isinstance(d, int) else field(2, d)) for d in dims)
    return field(1, name) + field(2, field(1, number(1, data_type) + field(2, shape)))


def float_input(name, dims):
    return field(11, value(name, dims))


def output(name):
    return field(12, field(1, name))


def model(graph, opset=17):
    return number(1, 8) + field(7, field(2, "g") + graph) + field(8, number(2, opset))

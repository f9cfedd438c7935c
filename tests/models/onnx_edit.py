"""Reads and edits ONNX files at the level of protobuf fields; Python's standard library is enough.

Field numbers are those of the public onnx.proto: ModelProto.graph = 7; GraphProto.node = 1, output = 12;
NodeProto.output = 2; ValueInfoProto.name = 1.
"""


def read_varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data):
    """Yields (field number, wire type, payload or value, raw bytes of the whole field)."""
    at = 0
    while at < len(data):
        start = at
        key, at = read_varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = read_varint(data, at)
        elif wire == 1:
            value, at = data[at:at + 8], at + 8
        elif wire == 5:
            value, at = data[at:at + 4], at + 4
        elif wire == 2:
            size, at = read_varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise ValueError(f"wire type {wire} at byte {start}")
        yield key >> 3, wire, value, data[start:at]


def bytes_field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def with_all_tensors_as_outputs(model):
    """The same model with every top-level tensor that is not an output yet appended to the graph's outputs."""
    out = bytearray()
    added = 0
    for number, _, payload, raw in fields(model):
        if number != 7:
            out += raw
            continue
        have, tensors = set(), []
        for field, _, value, _ in fields(payload):
            if field == 12:
                have.update(v for f, _, v, _ in fields(value) if f == 1)
            elif field == 1:
                tensors += [v for f, _, v, _ in fields(value) if f == 2 and v]
        extra = [name for name in tensors if name not in have]
        added += len(extra)
        payload = payload + b"".join(bytes_field(12, bytes_field(1, name)) for name in extra)
        out += bytes_field(7, payload)
    return bytes(out), added

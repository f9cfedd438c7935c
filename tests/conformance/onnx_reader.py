"""What a node case's model.onnx is made of, read from its protobuf fields; Python's standard library is enough.

Field numbers are those of the public onnx.proto.
"""


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """Yields (field number, value: an int or bytes, where the value starts)."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        start = at
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 in (1, 5):
            at += 8 if key & 7 == 1 else 4
            value = data[start:at]
        elif key & 7 == 2:
            size, start = varint(data, at)
            at = start + size
            value = data[start:at]
        else:
            raise ValueError(f"wire type {key & 7} before byte {start}")
        if at > len(data):
            raise ValueError(f"the value at byte {start} runs past the end")
        yield key >> 3, value, start


def submessages(data, number):
    return [value for field, value, _ in fields(data) if field == number]


def text(data, number):
    found = submessages(data, number)
    return found[-1].decode() if found else ""


def operators(nodes):
    """(domain, op) of all nodes and of those in their subgraphs."""
    found = set()
    for node in nodes:
        domain = text(node, 7)
        found.add(("" if domain == "ai.onnx" else domain, text(node, 4)))
        for attribute in submessages(node, 5):
            for graph in submessages(attribute, 6) + submessages(attribute, 11):
                found |= operators(submessages(graph, 1))
    return found


KINDS = {1: "tensor", 4: "sequence", 5: "map", 8: "sparse tensor", 9: "optional"}


class Model:
    """ops: (domain, op) of everything that a run needs, functions replaced by what they hold; kinds: of the graph's
    inputs and outputs."""

    def __init__(self, data):
        graph = submessages(data, 7)[-1]
        functions = submessages(data, 25)
        own = {(text(f, 10), text(f, 1)) for f in functions}
        self.ops = operators(submessages(graph, 1))
        for function in functions:
            self.ops |= operators(submessages(function, 7))
        self.ops -= own
        self.kinds = set()
        for value in submessages(graph, 11) + submessages(graph, 12):
            for kind in submessages(value, 2):
                self.kinds |= {KINDS.get(number, f"type {number}") for number, _, _ in fields(kind) if number in KINDS}

"""ONNX files written field by field; Python's standard library is enough.

Field numbers are those of the public onnx.proto: ModelProto.ir_version = 1, graph = 7, opset_import = 8;
OperatorSetIdProto.version = 2; GraphProto.node = 1, name = 2, input = 11, output = 12; NodeProto.input = 1, output = 2,
name = 3, op_type = 4; ValueInfoProto.name = 1, type = 2; TypeProto.tensor_type = 1 {elem_type = 1, shape = 2};
TensorShapeProto.dim = 1 {dim_value = 1}.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "models"))
from onnx_edit import bytes_field, varint  # noqa: E402


def number_field(number, value):
    return varint(number << 3) + varint(value)


def node(op, inputs, output, name):
    return b"".join([*(bytes_field(1, i) for i in inputs), bytes_field(2, output), bytes_field(3, name), bytes_field(4, op)])


def float_port(name, dims):
    shape = b"".join(bytes_field(1, number_field(1, dim)) for dim in dims)
    return bytes_field(1, name) + bytes_field(2, bytes_field(1, number_field(1, 1) + bytes_field(2, shape)))


def model(nodes, name, inputs, outputs):
    graph = b"".join([*(bytes_field(1, n) for n in nodes), bytes_field(2, name), *(bytes_field(11, i) for i in inputs), *(bytes_field(12, o) for o in outputs)])
    return number_field(1, 8) + bytes_field(8, number_field(2, 17)) + bytes_field(7, graph)


def chain(count):
    """`count` ops in a row that no pass removes, each seventh adding what stood seven before it."""
    nodes, last = [], [b"x"]
    for i in range(count):
        out = b"t%d" % i
        if i % 7 == 6:
            nodes.append(node(b"Add", [last[-1], last[-7]], out, b"block%d/add" % i))
        else:
            nodes.append(node([b"Exp", b"Tanh", b"Sigmoid"][i % 3], [last[-1]], out, b"block%d/act" % i))
        last.append(out)
    return model(nodes, b"chain", [float_port(b"x", [1, 8])], [float_port(last[-1], [1, 8])])


HOSTILE = "</script><script>throw 'broke out'</script><img src=x onerror=\"throw 'broke out'\"> '\"\\ \u2028 `${1}`".encode()


def hostile():
    """A model of two ops all of whose names try to leave the page's data."""
    nodes = [node(b"Exp", [HOSTILE + b" in"], HOSTILE + b" t", HOSTILE + b" first"), node(b"Tanh", [HOSTILE + b" t"], HOSTILE + b" out", HOSTILE + b" second")]
    return model(nodes, HOSTILE, [float_port(HOSTILE + b" in", [2])], [float_port(HOSTILE + b" out", [2])])

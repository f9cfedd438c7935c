"""A property case: one node, its inputs, and what numpy says its outputs are."""
import math

import ml_dtypes
import numpy
import onnx
import onnx.helper
import onnx.numpy_helper

BFLOAT16 = numpy.dtype(ml_dtypes.bfloat16)
FLOATS = (numpy.dtype("float16"), BFLOAT16, numpy.dtype("float32"), numpy.dtype("float64"))
# Bits of the significand, least exponent of a normal number, largest finite value.
SHAPE_OF_FLOAT = {FLOATS[0]: (11, -14, 65504.0), FLOATS[1]: (8, -126, float(ml_dtypes.finfo(BFLOAT16).max)),
                  FLOATS[2]: (24, -126, float(numpy.finfo("float32").max)), FLOATS[3]: (53, -1022, float(numpy.finfo("float64").max))}


def is_float(dtype):
    return numpy.dtype(dtype) in SHAPE_OF_FLOAT


def unit(dtype, values):
    """The distance between neighbouring numbers of a float dtype at `values` (float64), subnormals included."""
    bits, least, largest = SHAPE_OF_FLOAT[numpy.dtype(dtype)]
    finite = numpy.minimum(numpy.nan_to_num(numpy.abs(values), nan=0.0, posinf=largest), largest)
    _, exponents = numpy.frexp(finite)
    return numpy.ldexp(1.0, numpy.maximum(exponents - 1, least) - (bits - 1))


class Expected:
    """An output as numpy has it. Of floats, `value` is float64 and `bound` what a result may be away from it.

    The usual bound: the result is the exact value rounded once, to nearest, which costs half a unit in the last place.
    Kernels compute 16 and 32-bit floats in double, whose own errors are far below the other half; where the result is
    double itself, each function of the C library may be a unit or two off, so four are allowed. `extra` (numbers by
    element or one) is added: what the order of a long sum may change, n * eps * sum |a * b|, or the like.
    """

    def __init__(self, value, dtype, extra=0.0, units=None):
        self.dtype = numpy.dtype(dtype)
        self.floating = is_float(self.dtype)
        if not self.floating:
            self.value = numpy.asarray(value, self.dtype) if self.dtype != object else numpy.asarray(value, object)
            return
        self.value = numpy.asarray(value, numpy.float64)
        if units is None:
            units = 4 if self.dtype == numpy.float64 else 1
        with numpy.errstate(all="ignore"):
            self.bound = units * unit(self.dtype, self.value) + extra

    def difference(self, got):
        """What is wrong with `got`; "" when nothing is."""
        if got.dtype != self.dtype:
            return f"dtype {got.dtype}, expected {self.dtype}"
        if got.shape != self.value.shape:
            return f"dims {list(got.shape)}, expected {list(self.value.shape)}"
        if not self.floating:
            wrong = got != self.value
        else:
            with numpy.errstate(all="ignore"):
                found = got.astype(numpy.float64)
                rounded = self.value.astype(self.dtype).astype(numpy.float64)
                # A value that the dtype cannot hold becomes infinite; near the border either answer is right.
                border = numpy.isinf(found) & (numpy.abs(self.value) + self.bound >= SHAPE_OF_FLOAT[self.dtype][2]) & (numpy.sign(found) == numpy.sign(self.value))
                equal = (found == rounded) | (numpy.isnan(found) & numpy.isnan(self.value)) | border
                wrong = ~(equal | (numpy.abs(found - self.value) <= self.bound))
        count = int(numpy.count_nonzero(wrong))
        if count == 0:
            return ""
        at = tuple(int(i) for i in numpy.argwhere(wrong)[0])
        near = f" (allowed {numpy.broadcast_to(self.bound, self.value.shape)[at]:.3g} off)" if self.floating else ""
        return f"{count} of {wrong.size} elements differ, the first at {list(at)}: {got[at]}, expected {self.value[at]}{near}"


def sum_error(terms, magnitude, dtype):
    """What a sum of `terms` products may be off, in any order: n * eps * sum |a * b|, by the arithmetic it is done in.

    16-bit floats are summed in float32 at least; a factor of 2 covers products that are rounded before they are added.
    """
    dtype = numpy.dtype(dtype)
    eps = 2.0**-53 if dtype == numpy.float64 else 2.0**-24
    return 2 * terms * eps * numpy.asarray(magnitude, numpy.float64)


class Case:
    """`inputs` are arrays, None where an optional one is absent; `expected` are Expected, None where an output is unused.

    expected = "refused": an Error is the right answer. `constants` are inputs that are initialisers; `shapes` says what
    the model declares of the others: "fixed" dims, "open" dims (one symbol each) or "unknown" rank.
    """

    def __init__(self, op, opset, inputs, expected, attributes=None, constants=(), shapes="fixed"):
        self.op, self.opset, self.inputs, self.expected = op, opset, inputs, expected
        self.attributes = {k: v for k, v in (attributes or {}).items() if v is not None}
        self.constants, self.shapes = set(constants), shapes

    def describe(self):
        def tensor(i, x):
            if x is None:
                return "_"
            small = f"={x.tolist()}" if x.size <= 8 else ""
            return f"{x.dtype}{list(x.shape)}{'!' if i in self.constants else ''}{small}"
        attributes = "".join(f", {k}={v}" for k, v in self.attributes.items())
        return f"{self.op}-{self.opset}({', '.join(tensor(i, x) for i, x in enumerate(self.inputs))}{attributes}; {self.shapes} dims)"

    def write(self, folder):
        """In ONNX's test layout, but for the outputs: those are compared with a bound for each element."""
        names = [f"x{i}" if x is not None else "" for i, x in enumerate(self.inputs)]
        outputs = [f"y{i}" if e is not None else "" for i, e in enumerate(self.expected)] if self.expected != "refused" else ["y0"]
        node = onnx.helper.make_node(self.op, trimmed(names), trimmed(outputs), name="node", **self.attributes)
        given = [i for i, x in enumerate(self.inputs) if x is not None and i not in self.constants]
        graph = onnx.helper.make_graph(
            [node], "case", [self.declared(i) for i in given],
            [onnx.helper.make_value_info(name, onnx.TypeProto()) for name in outputs if name],
            [proto(self.inputs[i], f"x{i}") for i in sorted(self.constants) if self.inputs[i] is not None])
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", self.opset)], ir_version=8)
        data = folder / "test_data_set_0"
        data.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        for k, i in enumerate(given):
            (data / f"input_{k}.pb").write_bytes(proto(self.inputs[i], f"x{i}").SerializeToString())

    def write_expected(self, folder):
        for k, e in enumerate(self.wanted()):
            with numpy.errstate(all="ignore"):
                (folder / "test_data_set_0" / f"output_{k}.pb").write_bytes(proto(e.value.astype(e.dtype), f"y{k}").SerializeToString())

    def wanted(self):
        return [] if self.expected == "refused" else [e for e in self.expected if e is not None]

    def declared(self, i):
        x = self.inputs[i]
        shape = None if self.shapes == "unknown" else [f"d{i}_{k}" for k in range(x.ndim)] if self.shapes == "open" else list(x.shape)
        return onnx.helper.make_tensor_value_info(f"x{i}", onnx_type(x.dtype), shape)

    def check(self, folder, answer):
        """What is wrong with what the runner said and wrote; "" when nothing is."""
        if self.expected == "refused":
            return "" if answer.startswith("refused") else f"{answer}, but expected an error"
        if answer != "ran":
            return answer
        for k, e in enumerate(self.wanted()):
            tensor = onnx.TensorProto.FromString((folder / f"got_{k}.pb").read_bytes())
            if wrong := e.difference(array(tensor)):
                return f"output {k}: {wrong}"
        return ""


def trimmed(names):
    names = list(names)
    while names and not names[-1]:
        names.pop()
    return names


def onnx_type(dtype):
    return onnx.TensorProto.STRING if dtype == object else onnx.helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype))


def proto(x, name):
    return onnx.numpy_helper.from_array(numpy.asarray(x, order="C"), name)


def array(tensor):
    x = onnx.numpy_helper.to_array(tensor)
    if x.dtype.kind in "OUST":
        return numpy.array([s.decode() if isinstance(s, bytes) else s for s in x.reshape(-1)], object).reshape(x.shape)
    return x


def product(numbers):
    return math.prod(int(n) for n in numbers)

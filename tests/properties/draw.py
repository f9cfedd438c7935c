"""Draws the parts of a case from a seeded numpy Generator."""
import functools

import numpy
import onnx
import onnx.defs

from case import BFLOAT16, is_float

NEWEST = 28
BY_ONNX_NAME = {"tensor(bool)": "bool", "tensor(float16)": "float16", "tensor(float)": "float32", "tensor(double)": "float64",
                "tensor(bfloat16)": BFLOAT16, "tensor(string)": object}
BY_ONNX_NAME |= {f"tensor({kind}int{bits})": f"{kind}int{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)}
INTS = [numpy.dtype(f"{kind}int{bits}") for kind in ("", "u") for bits in (8, 16, 32, 64)]


@functools.cache
def history():
    """Opsets that brought a form of each op, up to the newest, those before 7 as 7 (older ones have no broadcasting rules)."""
    found = {}
    for s in onnx.defs.get_all_schemas_with_history():
        if s.domain == "" and s.since_version <= NEWEST:
            found.setdefault(s.name, set()).add(max(7, s.since_version))
    return {op: sorted(versions) for op, versions in found.items()}


@functools.cache
def schema(op, opset):
    return onnx.defs.get_schema(op, opset, "")


@functools.cache
def dtypes(op, opset, formal):
    """The dtypes that numpy has of those which the op allows for input `formal`."""
    names = schema(op, opset).inputs[formal].types
    return sorted((numpy.dtype(BY_ONNX_NAME[name]) for name in names if name in BY_ONNX_NAME), key=str)


class Draw:
    def __init__(self, *seed):
        self.random = numpy.random.default_rng(seed)

    def flip(self, chance=0.5):
        return bool(self.random.random() < chance)

    def integer(self, low, high):
        """low..high, both included."""
        return int(self.random.integers(low, high, endpoint=True))

    def pick(self, items):
        return items[self.integer(0, len(items) - 1)]

    def real(self, low, high):
        """A float32 number, as attributes are."""
        return float(numpy.float32(self.random.uniform(low, high)))

    def version(self, op, since=7):
        """An opset that has the op: one that changed it, or any later one before the next change."""
        known = history()[op]
        i = self.pick([k for k, v in enumerate(known) if v >= since or k + 1 == len(known) or known[k + 1] > since])
        last = known[i + 1] - 1 if i + 1 < len(known) else NEWEST
        return max(since, known[i], self.pick([known[i], last]))

    def dtype(self, op, opset, formal=0, of=None):
        known = [d for d in dtypes(op, opset, formal) if of is None or of(d)]
        return self.pick(known)

    def dims(self, rank, most=5, zero=0.06):
        """Sizes 0, 1, …; tensors without elements are rare."""
        out = [self.integer(1, most) for _ in range(rank)]
        if rank and self.flip(zero):
            out[self.integer(0, rank - 1)] = 0
        return out

    def shape(self, low=0, high=5, most=5, zero=0.06):
        return self.dims(self.integer(low, high), most if high <= 4 else min(most, 4), zero)

    def axis(self, rank):
        """0..rank-1, counted from the end half of the time."""
        axis = self.integer(0, rank - 1)
        return axis - rank if self.flip() else axis

    def axes(self, rank, low=0):
        """Some axes, in any order, each once."""
        chosen = self.random.permutation(rank)[: self.integer(low, rank)] if rank else []
        return [int(a) - rank if self.flip() else int(a) for a in chosen]

    def values(self, dtype, dims, low=-4.0, high=4.0, odd=0.0):
        """Random elements; of floats, a part `odd` is NaN, infinite, a zero of either sign, huge or tiny."""
        dtype, dims = numpy.dtype(dtype), tuple(dims)
        if dtype == object:
            words = numpy.array(["", "a", "b", "Ab", "häß", "0.5"], object)
            return words[self.random.integers(0, len(words), dims)].reshape(dims) if dims else numpy.array(self.pick(list(words)), object)
        if dtype == bool:
            return self.random.integers(0, 2, dims).astype(bool).reshape(dims)
        if is_float(dtype):
            x = self.random.uniform(low, high, dims)
            x = numpy.where(self.random.random(dims) < 0.2, numpy.rint(x), x)
            if odd:
                strange = self.random.choice([numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 6e4, -6e4, 1e-7, 2.0**23 + 1], dims)
                x = numpy.where(self.random.random(dims) < odd, strange, x)
            with numpy.errstate(over="ignore"):
                return numpy.asarray(x).astype(dtype).reshape(dims)
        info = numpy.iinfo(dtype)
        x = self.random.integers(max(int(low), info.min), min(int(high), info.max), dims, dtype=dtype, endpoint=True)
        if odd:
            strange = self.random.choice(numpy.array([info.min, info.max, info.max // 2 + 1, 0, 1], dtype), dims)
            x = numpy.where(self.random.random(dims) < odd, strange, x)
        return numpy.asarray(x, dtype).reshape(dims)

    def indices(self, dims, limit, dtype=None, negative=True):
        """Elements of -limit..limit-1, or 0..limit-1; limit is at least 1 where there are elements."""
        low = -limit if negative else 0
        return numpy.asarray(self.random.integers(low, max(limit, low + 1), tuple(dims))).astype(dtype or self.pick(["int32", "int64"])).reshape(tuple(dims))

    def declared(self, case, can_be_constant=()):
        """How the model declares the inputs: some become initialisers, the others have fixed, open or unknown dims."""
        case.shapes = self.pick(["fixed", "fixed", "open", "unknown"])
        for i in can_be_constant:
            if i < len(case.inputs) and case.inputs[i] is not None and self.flip(0.6):
                case.constants.add(i)
        return case

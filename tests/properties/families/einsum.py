"""Einsum: sums, diagonals, transposes, batches with "..." and outputs that are not written."""
import numpy

from case import Case, Expected, is_float, sum_error


def make(draw):
    opset = draw.version("Einsum")
    dtype = draw.dtype("Einsum", opset)
    sizes = {letter: 0 if draw.flip(0.03) else draw.integer(1, 4) for letter in "abcde"}
    batch = draw.shape(0, 2, most=3, zero=0) if draw.flip(0.3) else None
    terms, inputs = [], []
    for _ in range(draw.integer(1, 3)):
        letters = draw.random.permutation(list(sizes))[:draw.integer(0, 3)].tolist()
        if letters and draw.flip(0.1):
            letters.append(letters[0])  # a diagonal
        dims = [sizes[letter] for letter in letters]
        term = "".join(letters)
        if batch is not None:
            own = [1 if draw.flip(0.2) else d for d in batch][draw.integer(0, len(batch)) if draw.flip(0.3) else 0:]
            term, dims = "..." + term, own + dims
        terms.append(term)
        inputs.append(draw.values(dtype, dims, -3, 3))
    used = sorted({letter for term in terms for letter in term if letter != "."})
    equation = ",".join(terms)
    if draw.flip(0.8):
        kept = draw.random.permutation(used)[:draw.integer(0, len(used))].tolist() if used else []
        equation += "->" + ("..." if batch is not None else "") + "".join(kept)
    if draw.flip(0.2):
        equation = equation.replace(",", " , ").replace("->", " -> ")
    bare = equation.replace(" ", "")
    if is_float(dtype):
        wide = [x.astype(numpy.float64) for x in inputs]
        count = max(1, int(numpy.prod([max(1, s) for letter, s in sizes.items() if letter in used])))
        expected = Expected(numpy.einsum(bare, *wide), dtype, extra=sum_error(count + 2, numpy.einsum(bare, *map(numpy.abs, wide)), dtype))
    else:
        expected = Expected(numpy.einsum(bare, *inputs).astype(dtype), dtype)
    return draw.declared(Case("Einsum", opset, inputs, [expected], {"equation": equation}))

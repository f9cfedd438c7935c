"""StringConcat, StringSplit, StringNormalizer, RegexFullMatch and TfIdfVectorizer, against Python's own strings."""
import re

import numpy

from case import Case, Expected

WORDS = ["", "a", "b", "Ab", "häß", "ab ba", " a  b ", "a,b,,a", "ab\tab\nb", "ÀÉ é", "aabb", "x" * 40]


def make(draw):
    return draw.pick([make_concat, make_split, make_normalizer, make_match, make_tfidf])(draw)


def texts(draw, dims, words=WORDS):
    x = numpy.empty(tuple(dims), object)
    for at in numpy.ndindex(*dims):
        x[at] = draw.pick(words)
    return x


def make_concat(draw):
    shape = draw.shape(0, 4)
    own = [[1 if draw.flip(0.2) else d for d in shape][draw.integer(0, len(shape)) if draw.flip(0.3) else 0:] for _ in range(2)]
    x, y = texts(draw, own[0]), texts(draw, own[1])
    left, right = numpy.broadcast_arrays(x, y)
    z = numpy.empty(left.shape, object)
    for at in numpy.ndindex(*left.shape):
        z[at] = left[at] + right[at]
    return draw.declared(Case("StringConcat", draw.version("StringConcat"), [x, y], [Expected(z, object)]), can_be_constant=(0, 1))


def make_split(draw):
    """str.split; short rows are filled up with empty strings."""
    x = texts(draw, draw.shape(0, 3, most=4))
    delimiter = draw.pick([None, "", ",", "a", "ab", " "])
    most = draw.integer(0, 3) if draw.flip(0.4) else None
    parts = numpy.empty(x.shape, object)
    for at in numpy.ndindex(*x.shape):
        parts[at] = x[at].split(delimiter or None, -1 if most is None else most)
    numbers = numpy.zeros(x.shape, numpy.int64)
    for at in numpy.ndindex(*x.shape):
        numbers[at] = len(parts[at])
    y = numpy.full([*x.shape, int(numbers.max(initial=0))], "", object)
    for at in numpy.ndindex(*x.shape):
        y[at][: numbers[at]] = parts[at]
    attributes = {"delimiter": delimiter, "maxsplit": most}
    return draw.declared(Case("StringSplit", draw.version("StringSplit"), [x], [Expected(y, object), Expected(numbers, "int64")], attributes))


def make_normalizer(draw):
    """Stop words go first, then the case changes. (Words whose case has another length in Python are not drawn.)"""
    words = ["a", "A", "b", "Ab", "É", "é", "", "x y"]
    flat = texts(draw, [draw.integer(0, 5)], words)
    stops = [draw.pick(words) for _ in range(draw.integer(0, 3))]
    action, sensitive = draw.pick([None, "NONE", "LOWER", "UPPER"]), draw.pick([None, 0, 1])
    same = (lambda s: s) if sensitive else str.lower
    kept = [s for s in flat if same(s) not in {same(stop) for stop in stops}]
    change = {"LOWER": str.lower, "UPPER": str.upper}.get(action, lambda s: s)
    y = numpy.array([change(s) for s in kept] or [""], object)
    x = flat
    if draw.flip(0.4):
        x, y = x[None], y[None]
    attributes = {"case_change_action": action, "is_case_sensitive": sensitive, "stopwords": stops or None}
    return draw.declared(Case("StringNormalizer", draw.version("StringNormalizer"), [x], [Expected(y, object)], attributes), can_be_constant=(0,))


def pattern(draw, depth=0):
    """A pattern that means the same to RE2 and to Python's re."""
    kind = draw.integer(0, 7 if depth < 3 else 3)
    if kind <= 1:
        return draw.pick(["a", "b", "x", "h", "ä", " ", ","])
    if kind == 2:
        return draw.pick([".", "[ab]", "[^a]", "[a-cx]", "[[:alpha:]]", "[^,]"])
    if kind == 3:
        return draw.pick(["ab", "a.b", r"\.", r"\x61"])
    if kind == 4:
        return pattern(draw, depth + 1) + pattern(draw, depth + 1)
    if kind == 5:
        return f"({pattern(draw, depth + 1)}|{pattern(draw, depth + 1)})"
    if kind == 6:
        return f"(?:{pattern(draw, depth + 1)})" + draw.pick(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?"])
    return f"({pattern(draw, depth + 1)})"


def make_match(draw):
    text = pattern(draw)
    if draw.flip(0.2):
        text = "(?i)" + text
    x = texts(draw, draw.shape(0, 3), [*WORDS, "aab", "abab", "bbb", "A", "axb"])
    python = re.compile(text.replace("[[:alpha:]]", "[A-Za-z]"))
    y = numpy.zeros(x.shape, bool)
    for at in numpy.ndindex(*x.shape):
        y[at] = python.fullmatch(x[at]) is not None
    return draw.declared(Case("RegexFullMatch", draw.version("RegexFullMatch"), [x], [Expected(y, bool)], {"pattern": text}), can_be_constant=(0,))


def make_tfidf(draw):
    """Each n-gram of the pool once; columns in any order."""
    of_strings = draw.flip()
    items = ["a", "b", "c"] if of_strings else [7, -1, 3]
    longest = draw.integer(1, 3)
    grams = [sorted({tuple(draw.pick(items) for _ in range(n)) for _ in range(draw.integer(0 if n < longest else 1, 3))}) for n in range(1, longest + 1)]
    starts, pool = [], []
    for group in grams:
        starts.append(len(pool))
        pool += [item for gram in group for item in gram]
    count = sum(map(len, grams))
    columns = [int(c) for c in draw.random.permutation(count)]
    least = draw.integer(1, longest)
    most, skips = draw.integer(least, 3), draw.integer(0, 3)
    mode = draw.pick(["TF", "IDF", "TFIDF"])
    weights = [draw.real(0.5, 2) for _ in range(count)] if draw.flip(0.7) else None
    rows, n = draw.integer(1, 3), draw.integer(1, 6)
    x = texts(draw, [rows, n], items) if of_strings else numpy.asarray(draw.random.choice(items, [rows, n])).astype(draw.pick(["int32", "int64"]))
    y = numpy.zeros([rows, count])
    for r in range(rows):
        number = 0
        for length, group in enumerate(grams, 1):
            for gram in group:
                column, number = columns[number], number + 1
                if not least <= length <= most:
                    continue
                for step in range(1, 2 if length == 1 else skips + 2):
                    for start in range(n - (length - 1) * step):
                        y[r, column] += tuple(x[r, start + k * step] for k in range(length)) == gram
    if mode == "IDF":
        y = numpy.minimum(y, 1)
    if mode != "TF" and weights:
        y = y * numpy.array(weights)
    if rows == 1 and draw.flip():
        x, y = x[0], y[0]
    attributes = {"mode": mode, "min_gram_length": least, "max_gram_length": most, "max_skip_count": skips, "ngram_counts": starts, "ngram_indexes": columns,
                  "pool_strings" if of_strings else "pool_int64s": pool, "weights": weights}
    return draw.declared(Case("TfIdfVectorizer", draw.version("TfIdfVectorizer"), [x], [Expected(y, "float32")], attributes))

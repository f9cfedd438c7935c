#!/usr/bin/env python3
"""Makes the tables of Unicode in ge/kernels/reference/letter_case.cpp and unicode_classes.cpp.

usage: unicode_tables.py upper|lower|categories|category_runs|scripts|script_runs

Prints the rows of one table, to be put into its file when a newer Unicode is wanted. The data are those of this Python
(unicodedata) and of this Perl (Unicode::UCD); both must have the same version of Unicode.
"""
import subprocess
import sys
import unicodedata

END = 0x110000
WIDTH = 140


def perl(code):
    return subprocess.run(["perl", "-MUnicode::UCD", "-e", code], capture_output=True, text=True, check=True).stdout.split()


def inversion_map(name):
    """[(first, value)] as Perl tells it; the value of a mapping is that of the first character."""
    words = perl(f'my ($l, $m) = Unicode::UCD::prop_invmap("{name}"); print "$l->[$_] $m->[$_]\n" for 0..$#$l;')
    return [(int(first), value) for first, value in zip(words[::2], words[1::2])]


def mapping(name):
    rows = inversion_map(name)
    ends = [first for first, _ in rows[1:]] + [END]
    return {c: int(value) + c - first for (first, value), end in zip(rows, ends) if value != "0" for c in range(first, end)}


def case_ranges(name):
    """Rows {first, last, step, delta} of characters that lie equally far apart and from their counterparts."""
    rows = []
    for code, target in sorted(mapping(name).items()):
        if rows:
            first, last, step, delta = rows[-1]
            fits = code - last in (1, 2) if first == last else code - last == step
            if delta == target - code and fits:
                rows[-1] = (first, code, code - last, delta)
                continue
        rows.append((code, code, 1, target - code))
    return [f"{{0x{first:X}, 0x{last:X}, {step}, {delta}}}" for first, last, step, delta in rows]


def category_codes():
    names = sorted({unicodedata.category(chr(c)) for c in range(END)} - {"Cn"})
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&"
    return dict(zip(names, letters))


def script_codes():
    names = sorted({value for _, value in inversion_map("Script")} - {"Unknown"})
    return {name: chr(65 + i // 26) + chr(97 + i % 26) for i, name in enumerate(names)}


def runs(rows, codes):
    """Tokens of (first, name): how many characters, where more than one, and the code of what they are."""
    ends = [first for first, _ in rows[1:]] + [END]
    lengths = [end - first for (first, _), end in zip(rows, ends)]
    return [(str(n) if n > 1 else "") + codes.get(name, ".") for n, (_, name) in zip(lengths, rows)]


def category_runs():
    names = [unicodedata.category(chr(c)) for c in range(END)]
    rows = [(c, name) for c, name in enumerate(names) if c == 0 or names[c - 1] != name]
    return runs(rows, category_codes())


def listed(items):
    """Items of an initialiser, by lines."""
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > WIDTH + 8:
            print(line)
            line = "   "
        line += f" {item},"
    print(line)


def quoted(tokens):
    """One string literal, by lines."""
    line = ""
    for token in tokens:
        if len(line) + len(token) > WIDTH - 2:
            print(f'    "{line}"')
            line = ""
        line += token
    print(f'    "{line}";')


def main():
    tables = {
        "upper": lambda: listed(case_ranges("Simple_Uppercase_Mapping")),
        "lower": lambda: listed(case_ranges("Simple_Lowercase_Mapping")),
        "categories": lambda: listed(f"{{'{code}', \"{name}\"}}" for name, code in category_codes().items()),
        "category_runs": lambda: quoted(category_runs()),
        "scripts": lambda: listed(f'"{name}"' for name in script_codes()),
        "script_runs": lambda: quoted(runs(inversion_map("Script"), script_codes())),
    }
    if len(sys.argv) != 2 or sys.argv[1] not in tables:
        sys.exit(__doc__)
    if perl("print Unicode::UCD::UnicodeVersion();") != [unicodedata.unidata_version]:
        sys.exit("Python and Perl have different versions of Unicode")
    tables[sys.argv[1]]()


if __name__ == "__main__":
    main()

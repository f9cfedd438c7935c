#!/usr/bin/env python3
"""Writes docs/operators.md: the operators that models may have, from `ge-list ops --json`.

    operators.py [--ge-list PROGRAM]            writes the file
    operators.py [--ge-list PROGRAM] --check    exits 1 when the file is not what the program says
"""
import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "operators.md"
# Nodes of the IR itself, which no ONNX model has.
INTERNAL = ("Const", "Data", "NetOutput")

HEAD = """# Operators

Written by `scripts/operators.py` from `ge-list ops --json`; a test checks that it is up to date, another one
(`tests/conformance/check_operators.py`) compares the same table with ONNX's own definitions.

- Opsets: those of ONNX models in which the operator is taken. Import turns every form into the newest one.
  Of ai.onnx.ml opsets 1 to 5 are read, of ai.onnx.preview opset 1: FlexAttention, which import turns into other operators.
- Dtypes: by type variable (all inputs and outputs with that letter have one dtype), else by the input or output. floats:
  float16, float32, float64, bfloat16; ints: 8 to 64 bits; numeric: both; float8: the four 8-bit floats but float8e8m0; int4s
  and int2s: signed and unsigned; all: all of ONNX's dtypes.
- Run by: the engines that have a kernel for it. host: values of few elements that sizes depend on; executor: control flow;
  body: the operator is replaced by a graph of others.
"""


def cell(text):
    return text.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")


def rows(entries):
    for entry in entries:
        opsets = "–".join(map(str, entry["opsets"])) if "opsets" in entry else ""
        if "becomes" in entry:
            what = "a constant of the graph" if entry["becomes"] == "Const" else f"becomes {entry['becomes']}"
            yield f"| {entry['name']} | {opsets} | | import | {what} |"
        else:
            types = "; ".join(f"{cell(label)}: {text}" for label, text in entry["types"])
            yield f"| {entry['name']} | {opsets} | {types} | {', '.join(entry['engines']) or 'nothing'} | {cell(entry['doc'])} |"


def page(ge_list):
    done = subprocess.run([ge_list, "ops", "--json"], capture_output=True, text=True, check=True, timeout=60)
    entries = [entry for entry in json.loads(done.stdout) if entry["name"] not in INTERNAL]
    lines = [HEAD]
    for domain in sorted({entry["domain"] for entry in entries}):
        own = [entry for entry in entries if entry["domain"] == domain]
        lines += [f"## {domain or 'ai.onnx'}: {len(own)} operators", "", "| operator | opsets | dtypes | run by | what it gives |", "|---|---|---|---|---|",
                  *rows(own), ""]
    return "\n".join(lines), len(entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ge-list", type=pathlib.Path, default=ROOT / "build" / "tools" / "ge-list")
    parser.add_argument("--check", action="store_true", help="changes nothing")
    arguments = parser.parse_args()
    text, count = page(arguments.ge_list)
    if not arguments.check:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        sys.exit("docs/operators.md is out of date: run scripts/operators.py")
    print(f"{count} operators, docs/operators.md is up to date")


main()

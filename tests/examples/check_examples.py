#!/usr/bin/env python3
"""Runs the examples and checks what they print.

    check_examples.py FOLDER_OF_PROGRAMS SOURCE_FOLDER
"""
# requirements: CR-1, CR-2, CR-5
import pathlib
import subprocess
import sys
import tempfile

programs, source = map(pathlib.Path, sys.argv[1:])
digits = source / "examples" / "digits" / "digits.onnx"
failures = []


def run(name, *arguments):
    return subprocess.run([programs / name, *arguments], capture_output=True, text=True, timeout=60)


def expect(what, condition, found):
    print(("passed: " if condition else "FAILED: ") + what)
    if not condition:
        failures.append(what)
        print(found)


with tempfile.TemporaryDirectory() as folder:
    dot = pathlib.Path(folder) / "graph.dot"
    out = run("01_build_a_graph", dot)
    # A 3x3 window with stride 2 and a padding of 1: floor((H + 2 - 3) / 2) + 1.
    expect("01 prints the symbolic shape of the convolution",
           out.returncode == 0 and "Conv gives float32[N, 8, floordiv(H + 1, 2), floordiv(W + 1, 2)]" in out.stdout, out.stdout + out.stderr)
    expect("01 writes Graphviz with every node", all(f"{op}" in dot.read_text() for op in ("Conv", "Relu", "GlobalAveragePool", "Flatten")), "")

out = run("02_run_onnx", digits)
expect("02 runs the digits model", out.returncode == 0 and out.stdout == "probabilities float32[1, 10]\n", out.stdout + out.stderr)
expect("02 is 20 statements long at most",
       (source / "examples" / "02_run_onnx" / "main.cpp").read_text().split("int main", 1)[1].count(";\n") <= 20, "")

out = run("04_boost_algorithms", digits)
# The digits model is one chain: each of its nodes is on every way.
chain = ["image", "conv1", "relu1", "conv2", "relu2", "pool", "flatten", "dense1", "relu3", "dense2", "softmax"]
found = [line.split()[0] for line in out.stdout.splitlines() if line.startswith("  ")]
expect("04 finds the nodes that every way goes through", out.returncode == 0 and found == chain, out.stdout + out.stderr)
expect("04 finds the longest chain", f"longest chain: {len(chain) + 1} nodes" in out.stdout, out.stdout)

for name in ("02_run_onnx", "04_boost_algorithms"):
    out = run(name)
    expect(f"{name} says how it is used", out.returncode == 2 and "usage" in out.stderr, out.stderr)
    out = run(name, "/nonexistent/model.onnx")
    expect(f"{name} names a file that is not there", out.returncode == 1 and "/nonexistent/model.onnx" in out.stderr, out.stderr)

print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)

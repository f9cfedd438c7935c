#!/usr/bin/env python3
"""hostile_tools.py --tools DIR [--rounds N] [--seed S]: damaged models through ge-atc and ge-run (CR-10, CR-7).

Each call ends with exit code 0 (the damage did no harm) or 1 and one message ("ge-atc: …", further lines of it indented
or joined to it), never by a signal, never with a stack of logs, never after more than 10 s. A damaged .om is refused.
"""
import argparse
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import time

from onnx_bytes import attribute, field, float_input, initializer, model, node, number, output, tensor, value

STAGES = ("import", "infer", "passes", "gears", "split", "lower", "plan", "model")


def sample_model():
    """A convolution, an If, a Loop and shape arithmetic."""
    floats = lambda n: struct.pack(f"<{n}f", *[0.25 * (i % 7) - 0.5 for i in range(n)])
    ints = lambda *v: struct.pack(f"<{len(v)}q", *v)
    then_graph = field(2, "t") + node("Relu", ["y"], ["a"]) + output("a")
    else_graph = field(2, "e") + node("Neg", ["y"], ["b"]) + output("b")
    body = (field(2, "b") + field(11, value("i", [], 7)) + field(11, value("go", [], 9)) + float_input("v", ["N", 4])
            + node("Identity", ["go"], ["on"]) + node("Add", ["v", "v"], ["w2"]) + output("on") + output("w2"))
    graph = float_input("x", ["N", 3, 6, 6]) + field(11, value("c", [], 9))
    graph += initializer("w", [4, 3, 3, 3], floats(108)) + initializer("axes", [2], ints(2, 3), 7) + initializer("trips", [], ints(3), 7)
    graph += initializer("shape", [2], ints(-1, 2), 7)
    graph += node("Conv", ["x", "w"], ["y"], attribute("pads", [1, 1, 1, 1]))
    graph += node("If", ["c"], ["z"], attribute("then_branch", ("graph", then_graph)) + attribute("else_branch", ("graph", else_graph)))
    graph += node("ReduceMean", ["z", "axes"], ["m"], attribute("keepdims", 0))
    graph += node("Loop", ["trips", "", "m"], ["l"], attribute("body", ("graph", body)))
    graph += node("Reshape", ["l", "shape"], ["r"]) + output("r")
    return model(graph, 18)


def damaged(data, dice):
    data = bytearray(data)
    for _ in range(dice.randint(1, 2)):
        at = dice.randrange(len(data))
        length = dice.choice((1, 2, 5, 40, 300))
        kind = dice.choice((0, 0, 0, 1, 1, 1, 2, 3, 4, 5))
        if kind == 0:
            data[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            data[at] = dice.randrange(256)
        elif kind == 2:
            data[at:at] = dice.randbytes(length)
        elif kind == 3:
            del data[at:at + length]
        elif kind == 4:
            data[at:at + 1] = b"\xff" * dice.randint(1, 9) + b"\x7f"
        else:
            del data[at:]
        if not data:
            data = bytearray(b"x")
    return bytes(data)


def complaint(name, result, elapsed):
    """What is wrong with how a call ended; "" when nothing is. Progress lines of ge-atc are no messages."""
    if result.returncode < 0:
        return f"ended by signal {-result.returncode}"
    if elapsed > 10:
        return f"took {elapsed:.1f} s"
    text = result.stderr.decode(errors="replace")
    lines = [line for line in text.splitlines() if line not in {f"{name}: {stage}" for stage in STAGES}]
    heads = [line for line in lines if re.match(rf"{name}: ", line)]
    if result.returncode == 0:
        return "" if not lines else f"exit code 0 with the message {text!r}"
    if result.returncode != 1:
        return f"exit code {result.returncode}: {text!r}"
    if len(heads) != 1 or lines[0] != heads[0] or len(heads[0]) < len(name) + 12:
        return f"expected one message, found {text!r}"
    if any(line.startswith(("ge ", "terminate", "==")) for line in lines):
        return f"logs beside the message: {text!r}"
    return ""


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tools", required=True)
    arguments.add_argument("--rounds", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    arguments = arguments.parse_args()
    print(f"seed {arguments.seed}")
    dice = random.Random(arguments.seed)
    tools = {name: os.path.join(arguments.tools, name) for name in ("ge-atc", "ge-run")}
    passed, problems, taken = 0, [], 0

    def call(name, *options):
        start = time.monotonic()
        try:
            result = subprocess.run([tools[name], *options], capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return None, "did not end within 60 s"
        return result.returncode, complaint(name, result, time.monotonic() - start)

    def check(what, problem):
        nonlocal passed
        if problem:
            problems.append(f"{what}: {problem}")
        else:
            passed += 1

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        onnx, om, bad = folder / "m.onnx", folder / "m.om", folder / "bad"
        onnx.write_bytes(sample_model())
        run = ["--iterations=1", "--warmup=0", "--threads=1", "--max_memory=16MiB"]
        for name, options in (("ge-atc", [f"--model={onnx}", f"--output={om}"]), ("ge-run", [f"--model={om}", "--input_shape=x:2,3,6,6", *run])):
            code, problem = call(name, *options)
            check(f"the whole model, {name}", problem or ("" if code == 0 else f"exit code {code}"))
        whole = om.read_bytes()
        for i in range(arguments.rounds):
            bad_onnx, bad_om, out = bad.with_suffix(".onnx"), bad.with_suffix(".om"), folder / "out.om"
            bad_onnx.write_bytes(damaged(onnx.read_bytes(), dice))
            out.unlink(missing_ok=True)
            code, problem = call("ge-atc", f"--model={bad_onnx}", f"--output={out}", "--max_memory=16MiB")
            check(f"round {i}, ge-atc", problem or ("" if out.exists() == (code == 0) else f"exit code {code}, but the file {'is' if out.exists() else 'is not'} there"))
            taken += code == 0
            for model_file in (bad_onnx, out if code == 0 else bad_onnx):
                check(f"round {i}, ge-run {model_file.name}", call("ge-run", f"--model={model_file}", *run)[1])
            bad_om.write_bytes(damaged(whole, dice))
            code, problem = call("ge-run", f"--model={bad_om}", *run)
            check(f"round {i}, ge-run damaged .om", problem or ("" if code == 1 or bad_om.read_bytes() == whole else "was not refused"))
    print(f"{taken} of {arguments.rounds} damaged models compile")
    for problem in problems[:20]:
        print("FAILED:", problem)
    print(f"{passed} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

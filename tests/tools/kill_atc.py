#!/usr/bin/env python3
"""kill_atc.py --tools DIR [--kills N] [--seed S]: kills ge-atc with SIGKILL at random moments (CR-4).

Under the final name there must be nothing, the whole old file or the whole new file; whatever else is left is not named
*.om, and the next ge-atc removes it.
"""
import argparse
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

from onnx_bytes import float_input, initializer, model, node, output


def weighty_model(seed):
    """x[1, 512] times four matrices of 1 MiB: most kills hit the writing."""
    noise = random.Random(seed)
    graph = float_input("x", [1, 512])
    value = "x"
    for i in range(4):
        graph += initializer(f"w{i}", [512, 512], noise.randbytes(512 * 512 * 4 - 4) + struct.pack("<f", 1.0))
        graph += node("MatMul", [value, f"w{i}"], [f"h{i}"])
        value = f"h{i}"
    return model(graph + output(value))


def compile_(atc, onnx, om):
    subprocess.run([atc, f"--model={onnx}", f"--output={om}"], check=True, capture_output=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--tools", required=True)
    arguments.add_argument("--kills", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    arguments = arguments.parse_args()
    atc = os.path.join(arguments.tools, "ge-atc")
    print(f"seed {arguments.seed}")
    dice = random.Random(arguments.seed)
    problems, found = [], {"nothing": 0, "the old file": 0, "the new file": 0}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in ("old", "new"):
            (folder / f"{name}.onnx").write_bytes(weighty_model(f"{arguments.seed} {name}"))
            compile_(atc, folder / f"{name}.onnx", folder / f"{name}.om")
        whole = {(folder / "old.om").read_bytes(): "the old file", (folder / "new.om").read_bytes(): "the new file"}
        out = folder / "out"
        out.mkdir()
        start = time.monotonic()
        compile_(atc, folder / "new.onnx", out / "m.om")
        usual = time.monotonic() - start
        for i in range(arguments.kills):
            (out / "m.om").unlink(missing_ok=True)
            if i % 2:
                (out / "m.om").write_bytes((folder / "old.om").read_bytes())
            process = subprocess.Popen([atc, f"--model={folder / 'new.onnx'}", f"--output={out / 'm.om'}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0, usual * 1.1))
            process.send_signal(signal.SIGKILL)
            process.wait()
            state = "nothing"
            if (out / "m.om").exists():
                state = whole.get((out / "m.om").read_bytes(), "a file that is neither the old nor the new one")
            if state not in found or (state == "nothing" and i % 2):
                problems.append(f"kill {i}: {state}")
            found[state] = found.get(state, 0) + 1
            others = [entry.name for entry in out.iterdir() if entry.name != "m.om"]
            if any(name.endswith(".om") for name in others) or len(others) > 1:
                problems.append(f"kill {i}: left behind {others}")
        compile_(atc, folder / "new.onnx", out / "m.om")
        left = [entry.name for entry in out.iterdir() if entry.name != "m.om"]
        if left:
            problems.append(f"the last ge-atc did not remove {left}")
    print(", ".join(f"{state}: {count}" for state, count in found.items()))
    for problem in problems[:20]:
        print("FAILED:", problem)
    print(f"{arguments.kills + 1 - min(len(problems), arguments.kills + 1)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

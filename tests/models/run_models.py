#!/usr/bin/env python3
"""Runs every model of a zoo (ONNX test layout) in every way that must not change its results.

usage: run_models.py --tools DIR --zoo DIR [--run-only PROGRAM] [--work DIR]

Per model: compiled to one file and run from it; straight from the .onnx; with each pass disabled in turn; with every
top-level tensor made a graph output; twice in one instance over a poisoned arena; from a program without the compiler.
Ends with "N passed, N failed".
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

from onnx_edit import with_all_tensors_as_outputs

TOLERANCE = ["--rtol=1e-3", "--atol=1e-4"]


class Runner:
    def __init__(self, tools, work):
        self.tools, self.work = tools, work
        self.passed, self.failed = 0, 0

    def call(self, *arguments):
        return subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=600)

    def check(self, what, ok, detail=""):
        self.passed, self.failed = self.passed + ok, self.failed + (not ok)
        if not ok:
            print(f"FAILED {what}\n{detail}", flush=True)

    def step(self, what, *arguments):
        done = self.call(*arguments)
        self.check(what, done.returncode == 0, done.stdout + done.stderr)
        return done

    def run(self, what, model, folder, *more):
        return self.step(what, self.tools / "ge-run", f"--model={model}", f"--verify={folder}", *TOLERANCE, *more)

    def passes(self):
        done = self.step("ge-list passes", self.tools / "ge-list", "passes")
        return [line.split()[0] for line in done.stdout.splitlines() if line.strip()]


def outputs_in(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.bin"))}


def run_model(runner, folder, passes, run_only):
    name, work = folder.name, runner.work / folder.name
    work.mkdir()
    onnx, om = folder / "model.onnx", work / "model.om"
    runner.step(f"{name}: ge-atc", runner.tools / "ge-atc", f"--model={onnx}", "--framework=5", f"--output={om}")
    plain = work / "plain"
    runner.run(f"{name}: from the model file", om, folder, f"--dump_outputs={plain}")
    runner.run(f"{name}: from the .onnx", onnx, folder)
    for disabled in passes:
        runner.run(f"{name}: without pass {disabled}", onnx, folder, f"--disable_pass={disabled}")
    second = runner.run(f"{name}: twice over a poisoned arena, bitwise", om, folder, "--runs_per_set=2", "--poison")
    sets = len(list(folder.glob("test_data_set_*")))
    quiet = second.stdout.count("second run: 0 instantiations, 0 allocations") + second.stdout.count("not counted")
    runner.check(f"{name}: second runs instantiate and allocate nothing", quiet >= sets, second.stdout)
    poisoned = work / "poisoned"
    runner.run(f"{name}: poisoned", om, folder, "--poison", f"--dump_outputs={poisoned}")
    runner.check(f"{name}: poisoned run equals the plain one bitwise", outputs_in(poisoned) == outputs_in(plain))

    edited, added = with_all_tensors_as_outputs(onnx.read_bytes())
    all_onnx, all_om = work / "all.onnx", work / "all.om"
    all_onnx.write_bytes(edited)
    runner.step(f"{name}: ge-atc with {added} more outputs", runner.tools / "ge-atc", f"--model={all_onnx}", "--framework=5", f"--output={all_om}")
    runner.run(f"{name}: every tensor an output", all_om, folder)
    # An output is a barrier for passes that round otherwise; without them more outputs change not one bit.
    rounding = "--disable_pass=" + ",".join(name for name in passes if name.startswith("recognise_") or name == "fold_batchnorm")
    few, many = work / "few", work / "many"
    runner.run(f"{name}: rounding as written", onnx, folder, rounding, f"--dump_outputs={few}")
    runner.run(f"{name}: rounding as written, every tensor an output", all_onnx, folder, rounding, f"--dump_outputs={many}")
    with_all, without = outputs_in(many), outputs_in(few)
    same = bool(without) and all(with_all.get(key) == value for key, value in without.items())
    runner.check(f"{name}: {added} more outputs leave the others bitwise equal", same)
    if run_only:
        runner.step(f"{name}: program without the compiler", run_only, om, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("--zoo", type=pathlib.Path, required=True)
    parser.add_argument("--run-only", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    options = parser.parse_args()
    folders = sorted(path.parent for path in options.zoo.glob("*/model.onnx"))
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(options.tools, options.work or pathlib.Path(scratch))
        passes = runner.passes()
        for folder in folders:
            before = runner.failed
            run_model(runner, folder, passes, options.run_only)
            print(f"{folder.name}: {'ok' if runner.failed == before else 'FAILED'}", flush=True)
    if not folders:
        print(f"no model in '{options.zoo}'")
        runner.failed += 1
    print(f"{runner.passed} passed, {runner.failed} failed")
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())

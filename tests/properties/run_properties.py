#!/usr/bin/env python3
"""Property tests of operators against numpy.

usage: run_properties.py PROGRAM [--seed N] [--count N] [--family F [--only I]] [--keep DIR] [--venv DIR]

PROGRAM is tests/run_models of a build. For each operator family, COUNT random nodes are made up (opset, dtypes, dims with
0 and 1, attributes, absent inputs), numpy works out what they give (families/*.py), and one process runs them all. The
seed is printed; a failing case is printed with the command that repeats it. Ends with "N passed, N failed"; exit code 77
and a line "skipped: " where there is no Python with the onnx package and none can be made (no network).
"""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "conformance"))
import onnx_python  # noqa: E402

# A little time for each case: one that hangs is a failure.
SECONDS_PER_CASE = 2.0


def answers(program, folders):
    """What the program says of each folder. It is started again after a crash."""
    found = []
    while len(found) < len(folders):
        rest = folders[len(found):]
        try:
            done = subprocess.run([program], input="".join(f"{f}\n" for f in rest), capture_output=True, text=True, timeout=20 + SECONDS_PER_CASE * len(rest))
            lines, end, errors = done.stdout.splitlines(), f"exit code {done.returncode}", done.stderr
        except subprocess.TimeoutExpired as late:
            lines, end, errors = (late.stdout or b"").decode().splitlines(), "it took too long", ""
        found += lines[:len(rest)]
        if len(lines) < len(rest):
            found.append(f"crashed: {end} {errors[-2000:]}")
    return found


def make_cases(family, seed, count, only):
    """The cases of a family; case I depends on the seed, the family and I alone."""
    from draw import Draw
    name = family.__name__.split(".")[-1]
    key = [seed, *name.encode()]
    cases = []
    for i in range(count) if only is None else [only]:
        try:
            cases.append((i, family.make(Draw(*key, i))))
        except Exception as error:
            raise RuntimeError(f"the family's own code failed: --seed {seed} --family {name} --only {i}") from error
    return cases


def run_family(program, family, arguments, scratch):
    name = family.__name__.split(".")[-1]
    cases = make_cases(family, arguments.seed, arguments.count, arguments.only)
    folders = [scratch / name / str(i) for i, _ in cases]
    for folder, (_, case) in zip(folders, cases):
        case.write(folder)
    failed = 0
    for folder, (i, case), answer in zip(folders, cases, answers(program, folders)):
        try:
            wrong = case.check(folder, answer)
        except Exception as error:  # what cannot be read is wrong too
            wrong = f"{type(error).__name__}: {error}"
        if not wrong:
            continue
        failed += 1
        if failed > 30:
            continue
        print(f"FAILED {case.describe()}\n    {wrong}\n    repeat: run_properties.py {program} --seed {arguments.seed} --family {name} --only {i}")
        if arguments.keep:
            case.write_expected(folder)
            shutil.copytree(folder, arguments.keep / name / str(i), dirs_exist_ok=True)
    shutil.rmtree(scratch / name)
    return len(cases) - failed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seed", type=int, help="default: a new one each time")
    parser.add_argument("--count", type=int, default=200, help="cases of each family (default 200)")
    parser.add_argument("--family", action="append", help="only this family; may be given again")
    parser.add_argument("--only", type=int, metavar="I", help="only case I of the family")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="where failing cases are kept, in ONNX's test layout")
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path("build/onnx-python"), help="a virtual environment with onnx, made if need be")
    arguments = parser.parse_args()
    onnx_python.rerun_with_onnx(arguments.venv)
    import families
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(2**31)
    print(f"seed {arguments.seed}", flush=True)
    passed = failed = 0
    # Thousands of small files: in memory where there is such a folder.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as scratch:
        for family in families.all_families(arguments.family):
            start = time.monotonic()
            good, bad = run_family(arguments.program.resolve(), family, arguments, pathlib.Path(scratch))
            passed, failed = passed + good, failed + bad
            print(f"{family.__name__.split('.')[-1]:18} {good} passed, {bad} failed, {time.monotonic() - start:.1f} s", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs ONNX's node cases (one model and its expected outputs in each folder) through ge-run --verify.

usage: run_node_cases.py --ge-run PROGRAM --data DIR [--self-test]

A case runs when the build has a schema and a kernel for all of its ops; others are skipped and counted by reason.
The operators in REQUIRED must be there, and at least one case of each must run. --self-test checks that this program
sees failures. Ends with "N passed, N failed, N skipped".
"""
import argparse
import collections
import concurrent.futures
import contextlib
import io
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

from onnx_reader import Model, fields

# What the first release must run: every op of the model zoo, Loop, all reductions, all pooling, the shape ops.
REQUIRED = set("""
    Add AveragePool BatchNormalization Cast Clip Concat Constant ConstantOfShape Conv ConvTranspose Div Equal Gather
    GlobalAveragePool HardSigmoid Identity If LSTM LeakyRelu Log MatMul Max MaxPool Mul Neg Not Pad Pow ReduceMax
    ReduceMean Relu Reshape Resize Shape Sigmoid Size Slice Softmax Sqrt Squeeze Sub Transpose Unsqueeze
    Loop
    ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMin ReduceProd ReduceSum ReduceSumSquare
    GlobalMaxPool
    Expand Flatten Range Split Tile
    """.split())

# Import or the executor itself does these; there are no kernels for them.
WITHOUT_KERNEL = {"Constant", "If", "Loop"}
# Import turns these into others.
RENAMED = {"Scatter": "ScatterElements", "Upsample": "Resize"}

# Cases that cannot be run as they are, with reasons.
RANDOM = "draws random numbers"
CONTRADICTORY = "the data has an input of other dims than the model declares (bfloat16 cases of ONNX up to 1.12)"
SKIPPED = {
    "test_training_dropout_default_mask": RANDOM,
    "test_training_dropout_mask": RANDOM,
    "test_castlike_BFLOAT16_to_FLOAT": CONTRADICTORY,
    "test_castlike_BFLOAT16_to_FLOAT_expanded": CONTRADICTORY,
    "test_castlike_FLOAT_to_BFLOAT16": CONTRADICTORY,
    "test_castlike_FLOAT_to_BFLOAT16_expanded": CONTRADICTORY,
}

# ge-run's own tolerances (--rtol=1e-3 --atol=1e-5) but for:
TOLERANCES = {
    # Expected outputs were cut off (ONNX up to 1.12), Cast rounds to nearest even: one unit in bfloat16's last place.
    "test_cast_FLOAT_to_BFLOAT16": ["--rtol=0.0079"],
    # Random numbers: dtypes and dims are compared, the numbers themselves by tests/kernels/reference_random_test.cpp.
    **dict.fromkeys(["test_bernoulli", "test_bernoulli_double", "test_bernoulli_double_expanded", "test_bernoulli_expanded", "test_bernoulli_seed",
                     "test_bernoulli_seed_expanded", "test_training_dropout", "test_training_dropout_default"], ["--atol=100"]),
}

Case = collections.namedtuple("Case", "folder ops skip failure")


class Build:
    """What the programs can do."""

    def __init__(self, ge_run):
        self.ge_run = ge_run
        ge_list = ge_run.with_name("ge-list")
        schemas = {line.split()[0] for line in self.lines(ge_list, "ops")}
        # The host engine only writes down what is known before the run.
        kernels = {line.split()[0] for line in self.lines(ge_list, "kernels") if line.split()[1] != "host"}
        self.ops = (schemas & kernels) | WITHOUT_KERNEL

    @staticmethod
    def lines(program, what):
        done = subprocess.run([program, what], capture_output=True, text=True, check=True, timeout=60)
        return [line for line in done.stdout.splitlines() if len(line.split()) > 1]

    def has(self, domain, op):
        return domain == "" and RENAMED.get(op, op) in self.ops

    def verify(self, folder):
        """(ok, what was printed)"""
        command = [self.ge_run, f"--model={folder / 'model.onnx'}", f"--verify={folder}", *TOLERANCES.get(folder.name, [])]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=50)
        except subprocess.TimeoutExpired:
            return False, "ran longer than 50 s"
        sets = len(list(folder.glob("test_data_set_*")))
        if done.returncode != 0:
            return False, f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
        if sets == 0 or done.stdout.count(": passed") != sets:
            return False, f"{sets} data sets, expected a line 'passed' for each\n{done.stdout}"
        return True, ""


def look_at(folder, build):
    try:
        model = Model((folder / "model.onnx").read_bytes())
    except (OSError, ValueError, IndexError) as error:
        return Case(folder, set(), None, f"model.onnx cannot be read: {error}")
    ops = {op for domain, op in model.ops if domain == ""}
    missing = sorted(f"{domain}::{op}" if domain else op for domain, op in model.ops if not build.has(domain, op))
    lacking = sorted(REQUIRED & set(missing))
    skip = failure = None
    if lacking:
        failure = f"required op {lacking[0]} is not linked in"
    elif foreign := sorted(model.kinds - {"tensor"}):
        skip = f"{foreign[0]}s are not there yet"
    elif missing:
        skip = f"op {missing[0]} is not there yet"
    else:
        skip = SKIPPED.get(folder.name)
    return Case(folder, ops, skip, failure)


def run_cases(build, data):
    cases = [look_at(folder, build) for folder in sorted(data.iterdir()) if (folder / "model.onnx").is_file()]
    to_run = [case for case in cases if not case.skip and not case.failure]
    failures = [(case.folder.name, case.failure) for case in cases if case.failure]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda case: build.verify(case.folder), to_run))
    failures += [(case.folder.name, message) for case, (ok, message) in zip(to_run, results) if not ok]
    ran = set().union(*(case.ops for case in to_run)) if to_run else set()
    failures += [(f"op {op}", f"is required, but none of its cases in '{data}' ran") for op in sorted(REQUIRED - ran)]

    for name, message in sorted(failures):
        print(f"FAILED {name}: {message.strip()}")
    for reason, count in collections.Counter(case.skip for case in cases if case.skip).most_common():
        print(f"skipped: {count:4} {reason}")
    return sum(ok for ok, _ in results), len(failures), sum(bool(case.skip) for case in cases)


def perturb(tensor_file):
    """Changes the last float of a tensor's raw data (TensorProto.raw_data = 9)."""
    data = bytearray(tensor_file.read_bytes())
    for number, value, start in fields(bytes(data)):
        if number == 9:
            last = start + len(value) - 4
            data[last:last + 4] = struct.pack("<f", struct.unpack("<f", data[last:last + 4])[0] + 0.5)
    tensor_file.write_bytes(data)


def quietly(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*arguments)


def self_test(build, data):
    results = []

    def check(what, ok):
        results.append(ok)
        print(f"{'passed' if ok else 'FAILED'}: {what}")

    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "test_relu"
        shutil.copytree(data / "test_relu", folder)
        check("an untouched copy passes", build.verify(folder)[0])
        perturb(folder / "test_data_set_0" / "output_0.pb")
        ok, message = build.verify(folder)
        check("a changed expected output fails and is named", not ok and "output 0" in message and "1 of " in message)
        check("a run over the changed copy counts the failure", quietly(run_cases, build, folder.parent)[:2] == (0, 1 + len(REQUIRED - {"Relu"})))
        shutil.rmtree(folder / "test_data_set_0")
        check("a case without data fails", not build.verify(folder)[0])
        (folder / "model.onnx").write_bytes(b"\x3a\x7f")
        check("a broken model fails", look_at(folder, build).failure is not None)
    build.ops -= {"Relu", "Acos"}
    check("a required op that is missing fails", look_at(data / "test_relu", build).failure == "required op Relu is not linked in")
    check("another op that is missing is skipped", look_at(data / "test_acos", build).skip == "op Acos is not there yet")
    check("nothing to run fails", quietly(run_cases, build, data / "test_relu")[1] > 0)
    return sum(results), len(results) - sum(results), 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ge-run", type=pathlib.Path, required=True, help="the program; ge-list must lie beside it")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder 'node' of ONNX's test data")
    parser.add_argument("--self-test", action="store_true", help="checks that failures are seen")
    arguments = parser.parse_args()
    passed, failed, skipped = (self_test if arguments.self_test else run_cases)(Build(arguments.ge_run.resolve()), arguments.data)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

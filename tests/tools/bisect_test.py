#!/usr/bin/env python3
"""ge-run --bisect [CR-8], with a ge-run into which an engine and a pass are linked that are wrong on purpose.

usage: bisect_test.py --ge-run PROGRAM --crooked PROGRAM --ge-atc PROGRAM --digits DIR
"""
import argparse
import pathlib
import sys
import tempfile

import onnx_model
from tool_case import Checks


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--ge-run", "--crooked", "--ge-atc", "--digits"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    options = parser.parse_args()
    checks = Checks()
    digits = options.digits / "digits.onnx"
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        model = work / "model.onnx"
        model.write_bytes(onnx_model.chain([("Relu", "first"), ("Mul", "second"), ("Add", "culprit"), ("Tanh", "last")], ["N", 4]))
        shape = "--input_shape=x:3,4"

        found = checks.run("the crooked Add is found", 1, options.crooked, f"--model={model}", shape, "--bisect")
        for text in ("first difference: node 'culprit' (Add), output 0 't2'", "1 of 12 elements differ; the first at [2, 3]", "input 't1': equal", "the difference begins at this node"):
            checks.check(f"it says: {text}", text in found.stdout, found.stdout)
        found = checks.run("without the crooked engine", 0, options.crooked, f"--model={model}", shape, "--bisect=nodes", "--engines=reference,host")
        checks.check("4 tensors agree", found.stdout == "no difference in 4 tensors\n", found.stdout)
        found = checks.run("within a wide tolerance", 0, options.crooked, f"--model={model}", shape, "--bisect", "--atol=0.5")
        found = checks.run("passes are not to blame", 1, options.crooked, f"--model={model}", shape, "--bisect=passes")
        checks.check("it says so", "with no pass at all" in found.stdout, found.stdout)

        model.write_bytes(onnx_model.chain([("Neg", "minus"), ("Abs", "dropped"), ("Exp", "last")], [4]))
        found = checks.run("the crooked pass is found", 1, options.crooked, f"--model={model}", "--bisect=passes", "--engines=reference")
        checks.check("it is named", "first difference: pass 'crooked_abs'" in found.stdout, found.stdout)
        checks.run("without the pass", 0, options.crooked, f"--model={model}", "--bisect=passes", "--engines=reference", "--disable_pass=crooked_abs")
        found = checks.run("the node behind the pass", 1, options.crooked, f"--model={model}", "--bisect", "--engines=reference")
        checks.check("and what could not be compared", "node 'last' (Exp)" in found.stdout and "not compared, the passes removed it" in found.stdout, found.stdout)

        for kind in ("nodes", "passes"):
            found = checks.run(f"digits agree, {kind}", 0, options.ge_run, f"--model={digits}", f"--verify={options.digits}", f"--bisect={kind}")
            checks.check("no difference", "test_data_set_0: no difference" in found.stdout, found.stdout)

        om = work / "digits.om"
        checks.run("ge-atc", 0, options.ge_atc, f"--model={digits}", f"--output={om}")
        for wrong in ([f"--model={om}", "--bisect"], [f"--model={model}", "--bisect=edges"], [f"--model={model}", "--bisect", "--poison"],
                      [f"--model={model}", "--bisect", "--iterations=3"], [f"--model={model}", "--rtol=1"]):
            refused = checks.run(f"wrong usage {wrong[1:]}", 2, options.ge_run, *wrong)
            checks.check("it names the option", "--" in refused.stderr, refused.stderr)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())

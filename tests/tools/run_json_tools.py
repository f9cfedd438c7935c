#!/usr/bin/env python3
"""Runs ge-atc and ge-run on JSON graphs and attribute files, as a user does; prints each failure, then 'N passed, N failed'.

  run_json_tools.py --tools DIR --model MODEL.onnx --data FOLDER --doc docs/json.md
"""
import argparse
import filecmp
import os
import re
import subprocess
import sys
import tempfile

passed, failures = 0, []


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def check(what, good, detail=""):
    global passed
    if good:
        passed += 1
    else:
        failures.append(f"{what}: {detail[-1500:]}")


def expect(what, result, code, *texts):
    check(what, result[0] == code and all(text in result[1] for text in texts), f"exit code {result[0]}, expected {code} and {texts}: {result[1]}")


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_round_trips(atc, ge_run, model, data, folder):
    verify = [f"--verify={data}", "--rtol=1e-3", "--atol=1e-4"]
    expect("the ONNX model runs", run(ge_run, f"--model={model}", *verify, f"--dump_outputs={folder}/onnx"), 0)
    for stage in ("import", "infer", "passes"):
        first, second = f"{folder}/{stage}.json", f"{folder}/{stage}.again.json"
        expect(f"--json after {stage}", run(atc, f"--model={model}", f"--stop_after={stage}", f"--json={first}"), 0)
        expect(f"--framework=1 of {stage}", run(atc, f"--model={first}", "--framework=1", "--stop_after=import", f"--json={second}"), 0)
        check(f"the text after {stage} comes back", filecmp.cmp(first, second, shallow=False))
        expect(f"compile of {stage}", run(atc, f"--model={first}", "--framework=1", f"--output={folder}/{stage}"), 0, "nodes")
        for made in (f"{stage}.om", f"{stage}.json"):
            outputs = f"{folder}/{made}.out"
            expect(f"{made} runs", run(ge_run, f"--model={folder}/{made}", *verify, f"--dump_outputs={outputs}"), 0)
            names = sorted(os.listdir(f"{folder}/onnx"))
            same = names and all(filecmp.cmp(f"{folder}/onnx/{name}", f"{outputs}/{name}", shallow=False) for name in names)
            check(f"{made} gives the same bits as the ONNX model", same)


def check_attributes(atc, model, folder):
    with open(f"{folder}/import.json", encoding="utf-8") as file:
        name, other = [n for n, op in re.findall(r'\{"name": "([^"\\]+)", "op": "(\w+)"', file.read()) if op not in ("Data", "Const", "NetOutput")][:2]
    good = write(f"{folder}/good.json", f'{{"nodes": {{"{other}": {{"_stage_level": 3, "_engine": "host"}}}}, "control_edges": [["{name}", "{other}"]]}}')
    expect("--attrs is seen in the graph", run(atc, f"--model={model}", f"--attrs={good}", "--stop_after=passes"), 0, "_stage_level=3", "not obeyed yet", f"after '{name}'")
    expect("--attrs with a compile", run(atc, f"--model={model}", f"--attrs={good}", f"--output={folder}/attrs"), 0)
    bad = write(f"{folder}/bad.json", f'{{"nodes": {{"{name}x": {{"_a": 1}}, "{name}": {{"a": 1}}}}}}')
    expect("--attrs that does not fit", run(atc, f"--model={model}", f"--attrs={bad}", f"--output={folder}/bad"), 1, f"there is no node '{name}x'; did you mean '{name}'", "begins with '_'", "bad.json")
    check("no model file is left by a failed compile", not os.path.exists(f"{folder}/bad.om"))
    expect("--attrs without a file", run(atc, f"--model={model}", "--attrs=/nowhere.json", f"--output={folder}/bad"), 1, "/nowhere.json")


def check_errors(atc, ge_run, folder):
    broken = write(f"{folder}/broken.json", '{"format": "ge graph",\n "version" 1}')
    expect("broken JSON", run(atc, f"--model={broken}", "--framework=1", f"--output={folder}/b"), 1, "line 2", "broken.json")
    expect("broken JSON in ge-run", run(ge_run, f"--model={broken}"), 1, "line 2")
    expect("--framework=2", run(atc, f"--model={broken}", "--framework=2", f"--output={folder}/b"), 2, "5 (ONNX) or 1 (JSON)")
    expect("JSON where there is no folder", run(atc, f"--model={folder}/import.json", "--framework=1", "--stop_after=import", "--json=/nowhere/x.json"), 1, "cannot write '/nowhere/x.json'")


def check_document(atc, doc, folder):
    """The example of the documentation is what the program writes."""
    with open(doc, encoding="utf-8") as file:
        example = re.search(r"```json\n(.*?)```", file.read(), re.S).group(1)
    path, again = write(f"{folder}/doc.json", example), f"{folder}/doc.again.json"
    expect("the documented example compiles", run(atc, f"--model={path}", "--framework=1", "--stop_after=infer", f"--json={again}"), 0)
    check("the documented example is written the same", filecmp.cmp(path, again, shallow=False))


def main():
    parser = argparse.ArgumentParser()
    for option in ("tools", "model", "data", "doc"):
        parser.add_argument("--" + option, required=True)
    options = parser.parse_args()
    atc, ge_run = os.path.join(options.tools, "ge-atc"), os.path.join(options.tools, "ge-run")
    with tempfile.TemporaryDirectory() as folder:
        check_round_trips(atc, ge_run, options.model, options.data, folder)
        check_attributes(atc, options.model, folder)
        check_errors(atc, ge_run, folder)
        check_document(atc, options.doc, folder)
    for failure in failures:
        print("FAILED " + failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

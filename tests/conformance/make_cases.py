#!/usr/bin/env python3
"""make_cases.py FOLDER [--venv FOLDER]: the test cases of the onnx package, written to FOLDER in ONNX's test layout.

The node cases come from the package's own generators; simple, pytorch-converted and pytorch-operator are copied from its
data; light are its models of real networks with small weights, their input as ONNX's runner makes it. Needs a Python with
the onnx package (onnx_python.py says where it is looked for; it may be installed into a virtual environment). Kept by the
package's version: a second call has nothing to do. Without a network: prints why, exit code 77.
"""
import argparse
import contextlib
import io
import json
import pathlib
import shutil
import sys
import warnings

import onnx_python

FORM = 1  # of what is written; another number makes the cases again
COPIED = ("simple", "pytorch-converted", "pytorch-operator")
DEFAULT_TOLERANCE = {"rtol": 1e-3, "atol": 1e-7}


def stamp():
    return f"onnx {onnx_python.VERSION}, form {FORM}\n"


def write_values(folder, kind, values, infos):
    """VALUE_I.pb for each value, as the proto that its declared type asks for."""
    import onnx
    from onnx import numpy_helper
    make = {"tensor_type": numpy_helper.from_array, "sequence_type": numpy_helper.from_list, "map_type": numpy_helper.from_dict,
            "optional_type": numpy_helper.from_optional}
    for i, value in enumerate(values):
        if not isinstance(value, (onnx.TensorProto, onnx.SequenceProto, onnx.OptionalProto)):
            value = make[infos[i].type.WhichOneof("value")](value, infos[i].name)
        (folder / f"{kind}_{i}.pb").write_bytes(value.SerializeToString())


def write_tolerance(folder, case):
    tolerance = {"rtol": case.rtol, "atol": case.atol}
    if tolerance != DEFAULT_TOLERANCE:
        (folder / "data.json").write_text(json.dumps(tolerance))


def node_cases(out):
    from onnx.backend.test.case import node
    cases = node.collect_testcases(None)
    for case in cases:
        folder = out / case.name
        folder.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(case.model.SerializeToString())
        write_tolerance(folder, case)
        for k, (inputs, outputs) in enumerate(case.data_sets):
            of_set = folder / f"test_data_set_{k}"
            of_set.mkdir()
            write_values(of_set, "input", inputs, case.model.graph.input)
            write_values(of_set, "output", outputs, case.model.graph.output)
    return len(cases)


def light_cases(data, out):
    """The models that the group "real" names by a path into the package; inputs are 0/n, 1/n, … (n elements)."""
    import numpy
    import onnx
    from onnx import numpy_helper
    count = 0
    for folder in sorted((data / "real").iterdir()):
        if not (folder / "data.json").is_file():
            continue
        about = json.loads((folder / "data.json").read_text())
        model_file = data / "light" / pathlib.Path(about["url"]).name
        if not model_file.is_file():
            continue
        case = out / folder.name
        of_set = case / "test_data_set_0"
        of_set.mkdir(parents=True)
        shutil.copy(model_file, case / "model.onnx")
        (case / "data.json").write_text(json.dumps({key: about[key] for key in ("rtol", "atol")}))
        graph = onnx.load(model_file).graph
        constants = {tensor.name for tensor in graph.initializer}
        for i, value in enumerate(v for v in graph.input if v.name not in constants):
            dims = [d.dim_value if d.HasField("dim_value") else 1 for d in value.type.tensor_type.shape.dim]
            n = numpy.prod(dims)
            tensor = numpy_helper.from_array((numpy.arange(n).reshape(dims) / n).astype(numpy.float32), value.name)
            (of_set / f"input_{i}.pb").write_bytes(tensor.SerializeToString())
        for i in range(len(graph.output)):
            shutil.copy(model_file.with_name(f"{model_file.stem}_output_{i}.pb"), of_set / f"output_{i}.pb")
        count += 1
    return count


def make(out):
    import onnx.backend.test
    data = pathlib.Path(onnx.backend.test.__file__).parent / "data"
    counts = {"node": node_cases(out / "node")}
    for group in COPIED:
        shutil.copytree(data / group, out / group, ignore=shutil.ignore_patterns("__init__.py", "__pycache__"))
        counts[group] = sum((folder / "model.onnx").is_file() for folder in (out / group).iterdir())
    counts["light"] = light_cases(data, out / "light")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="where the cases go; what is there is replaced when it is of another version")
    parser.add_argument("--venv", type=pathlib.Path, help="where a virtual environment may be made; beside FOLDER by default")
    arguments = parser.parse_args()
    out = arguments.folder.resolve()
    mark = out / "VERSION"
    if mark.is_file() and mark.read_text() == stamp():
        print(f"{out} has the cases already: {stamp().strip()}")
        return 0
    if out.exists() and not mark.is_file() and any(out.iterdir()):
        sys.exit(f"{out} has other files in it and no file VERSION: name an empty folder")
    onnx_python.rerun_with_onnx(arguments.venv or out.with_name("onnx-python"))
    fresh = out.with_name(out.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):  # the generators talk
        counts = make(fresh)
    (fresh / "VERSION").write_text(stamp())
    shutil.rmtree(out, ignore_errors=True)
    fresh.rename(out)
    print(f"{out}: {stamp().strip()}: " + ", ".join(f"{count} {group}" for group, count in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

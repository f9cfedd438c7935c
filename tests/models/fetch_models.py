#!/usr/bin/env python3
"""Gets public models out of packages on PyPI and lays them out for the model tests.

    fetch_models.py DIR        makes DIR/NAME/model.onnx and DIR/NAME/test_data_set_K/{input_I,output_I}.pb

Takes the models from the wheels of rapidocr-onnxruntime (Apache-2.0) and silero-vad (MIT) with `pip download`, and makes
reference results with ONNX Runtime, graph optimisation off. Needs a Python with pip, venv and a network; what is missing
is installed into DIR/venv. The models stay in DIR: they are not part of this project.

Then:  GE_MODEL_ZOO=DIR ./test.sh
"""
import pathlib
import subprocess
import sys
import venv
import zipfile

PACKAGES = {"rapidocr-onnxruntime": "1.4.4", "silero-vad": "5.1.2"}

# Folder name -> file in a wheel, and the dims of the inputs per data set (a list: strings of dims by input name).
MODELS = {
    "ppocr_v4_det": ("ch_PP-OCRv4_det_infer.onnx", [{"x": (1, 3, 64, 96)}, {"x": (2, 3, 96, 64)}]),
    "ppocr_v4_rec": ("ch_PP-OCRv4_rec_infer.onnx", [{"x": (1, 3, 48, 160)}, {"x": (2, 3, 48, 96)}]),
    "ppocr_v2_cls": ("ch_ppocr_mobile_v2.0_cls_infer.onnx", [{"x": (1, 3, 48, 192)}, {"x": (3, 3, 48, 192)}]),
    "silero_vad_v5": ("silero_vad.onnx", [{"input": (1, 576), "state": (2, 1, 128), "sr": 16000}, {"input": (1, 288), "state": (2, 1, 128), "sr": 8000}]),
}

REFERENCE = '''
import json, pathlib, sys
import numpy as np
import onnx
import onnxruntime as ort
from onnx import numpy_helper
folder, sets = pathlib.Path(sys.argv[1]), json.loads(sys.argv[2])
options = ort.SessionOptions()
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
session = ort.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
for k, dims in enumerate(sets):
    rng = np.random.default_rng(k)
    feed = {}
    for port in session.get_inputs():
        value = dims[port.name]
        feed[port.name] = np.array(value, np.int64) if isinstance(value, int) else (rng.random(value) - 0.5).astype(np.float32)
    results = session.run(None, feed)
    out = folder / f"test_data_set_{k}"
    out.mkdir(exist_ok=True)
    for i, port in enumerate(session.get_inputs()):
        (out / f"input_{i}.pb").write_bytes(numpy_helper.from_array(feed[port.name], port.name).SerializeToString())
    for i, (port, value) in enumerate(zip(session.get_outputs(), results)):
        (out / f"output_{i}.pb").write_bytes(numpy_helper.from_array(np.asarray(value), port.name).SerializeToString())
'''


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    import json
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(folder / "venv", with_pip=True)
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "numpy", "onnx", "onnxruntime"], check=True)
    wheels = folder / "wheels"
    for package, version in PACKAGES.items():
        if not list(wheels.glob(package.replace("-", "_") + "-*.whl")):
            subprocess.run([*pip, "download", "--no-deps", "--only-binary=:all:", "--dest", wheels, f"{package}=={version}"], check=True)

    missing = 0
    for name, (file, sets) in MODELS.items():
        found = None
        for wheel in sorted(wheels.glob("*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                for entry in archive.namelist():
                    if entry.rsplit("/", 1)[-1] == file:
                        found = archive.read(entry)
        if found is None:
            print(f"skipped: {name}: no wheel holds {file}")
            missing += 1
            continue
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "model.onnx").write_bytes(found)
        subprocess.run([python, "-c", REFERENCE, folder / name, json.dumps(sets)], check=True)
        print(f"{name}: {len(found)} bytes, {len(sets)} data sets")
    sys.exit(1 if missing == len(MODELS) else 0)


main()

"""Finds a Python that has the `onnx` package in the version that the tests want, or makes a virtual environment with it.

Tried in this order: $GE_ONNX_PYTHON, the Python that runs this, FOLDER/bin/python3, a new virtual environment in FOLDER.
"""
import os
import pathlib
import shutil
import subprocess
import sys

VERSION = "1.23.2"
PACKAGES = [f"onnx=={VERSION}", "pillow"]  # pillow: the cases of ImageDecoder are drawn with it
SKIPPED = 77  # the exit code that the test runner takes for "not run"


class Unavailable(Exception):
    """No such Python, with the reason."""


def version_of(python):
    """The version of onnx that a Python has, None where it has none."""
    try:
        done = subprocess.run([str(python), "-c", "import onnx; print(onnx.__version__)"], capture_output=True, text=True, timeout=120)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def make(folder):
    """A virtual environment in `folder`; its Python. Raises Unavailable."""
    def step(what, *command):
        try:
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unavailable(f"{what} failed: {error}") from error
        if done.returncode != 0:
            last = (done.stderr + done.stdout).strip().splitlines()[-1:] or ["no message"]
            raise Unavailable(f"{what} failed: {last[0]}")

    shutil.rmtree(folder, ignore_errors=True)
    step("making a virtual environment (Debian: python3-venv)", sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python3"
    try:
        step(f"installing {', '.join(PACKAGES)} (is there a network?)", python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--retries", "1", "--timeout", "15", *PACKAGES)
    except Unavailable:
        shutil.rmtree(folder, ignore_errors=True)  # a half-made one would be taken for a good one
        raise
    return python


def find(folder):
    folder = pathlib.Path(folder).resolve()
    for python in [os.environ.get("GE_ONNX_PYTHON"), sys.executable, folder / "bin" / "python3"]:
        if python and version_of(python) == VERSION:
            return str(python)
    return str(make(folder))


def rerun_with_onnx(folder):
    """Goes on if this Python has the right onnx, else runs the same program again with one that has it and exits."""
    if version_of(sys.executable) == VERSION:
        return
    if os.environ.get("GE_ONNX_RERUN"):
        sys.exit(f"{sys.executable} was said to have onnx {VERSION}, and does not")
    try:
        python = find(folder)
    except Unavailable as error:
        print(f"skipped: no Python with onnx {VERSION}: {error}")
        sys.exit(SKIPPED)
    sys.stdout.flush()
    os.execve(python, [python, *sys.argv], {**os.environ, "GE_ONNX_RERUN": "1"})

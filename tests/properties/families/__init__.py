"""One module for each operator family: make(draw) gives a random case with the outputs that numpy has for it."""
import importlib
import pathlib


def all_families(wanted=None):
    names = sorted(p.stem for p in pathlib.Path(__file__).parent.glob("*.py") if p.stem != "__init__")
    if unknown := sorted(set(wanted or []) - set(names)):
        raise SystemExit(f"no family {unknown[0]}; there are {', '.join(names)}")
    return [importlib.import_module(f"families.{name}") for name in wanted or names]


import numpy  # noqa: E402, F401  (told at once when it is missing)
import onnx  # noqa: E402, F401

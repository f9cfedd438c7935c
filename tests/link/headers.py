"""The installed headers: each compiles alone, all compile together, and none that programs need is left out."""
import concurrent.futures
import os
import re

from report import run
from tools import cached, present

# Registries that are a component's own business although other components of ge see them.
NOT_FOR_USERS = ("ge/import/onnx/",)
SHOWS = re.compile(r"\bGE_API\b|\bGE_DECLARE_REGISTRY\b")
WARNINGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def check(report, root, prefix, work):
    include = prefix / "include"
    installed = sorted(str(path.relative_to(include)) for path in include.rglob("*.hpp"))
    work.mkdir(exist_ok=True)

    report.step("headers: what is installed")
    for path in sorted((root / "ge").rglob("*.hpp")):
        name = str(path.relative_to(root))
        if SHOWS.search(path.read_text()) and not name.startswith(NOT_FOR_USERS):
            report.check(name in installed, f"{name} shows something with GE_API: it is in the component table's 'headers'")
    for name in installed:
        for inner in re.findall(r'^#include "([^"]+)"', (include / name).read_text(), re.M):
            report.check(inner in installed, f"{inner}, which {name} includes, is installed")

    for compiler in ("g++", "clang++"):
        report.step(f"headers: each alone, {compiler}")
        if not present(compiler):
            report.skip(f"headers with {compiler}: it is not installed")
            continue
        units = [(name, f'#include "{name}"\n') for name in installed] if compiler == "g++" else []
        units.append(("all in one", "".join(f'#include "{name}"\n' for name in installed)))
        units.append(("all in one, the other way round", "".join(f'#include "{name}"\n' for name in reversed(installed))))

        def compiles(number, unit):
            source = work / f"{compiler}_{number}.cpp"
            source.write_text(unit[1])
            return unit[0], run(*cached(compiler), *WARNINGS, "-I", include, "-c", source, "-o", source.with_suffix(".o"))

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, (status, out) in pool.map(compiles, range(len(units)), units):
                report.check(status == 0, f"{name} compiles with {compiler}", out[:3000])

#!/usr/bin/env python3
"""matrix.py [--ge-list=BUILD/tools/ge-list] [--work=FOLDER] [--only=shared|static]: ge as a product (CR-11).

For static and for shared libraries: builds ge, installs it, moves the installed prefix elsewhere, and then uses it from
outside as users do. Each component alone, and all together, by Meson's dependency() with g++ and clang++, by plain g++
with pkg-config, and by CMake; all with -Wall -Wextra -Wpedantic -Werror. Each program checks results of the component's
public headers and counts the registrations that it has, which must be as many as `ge-list` shows. Beside that: every
installed header compiles alone, a program that only runs models has nothing of the compiler in it, a name registered
twice is refused with both places, an op of the user's own works (examples/03_own_op), and ge works as a subproject.

Build folders (build-link-KIND, and FOLDER, which is build-link) are kept, so that a second run is quick. The last line is
"N passed, N failed".
"""
import argparse
import pathlib
import re
import shutil
import sys

import consumers
import headers
from report import Report, run

ROOT = pathlib.Path(__file__).resolve().parents[2]


def install(report, kind, work):
    """Builds and installs one kind; gives the prefix, moved away from where it was installed, or None."""
    # Beside the main build folder, so that a compiler cache sees the same relative paths.
    build, installed, prefix = ROOT / f"build-link-{kind}", work / "installed", work / "prefix"
    report.step(f"{kind}: build and install")
    options = f"-Ddefault_library={kind} --prefix={installed} -Dtools=true -Dtests=false -Dexamples=false -Dbench=false"
    if kind == "static":
        options += " -Db_pch=false"  # each source includes what it uses
    status, out = run(ROOT / "scripts" / "build.sh", build, options)
    if not report.check(status == 0, "builds", out[-6000:]):
        return None
    for folder in (installed, prefix):
        shutil.rmtree(folder, ignore_errors=True)
    status, out = run("meson", "install", "-C", build, "--no-rebuild", "--quiet")
    if not report.check(status == 0, "installs", out[-3000:]):
        return None
    installed.rename(prefix)
    tools(report, prefix, work)
    return prefix


def tools(report, prefix, work):
    """The installed programs work from where they lie now."""
    digits, model = ROOT / "examples" / "digits", work / "digits"
    status, out = run(prefix / "bin" / "ge-atc", f"--model={digits / 'digits.onnx'}", "--framework=5", f"--output={model}")
    report.check(status == 0, "the installed ge-atc compiles", out[-2000:])
    status, out = run(prefix / "bin" / "ge-run", f"--model={model}.om", f"--verify={digits}", "--rtol=1e-3", "--atol=1e-4")
    report.check(status == 0, "the installed ge-run gives the model's results", out[-2000:])


def expected_counts(report, ge_list):
    """How many registrations `ge-list` of the main build shows; {} without one."""
    if not ge_list or not pathlib.Path(ge_list).exists():
        report.skip("the counts of registrations are compared among the programs only (--ge-list names the ge-list of a build)")
        return {}
    counts = {}
    for what in ("ops", "passes", "engines"):  # an op that import turns into another has a line, but no registration
        counts[what] = len([line for line in run(ge_list, what)[1].splitlines() if " becomes " not in line])
    kernels = [line.split()[1] for line in run(ge_list, "kernels")[1].splitlines()]
    counts["kernels"] = len(kernels)
    for engine in ("reference", "host"):
        counts["kernels_" + engine] = sum(re.split("/", name)[0] == engine for name in kernels)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ge-list", default=ROOT / "build" / "tools" / "ge-list")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-link")
    parser.add_argument("--only", choices=["static", "shared"])
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)

    report = Report()
    expected = expected_counts(report, arguments.ge_list)
    for kind in ["static", "shared"] if arguments.only is None else [arguments.only]:
        prefix = install(report, kind, work)
        if prefix is None:
            continue
        matrix = consumers.Consumers(report, ROOT, kind, work, prefix, expected)
        matrix.by_meson("g++")
        matrix.by_meson("clang++")
        matrix.by_pkg_config()
        matrix.by_cmake()
        matrix.own_op()
        if kind == "shared":
            headers.check(report, ROOT, prefix, work / "headers")
            matrix.as_subproject()
    return report.end()


if __name__ == "__main__":
    sys.exit(main())

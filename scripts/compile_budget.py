#!/usr/bin/env python3
"""compile_budget.py [BUILD]: what compiling costs, against the budget: a public header takes at most 1.0 s above the
standard headers that it includes, a compile unit at most 8 s.

  compile_budget.py build                       the ten units that took longest when BUILD was last built (from its
                                                .ninja_log: elapsed time; a compiler cache and a busy machine falsify it)
  compile_budget.py build --measure             compiles every unit again, one after the other, without a cache, and takes
                                                CPU seconds; --only=PATTERN takes those whose path the regular expression finds
  compile_budget.py --headers                   each header of the component table; --only=PATTERN as above
  ... --check                                   exits 1 when something is over its budget

All measured figures are user CPU seconds, so that other programs disturb them little; the smallest of --runs counts.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADER_BUDGET, UNIT_BUDGET = 1.0, 8.0
# Opt-in headers whose cost is that of Boost.Graph.
WITHOUT_BUDGET = {"ge/graph/bgl.hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def cpu_seconds(command, folder, runs):
    """User CPU seconds of a command, the smallest of some runs; raises SystemExit when it fails."""
    figures = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "CCACHE_DISABLE": "1"}, check=False)
        if done.returncode != 0:
            sys.exit(f"{shlex.join(command)}\n{done.stderr[-3000:]}")
        figures.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return min(figures)


def public_headers():
    """The 'headers' of the component table."""
    table = (ROOT / "ge" / "meson.build").read_text()
    return ["ge/" + name for block in re.findall(r"'headers': \[(.*?)\]", table, re.S) for name in re.findall(r"'([^']+)'", block)]


def standard_headers(header, seen=None):
    """What `header` includes with <>, also by way of other headers of ge."""
    seen = set() if seen is None else seen
    if header in seen:
        return set()
    seen.add(header)
    found = set()
    for quote, name in INCLUDE.findall((ROOT / header).read_text()):
        found |= {name} if quote == "<" else standard_headers(name, seen)
    return found


def measure_headers(only, runs, compiler):
    """[(seconds above the standard headers, header, seconds of these)], slowest first."""
    rows, known = [], {}
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "unit.cpp"

        def syntax_only(text):
            source.write_text(text)
            return cpu_seconds([compiler, "-std=c++20", "-fsyntax-only", "-I", str(ROOT), str(source)], folder, runs)

        for header in public_headers():
            if not only.search(header):
                continue
            standard = "".join(f"#include <{name}>\n" for name in sorted(standard_headers(header)))
            if standard not in known:
                known[standard] = syntax_only(standard)
            below = known[standard]
            rows.append((syntax_only(f'#include "{header}"\n') - below, header, below))
    return sorted(rows, reverse=True)


def measure_units(build, only, runs):
    """[(seconds, source)], slowest first."""
    rows = []
    for unit in json.loads((build / "compile_commands.json").read_text()):
        source = os.path.relpath(os.path.join(unit["directory"], unit["file"]), ROOT)
        if not only.search(source) or not unit.get("output", "").endswith(".o"):
            continue
        command = shlex.split(unit["command"])
        command = command[1:] if os.path.basename(command[0]) == "ccache" else command
        for option, takes in (("-o", 2), ("-MF", 2), ("-MQ", 2), ("-MD", 1)):
            if option in command:
                at = command.index(option)
                del command[at:at + takes]
        rows.append((cpu_seconds([*command, "-o", os.devnull], unit["directory"], runs), source))
    return sorted(rows, reverse=True)


def from_log(build):
    """[(elapsed seconds, object)] of the newest build of each object, slowest first."""
    newest = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        start, end, _, target, _ = line.split("\t")
        if target.endswith(".o") and (build / target).exists():
            newest[target] = (int(end) - int(start)) / 1000
    return sorted(((seconds, target) for target, seconds in newest.items()), reverse=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--headers", action="store_true")
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compiler", default="g++", help="for --headers")
    arguments = parser.parse_args()
    if arguments.build is None and not arguments.headers:
        parser.error("name a build folder, or ask for --headers")
    over = 0
    if arguments.headers:
        print("seconds above   of standard headers   header")
        for seconds, header, below in measure_headers(arguments.only, arguments.runs, arguments.compiler):
            late = seconds > HEADER_BUDGET and header not in WITHOUT_BUDGET
            over += late
            print(f"{seconds:13.2f}   {below:19.2f}   {header}{'   over 1.0 s' if late else ''}{'   (opt-in)' if header in WITHOUT_BUDGET else ''}")
    if arguments.build is not None:
        rows = measure_units(arguments.build, arguments.only, arguments.runs) if arguments.measure else from_log(arguments.build)
        print("CPU seconds   unit" if arguments.measure else "elapsed s   object")
        for number, (seconds, name) in enumerate(rows):
            late = arguments.measure and seconds > UNIT_BUDGET
            over += late
            if number < 10 or late:
                print(f"{seconds:11.2f}   {name}{'   over 8 s' if late else ''}")
        print(f"{len(rows)} units, {sum(seconds for seconds, _ in rows):.0f} s in all")
    return 1 if over and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())

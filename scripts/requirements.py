#!/usr/bin/env python3
"""Writes docs/requirements.md: each requirement id with the tests that are tagged with it.

    requirements.py            writes the file
    requirements.py --check    exits 1 when the file is not what the tags say

C++ tests carry ids as Catch2 tags ("[CR-3]"). A Python test names its ids in a line "# requirements: CR-7, CR-10", a C++
program that is no Catch2 test in a line "// requirements: CR-9".
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "requirements.md"

TITLES = {
    "CR": ("Compile and run", {
        1: "Import", 2: "Shape, type and symbolic inference", 3: "Passes", 4: "Model file", 5: "GeSession", 6: "C API",
        7: "Command line", 8: "Observability", 9: "Numeric contract", 10: "Limits and hostile input", 11: "Components", 12: "Threads"}),
    "GS": ("Graph split", {
        1: "Order", 2: "BasePartitioner", 3: "BaseCluster", 4: "Attribute transfer", 5: "Which nodes are dynamic", 6: "Merge rules",
        7: "Whole-graph decisions", 8: "Repeat for data-flow ops", 9: "Engines", 10: "Stages", 11: "Variables and subgraphs",
        12: "JIT slicing", 13: "Run time of a split graph", 14: "Subgraph API", 15: "Why", 16: "Correctness"}),
    "LW": ("Lowering", {
        1: "Loop IR", 2: "Op lowering registry", 3: "Coverage", 4: "KernelBox", 5: "Graph lowering", 6: "Default lowering",
        7: "Several readers", 8: "When fusion stops", 9: "Rollback", 10: "AscGraph", 11: "CanFuse", 12: "Schedule", 13: "Codegen",
        14: "Contractions with epilogues", 15: "Figures", 16: "Correctness"}),
    "SX": ("Static executor", {
        1: "Two uses, no flag", 2: "Load", 3: "Task sink", 4: "Run", 5: "Addresses", 6: "ModelArgsManager", 7: "Memory", 8: "Zero copy",
        9: "Variables", 10: "V2 runtime kernels", 11: "Streams", 12: "Shrink", 13: "Queue mode", 14: "Many at once", 15: "Figures",
        16: "Building", 17: "One program, one core", 18: "Kernel contract"}),
    "DG": ("Dynamic gears", {
        1: "Options", 2: "Checks", 3: "Parsing", 4: "MultiBatchClonePass", 5: "Inside subgraphs", 6: "GetNext sink",
        7: "Symbolic shapes per gear", 8: "Run", 9: "Calls", 10: "Hybrid mode", 11: "Figures", 12: "Correctness"}),
}

CASE = re.compile(r'(?:TEST_CASE|TEMPLATE_TEST_CASE|SCENARIO)\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', re.S)
ID = re.compile(r"\b(CR|GS|LW|SX|DG)-(\d+)\b")


def joined(literals):
    return re.sub(r"\\(.)", r"\1", "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)))


def tagged_tests():
    """(id, file, test) for every tag. Ids that no document has are an error."""
    for path in sorted((ROOT / "tests").rglob("*")):
        where = path.relative_to(ROOT).as_posix()
        if path.suffix == ".cpp":
            for name, tags in CASE.findall(path.read_text()):
                for found in ID.findall(joined(tags)):
                    yield found, where, joined(name)
            for line in re.findall(r"^// requirements: (.*)$", path.read_text(), re.M):
                for found in ID.findall(line):
                    yield found, where, path.name
        elif path.suffix == ".py":
            text = path.read_text()
            about = re.search(r'"""(.*?)[.\n]', text)
            for line in re.findall(r"^# requirements: (.*)$", text, re.M):
                for found in ID.findall(line):
                    yield found, where, about.group(1) if about else path.name


def page():
    tests = {}
    for (kind, number), where, name in tagged_tests():
        if int(number) not in TITLES[kind][1]:
            sys.exit(f"{where}: test '{name}' is tagged {kind}-{number}, which no document has")
        tests.setdefault((kind, int(number)), []).append((where, name))
    lines = ["# Requirements and their tests", "",
             "Written by `scripts/requirements.py` from the tags of the tests; a test checks that it is up to date.", ""]
    for kind, (title, entries) in TITLES.items():
        lines += [f"## {kind}: {title}", "", "| id | what | tests |", "|---|---|---|"]
        for number, what in entries.items():
            found = tests.get((kind, number), [])
            files = {}
            for where, _ in found:
                files[where] = files.get(where, 0) + 1
            text = ", ".join(f"{where.removeprefix('tests/')} ({count})" for where, count in sorted(files.items())) or "not built yet"
            lines.append(f"| {kind}-{number} | {what} | {text} |")
        lines.append("")
    return "\n".join(lines)


def main():
    text = page()
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != text:
            sys.exit("docs/requirements.md is out of date: run scripts/requirements.py")
        print(f"{sum(len(entries) for _, entries in TITLES.values())} requirements, docs/requirements.md is up to date")
        return
    if sys.argv[1:]:
        sys.exit(__doc__)
    PAGE.write_text(text)


main()

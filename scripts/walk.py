#!/usr/bin/env python3
"""Runs the commands in docs/walk.md and compares what they print with what the page shows.

    walk.py --tools=DIR            exits 1 where the page differs, and shows how
    walk.py --tools=DIR --update   writes what they print into the page

A command is a line "$ NAME ARGUMENTS" in a block that starts with "```console"; what it prints follows it. Commands run in
a folder of their own that holds a copy of docs/walk.json; NAME is a program in the tools' folder, or cat or sed. Times are shown
as "… ms".
"""
# requirements: CR-7, CR-8
import argparse
import difflib
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


def output_of(line, tools, folder):
    words = shlex.split(line)
    program = words[0] if words[0] in ("cat", "sed") else str(tools / words[0])
    done = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"docs/walk.md: '{line}' exits with {done.returncode}: {done.stderr}")
    text = re.sub(r" *\d+\.\d+ ms", " … ms", done.stdout)
    return [part.rstrip() for part in text.rstrip("\n").split("\n")] if text else []


def rerun(page, tools):
    """The page with fresh output behind each command."""
    lines, inside, count = [], False, 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(DOCS / "walk.json", folder)
        for line in page.split("\n"):
            if line.startswith("```"):
                inside = line == "```console"
                lines.append(line)
            elif inside and line.startswith("$ "):
                lines += [line, *output_of(line[2:], tools, folder)]
                count += 1
            elif not inside:
                lines.append(line)
    return "\n".join(lines), count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    path = DOCS / "walk.md"
    page = path.read_text()
    fresh, count = rerun(page, options.tools.resolve())
    if options.update:
        path.write_text(fresh)
    elif fresh != page:
        sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), fresh.splitlines(True), "docs/walk.md", "what the commands print"))
        sys.exit(1)
    print(f"docs/walk.md: {count} commands")


main()

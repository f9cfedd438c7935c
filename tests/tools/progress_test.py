#!/usr/bin/env python3
"""ge-atc's progress [CR-7]: one line that changes on a terminal, a line per stage elsewhere.

usage: progress_test.py --ge-atc PROGRAM --digits DIR
"""
import argparse
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

from tool_case import Checks

STAGES = ["import", "infer", "passes", "plan", "model"]  # the others have nothing to do yet


def on_terminal(arguments):
    """(exit code, what was written on a terminal for standard error, standard output)."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([str(a) for a in arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs) as program:
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux's end of a terminal
                break
            if not part:
                break
            seen += part
        out = program.stdout.read()
    os.close(ours)
    return program.returncode, seen.decode(), out.decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ge-atc", type=pathlib.Path, required=True)
    parser.add_argument("--digits", type=pathlib.Path, required=True)
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        good = [options.ge_atc, f"--model={options.digits}/digits.onnx", f"--output={scratch}/digits"]
        bad = [options.ge_atc, f"--model={scratch}/none.onnx", f"--output={scratch}/none"]

        plain = checks.run("not on a terminal", 0, *good)
        checks.check("a plain line per stage", plain.stderr == "".join(f"ge-atc: {s}\n" for s in STAGES), plain.stderr)

        code, seen, out = on_terminal(good)
        checks.check("on a terminal: exit code 0", code == 0, seen)
        bars = re.findall(r"\r\x1b\[Kge-atc: \[([#.]+)\] (\w+)", seen)
        checks.check("each stage once, in order", [name for _, name in bars] == STAGES, seen)
        checks.check("the bar grows and keeps its length", [b.count("#") for b, _ in bars] == [1, 2, 3, 7, 8] and {len(b) for b, _ in bars} == {8}, bars)
        checks.check("one line, gone at the end", "\n" not in seen and seen.endswith("\r\x1b[K"), repr(seen))
        checks.check("the result is on standard output", "digits" in out and "\x1b" not in out, out)

        code, seen, _ = on_terminal(bad)
        checks.check("on a terminal: exit code 1 for a bad model", code == 1, seen)
        checks.check("the message stands on a line of its own", re.search(r"\] import\r\x1b\[Kge-atc: cannot read [^\r]*none\.onnx[^\r]*\r\n", seen), repr(seen))
        refused = checks.run("a bad model elsewhere", 1, *bad)
        checks.check("no escape sequences", "\x1b" not in refused.stderr and "\r" not in refused.stderr, repr(refused.stderr))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())

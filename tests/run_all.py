#!/usr/bin/env python3
"""run_all.py BUILD_DIR [TEST ...]: runs the tests of a build and prints each failure and skip, then "N passed, N failed".

Counts single cases: Catch2's test cases, and what scripts report as "N passed, N failed[, N skipped]".
"""
import json
import pathlib
import re
import subprocess
import sys

CATCH_GOOD = re.compile(r"All tests passed \(\d+ assertions? in (\d+) test cases?\)")
CATCH_MIXED = re.compile(r"test cases:\s*\d+(.*)")
PLAIN = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)


def count(output, ok):
    """(passed, failed) of one test program."""
    if plain := PLAIN.findall(output):
        passed, failed = int(plain[-1][0]), int(plain[-1][1])
    elif good := CATCH_GOOD.findall(output):
        passed, failed = int(good[-1]), 0
    elif mixed := CATCH_MIXED.findall(output):
        numbers = {word: int(n) for n, word in re.findall(r"(\d+) (passed|failed)", mixed[-1])}
        passed, failed = numbers.get("passed", 0), numbers.get("failed", 0)
    else:
        passed, failed = int(ok), int(not ok)
    if not ok and failed == 0:
        failed = 1
    if ok and passed == 0 and failed == 0:
        failed = 1  # a test program that ran nothing has failed
    return passed, failed


def main():
    build, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    log = build / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)
    subprocess.run(["meson", "test", "-C", str(build), "--no-rebuild", "--quiet", *names], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    passed = failed = 0
    for line in log.read_text().splitlines() if log.exists() else []:
        test = json.loads(line)
        output = (test.get("stdout") or "") + (test.get("stderr") or "")
        good, bad = (0, 0) if test["result"] == "SKIP" else count(output, test["result"] in ("OK", "EXPECTEDFAIL"))
        passed, failed = passed + good, failed + bad
        print(f"{test['name'].split(' / ')[-1]:24} {good:6} passed {bad:4} failed {test['duration']:8.2f} s", flush=True)
        if bad:
            print(output[-6000:])
        for skip in re.findall(r"^(?:.*\b[Ss]kipped:? .*)$", output, re.M)[:40]:
            print("    " + skip.strip())
    if passed + failed == 0:
        print("no test ran")
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

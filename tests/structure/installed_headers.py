#!/usr/bin/env python3
"""The headers that the component table installs include only each other, and all that is exported is in one of them.

    installed_headers.py [ROOT]

Prints each violation, ends with "N passed, N failed" (headers), exits 1 on violations.
"""
# requirements: CR-11
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]) / "ge"
installed = set(re.findall(r"'([a-z_0-9/]+\.hpp)'", (root / "meson.build").read_text()))
wrong = {}
for path in sorted(root.rglob("*.hpp")):
    name, text = path.relative_to(root).as_posix(), path.read_text()
    if name not in installed and re.search(r"^.*\bGE_API\b", re.sub(r"^\s*#.*$", "", text, flags=re.M), re.M):
        wrong.setdefault(name, []).append("exports something (GE_API) but is not in the component table")
    for included in re.findall(r'#include "ge/([^"]+)"', text):
        if name in installed and included not in installed:
            wrong.setdefault(name, []).append(f"is installed but includes ge/{included}, which is not")
for name in installed:
    if not (root / name).exists():
        wrong.setdefault(name, []).append("stands in the component table but is not there")
for name, findings in sorted(wrong.items()):
    for finding in findings:
        print(f"ge/{name}: {finding}")
print(f"{len(installed | set(wrong)) - len(wrong)} passed, {len(wrong)} failed")
sys.exit(1 if wrong or not installed else 0)

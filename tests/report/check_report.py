#!/usr/bin/env python3
"""Checks the pages that ge-atc --report writes: their data against what the programs say themselves, and, where there is
a Chromium, what the page makes of it.

usage: check_report.py --tools DIR --digits FILE.onnx [--zoo DIR] [--work DIR]

Prints each failure and each thing skipped with its reason; ends with "N passed, N failed, N skipped".
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import small_models
from browser import Browser

DATA = re.compile(r'(<script type="application/json" id="data">)(.*?)(</script>)', re.S)
LOADS = re.compile(r"https?://|//[a-z]+\.|\bsrc\s*=|\bhref\s*=|url\(|@import|\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(|innerHTML|\beval\(", re.I)
MEBI = 1 << 20


class Checks:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, what, ok, detail=""):
        self.passed, self.failed = self.passed + bool(ok), self.failed + (not ok)
        if not ok:
            print(f"FAILED {what}\n{detail}", flush=True)

    def equal(self, what, got, expected):
        self.check(what, got == expected, f"  got {got!r}, expected {expected!r}")

    def skip(self, what, why):
        self.skipped += 1
        print(f"skipped: {what}: {why}")


class Reports:
    """Compiles models with a report."""

    def __init__(self, tools, work, checks):
        self.tools, self.work, self.checks = tools, work, checks

    def run(self, program, *arguments, expect=0):
        done = subprocess.run([str(self.tools / program), *map(str, arguments)], capture_output=True, timeout=600)
        text = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
        self.checks.equal(f"exit code of {program} {' '.join(map(str, arguments))[:200]}: {text[:400]}", done.returncode, expect)
        return text

    def make(self, name, onnx, *options):
        """(page, data, what ge-atc said)"""
        page = self.work / f"{name}.html"
        said = self.run("ge-atc", f"--model={onnx}", "--framework=5", f"--output={self.work / name}", f"--report={page}", *options)
        text = page.read_text(encoding="utf-8")
        found = DATA.findall(text)
        self.checks.equal(f"{name}: data elements", len(found), 1)
        around = DATA.sub(r"\1\3", text)
        self.checks.check(f"{name}: the page loads nothing", not LOADS.search(around), str(LOADS.search(around)))
        return page, json.loads(found[0][1]), said

    def statistics(self, name, *options):
        out = self.work / f"{name}.json"
        self.run("ge-run", f"--model={self.work / (name + '.om')}", "--iterations=1", f"--json={out}", *options)
        return json.loads(out.read_text())


def check_facts(checks, name, data, said, statistics, om):
    """The page's figures against those of the programs, which count on their own."""
    nodes = [n for g in data["graphs"] for n in g["nodes"] if n["kind"] == "op"]
    checks.equal(f"{name}: nodes", len(nodes), int(re.search(r"(\d+) nodes,", said)[1]))
    checks.equal(f"{name}: compiled ops", data["compiled_ops"], len(nodes))
    checks.equal(f"{name}: file", data["file_bytes"], om.stat().st_size)
    checks.equal(f"{name}: op counts", sum(count for _, count in data["op_counts"]), len(nodes))
    memory = data["memory"]
    checks.equal(f"{name}: arena", memory.get("arena_bytes"), statistics["arena_bytes"])
    checks.equal(f"{name}: lower bound", memory.get("lower_bound_bytes"), statistics["arena_lower_bound_bytes"])
    checks.equal(f"{name}: tasks", memory.get("task_count"), statistics["tasks"])
    engines = {}
    for n in nodes:
        chosen = [engine for engine, _, verdict in data["choices"][n["choice"]] if verdict == "chosen"]
        checks.equal(f"{name}: kernels chosen for {n['name']}", len(chosen), 1)
        engines[chosen[0]] = engines.get(chosen[0], 0) + 1
    checks.equal(f"{name}: kernels by engine", engines, statistics["kernels_by_engine"])
    check_memory(checks, name, memory)
    time = data["time"]
    checks.equal(f"{name}: tasks timed per run", sum(row["tasks"] for row in time["by_node"]), time["runs"] * memory["task_count"])
    sums = [sum(row["total_ms"] for row in time[part]) for part in ("by_node", "by_op")]
    checks.check(f"{name}: times add up to at most the runs", abs(sums[0] - sums[1]) < 1e-6 * sums[0] + 1e-9 and sums[0] > 0, str(sums))


def check_memory(checks, name, memory):
    buffers = memory["buffers"]
    roots = [b for b in buffers if b["inside"] < 0]
    checks.equal(f"{name}: top of the arena", max(b["offset"] + -(-b["size"] // 64) * 64 for b in roots), memory["arena_bytes"])
    live = [0] * (memory["task_count"] + 1)
    for b in roots:
        for task in range(b["first"], b["last"] + 1):
            live[task] += -(-b["size"] // 64) * 64
    checks.equal(f"{name}: peak", (max(live), live.index(max(live))), (memory["lower_bound_bytes"], memory["peak_task"]))
    clash = [(a["names"], b["names"]) for i, a in enumerate(roots) for b in roots[:i] if a["first"] <= b["last"] and b["first"] <= a["last"]
             and a["offset"] < b["offset"] + b["size"] and b["offset"] < a["offset"] + a["size"]]
    checks.equal(f"{name}: buffers that overlap while they live", clash, [])


def check_page(checks, browser, name, page, data):
    """What the scripts made of the data."""
    def load(address, size="1920,1080"):
        document = browser.load(page, address, size)
        checks.check(f"{name}#{address}: no error", not document.shown("error"), document.by_id["error"].text)
        checks.equal(f"{name}#{address}: all scripts ran", document.by_id["html"].attributes.get("data-drawn"), "yes")
        return document

    overview = load("")
    checks.check(f"{name}: the overview is shown first", overview.shown("overview") and not overview.shown("graph"))
    checks.equal(f"{name}: rows of ports, passes, stages", overview.count("overview", "tr"),
                 4 + sum(len(data[part]) for part in ("inputs", "outputs", "passes", "stages")))
    for size in ("1920,1080", "500,844"):
        graph = load("tab=graph", size)
        checks.equal(f"{name}: nodes of the main graph", graph.number("graph-canvas", "nodes"), len(data["graphs"][0]["nodes"]))
        drawn = graph.number("graph-canvas", "drawn")
        checks.check(f"{name}: draws what is visible only, at {size}", 0 < drawn <= min(len(data["graphs"][0]["nodes"]), 400), f"  drawn {drawn}")
    op = data["op_counts"][0][0]
    expected = sum(op.lower() in f"{n['op']}\n{n['name']}\n{''.join(t for t, _ in n['outputs'])}".lower() for g in data["graphs"] for n in g["nodes"])
    found = load(f"search={op}")
    checks.equal(f"{name}: found for '{op}'", found.number("search-count", "found"), expected)
    checks.equal(f"{name}: results listed", found.count("search-results", "li"), min(expected, 200))
    first = next(n for n in data["graphs"][0]["nodes"] if n["kind"] == "op")
    if re.fullmatch(r"[\w./]+", first["name"]):
        details = load(f"node={first['name']}")
        checks.equal(f"{name}: the node asked for", details.by_id["details"].attributes.get("data-node"), first["name"])
        checks.check(f"{name}: why its kernel", "Kernel, and why" in details.by_id["details"].text and "chosen" in details.by_id["details"].text)
    if "why_none" not in data["memory"]:
        memory = load("tab=memory")
        checks.equal(f"{name}: rectangles", memory.number("memory-canvas", "drawn"), len(data["memory"]["buffers"]))
        checks.equal(f"{name}: rows of buffers", memory.count("memory", "tr"), 1 + min(200, len(data["memory"]["buffers"])))
    if "why_none" not in data["time"]:
        time = load("tab=time")
        checks.equal(f"{name}: rows of times", time.count("time", "tr"), 2 + len(data["time"]["by_op"]) + min(300, len(data["time"]["by_node"])))


def check_model(checks, reports, browser, name, onnx, shape=None):
    page, data, said = reports.make(name, onnx, *([f"--report_shape={shape}"] if shape else []))
    statistics = reports.statistics(name, *([f"--input_shape={shape}"] if shape else []))
    check_facts(checks, name, data, said, statistics, reports.work / f"{name}.om")
    checks.check(f"{name}: smaller than 2 MB", page.stat().st_size < 2_000_000, f"  {page.stat().st_size} bytes")
    if browser.program:
        check_page(checks, browser, name, page, data)


def check_open_dims(checks, reports, onnx):
    _, data, _ = reports.make("open", onnx)
    for part in ("memory", "time"):
        why = data[part].get("why_none", "")
        checks.check(f"open dims: {part} says how to give them", "'x'" in why and '--report_shape="x:?,3,?,?"' in why, why)
    text = reports.run("ge-atc", f"--model={onnx}", f"--output={reports.work / 'bad'}", f"--report={reports.work / 'bad.html'}", "--report_shape=y:1", expect=1)
    checks.check("a shape for no input is refused, naming the inputs", "'y'" in text and "x" in text, text)
    text = reports.run("ge-atc", f"--model={onnx}", f"--output={reports.work / 'bad'}", "--report_shape=x:1,3,32,32", expect=2)
    checks.check("--report_shape alone is wrong usage", "--report" in text, text)
    page = reports.work / "stopped.html"
    reports.run("ge-atc", f"--model={onnx}", "--stop_after=infer", f"--dump={reports.work / 'dump'}", f"--report={page}")
    data = json.loads(DATA.search(page.read_text())[2])
    checks.check("a compile that stops early has a report of its graph", len(data["graphs"][0]["nodes"]) > 10 and "stopped" in data["memory"]["why_none"])


def check_hostile(checks, reports, browser):
    onnx = reports.work / "hostile.onnx"
    onnx.write_bytes(small_models.hostile())
    page, data, _ = reports.make("hostile", onnx)
    names = [n["name"] for n in data["graphs"][0]["nodes"]]
    checks.check("hostile: names arrive as they are", small_models.HOSTILE.decode() + " first" in names, str(names))
    if not browser.program:
        return
    check_page(checks, browser, "hostile", page, data)
    document = browser.load(page, "tab=graph&search=script")
    checks.equal("hostile: nothing of a name became an element", (document.count("graph", "img"), document.count("graph", "script")), (0, 0))
    checks.equal("hostile: nodes found by a part of their name", document.number("search-count", "found"), 4)


def check_sizes(checks, reports, browser):
    onnx = reports.work / "long.onnx"
    onnx.write_bytes(small_models.chain(5000))
    page, data, _ = reports.make("long", onnx)
    checks.equal("5,000 ops: nodes", len(data["graphs"][0]["nodes"]), 5002)
    if browser.program:
        check_page(checks, browser, "long", page, data)
    onnx.write_bytes(small_models.chain(20_500))
    page, data, _ = reports.make("longer", onnx)
    checks.check("20,500 ops: says that they are listed by op", "20502 nodes" in data["nodes_left_out"] and data["graphs"] == [], data["nodes_left_out"])
    checks.equal("20,500 ops: counted", sum(count for _, count in data["op_counts"]), 20_500)
    if browser.program:
        document = browser.load(page, "tab=graph")
        checks.check("20,500 ops: no error", not document.shown("error"), document.by_id["error"].text)
        checks.check("20,500 ops: the page says so", "20502 nodes" in document.by_id["graph"].text)
        checks.equal("20,500 ops: rows by op", document.count("left-out", "tr"), 1 + len(data["op_counts"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("--digits", type=pathlib.Path, required=True)
    parser.add_argument("--zoo", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path)
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="ge_report_") as temporary:
        work = options.work or pathlib.Path(temporary)
        reports, browser = Reports(options.tools.resolve(), work, checks), Browser(work)
        if not browser.program:
            checks.skip("what a browser makes of the pages", "no chromium, chromium-browser or google-chrome here (Debian: chromium)")
        check_model(checks, reports, browser, "digits", options.digits, "image:2,1,8,8")
        check_hostile(checks, reports, browser)
        check_sizes(checks, reports, browser)
        det = options.zoo / "ppocr_v4_det" / "model.onnx" if options.zoo else None
        if det and det.is_file():
            check_model(checks, reports, browser, "det", det, "x:1,3,64,64")
            check_open_dims(checks, reports, det)
        else:
            checks.skip("a report of a real model", "no model zoo with ppocr_v4_det (GE_MODEL_ZOO)")
    print(f"{checks.passed} passed, {checks.failed} failed, {checks.skipped} skipped")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())

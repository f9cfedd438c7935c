#!/usr/bin/env python3
"""ge-run --profile [CR-8][CR-7]: the trace is JSON, nested, in order, has every op by its name, and a track per worker.

usage: profile_test.py --tools DIR --digits DIR
"""
import argparse
import collections
import json
import pathlib
import sys
import tempfile

import onnx_model
from tool_case import Checks


def tracks_of(trace):
    """(pid, tid) -> its complete events, in the file's order."""
    tracks = collections.defaultdict(list)
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            tracks[event["pid"], event["tid"]].append(event)
    return tracks


def check_nesting(checks, what, trace):
    """Begins never go back; an event ends before those around it do. Times are whole nanoseconds."""
    for track, events in tracks_of(trace).items():
        last, stack, good = 0, [], True
        for event in events:
            begin = round(event["ts"] * 1000)
            end = begin + round(event["dur"] * 1000)
            good &= last <= begin <= end
            last = begin
            while stack and stack[-1] <= begin:
                stack.pop()
            good &= not stack or end <= stack[-1]
            stack.append(end)
        checks.check(f"{what}: events of track {track} are in order and nested", good)


def names_of(trace, kind):
    return {(e["pid"], e["tid"]): e["args"]["name"] for e in trace["traceEvents"] if e["ph"] == "M" and e["name"] == kind}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("--digits", type=pathlib.Path, required=True)
    options = parser.parse_args()
    checks = Checks()
    ge_run, ge_atc = options.tools / "ge-run", options.tools / "ge-atc"
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        trace_file, stats_file = work / "trace.json", work / "stats.json"

        def profile(what, model, *more):
            done = checks.run(what, 0, ge_run, f"--model={model}", f"--profile={trace_file}", f"--json={stats_file}", *more)
            if done.returncode != 0:
                return None, None
            trace = json.loads(trace_file.read_text(encoding="utf-8"))
            check_nesting(checks, what, trace)
            return trace, json.loads(stats_file.read_text())

        # Two threads, chunks long enough that the second one gets some of them.
        om = work / "digits.om"
        checks.run("ge-atc", 0, ge_atc, f"--model={options.digits}/digits.onnx", f"--output={om}")
        trace, stats = profile("digits", om, "--input_shape=image:512,1,8,8", "--threads=2", "--iterations=6", "--warmup=2")
        if trace:
            tracks = tracks_of(trace)
            names = names_of(trace, "thread_name")
            checks.check("tracks are named", names == {(1, 0): "stream 0", (1, 1): "worker 0 (caller)", (1, 2): "worker 1"}, names)
            checks.check("the process is named", names_of(trace, "process_name") == {(1, 0): "ge: model 'digits'"}, names_of(trace, "process_name"))
            checks.check("both workers ran chunks", all(any(e["cat"] == "chunk" for e in tracks[1, tid]) for tid in (1, 2)))
            stream = collections.Counter(e["cat"] for e in tracks[1, 0])
            runs = 1 + 1 + 2 + 6  # the first, the one that counts allocations, the warm-ups, the measured ones
            checks.check("runs, segments, tasks", stream == {"load": 1, "instantiate": 1, "run": runs, "segment": runs, "task": runs * stats["tasks"]}, stream)
            checks.check("recording allocates nothing", stats["allocations_per_run"] in (0, None), stats)
            tasks = [e for e in tracks[1, 0] if e["cat"] == "task"]
            ops = {(e["name"], e["args"]["op"]) for e in tasks}
            checks.check("node names and op types", {("conv1", "Conv"), ("conv2", "Conv")} <= ops, ops)
            checks.check("kernels and dims", all(e["args"]["kernel"] == "reference/" + e["args"]["op"] and e["args"]["engine"] == "reference" and "[512, " in e["args"]["outputs"] for e in tasks), tasks[:3])
            chunks = collections.Counter((e["args"]["run"], e["args"]["task"]) for tid in (1, 2) for e in tracks[1, tid])
            checks.check("every chunk of every task", all(chunks[e["args"]["run"], e["args"]["task"]] == e["args"]["chunks"] for e in tasks))

        # Every op of the model is there, whatever it is called.
        nodes = [("Relu", 'a "quoted" \\ name'), ("Add", "línea\nzwei"), ("Tanh", "<b>&amp;</b>"), ("Exp", "plain")]
        made = work / "made.onnx"
        made.write_bytes(onnx_model.chain(nodes, ["N", 4]))
        trace, _ = profile("odd names", made, "--input_shape=x:3,4", "--iterations=2")
        if trace:
            found = collections.Counter(e["name"] for e in tracks_of(trace)[1, 0] if e["cat"] == "task")
            checks.check("every node by its name, once per run", found == {name: 5 for _, name in nodes}, found)
            checks.check("the compile is there", sum(e["cat"] == "compile" for e in tracks_of(trace)[1, 0]) == 1)

        trace, _ = profile("two instances", made, "--input_shape=x:3,4", "--instances=2", "--threads=1")
        if trace:
            checks.check("a process per instance", len(names_of(trace, "process_name")) == 2 and {pid for pid, _ in tracks_of(trace)} == {1, 2})
        trace, _ = profile("with --verify", om, f"--verify={options.digits}", "--runs_per_set=2", "--atol=1e-4")
        if trace:
            checks.check("two runs of the set", sum(e["cat"] == "run" for e in tracks_of(trace)[1, 0]) == 2)
        refused = checks.run("no such folder", 1, ge_run, f"--model={made}", "--input_shape=x:3,4", f"--profile={work}/none/trace.json")
        checks.check("the message names the file", "none/trace.json" in refused.stderr, refused.stderr)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())

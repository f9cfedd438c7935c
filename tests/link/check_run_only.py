#!/usr/bin/env python3
"""check_run_only.py BINARY: a program that only runs models has nothing of the compiler in it.

Looks at the libraries that BINARY loads (ldd) and at the symbols of BINARY and of every libge_*.so among them (nm).
Prints what it checked, ends with 'N passed, N failed', exits 1 when something of the compiler is there.
"""
import re
import subprocess
import sys

COMPILER_LIBRARIES = ["ge_graph", "ge_import", "ge_passes", "ge_partition", "ge_lowering", "ge_build", "ge_session", "boost_graph"]
COMPILER_SYMBOLS = {
    "Boost.Graph": re.compile(r"\bboost::(adjacency_list|graph)"),
    "protozero": re.compile(r"\bprotozero\b"),
    "the ONNX importer": re.compile(r"\bge::import_onnx\b"),
    "the passes": re.compile(r"\bge::run_passes\b"),
    "the IR": re.compile(r"\bge::Graph::"),
}
# Something that must be there, or the wrong files were looked at.
EXPECTED_SYMBOL = re.compile(r"\bge::DavinciModel::")


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout


def loaded_libraries(binary):
    """{name: path} of the shared libraries that the loader finds; path is None where it finds none."""
    found = {}
    for line in output_of("ldd", binary).splitlines():
        if match := re.match(r"\s*(\S+) => (not found|\S+)", line):
            found[match[1]] = None if match[2] == "not found" else match[2]
    return found


def symbols_of(path):
    """Demangled names, defined and undefined, of the full and the dynamic symbol table."""
    names = set()
    for table in ([], ["-D"]):
        for line in output_of("nm", "-C", *table, path).splitlines():
            if match := re.match(r"(?:[0-9a-fA-F]+)?\s+[A-Za-z?-] (.*)", line):
                names.add(match[1])
    return names


def main(binary):
    passed = failed = 0

    def check(good, what, bad):
        nonlocal passed, failed
        passed, failed = passed + good, failed + (not good)
        print(("ok      " if good else "FAILED  ") + (what if good else bad))

    libraries = loaded_libraries(binary)
    print(f"{binary} loads {len(libraries)} shared libraries, of ge: " + (", ".join(sorted(n for n in libraries if "ge_" in n)) or "none (static)"))
    for name in COMPILER_LIBRARIES:
        loaded = [library for library in libraries if re.match(rf"lib{name}\b", library)]
        check(not loaded, f"does not load lib{name}", f"loads {', '.join(loaded)}")

    files = [binary]
    for name, path in sorted(libraries.items()):
        if not name.startswith("libge_"):
            continue
        check(path is not None, f"{name} is found", f"{name} is not found: set LD_LIBRARY_PATH or the run path")
        files += [path] if path else []
    runs_models = 0
    for path in files:
        symbols = symbols_of(path)
        check(len(symbols) > 0, f"{path}: {len(symbols)} symbols", f"{path} has no symbols to look at: is it stripped, is nm installed?")
        runs_models += sum(1 for name in symbols if EXPECTED_SYMBOL.search(name))
        for what, pattern in COMPILER_SYMBOLS.items():
            hits = sorted(name for name in symbols if pattern.search(name))
            check(not hits, f"{path}: nothing of {what}", f"{path} has {len(hits)} symbols of {what}, the first: {hits[0][:200] if hits else ''}")
    check(runs_models > 0, "ge::DavinciModel is there: these are the files that run models", "no symbol of ge::DavinciModel: this is no program that runs models")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_run_only.py BINARY")
    sys.exit(main(sys.argv[1]))

#!/usr/bin/env python3
"""Checks who includes whom (the table of rooms below), what headers drag in, file lengths, and words that have no place
in the project's files. Prints each violation as file:line, ends with 'N passed, N failed' (files), exits 1 on violations.

  include_rule.py [ROOT]        ROOT: the source tree; the one this script lies in by default
  include_rule.py --self-test   shows on a temporary tree that each kind of violation is found
"""
import os
import re
import subprocess
import sys

# room -> rooms that it may include, beside itself. What those include, it may too: import -> graph -> ops -> base.
# Code in a room below another (kernels/host) may include the rooms above it (kernels), not those beside it.
ROOMS = {
    "base": [],
    "ops": ["base"],
    "asc": ["base"],
    "model": ["base"],
    "graph": ["ops", "base"],
    "import": ["graph"],
    "passes": ["graph"],
    "partition": ["graph"],
    "lowering": ["graph", "partition", "asc"],
    "kernels": ["base", "asc"],
    "kernels/*": ["kernels"],
    "kernels/v2": ["kernels", "executor"],
    "build": ["graph", "model", "lowering", "asc"],
    "executor": ["model", "kernels", "ops"],
    "session": ["*"],
    "pch": ["*"],
    "tools": ["*"],
    "examples": ["*"],
}

# Headers that may include more than the standard library: the one that users include to get Boost.Graph, and a folder
# that import keeps to itself. A header that includes one of these drags it in and has to stand here too.
HEAVY_HEADERS = {
    "ge/graph/bgl.hpp": "boost/graph/",
    "ge/import/onnx/": "protozero/",
}

STANDARD_HEADERS = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits clocale
cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib
cstring ctime cuchar cwchar cwctype deque exception execution filesystem format forward_list fstream functional future
initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new
numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location
span sstream stack stdexcept stop_token streambuf string string_view syncstream system_error thread tuple type_traits typeindex
typeinfo unordered_map unordered_set utility valarray variant vector version
""".split())
# Of the operating system, in sources only.
SYSTEM_HEADERS = {"fcntl.h", "sched.h", "unistd.h", "pthread.h", "signal.h", "dlfcn.h", "time.h"}

LINES_ALLOWED, LINES_LISTED = 500, 300
TABLES = set()  # files of generated or listed data, which may be longer

# Put together from parts, so that this file passes its own check.
PATHS = ["/" + "work/", "/" + "root/", "/" + "tmp/studio", "/" + "home/"]
HOSTS = """
    py|pi.org python|hosted.org npm|js.org npm|js.com crates|.io proxy.go|lang.org ruby|gems.org deb.deb|ian.org
    archive.ubu|ntu.com con|an.io repo.maven.ap|ache.org ana|conda.org
""".replace("|", "").split()
WORDS = re.compile(r"(?<![\w.~])(?:" + "|".join(map(re.escape, PATHS)) + r")|(?<![\w-])(?:[\w-]+\.)*(?:" + "|".join(map(re.escape, HOSTS)) + r")(?![\w-])")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCE = (".cpp", ".hpp", ".h", ".c")


def tracked_files(root):
    """Paths below root: what git tracks, or all files where there is no git."""
    try:
        out = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout.decode()
        top = subprocess.run(["git", "-C", root, "rev-parse", "--show-toplevel"], capture_output=True, check=True).stdout.decode().strip()
        if os.path.realpath(top) == os.path.realpath(root):
            return sorted(p for p in out.split("\0") if p and os.path.isfile(os.path.join(root, p)))
    except (OSError, subprocess.CalledProcessError):
        pass
    return sorted(all_files(root, ""))


def all_files(root, below):
    for folder, folders, names in os.walk(os.path.join(root, below)):
        top = os.path.samefile(folder, root)  # build folders lie there; ge/build is a room
        folders[:] = [f for f in folders if f not in (".git", "__pycache__") and not (top and (f.startswith("build") or f in ("out", ".venv")))]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def read_text(path):
    """The lines of a text file; None for other files."""
    with open(path, "rb") as file:
        data = file.read()
    if b"\0" in data:
        return None
    try:
        return data.decode().splitlines()
    except UnicodeDecodeError:
        return None


def room_of(path):
    parts = path.split("/")
    if parts[0] in ("tools", "examples"):
        return parts[0]
    if parts[0] != "ge" or len(parts) < 3:
        return ""
    return "/".join(parts[1:-1]) if parts[1] == "kernels" else parts[1]


def heavy_of(header):
    """What a heavy header may include, "" for all others."""
    return HEAVY_HEADERS.get(header) or HEAVY_HEADERS.get(header[:header.rfind("/") + 1], "")


def rule_of(room):
    if room in ROOMS:
        return ROOMS[room]
    return ROOMS["kernels/*"] if room.startswith("kernels/") else None


def may_include(room, other, seen=None):
    seen = seen if seen is not None else set()
    if room == other or room.startswith(other + "/") or "*" in (rule_of(room) or []):
        return True
    seen.add(room)
    return any(may_include(next_room, other, seen) for next_room in rule_of(room) or [] if next_room not in seen)


def check_include(path, quote, name):
    """What is wrong with one include; None when nothing is."""
    room, header = room_of(path), not path.endswith((".cpp", ".c"))
    if name.startswith("ge/"):
        other = room_of(name)
        if rule_of(other) is None:
            return f"'{name}' lies in no room of the table; add the room to ROOMS, or correct the path"
        if not may_include(room, other):
            allowed = ", ".join(rule_of(room)) or "nothing"
            return f"{room} includes '{name}' of {other}, but may include only itself, {allowed}, and what these may"
        if header and heavy_of(name) and not heavy_of(path):
            return f"header includes '{name}', which drags in {heavy_of(name)}*; include it in a .cpp"
        return None
    if quote == '"':
        if room == "examples" or room == "tools" and name.startswith("tools/"):
            return None
        return f"'{name}' is included by a path that does not start with ge/" + (" or tools/" if room == "tools" else "")
    if name.startswith("boost/graph/") and room != "examples" and not (path.startswith("ge/graph/") and (not header or heavy_of(path))):
        return f"<{name}>: Boost.Graph is included only by ge/graph/*.cpp and ge/graph/bgl.hpp"
    if name in STANDARD_HEADERS or room == "examples":
        return None
    if header and not (heavy_of(path) and name.startswith(heavy_of(path))):
        return f"header includes <{name}>; a header includes only the standard library, a .cpp what it needs"
    if room == "base" and not header and not (name in SYSTEM_HEADERS or name.startswith("sys/")):
        return f"<{name}>: base includes nothing but the standard library (and, in a .cpp, the operating system)"
    return None


def check_tree(root):
    """[(file, line, what)], the number of files looked at, and [(lines, file)] of the long ones."""
    tracked = tracked_files(root)
    sources = {p for room in ("ge", "tools", "examples") for p in all_files(root, room) if p.endswith(SOURCE)}
    found, long_files = [], []
    for path in sorted(sources | set(tracked)):
        lines = read_text(os.path.join(root, path))
        if lines is None:
            continue
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line) if path in sources else None
            wrong = check_include(path, *match.groups()) if match else None
            if wrong:
                found.append((path, number, wrong))
            for word in WORDS.findall(line):
                found.append((path, number, f"'{word}': a path of one machine, or a host that packages come from, has no place here"))
        if path in sources and room_of(path) not in ROOMS and not room_of(path).startswith("kernels/"):
            found.append((path, 1, "lies in no room of the table; add the room to ROOMS, or move the file"))
        if path.endswith(SOURCE + (".py", ".sh")) and path not in TABLES:
            if len(lines) > LINES_ALLOWED:
                found.append((path, len(lines), f"{len(lines)} lines; {LINES_ALLOWED} is the limit, split the file"))
            elif len(lines) > LINES_LISTED:
                long_files.append((len(lines), path))
    return found, len(sources | set(tracked)), sorted(long_files, reverse=True)


def main(arguments):
    if arguments == ["--self-test"]:
        sys.dont_write_bytecode = True
        from include_rule_self_test import self_test
        return self_test()
    root = arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    found, count, long_files = check_tree(os.path.normpath(root))
    for path, line, what in found:
        print(f"{path}:{line}: {what}")
    if long_files:
        print(f"more than {LINES_LISTED} lines (a question, not a violation):")
        for lines, path in long_files:
            print(f"  {lines:4} {path}")
    failed = len({path for path, _, _ in found})
    print(f"{count - failed} passed, {failed} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

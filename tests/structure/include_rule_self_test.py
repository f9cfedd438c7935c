"""Shows on a temporary tree that include_rule.py finds each kind of violation, and nothing in a sound tree."""
import os
import tempfile

import include_rule

# A tree in which everything is allowed.
SOUND = {
    "ge/base/error.hpp": "#pragma once\n#include <string>\n",
    "ge/base/file.cpp": '#include "ge/base/error.hpp"\n#include <fcntl.h>\n#include <sys/mman.h>\n',
    "ge/ops/schema.hpp": '#include "ge/base/error.hpp"\n',
    "ge/graph/bgl.hpp": "#include <boost/graph/adjacency_list.hpp>\n",
    "ge/graph/order.cpp": '#include "ge/graph/bgl.hpp"\n#include "ge/ops/schema.hpp"\n#include <boost/graph/topological_sort.hpp>\n',
    "ge/graph/graph.hpp": '#include "ge/ops/schema.hpp"\n#include "ge/base/error.hpp"\n',
    "ge/import/onnx/fields.hpp": "#include <protozero/pbf_reader.hpp>\n",
    "ge/import/onnx/read.cpp": '#include "ge/import/onnx/fields.hpp"\n#include "ge/graph/graph.hpp"\n#include "ge/base/error.hpp"\n',
    "ge/passes/pass.cpp": '#include "ge/graph/graph.hpp"\n#include "ge/graph/bgl.hpp"\n#include "ge/ops/schema.hpp"\n',
    "ge/model/om.cpp": '#include "ge/base/error.hpp"\n#include <nlohmann/json.hpp>\n',
    "ge/kernels/kernel.hpp": '#include "ge/base/error.hpp"\n',
    "ge/kernels/host/engine.cpp": '#include "ge/kernels/kernel.hpp"\n#include "ge/kernels/host/part.hpp"\n#include "ge/base/error.hpp"\n',
    "ge/kernels/v2/box.cpp": '#include "ge/executor/run.hpp"\n#include "ge/model/om.hpp"\n',
    "ge/executor/run.hpp": '#include "ge/model/om.hpp"\n#include "ge/kernels/kernel.hpp"\n#include "ge/ops/schema.hpp"\n',
    "ge/build/build.cpp": '#include "ge/graph/graph.hpp"\n#include "ge/model/om.hpp"\n#include "ge/lowering/lower.hpp"\n',
    "ge/session/compile.cpp": '#include "ge/passes/pass.hpp"\n#include "ge/executor/run.hpp"\n#include "ge/kernels/host/part.hpp"\n',
    "tools/main.cpp": '#include "tools/part.hpp"\n#include "ge/session/compile.hpp"\n#include <boost/program_options.hpp>\n',
    "examples/one/main.cpp": '#include "part.hpp"\n#include "ge/graph/bgl.hpp"\n#include <boost/graph/strong_components.hpp>\n',
    "docs/text.md": "See frame/" + "work/ and https://example.org/simple, or run in ~/" + "work/.\n",
    "tests/long.cpp": "//\n" * 400,
}

WORK = "/" + "work/main"
HOST = "files.python" + "hosted.org"

# file, text, line of the violation, part of the message
VIOLATIONS = [
    ("ge/base/up.hpp", '#include <string>\n#include "ge/ops/schema.hpp"\n', 2, "base includes 'ge/ops/schema.hpp' of ops"),
    ("ge/ops/up.cpp", '#include "ge/graph/graph.hpp"\n', 1, "ops includes"),
    ("ge/graph/up.cpp", '#include "ge/passes/pass.hpp"\n', 1, "graph includes"),
    ("ge/graph/model.cpp", '#  include <ge/model/om.hpp>\n', 1, "graph includes"),
    ("ge/import/passes.cpp", '#include "ge/passes/pass.hpp"\n', 1, "import includes"),
    ("ge/passes/kernel.cpp", '#include "ge/kernels/kernel.hpp"\n', 1, "passes includes"),
    ("ge/partition/lower.cpp", '#include "ge/lowering/lower.hpp"\n', 1, "partition includes"),
    ("ge/model/ops.cpp", '#include "ge/ops/schema.hpp"\n', 1, "model includes"),
    ("ge/asc/model.cpp", '#include "ge/model/om.hpp"\n', 1, "asc includes"),
    ("ge/kernels/ops.hpp", '#include "ge/ops/schema.hpp"\n', 1, "kernels includes"),
    ("ge/kernels/down.cpp", '#include "ge/kernels/host/part.hpp"\n', 1, "kernels includes"),
    ("ge/kernels/host/beside.cpp", '#include "ge/kernels/reference/part.hpp"\n', 1, "kernels/host includes"),
    ("ge/kernels/host/up.cpp", '#include "ge/executor/run.hpp"\n', 1, "kernels/host includes"),
    ("ge/executor/graph.cpp", '//\n\n#include "ge/graph/graph.hpp"\n', 3, "executor includes"),
    ("ge/executor/session.cpp", '#include "ge/session/compile.hpp"\n', 1, "executor includes"),
    ("ge/build/executor.cpp", '#include "ge/executor/run.hpp"\n', 1, "build includes"),
    ("ge/lowering/build.cpp", '#include "ge/build/build.hpp"\n', 1, "lowering includes"),
    ("ge/base/nowhere.cpp", '#include "ge/nowhere/a.hpp"\n', 1, "lies in no room"),
    ("ge/nowhere/a.hpp", "//\n", 1, "lies in no room"),
    ("ge/passes/relative.cpp", '#include "pass.hpp"\n', 1, "does not start with ge/"),
    ("tools/relative.cpp", '#include "part.hpp"\n', 1, "does not start with ge/ or tools/"),
    ("ge/model/tools.cpp", '#include "tools/part.hpp"\n', 1, "does not start with ge/"),
    ("ge/base/hash.cpp", "#include <xxhash.h>\n", 1, "base includes nothing but the standard library"),
    ("ge/base/heavy.hpp", "#include <boost/optional.hpp>\n", 1, "header includes <boost/optional.hpp>"),
    ("ge/base/system.hpp", "#include <unistd.h>\n", 1, "header includes <unistd.h>"),
    ("ge/partition/boost.cpp", "#include <boost/graph/adjacency_list.hpp>\n", 1, "Boost.Graph is included only by"),
    ("ge/graph/boost.hpp", "#include <boost/graph/adjacency_list.hpp>\n", 1, "Boost.Graph is included only by"),
    ("tools/boost.cpp", "#include <boost/graph/adjacency_list.hpp>\n", 1, "Boost.Graph is included only by"),
    ("ge/graph/drags.hpp", '#include "ge/graph/bgl.hpp"\n', 1, "drags in boost/graph/"),
    ("ge/session/json.hpp", "#include <nlohmann/json.hpp>\n", 1, "header includes <nlohmann/json.hpp>"),
    ("tools/options.hpp", "#include <boost/program_options.hpp>\n", 1, "header includes <boost/program_options.hpp>"),
    ("ge/import/proto.hpp", "#include <protozero/pbf_reader.hpp>\n", 1, "header includes <protozero/"),
    ("ge/import/onnx/json.hpp", "#include <nlohmann/json.hpp>\n", 1, "header includes <nlohmann/json.hpp>"),
    ("ge/import/drags.hpp", '#include "ge/import/onnx/fields.hpp"\n', 1, "drags in protozero/"),
    ("ge/passes/long.cpp", "//\n" * 501, 501, "501 lines"),
    ("tests/long_too.py", "#\n" * 600, 600, "600 lines"),
    ("docs/path.md", f"first\nbuilt in {WORK}/build\n", 2, "a path of one machine"),
    ("docs/host.md", f"from https://{HOST}/x\n", 1, "a host that packages come from"),
    ("tests/script.sh", f"cd {WORK}\n", 1, "a path of one machine"),
]


def write(root, path, text):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)
    return full


def self_test():
    passed, failed = 0, 0

    def expect(what, good):
        nonlocal passed, failed
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"self-test: {what}")

    with tempfile.TemporaryDirectory() as root:
        for path, text in SOUND.items():
            write(root, path, text)
        found, count, long_files = include_rule.check_tree(root)
        expect(f"a sound tree has violations: {found}", not found)
        expect(f"{count} files were looked at, expected {len(SOUND)}", count == len(SOUND))
        expect(f"long files listed: {long_files}", long_files == [(400, "tests/long.cpp")])
        for path, text, line, part in VIOLATIONS:
            full = write(root, path, text)
            found, _, _ = include_rule.check_tree(root)
            good = len(found) == 1 and found[0][:2] == (path, line) and part in found[0][2]
            expect(f"{path}:{line} should be the one violation, with '{part}'; found {found}", good)
            os.remove(full)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0

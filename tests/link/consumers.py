"""Programs outside ge that use an installed prefix: built in several ways, run, and their counts compared."""
import concurrent.futures
import os
import re
import shutil
import sys

from report import run
from tools import cached, present

COMPONENTS = ["base", "ops", "graph", "import", "passes", "model", "kernels", "kernels_reference", "kernels_host", "build", "session", "executor"]
WARNINGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
COUNT = re.compile(r"^count (\w+) (\d+)$", re.M)


class Consumers:
    """One installed kind of ge. Every way of building fills a folder with the same programs and hands it to `run_all`."""

    def __init__(self, report, root, kind, work, prefix, expected):
        self.report, self.root, self.kind, self.work, self.prefix, self.expected = report, root, kind, work, prefix, expected
        self.sources = root / "tests" / "link" / "outside"
        self.digits = root / "examples" / "digits"
        self.pkg_config = {"PKG_CONFIG_PATH": str(next(prefix.rglob("pkgconfig")))}
        self.libraries = next(prefix.rglob("pkgconfig")).parent

    def fresh(self, name):
        folder = self.work / f"{self.kind}-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def by_meson(self, compiler):
        if not present(compiler):
            return self.report.skip(f"{self.kind}, Meson with {compiler}: it is not installed")
        folder = self.fresh("meson-" + compiler)
        self.report.step(f"{self.kind}: Meson, {compiler}")
        if self.meson_project(self.sources, folder, compiler):
            self.run_all(folder)
            if self.kind == "shared":  # with static libraries every library has registries of its own
                status, out = run(folder / "loads_plugin", folder / "plugin.so")
                self.report.check(status == 0, "an op of a library loaded at run time is there", out)

    def meson_project(self, source, folder, compiler, *options):
        status, out = run("meson", "setup", folder, source, "-Dbuildtype=plain", *options, env={**self.pkg_config, "CXX": " ".join(cached(compiler))})
        if not self.report.check(status == 0, "the outside project configures", out[-3000:]):
            return False
        status, out = run("ninja", "-C", folder)
        return self.report.check(status == 0, "the outside project builds", out[-6000:])

    def by_pkg_config(self):
        """Plain g++ with what pkg-config says, each component alone; linked with and without --static."""
        folder = self.fresh("pkg-config")
        folder.mkdir()
        self.report.step(f"{self.kind}: g++ and pkg-config")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for results in pool.map(lambda name: self.built_by_hand(folder, name), COMPONENTS):
                for good, what, out in results:
                    self.report.check(good, what, out[-3000:])
        self.run_all(folder, COMPONENTS, environment={"LD_LIBRARY_PATH": str(self.libraries)})
        self.run_all(folder, [name + "_static" for name in COMPONENTS], environment={"LD_LIBRARY_PATH": str(self.libraries)})

    def built_by_hand(self, folder, name):
        """Asks pkg-config for one component alone, compiles and links its program: [(good, what, output)]."""
        package, results = "ge-" + name.replace("_", "-"), []

        def does(what, *command):
            status, out = run(*command, env=self.pkg_config)
            results.append((status == 0, what, out))
            return out.split() if status == 0 else []

        cflags = does(f"{package} has compiler flags", "pkg-config", "--cflags", package)
        source, target = self.sources / (name + ".cpp"), folder / (name + ".o")
        does(f"{name} compiles", *cached("g++"), *WARNINGS, *cflags, "-c", source, "-o", target)
        for program, options in ((name, ["--libs"]), (name + "_static", ["--static", "--libs"])):
            libs = does(f"{package} has {' '.join(options)}", "pkg-config", *options, package)
            does(f"{program} links", "g++", target, *libs, "-o", folder / program)
        return results

    def by_cmake(self):
        if not present("cmake"):
            return self.report.skip(f"{self.kind}, CMake: it is not installed")
        folder = self.fresh("cmake")
        self.report.step(f"{self.kind}: CMake")
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if present("ccache") else []
        status, out = run("cmake", "-S", self.sources, "-B", folder, "-GNinja", f"-DCMAKE_PREFIX_PATH={self.prefix}", *launcher)
        if not self.report.check(status == 0, "the outside project configures", out[-3000:]):
            return None
        status, out = run("ninja", "-C", folder)
        if self.report.check(status == 0, "the outside project builds", out[-6000:]):
            self.run_all(folder)
        wrong = self.work / "wrong-component"
        shutil.rmtree(wrong, ignore_errors=True)
        wrong.mkdir()
        (wrong / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(wrong CXX)\nfind_package(ge REQUIRED COMPONENTS sessions)\n")
        status, out = run("cmake", "-S", wrong, "-B", wrong / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        return self.report.check(status != 0 and "no component 'sessions'" in out, "an unknown component is refused by name", out[-2000:])

    def own_op(self):
        """examples/03_own_op as a project of its own."""
        folder, source = self.fresh("own-op"), self.root / "examples" / "03_own_op"
        self.report.step(f"{self.kind}: an op of the user's own")
        if self.meson_project(source, folder, "g++"):
            status, out = run(folder / "own_op", source / "scale_shift.onnx")
            self.report.check(status == 0 and "both programs agree" in out, "the user's op, kernel and pass work", out[-3000:])

    def as_subproject(self):
        """ge below a project that asks for one component; only that and what it needs is built."""
        folder, project = self.fresh("subproject"), self.work / "uses-subproject"
        shutil.rmtree(project, ignore_errors=True)
        (project / "subprojects").mkdir(parents=True)
        (project / "subprojects" / "ge").symlink_to(self.root)
        for name in ("kernels_host.cpp", "check.hpp"):
            shutil.copy(self.sources / name, project)
        (project / "meson.build").write_text(
            "project('uses_subproject', 'cpp', default_options: ['cpp_std=c++20', 'warning_level=3', 'werror=true'])\n"
            "ge = dependency('ge-kernels-host', fallback: 'ge',\n"
            "  default_options: ['tests=false', 'tools=false', 'examples=false', 'bench=false'])\n"
            "executable('kernels_host', 'kernels_host.cpp', dependencies: ge)\n")
        self.report.step(f"{self.kind}: ge as a subproject")
        status, out = run("meson", "setup", folder, project, "-Dbuildtype=plain", f"-Ddefault_library={self.kind}",
                          env={"CXX": " ".join(cached("g++")), "PKG_CONFIG_PATH": ""})
        if not self.report.check(status == 0, "the project configures", out[-3000:]):
            return
        status, out = run("ninja", "-C", folder, "kernels_host")
        if self.report.check(status == 0, "the project builds", out[-6000:]):
            self.run_one(folder, "kernels_host")

    def run_all(self, folder, names=None, environment=None):
        for name in names or COMPONENTS + ["everything"]:
            self.run_one(folder, name, environment)
        if names is None:
            self.run_registered_twice(folder)
            self.run_only(folder)

    def run_one(self, folder, name, environment=None):
        status, out = run(folder / name, self.digits / "digits.onnx", folder, env=environment)
        self.report.check(status == 0 and out.endswith("all right\n"), f"{name} runs", out[-2000:])
        for what, number in COUNT.findall(out):
            wanted = self.expected.setdefault(what, int(number))
            self.report.check(int(number) == wanted and wanted > 0, f"{name} has {number} {what}, expected {wanted}")

    def run_registered_twice(self, folder):
        status, out = run(folder / "registered_twice")
        places = re.findall(r"([\w./]+\.cpp):\d+", out)
        good = "'MatMul'" in out and any(place.endswith("registered_twice.cpp") for place in places) and any(place.endswith("ge/ops/matmul.cpp") for place in places)
        self.report.check(status == 0 and good, "a name registered twice is refused with both places", out)

    def run_only(self, folder):
        """Runs the model that the session program wrote; has nothing of the compiler in it."""
        status, out = run(folder / "run_only", folder / "digits.om", self.digits)
        self.report.check(status == 0, "run_only gives the digits model's results", out[-2000:])
        status, out = run(sys.executable, self.root / "tests" / "link" / "check_run_only.py", folder / "run_only")
        self.report.check(status == 0, "run_only has nothing of the compiler in it", out[-3000:])
        status, out = run("ldd", folder / "run_only")
        found = sorted({os.path.dirname(os.path.realpath(path)) for path in re.findall(r"libge_\S+ => (\S+)", out)})
        wanted = [os.path.realpath(self.libraries)] if self.kind == "shared" else []
        self.report.check(found == wanted, f"ge's libraries come from {wanted or 'nowhere: they are static'}", out)

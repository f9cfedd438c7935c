"""Counts checks and prints what the matrix does: failures in full, the rest as one line a step."""
import os
import subprocess
import time


class Report:
    def __init__(self):
        self.passed = self.failed = 0
        self.step_name, self.step_passed, self.step_failed, self.started = "", 0, 0, 0.0

    def step(self, name):
        """Ends the step before and begins one."""
        if self.step_name:
            print(f"{self.step_name:46} {self.step_passed:4} passed {self.step_failed:3} failed {time.monotonic() - self.started:7.1f} s", flush=True)
        self.step_name, self.step_passed, self.step_failed, self.started = name, 0, 0, time.monotonic()

    def check(self, good, what, detail=""):
        self.passed, self.step_passed = self.passed + bool(good), self.step_passed + bool(good)
        self.failed, self.step_failed = self.failed + (not good), self.step_failed + (not good)
        if not good:
            print(f"FAILED  {self.step_name}: {what}\n{detail}".rstrip(), flush=True)
        return bool(good)

    def skip(self, what):
        print(f"skipped: {what}", flush=True)

    def end(self):
        self.step("")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def run(*command, env=None, cwd=None):
    """(exit status, output) of a command; `env` adds to the environment. A command that is not there has status 127."""
    try:
        done = subprocess.run([str(word) for word in command], env={**os.environ, **(env or {})}, cwd=cwd, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=900)
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        return 127, str(error)
    return done.returncode, done.stdout

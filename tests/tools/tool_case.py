"""Counts checks, prints the failed ones, and ends with "N passed, N failed"."""
import subprocess


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, ok, detail=""):
        self.passed, self.failed = self.passed + bool(ok), self.failed + (not ok)
        if not ok:
            print(f"FAILED {what}\n{detail}", flush=True)
        return bool(ok)

    def run(self, what, code, *arguments):
        """Runs a program and checks its exit code."""
        done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=300)
        self.check(f"{what}: exit code {done.returncode}, expected {code}", done.returncode == code, done.stdout + done.stderr)
        return done

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0

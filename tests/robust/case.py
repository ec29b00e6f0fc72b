# SPDX-License-Identifier: Apache-2.0
"""One case: a hard data set, a random request, and everything that must hold whatever the data and the request."""
import json
import pathlib
import random
import re
import shlex
import signal
import subprocess

import numpy as np

import hard_data

CPU_SECONDS = 60  # a case has at most 120 samples
TIMEOUT = 600  # seconds on a busy machine
EXACT = 1e-6  # deviation of training samples under the promise "exact", relative to the largest coordinate
# Wording that says nothing to a user: bare codes of libraries, values that are not numbers, empty ranges.
UNHELPFUL = re.compile(r"\bnan\b|\binf\b|info = |\b0 of \d|at most 0\b|in 1 … 0\b|std::|basic_|bad_alloc|Eigen::|dsy\w+ ")


class Case:
    def __init__(self, tool, components, seed, folder):
        self.tool, self.folder = tool, pathlib.Path(folder)
        rng = random.Random(seed)
        self.data = rng.choice(sorted(hard_data.SAMPLES))
        self.n = rng.choice(hard_data.SIZES)
        self.samples = hard_data.samples(self.data, self.n, seed)
        self.options = components.request(len(self.samples), rng)
        self.rng = np.random.default_rng(seed)
        self.problems = []
        if rng.random() < 0.9:
            (self.folder / "y.txt").write_text("\n".join(hard_data.labels(len(self.samples), self.rng)) + "\n")
            self.options += ["--labels", "y.txt"]

    def __str__(self):
        return f"{self.data}, n = {self.n}: foldout fit x.npy -o m --json {shlex.join(self.options)}"

    def run(self, *arguments):
        """What the tool printed as JSON, or None after a refusal, whose message is judged."""
        try:
            limited = ["prlimit", f"--cpu={CPU_SECONDS}", self.tool, *arguments, "--json"]
            done = subprocess.run(limited, cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.problems.append(f"{arguments[0]} takes more than {TIMEOUT} s")
            return None
        if done.returncode == 0:
            return json.loads(done.stdout)
        if done.returncode == -signal.SIGXCPU:
            self.problems.append(f"{arguments[0]} takes more than {CPU_SECONDS} s of CPU time")
            return None
        if done.returncode not in (1, 2):
            self.problems.append(f"{arguments[0]} ended with {done.returncode}: {done.stderr[-300:]}")
            return None
        self.judge(json.loads(done.stdout)["error"], done.returncode)
        return None

    def judge(self, error, status):
        message = error["message"]
        if not error["remedy"]:
            self.problems.append(f"no remedy: {message}")
        if UNHELPFUL.search(message):
            self.problems.append(f"unhelpful: {message}")
        if error["kind"] not in ("invalid_argument", "io", "numerical", "out_of_memory"):
            self.problems.append(f"{error['kind']} error, status {status}: {message}")

    def place(self, name, rows, threads=1):
        np.save(self.folder / f"{name}.npy", rows)
        if self.run("transform", "m", f"{name}.npy", "-o", f"{name}_placed.npy", "--threads", str(threads)) is None:
            return None
        placed = np.load(self.folder / f"{name}_placed.npy")
        if not np.isfinite(placed).all():
            self.problems.append(f"coordinates of {name} are not finite")
        return placed

    def check_rows(self, rows, placed):
        """Row by row the same bits: another order and two threads, and a sample alone."""
        other = self.place("reversed", rows[::-1], threads=2)
        if other is not None and not np.array_equal(other[::-1], placed):
            self.problems.append("rows depend on their order or on threads")
        k = int(self.rng.integers(len(rows)))
        alone = self.place("alone", rows[k:k + 1])
        if alone is not None and not np.array_equal(alone[0], placed[k]):
            self.problems.append(f"row {k} depends on the other rows")

    def check_promise(self, fitted):
        embedding = np.load(self.folder / "e.npy")
        if not np.isfinite(embedding).all():
            self.problems.append("the embedding is not finite")
        placed = self.place("training", self.samples)
        if placed is None:
            self.problems.append("the training samples are refused")
        elif fitted["promise"] == "exact":
            error = np.abs(placed - embedding).max() / max(np.abs(embedding).max(), 1e-300)
            if error > EXACT:
                self.problems.append(f"the promise is exact, and the training samples are off by {error:.1e}")

    def check(self):
        np.save(self.folder / "x.npy", self.samples)
        fitted = self.run("fit", "x.npy", "-o", "m", "--embedding", "e.npy", *self.options)
        if fitted is None:
            if (self.folder / "m").exists() or (self.folder / "e.npy").exists():
                self.problems.append("a refused fit left files")
            return "refused"
        first = (self.folder / "m").read_bytes()
        if self.run("info", "m") is None:
            self.problems.append("the model cannot be read")
            return "fitted"
        self.check_promise(fitted)
        rows = hard_data.new_samples(self.samples, self.rng)
        placed = self.place("new", rows)
        if placed is not None:
            self.check_rows(rows, placed)
        self.run("fit", "x.npy", "-o", "m", "--threads", "2", *self.options)
        if (self.folder / "m").read_bytes() != first:
            self.problems.append("the same fit with two threads writes another model")
        return "fitted"

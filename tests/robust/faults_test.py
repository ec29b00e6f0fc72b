#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every call of the system fails once: a fit, an embedding and a placement end with a message and the old files, or with
the right ones; never with a signal, a hang, a half-written or a temporary file.

usage: faults_test.py TOOL PRELOADED_LIBRARY [--every N]     N: every N-th allocation fails, instead of all"""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile

OLD = b"what was there before"
COMMANDS = {
    "fit": ["fit", "x.npy", "-o", "out.model", "--method", "lle", "--threads", "2", "--embedding", "out.npy"],
    "fit_csv": ["fit", "x.csv", "-o", "out.model", "--method", "pca", "--preprocess", "standardize", "--labels", "y3.txt"],
    "fit_sparse": ["fit", "x.npz", "-o", "out.model", "--method", "laplacian_eigenmaps", "--extension", "sparse"],
    "transform": ["transform", "model", "x.npy", "-o", "out.npy", "--threads", "2", "--confidence", "out.csv"],
    "transform_csv": ["transform", "model", "x.csv", "-o", "out.csv", "--codes", "out.npz"],
    "classify": ["classify", "labelled", "x.csv", "-o", "out.txt"],
}
OUTPUTS = ("out.model", "out.npy", "out.csv", "out.npz", "out.txt")
MODES = ("short_read", "short_write", "interrupted")


class Trial:
    def __init__(self, tool, library, folder):
        self.tool, self.library, self.folder = tool, library, pathlib.Path(folder)
        self.failures = []
        self.tried = self.absorbed = 0

    def prepare(self):
        for command in ("data swiss_roll -n 60 -o x.npy", "data swiss_roll -n 60 -o x.csv",
                        "fit x.npy -o model --method lle",
                        "fit x.csv -o labelled --method pca --labels y3.txt --classifier nn"):
            if "y3.txt" in command:
                (self.folder / "y3.txt").write_text("\n".join("abc"[i % 3] for i in range(60)) + "\n")
            subprocess.run([self.tool, *command.split()], cwd=self.folder, check=True, capture_output=True)
        import numpy
        numpy.savez_compressed(self.folder / "x.npz", x=numpy.load(self.folder / "x.npy")[:30])

    def run(self, command, fault):
        for name in OUTPUTS:
            (self.folder / name).write_bytes(OLD)
        environment = {**os.environ, "LD_PRELOAD": str(self.library), "FOLDOUT_FAULT": fault,
                       "FOLDOUT_FAULT_COUNT": str(self.folder / "counts"), "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run([self.tool, *COMMANDS[command]], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              env=environment)
        return done, {name: (self.folder / name).read_bytes() for name in OUTPUTS}

    def judge(self, command, fault, done, files, right):
        self.tried += 1
        partial = [str(f) for f in self.folder.iterdir() if f.name not in self.known]
        wrong = [name for name in OUTPUTS if files[name] not in (OLD, right[name])]
        problem = None
        if partial:
            problem = f"left {partial}"
            for name in partial:
                os.remove(name)
        elif wrong:
            problem = f"{wrong} are neither old nor right"
        elif done.returncode == 0:
            self.absorbed += 1
            if files != right:
                problem = "succeeded without its outputs"
        elif done.returncode not in (1, 2):
            problem = f"ended with {done.returncode}"
        elif not re.search(r"^foldout: .{20}", done.stderr, re.MULTILINE):
            problem = "ended without a message"
        if problem:
            self.failures.append(f"{command}, {fault}: {problem}; {done.stderr.strip()[:200]}")

    def check(self, command, every):
        done, right = self.run(command, "")
        assert done.returncode == 0, done.stderr
        counts = dict(line.split() for line in (self.folder / "counts").read_text().splitlines())
        self.known = {f.name for f in self.folder.iterdir()}
        faults = list(MODES)
        for operation, count in counts.items():
            faults += [f"{operation}:{k}" for k in range(0, int(count), every if operation == "allocate" else 1)]
        for fault in faults:
            try:
                self.judge(command, fault, *self.run(command, fault), right)
            except subprocess.TimeoutExpired:
                self.failures.append(f"{command}, {fault}: hangs")
        return counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", choices=COMMANDS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(arguments.tool.resolve(), arguments.library.resolve(), folder)
        trial.prepare()
        for command in [arguments.only] if arguments.only else COMMANDS:
            counts = trial.check(command, arguments.every)
            print(f"{command}: " + ", ".join(f"{count} {operation}" for operation, count in counts.items()))
    print("\n".join(trial.failures))
    print(f"faults: {trial.tried} tried, {trial.absorbed} without effect on the result, {len(trial.failures)} failed")
    raise SystemExit(1 if trial.failures else 0)


main()

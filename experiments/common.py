# SPDX-License-Identifier: Apache-2.0
"""Shared by the experiments: the tool with arrays in and out, the data, claims, and the command line.

Data are read from FOLDOUT_DATA (default ../shared/data beside the project): NAME_X.npy with samples as rows and
NAME_y.npy. Exit status 77 means that the data or numpy are missing. A row of the JSON file is a claim with its measured
value and its bound.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
try:
    import numpy as np
except ImportError as error:
    print(f"skipped: {error} (install python3-numpy)")
    sys.exit(77)

root = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("FOLDOUT_DATA", root.parent / "shared" / "data"))
rows = []


def claim(text, value, bound, larger_is_better=False):
    holds = value >= bound if larger_is_better else value <= bound
    rows.append({"claim": text, "value": float(value), "bound": float(bound), "holds": bool(holds)})
    print(f"  {'holds' if holds else 'DOES NOT HOLD'}: {text}: {value:.4f} ({'≥' if larger_is_better else '≤'} {bound:g})",
          flush=True)


class Tool:
    """The command-line tool, with arrays in and out."""

    def __init__(self, path, folder):
        self.path, self.folder = path, pathlib.Path(folder)

    def run(self, *arguments):
        return subprocess.run([self.path, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    def file(self, name, array):
        np.save(self.folder / name, array)
        return self.folder / name

    def fit(self, X, method, extension=None, *more):
        """Coordinates of the training samples, and the report."""
        out = self.run("fit", self.file("x.npy", X), "-o", self.folder / "model", "--method", method, "--embedding",
                       self.folder / "y.npy", "--json", *(["--extension", extension] if extension else []), *more)
        return np.load(self.folder / "y.npy"), json.loads(out)

    def place(self, X, confidence=False):
        extra = ["--confidence", self.folder / "c.npy"] if confidence else []
        out = self.run("transform", self.folder / "model", self.file("new.npy", X), "-o", self.folder / "placed.npy",
                       "--json", *extra)
        placed = np.load(self.folder / "placed.npy")
        return (placed, np.load(self.folder / "c.npy")) if confidence else (placed, json.loads(out))

    def score(self, metric, *arrays):
        files = [self.file(f"s{i}.npy", array) for i, array in enumerate(arrays)]
        return json.loads(self.run("score", metric, *files))["value"]


def load(name):
    X = np.load(DATA / f"{name}_X.npy").astype(float)
    labels = DATA / f"{name}_y.npy"
    return X, np.load(labels).ravel() if labels.exists() else None


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def recognition(train, train_labels, new, new_labels):
    gaps = (new ** 2).sum(1)[:, None] + (train ** 2).sum(1)[None] - 2 * new @ train.T
    return (train_labels[gaps.argmin(1)] == new_labels).mean()


def run_experiments(description, experiments, argument, default, need_data):
    """The command line of a script of experiments: each is called with the tool and the value of --ARGUMENT."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("tool")
    parser.add_argument("--json")
    parser.add_argument("--only", choices=[experiment.__name__ for experiment in experiments])
    parser.add_argument(f"--{argument}", type=int, default=default)
    options = parser.parse_args()
    chosen = [e for e in experiments if options.only in (None, e.__name__)]
    if not DATA.is_dir() and all(e in need_data for e in chosen):
        print(f"skipped: no data in {DATA} (set FOLDOUT_DATA)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        for experiment in chosen:
            if experiment in need_data and not DATA.is_dir():
                print(f"{experiment.__name__}: skipped, no data in {DATA} (set FOLDOUT_DATA)")
                continue
            experiment(Tool(options.tool, folder), getattr(options, argument))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows))
    missed = [row["claim"] for row in rows if not row["holds"]]
    print(f"\n{len(rows)} claims, {len(missed)} do not hold" + "".join(f"\n  {text}" for text in missed))

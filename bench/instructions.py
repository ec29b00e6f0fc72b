#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions that small jobs of the tool execute, counted by valgrind, against bench/baseline.json: counts are repeatable
where seconds are not. A job that takes over a tenth more fails the check.

usage: instructions.py TOOL [--update] [--only NAME]
--update writes the counts of this build into the baseline. Counts depend on compiler and libraries; on a system other than
that of the baseline nothing is compared, and the exit status is 77 (skipped)."""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BASELINE = pathlib.Path(__file__).with_name("baseline.json")
ALLOWED = 1.10
# OpenBLAS chooses kernels by processor; one that valgrind emulates everywhere keeps counts comparable.
FIXED = {"OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Haswell", "LC_ALL": "C"}

PREPARED = ("data swiss_roll -n 1500 -o roll.npy",
            "data swiss_roll -n 300 -o small.npy",
            "data swiss_roll -n 1500 -o roll.csv",
            "data faces:n_people=10,size=16 -n 300 -o faces.npy --labels who.txt",
            "data faces:n_people=10,size=16 -n 30 -o new.npy --seed 1",
            "fit faces.npy -o sparse.model --method laplacian_eigenmaps --preprocess pca:n_components=40 --extension sparse",
            "fit roll.npy -o lle.model --method lle",
            "fit small.npy -o map.model --method isomap:n_neighbors=8 --embedding map.npy")
JOBS = {
    "neighbors_and_laplacian": "fit roll.npy -o m --method laplacian_eigenmaps",
    "lle": "fit roll.npy -o m --method lle",
    "ltsa": "fit roll.npy -o m --method ltsa",
    "isomap": "fit roll.npy -o m --method landmark_isomap",
    "search_among_images": "fit faces.npy -o m --method lle",
    "kernel": "fit faces.npy -o m --method kpca",
    "explicit_map": "fit faces.npy -o m --method snppe --preprocess pca:n_components=40",
    "supervised_map": "fit faces.npy -o m --labels who.txt --method cea",
    "dictionary": "fit faces.npy -o m --labels who.txt --method lle --dictionary lcdl:atoms_per_class=4",
    "auto_extension": "extend small.npy map.npy -o m --extension auto",
    "sparse_codes": "transform sparse.model new.npy -o y.npy",
    "confidence": "transform lle.model roll.npy -o y.npy --confidence c.npy",
    "csv": "transform lle.model roll.csv -o y.csv",
}


def system():
    """What the counts depend on."""
    release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    compiler = subprocess.run(["c++", "-dumpfullversion"], capture_output=True, text=True).stdout.strip()
    return f"{release.get('ID', '').strip(chr(34))} {release.get('VERSION_ID', '').strip(chr(34))}, c++ {compiler}"


def run(tool, job, folder, counted=False):
    command = [str(tool), *job.split(), "--threads", "1", "-q"]
    if counted:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **FIXED})
    if done.returncode:
        raise SystemExit(f"instructions: '{job}' failed: {done.stderr.strip().splitlines()[-1]}")
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1)) if counted else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", choices=JOBS)
    arguments = parser.parse_args()
    baseline = json.loads(BASELINE.read_text())
    if not shutil.which("valgrind"):
        print("skipped: needs valgrind")
        raise SystemExit(77)
    if not arguments.update and system() != baseline["system"]:
        print(f"skipped: the baseline is of {baseline['system']}, this is {system()}")
        raise SystemExit(77)
    tool, counts = arguments.tool.resolve(), {}
    with tempfile.TemporaryDirectory() as folder:
        for job in PREPARED:
            run(tool, job, folder)
        for name in [arguments.only] if arguments.only else JOBS:
            counts[name] = run(tool, JOBS[name], folder, counted=True)
            before = baseline["instructions"].get(name)
            ratio = f"{counts[name] / before:.3f} of the baseline" if before else "new"
            print(f"{name}: {counts[name] / 1e6:.1f} million, {ratio}", flush=True)
    if arguments.update:
        baseline = {"system": system(), "instructions": {**baseline["instructions"], **counts}}
        BASELINE.write_text(json.dumps(baseline, indent=2) + "\n")
        return
    grown = [n for n, count in counts.items() if count > ALLOWED * baseline["instructions"].get(n, 0)]
    if grown:
        print(f"more than {ALLOWED} times the baseline: {', '.join(grown)}. Find the reason; if the growth buys something, "
              f"say so in the commit and run bench/instructions.py TOOL --update", file=sys.stderr)
        raise SystemExit(1)


main()

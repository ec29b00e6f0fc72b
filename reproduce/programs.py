# SPDX-License-Identifier: Apache-2.0
"""Claims of foldout that its programs measure: the tool, the demonstration, tests and benchmarks. They are part of `project`."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from .data import tool
from .engine import experiment
from .project import curved

ROOT = pathlib.Path(__file__).resolve().parent.parent


def beside(name):
    """A program in the folder of the tool, or None."""
    try:
        found = pathlib.Path(tool()).parent / name
    except FileNotFoundError:
        return None
    return found if found.exists() else None


def output_of(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **options).stdout


@experiment("project_demonstration", "the demonstration", "foldout_demo")
def demonstration(run):
    program = beside("foldout_demo")
    if program is None:
        run.claim("demo: per cent of new faces recognised on the map", None, "foldout_demo is not built")
        return
    with tempfile.TemporaryDirectory() as folder:
        found = output_of(program, f"{folder}/demo")
    run.bound("demo: per cent of new faces recognised on the map",
              float(found.split("recognised on the map ")[1].split(" %")[0]), 85, True)


PEAK = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")


def peak_memory(*command, **options):
    """In kilobytes."""
    return int(output_of(sys.executable, "-c", PEAK, *command, **options))


@experiment("project_streaming", "memory of transform of a stream", "the tool")
def streaming(run):
    if beside("foldout") is None:
        run.claim("transform of a stream: peak memory", None, "the tool is not built")
        return
    with tempfile.TemporaryDirectory() as folder:
        output_of(tool(), "data", "swiss_roll", "-n", 2000, "-o", f"{folder}/x.txt")
        output_of(tool(), "fit", f"{folder}/x.txt", "-o", f"{folder}/m", "--method", "lle", "-q")
        rows = pathlib.Path(f"{folder}/x.txt").read_text()
        peaks = [peak_memory(tool(), "transform", f"{folder}/m", "-", "-o", "-", "-q", input=rows * n) for n in (1, 50)]
    run.bound("transform of a stream: peak memory for 100 000 rows over that for 2000", peaks[1] / peaks[0], 1.2)


@experiment("project_memory", "memory of learning a dictionary from 100 000 samples", "the tool")
def memory(run):
    if beside("foldout") is None:
        run.claim("lcdl, 100 000 × 100, 1000 atoms: peak memory", None, "the tool is not built")
        return
    n = 12500 if run.quick else 100000
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/x.npy", curved(n, 0))
        fit = (tool(), "fit", f"{folder}/x.npy", "-o", f"{folder}/m", "-q", "--method", "lle", "--threads", 1, "--dictionary")
        keys = "lcdl:n_atoms=1000,coding_tau=8,locality=0.1"
        peaks = {"in memory": peak_memory(*fit, f"{keys},max_iterations=15"),
                 "in batches of 2000": peak_memory(*fit, f"{keys},batch_size=2000,max_iterations=2")}
    run.table(f"{n} samples of 100 features, 1000 atoms: peak memory in GB", peaks,
              {"GB": [peak / 1e6 for peak in peaks.values()]}, 3)
    run.bound(f"lcdl, {n} × 100, 1000 atoms: peak memory in GB", peaks["in memory"] / 1e6, 1)


@experiment("project_codes", "certificates of L1 codes", "test_l1")
def certified_codes(run):
    program = beside("test_l1")
    if program is None:
        run.claim("L1 codes of 1000 easy and hard problems are solved and certified", None, "test_l1 is not built")
        return
    n = "100" if run.quick else "1000"
    done = subprocess.run([program, "--gtest_filter=L1Families.EveryAnswerIsCertified"], capture_output=True, text=True,
                          cwd=ROOT, env={**os.environ, "FOLDOUT_L1_PROBLEMS": n}, check=False)
    last = next(line for line in done.stdout.splitlines() if " problems, " in line)
    run.bound(f"L1 codes of {n} easy and hard problems: not solved", float(last.split(", ")[1].split()[0]), 0)
    run.bound(f"L1 codes of {n} easy and hard problems: largest gap", float(last.split()[-1]), 1e-8)
    run.bound(f"L1 codes of {n} easy and hard problems: exit status of the independent check", done.returncode, 0)


@experiment("project_powers", "speed of placing by powers", "foldout_map_time")
def powers(run):
    program = beside("foldout_map_time")
    if program is None:
        run.claim("snppe: speed of placing over that of one product", None, "foldout_map_time is not built")
        return
    found = output_of(program, 10000, 1024, 2, 50)
    run.bound("snppe: speed of placing over that of one product",
              float(found.split("transform ")[1].split(" ms, ")[1].split()[0]), 0.85, True)


# script, program it needs, its arguments
PEERS = {"agreement": ("tests/peers/agreement.py", "foldout", ["--claims"]),
         "l1_oracle": ("tests/peers/l1_oracle.py", "l1_codes", ["--claims"]),
         "l1_speed": ("bench/l1_bench.py", "foldout_l1_time", []), "speed": ("bench/peers.py", "foldout_fit_time", [])}


@experiment("project_peers", "agreement with scikit-learn and scipy, and speed compared with them",
            "the tool and its benchmarks")
def peers(run):
    for name, (script, program, more) in PEERS.items():
        if run.quick:
            run.claim(f"{name} ({script})", None, "takes minutes: not in a quick run")
            continue
        if beside(program) is None:
            run.claim(f"{name} ({script})", None, f"{program} is not built")
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows.json"
            done = subprocess.run([sys.executable, ROOT / script, tool(), "--json", file, *more], capture_output=True,
                                  text=True, check=False)
            if not file.exists():
                run.claim(f"{name} ({script})", None, (done.stdout + done.stderr).strip().splitlines()[-1:]
                          and (done.stdout + done.stderr).strip().splitlines()[-1])
                continue
            for row in json.loads(file.read_text()):
                bound = "" if row["bound"] is None else f" (bound {row['bound']:g})"
                run.claim(row["claim"], row["holds"], f"{row['value']:.4g}{bound}")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exact L1 codes compared with scipy's HiGHS simplex, in the same run: one thread, CPU time per sample.

    l1_bench.py PATH_TO_FOLDOUT [--data FOLDER] [--samples 60] [--peer-samples 12] [--json FILE]

Runs foldout_l1_time (beside the tool) and scipy.optimize.linprog(method="highs-ds") alternately on the same samples, compares
the objectives, and prints one row per data set. Without the data in FOLDER ($FOLDOUT_DATA: yaleb_X.npy, usps_X.npy,
orl_X.npy) it uses only rendered faces. HiGHS solves min Σ(a⁺ + a⁻ + e⁺ + e⁻) subject to D'(a⁺ − a⁻) + e⁺ − e⁻ = x. The bounds
are the claims of the project.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is loaded
try:
    import numpy as np
    import scipy.ndimage
    import scipy.sparse
    from scipy.optimize import linprog
except ImportError as error:
    print(f"skipped: {error} (install python3-scipy to compare with HiGHS)")
    sys.exit(0)


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def highs(atoms, x):
    """The objective by HiGHS' dual simplex, and the thread's CPU seconds of the call."""
    matrix, identity = atoms.T, scipy.sparse.identity(len(x))
    A = scipy.sparse.hstack([matrix, -matrix, identity, -identity], format="csc")
    start = time.thread_time()
    result = linprog(np.ones(A.shape[1]), A_eq=A, b_eq=x, bounds=(0, None), method="highs-ds")
    return result.fun, time.thread_time() - start


def ours(program, folder, atoms, samples, repeats):
    np.save(folder / "atoms.npy", atoms)
    np.save(folder / "samples.npy", samples)
    out = subprocess.run([program, folder / "atoms.npy", folder / "samples.npy", str(repeats)], check=True,
                         capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def projected(images, width, rng):
    return unit(images @ (rng.randn(images.shape[1], width) / np.sqrt(width)))


def drawn_larger(image, rng):
    """A digit of 16 × 16 pixels as one of 28 × 28: turned, slanted and shifted at random, strokes sharp, margins empty."""
    angle, slant = rng.uniform(-0.25, 0.25), rng.uniform(-0.2, 0.2)
    turn = np.array([[np.cos(angle), slant - np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * 15 / 19 * rng.uniform(0.9, 1.15)
    shift = 7.5 - turn @ (13.5 + rng.uniform(-1.5, 1.5, 2))
    drawn = scipy.ndimage.affine_transform(image, turn, offset=shift, output_shape=(28, 28), order=3)
    return np.round(255 * np.clip(2.2 * (drawn - 0.35), 0, 1)) / 255


def problems(tool, folder, data, n_samples):
    """name, atoms, samples, and the bounds: milliseconds, and the ratio to HiGHS (None: not claimed)."""
    rng = np.random.RandomState(0)
    faces = folder / "faces.npy"
    subprocess.run([tool, "data", "faces", "-n", "400", "-o", faces, "--seed", "0"], check=True, capture_output=True)
    P = projected(np.load(faces).astype(float), 200, rng)
    order = rng.permutation(len(P))
    yield "rendered faces, 280 atoms of 200", P[order[:280]], P[order[280:280 + n_samples]], 0.5, None
    if data is None:
        return
    if (data / "orl_X.npy").exists():
        P = projected(np.load(data / "orl_X.npy").reshape(400, -1) / 255.0, 200, rng)
        order = rng.permutation(len(P))
        yield "ORL, 280 atoms of 200", P[order[:280]], P[order[280:280 + n_samples]], 0.3, None
    if (data / "yaleb_X.npy").exists():
        P = projected(np.load(data / "yaleb_X.npy") / 255.0, 200, rng)
        order = rng.permutation(len(P))
        yield "Extended Yale B, 1241 atoms of 200", P[order[:1241]], P[order[1241:1241 + n_samples]], 1.5, 300
    if (data / "usps_X.npy").exists():
        images = np.load(data / "usps_X.npy") / 255.0
        order = rng.permutation(len(images))
        train, test = images[order[n_samples:]], images[order[:n_samples]]
        copies = train[:10_000 - len(train)]
        train = np.vstack([train, copies + 0.1 * rng.randn(*copies.shape)])[:10_000]
        R = rng.randn(images.shape[1], 200) / np.sqrt(200)
        yield "digits, 10 000 atoms of 200", unit(train @ R), unit(test @ R), 20, None
        drawn = np.array([drawn_larger(image.reshape(16, 16), rng).ravel() for image in images[order[:5000 + n_samples]]])
        yield "raw digits, 5000 atoms of 784", unit(drawn[n_samples:]), unit(drawn[:n_samples]), 120, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("foldout")
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("FOLDOUT_DATA"))
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--peer-samples", type=int, default=12)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    program = pathlib.Path(arguments.foldout).parent / "foldout_l1_time"
    data = None if arguments.data is None else pathlib.Path(arguments.data)
    rows, claims = [], []
    with tempfile.TemporaryDirectory() as name:
        for what, atoms, samples, most_ms, least_ratio in problems(arguments.foldout, pathlib.Path(name), data, arguments.samples):
            before = ours(program, pathlib.Path(name), atoms, samples, 3)
            few = 2 if atoms.shape[1] <= 200 else 0  # of raw digits, HiGHS takes minutes each
            peers = [highs(atoms, x) for x in samples[:arguments.peer_samples if len(atoms) < 5000 else few]]
            after = ours(program, pathlib.Path(name), atoms, samples, 3)
            us = [statistics.median((a["microseconds"], b["microseconds"])) for a, b in zip(before, after)]
            # The same samples for both in the ratio; the median over all samples in the table.
            ratio = sum(seconds for _, seconds in peers) / sum(us[:len(peers)]) * 1e6 if peers else math.nan
            difference = max((abs(a["objective"] - fun) / fun for a, (fun, _) in zip(after, peers)), default=math.nan)
            rows.append((what, statistics.median(us), max(us), statistics.median(c["pivots"] for c in after),
                         statistics.median(c["multiply_adds"] for c in after) / 1e6, max(c["gap"] for c in after),
                         1e3 * statistics.median(seconds for _, seconds in peers) if peers else math.nan, ratio, difference))
            print("{}: {:.0f} µs (largest {:.0f}), {:.0f} pivots, {:.2f} M multiply-adds, gap ≤ {:.1g}; HiGHS {:.0f} ms, "
                  "{:.0f} times as long; objectives differ by {:.1g}".format(*rows[-1]), flush=True)
            claims.append((f"L1 code over {what}: median milliseconds", rows[-1][1] / 1e3, most_ms, False))
            claims.append((f"L1 code over {what}: largest gap", rows[-1][5], 1e-8, False))
            if least_ratio:
                claims.append((f"L1 code over {what}: times as fast as HiGHS", ratio, least_ratio, True))
    print("\n| atoms | µs median / largest | pivots | multiply-adds | gap at most | HiGHS ms | ratio |\n|---|---|---|---|---|---|---|")
    for what, median, largest, pivots, work, gap, peer, ratio, _ in rows:
        print(f"| {what} | {median:.0f} / {largest:.0f} | {pivots:.0f} | {work:.2f} M | {gap:.1g} | {peer:.0f} | {ratio:.0f} |")
    if arguments.json:
        arguments.json.write_text(json.dumps(
            [{"claim": c, "value": v, "bound": b, "holds": bool(v >= b if larger else v <= b)} for c, v, b, larger in claims]))
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Agreement of L1 codes with scipy's HiGHS.

    l1_oracle.py PATH_TO_FOLDOUT [--claims] [--json FILE]

l1_codes, which stands beside the tool, prints the objectives of the samples in one file over the atoms in another. Exit
status 77 says that scipy is not installed.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from scipy.optimize import linprog
except ImportError as error:
    print(f"skipped: {error} (install python3-scipy to compare with HiGHS)")
    sys.exit(77)


def highs(atoms, x, exactly):
    """The least ‖a‖₁ + ‖e‖₁, or ‖a‖₁; None where no code is exact."""
    matrix = np.hstack([atoms.T, -atoms.T] + ([] if exactly else [np.eye(len(x)), -np.eye(len(x))]))
    result = linprog(np.ones(matrix.shape[1]), A_eq=matrix, b_eq=x, bounds=(0, None), method="highs-ds")
    return result.fun if result.status == 0 else None


def ours(program, folder, atoms, samples, exactly):
    np.save(folder / "atoms.npy", atoms)
    np.save(folder / "samples.npy", samples)
    out = subprocess.run([program, folder / "atoms.npy", folder / "samples.npy"] + (["exactly"] if exactly else []),
                         check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def problems(rng, count):
    def unit(rows):
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    for i in range(count):
        d, n = rng.randint(5, 60), rng.randint(5, 150)
        atoms = unit(rng.randn(n, d))
        yield "gaussian", atoms, unit(rng.randn(3, d))
        sparse = np.where(rng.rand(3, n) < 4 / n, rng.randn(3, n), 0) + np.eye(3, n)
        yield "exactly sparse", atoms, sparse @ atoms
        yield "gross errors", atoms, sparse @ atoms + np.where(rng.rand(3, d) < 0.4, rng.uniform(-1, 1, (3, d)), 0)
        whole = rng.randint(-3, 4, (n, d)).astype(float)
        yield "whole numbers", whole, rng.randint(-5, 6, (3, d)) + np.eye(3, d)
        yield "duplicates", np.vstack([atoms, -atoms[: n // 2], atoms[: n // 2]]), unit(rng.randn(3, d))
        yield "norms", atoms * 10 ** rng.uniform(-2, 2, (n, 1)), rng.randn(3, d)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("foldout")
    parser.add_argument("--claims", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    program = pathlib.Path(arguments.foldout).parent / "l1_codes"
    worst, unsolved, disagree, count = 0.0, 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        for family, atoms, samples in problems(np.random.RandomState(0), 40 if arguments.claims else 5):
            for exactly in (False, True):
                for code, x in zip(ours(program, pathlib.Path(name), atoms, samples, exactly), samples):
                    count += 1
                    least = highs(atoms, x, exactly)
                    if least is None or code["status"] == "infeasible":
                        if (least is None) != (code["status"] == "infeasible"):
                            disagree += 1
                            print(f"FAIL {family}: HiGHS says {least}, we say {code}")
                        continue
                    unsolved += code["status"] != "solved"
                    difference = abs(code["objective"] - least) / least
                    worst = max(worst, difference)
                    if difference > 1e-7:
                        print(f"FAIL {family}, {atoms.shape}, exactly={exactly}: HiGHS {least}, we {code}")
    rows = [("L1 codes: largest relative difference to HiGHS", worst, 1e-7), ("L1 codes that are not solved", unsolved, 0),
            ("L1 codes where HiGHS disagrees whether one exists", disagree, 0)]
    for text, value, bound in rows:
        print(f"{'ok  ' if value <= bound else 'FAIL'} {text}: {value:.3g} of {count} (at most {bound:g})")
    if arguments.json:
        arguments.json.write_text(json.dumps(
            [{"claim": t, "value": v, "bound": b, "holds": bool(v <= b)} for t, v, b in rows]))
    return 0 if all(value <= bound for _, value, bound in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

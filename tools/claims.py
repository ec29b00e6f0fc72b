#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every figure that the project claims, measured on this machine.

    claims.py PATH_TO_FOLDOUT FOLDER

Writes FOLDER/claims.md, one table: the claim, the measured value, the bound, whether it holds. This takes long; `make test`
checks samples of the same claims.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
root = pathlib.Path(__file__).resolve().parent.parent
folder.mkdir(parents=True, exist_ok=True)
rows = []


def run(*arguments, **options):
    return subprocess.run([tool, *map(str, arguments)], check=True, capture_output=True, text=True, **options).stdout


def score(metric, *files):
    return json.loads(run("score", metric, *files))["value"]


def claim(text, value, bound, larger_is_better=False):
    holds = value >= bound if larger_is_better else value <= bound
    rows.append({"claim": text, "value": value, "bound": bound, "holds": holds})
    print(f"{'holds' if holds else 'DOES NOT HOLD':<14} {text}: {value:.4g} ({'≥' if larger_is_better else '≤'} {bound:g})",
          flush=True)


def by_script(script, name):
    """The rows of a script that writes them as JSON; none if its peers are missing."""
    out = folder / name
    out.unlink(missing_ok=True)
    subprocess.run(["/usr/bin/python3", str(root / script), tool, "--json", str(out)]
                   + (["--claims"] if "tests/peers" in script else []), check=False)
    if out.exists():
        rows.extend(json.loads(out.read_text()))


def standardized_truth(data, n, seed, work):
    """The samples and their two intrinsic coordinates, each axis standardised as unit-covariance embeddings are."""
    run("data", data, "-n", n, "-o", work / "x.npy", "--truth", work / "t.csv", "--seed", seed)
    lines = (work / "t.csv").read_text().splitlines()
    (work / "t2.csv").write_text("\n".join(",".join(line.split(",")[:2]) for line in lines[1:]) + "\n")
    run("fit", work / "t2.csv", "-o", work / "s.model", "--method", "pca", "--preprocess", "standardize",
        "--embedding", work / "truth.npy")
    return work / "x.npy", work / "truth.npy"


def unrolling(work):
    for method, k, bound in (("ltsa", 12, 0.002), ("hessian_lle", 12, 0.002)):
        values = []
        for seed in range(10):
            x, truth = standardized_truth("swiss_roll", 2000, seed, work)
            run("fit", x, "-o", work / "m", "--method", f"{method}:n_neighbors={k}", "--embedding", work / "y.npy")
            values.append(score("procrustes", work / "y.npy", truth))
        values.sort()
        claim(f"{method} unrolls 2000 samples (median procrustes of 10 seeds)", values[5], bound)


def placing(work):
    """placement on a swiss roll: 1500 training samples, 500 new ones, default keys (docs/methods)."""
    bounds = {"laplacian_eigenmaps": 0.08, "lle": 0.09, "hessian_lle": 0.02, "ltsa": 0.02, "isomap": 0.03,
              "landmark_isomap": 0.03, "diffusion_maps": 0.06}
    run("data", "swiss_roll", "-n", 2000, "-o", work / "all.txt")
    lines = (work / "all.txt").read_text().splitlines()
    (work / "train.txt").write_text("\n".join(lines[:1500]) + "\n")
    (work / "new.txt").write_text("\n".join(lines[1500:]) + "\n")
    for method, bound in bounds.items():
        extension = ["--extension", "lle"] if method in ("laplacian_eigenmaps", "diffusion_maps") else []
        run("fit", work / "train.txt", "-o", work / "m", "--method", method, "--embedding", work / "a.txt", *extension)
        run("transform", work / "m", work / "new.txt", "-o", work / "b.txt")
        run("fit", work / "all.txt", "-o", work / "m2", "--method", method, "--embedding", work / "batch.txt")
        batch = (work / "batch.txt").read_text().splitlines()
        (work / "c.txt").write_text("\n".join(batch[:1500]) + "\n")
        (work / "d.txt").write_text("\n".join(batch[1500:]) + "\n")
        claim(f"{method}: placement error of 500 new samples",
              score("placement", *(work / f"{name}.txt" for name in "abcd")), bound)


def demonstration(work):
    out = subprocess.run([str(pathlib.Path(tool).parent / "foldout_demo"), str(work / "demo")], check=True,
                         capture_output=True, text=True).stdout
    rate = float(out.split("recognised on the map ")[1].split(" %")[0])
    claim("demo: per cent of new faces recognised on the map", rate, 85, larger_is_better=True)


def placing_by_powers():
    """snppe: 10 000 samples, D = 1024, p = 2, 50 coordinates, against the matrix product alone (docs/methods/snppe.md)."""
    bench = pathlib.Path(tool).parent / "foldout_map_time"
    if bench.exists():
        output = subprocess.run([bench, "10000", "1024", "2", "50"], check=True, capture_output=True, text=True).stdout
        claim("snppe: speed of placing over that of one product", float(output.split("transform ")[1].split(" ms, ")[1].split()[0]),
              0.85, larger_is_better=True)


def streaming(work):
    """Memory must not grow with the number of rows of a stream."""
    import resource
    run("data", "swiss_roll", "-n", 2000, "-o", work / "x.txt")
    run("fit", work / "x.txt", "-o", work / "m", "--method", "lle")
    peaks = []
    for repeats in (1, 50):
        text = (work / "x.txt").read_text() * repeats
        script = f"'{tool}' transform '{work}/m' - -o - > /dev/null"
        child = subprocess.run(["bash", "-c", f"/usr/bin/env python3 -c \"import resource,subprocess,sys; "
                                f"subprocess.run(['bash','-c',sys.argv[1]],check=True); "
                                f"print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\" \"$0\"", script],
                               input=text, text=True, capture_output=True, check=True)
        peaks.append(int(child.stdout))
    claim("transform of a stream: peak memory for 100 000 rows over that for 2000", peaks[1] / peaks[0], 1.2)


def certified_codes():
    """A thousand easy and hard dictionaries, every solution checked by independent code (tests/l1)."""
    program = pathlib.Path(tool).parent / "test_l1"
    if not program.exists():
        return
    out = subprocess.run([program, "--gtest_filter=L1Families.EveryAnswerIsCertified"], capture_output=True, text=True, cwd=root,
                         env={**os.environ, "FOLDOUT_L1_PROBLEMS": "1000"}, check=False)
    last = next(line for line in out.stdout.splitlines() if " problems, " in line)
    claim("L1 codes of 1000 easy and hard problems: not solved", float(last.split(", ")[1].split()[0]), 0)
    claim("L1 codes of 1000 easy and hard problems: largest gap", float(last.split()[-1]), 1e-8)
    claim("L1 codes of 1000 easy and hard problems: exit status of the independent check", out.returncode, 0)


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    unrolling(work)
    placing(work)
    demonstration(work)
    streaming(work)
certified_codes()
placing_by_powers()
by_script("experiments/extensions.py", "extensions.json")
by_script("experiments/default_extensions.py", "default_extensions.json")
by_script("experiments/explicit_maps.py", "explicit_maps.json")
by_script("experiments/dictionaries.py", "dictionaries.json")
by_script("tests/peers/agreement.py", "agreement.json")
if (pathlib.Path(tool).parent / "l1_codes").exists():
    by_script("tests/peers/l1_oracle.py", "l1_oracle.json")
if (pathlib.Path(tool).parent / "foldout_l1_time").exists():
    by_script("bench/l1_bench.py", "l1_speed.json")
if (pathlib.Path(tool).parent / "foldout_fit_time").exists():
    by_script("bench/peers.py", "speed.json")

lines = ["# The claims of foldout, measured on this machine", "", "| claim | measured | bound | |", "|---|---|---|---|"]
for row in rows:
    bound = "" if row["bound"] is None else f"{row['bound']:g}"
    lines.append(f"| {row['claim']} | {row['value']:.4g} | {bound} | {'holds' if row['holds'] else '**does not hold**'} |")
(folder / "claims.md").write_text("\n".join(lines) + "\n")
missed = sum(not row["holds"] for row in rows)
print(f"{folder / 'claims.md'}: {len(rows)} claims, {missed} do not hold")
sys.exit(1 if missed else 0)

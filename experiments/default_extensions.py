#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The extension that a fit gets without a request, against the others at hand.

    default_extensions.py PATH_TO_FOLDOUT [--json FILE] [--only NAME] [--splits N]

Every cell is a run of `foldout compare`. The tables are those of docs/extensions/nystrom.md and docs/extensions.md;
common.py states where the data are read from.
"""
import json

from common import claim, load, np, run_experiments

GRAPHS, DIMENSIONS = ("full", "knn", "ball", "mutual"), (2, 10, 40)


def data_sets(tool):
    """Name, samples, labels (or none)."""
    for name in ("orl", "yale"):
        X, y = load(name)
        yield name, tool.file(f"{name}.npy", X), tool.file(f"{name}_y.npy", y)
    X, y = load("usps")
    some = np.random.default_rng(0).permutation(len(X))[:1000]
    yield "usps", tool.file("usps.npy", X[some]), tool.file("usps_y.npy", y[some])
    faces, people = tool.folder / "faces.npy", tool.folder / "faces.txt"
    tool.run("data", "faces:n_people=20,size=24", "-n", 400, "-o", faces, "--labels", people)
    yield "faces", faces, people
    tool.run("data", "swiss_roll", "-n", 1000, "-o", tool.folder / "roll.npy")
    yield "roll", tool.folder / "roll.npy", None


def measure(tool, samples, labels, method, extensions, splits):
    """The rows of the comparison, by extension; None is the default."""
    common = ["compare", samples, "--method", method, "--repeats", splits, "--json", "-q"]
    common += ["--labels", labels] if labels else []
    found = {}
    given = [argument for e in extensions for argument in ("--extension", e)]
    for names, options in ((("default",), []), (extensions, given)):
        for name, row in zip(names, json.loads(tool.run(*common, *options))["rows"]):
            if "refused" not in row:
                found[name] = row
    return found


def judge(rows, splits):
    """Placement error of the default and the best; whether it is too large; how many points of accuracy are missing."""
    own = rows["default"]["placement"]
    others = [row for name, row in rows.items() if name != "default"]
    best = min((row["placement"] for row in others), key=lambda p: p["mean"])
    limit = max(1.3 * best["mean"], best["mean"] + 0.03)
    noise = 2 * np.hypot(own["std"], best["std"]) / np.sqrt(splits)
    worse = own["mean"] > limit and own["mean"] - best["mean"] > noise
    missing = 0
    if "accuracy" in rows["default"]:
        missing = 100 * (max(row["accuracy"]["mean"] for row in others) - rows["default"]["accuracy"]["mean"])
    return own["mean"], best["mean"], worse, missing


def text_of(row):
    accuracy = f" {100 * row['accuracy']['mean']:3.0f}" if "accuracy" in row else ""
    return f"{row['placement']['mean']:.3f}".lstrip("0") + accuracy


def laplacian_eigenmaps(tool, splits):
    """Graph × number of coordinates × data set."""
    extensions = ("nystrom:fallback=none", "lle", "rbf")
    print("\nlaplacian_eigenmaps: placement error and 1-NN accuracy (%): default | formula alone | lle | rbf")
    cells, gaps, missing = [], [], []
    for name, samples, labels in data_sets(tool):
        for graph in GRAPHS:
            for d in DIMENSIONS:
                rows = measure(tool, samples, labels, f"laplacian_eigenmaps:graph={graph},n_components={d}", extensions,
                               splits)
                own, best, worse, lost = judge(rows, splits)
                cells.append(worse)
                gaps.append(own - best)
                missing.append(lost)
                print(f"| {name} | {graph} | {d} | " + " | ".join(text_of(rows[e]) for e in ("default", *extensions))
                      + f" |{' above the bound' if worse else ''}{' less accurate' if lost > 5 else ''}", flush=True)
    claim("laplacian_eigenmaps: cells in which the default places as well as the best", 1 - np.mean(cells), 0.9, True)
    claim("laplacian_eigenmaps: largest placement error of the default above the best", max(gaps), 0.2)
    claim("laplacian_eigenmaps: most points of accuracy below the best", max(missing), 5)


METHODS = ("lle", "ltsa", "hessian_lle", "isomap", "isomap:graph=ball", "landmark_isomap", "mds", "kpca", "diffusion_maps",
           "diffusion_maps:graph=full", "diffusion_maps:graph=ball", "diffusion_maps:graph=mutual")


def other_methods(tool, splits):
    """The defaults of the other methods, against lle and rbf."""
    print("\nplacement error and 1-NN accuracy (%): default | lle | rbf")
    for name, samples, labels in data_sets(tool):
        for method in METHODS:
            for d in DIMENSIONS:
                spec = f"{method}{',' if ':' in method else ':'}n_components={d}"
                try:
                    rows = measure(tool, samples, labels, spec, ("lle", "rbf"), splits)
                except Exception as error:  # pylint: disable=broad-except
                    why = getattr(error, "stderr", "").strip().splitlines()
                    print(f"| {name} | {method} | {d} | refused: {why[-1][:90] if why else error}", flush=True)
                    continue
                own, best, _, lost = judge(rows, splits)
                print(f"| {name} | {method} | {d} | " + " | ".join(text_of(rows[e]) for e in ("default", "lle", "rbf"))
                      + f" |{' above best + 0.1' if own > best + 0.1 else ''}{' less accurate' if lost > 5 else ''}",
                      flush=True)
                claim(f"{name}, {spec}: placement error of the default above the best", own - best, 0.1)


EXPERIMENTS = (laplacian_eigenmaps, other_methods)

if __name__ == "__main__":
    run_experiments(__doc__, EXPERIMENTS, "splits", 5, need_data=EXPERIMENTS)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""New samples on maps of UMAP, t-SNE and others: clustered_maps.py TOOL [--splits N] [--cache FOLDER] [--only SET …]

USPS digits (4000 + 1500 new), ORL (200 + 200), Extended Yale B (half + half) from FOLDOUT_DATA, 10 000 rendered faces
(8000 + 2000). UMAP of 2 and 10 coordinates (random_state is the split), t-SNE of 2, and for comparison Laplacian Eigenmaps
and LTSA of 10 are fitted to the training samples.
The new ones are placed by umap.transform and by foldout's extensions, and measured among the training samples: accuracy of
their 5 nearest neighbours on the map, trustworthiness of these (k = 5), CPU milliseconds per sample. Prints a Markdown table
of means ± standard errors, and what `auto` chose. Maps take most of the time; --cache keeps them.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np
from sklearn.manifold import TSNE
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

SETS = {"usps": (4000, 1500), "orl": (200, 200), "yaleb": (1207, 1207), "faces": (8000, 2000)}
MAPS = ("umap2", "umap10", "tsne2", "laplacian_eigenmaps10", "ltsa10")
EXTENSIONS = ("mode", "lvm", "lle", "rbf", "auto")


def load(name, tool, work):
    if name == "faces":
        subprocess.run([tool, "data", "faces:size=24,n_people=50", "-n", "10000", "-o", work / "faces.npy", "--labels",
                        work / "faces.txt", "-q"], check=True)
        return np.load(work / "faces.npy"), np.loadtxt(work / "faces.txt", dtype=str)
    folder = pathlib.Path(os.environ.get("FOLDOUT_DATA", "../shared/data"))
    return np.load(folder / f"{name}_X.npy").astype(float), np.load(folder / f"{name}_y.npy").ravel()


def by_method(tool, method, X):
    """Coordinates of foldout's own methods."""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        np.save(work / "x.npy", X)
        subprocess.run([tool, "fit", work / "x.npy", "-o", work / "m", "--method", method, "--embedding", work / "y.npy", "-q"],
                       check=True)
        return np.load(work / "y.npy")


def make_map(tool, kind, X, new, seed):
    """Coordinates of X; of new samples, and CPU seconds for them, where the method places any."""
    if kind in ("laplacian_eigenmaps10", "ltsa10"):
        return by_method(tool, f"{kind[:-2]}:n_components=10,n_neighbors=12", X), np.zeros((0, 10)), 0.0
    if kind == "tsne2":
        perplexity = min(30, len(X) // 4)
        made = TSNE(random_state=seed, init="pca", learning_rate="auto", perplexity=perplexity, n_jobs=1).fit_transform(X)
        return made, np.zeros((0, 2)), 0.0
    import umap
    fitted = umap.UMAP(n_components=int(kind[4:]), random_state=seed).fit(X)
    fitted.transform(new[:20])  # compiles
    began = time.process_time()
    placed = fitted.transform(new)
    return fitted.embedding_, placed, time.process_time() - began


def cached_map(tool, cache, name, kind, seed, X, new):
    path = cache and pathlib.Path(cache) / f"{name}_{kind}_{seed}.npz"
    if path and path.exists():
        stored = np.load(path)
        return stored["E"], stored["T"], float(stored["place"])
    E, T, seconds = make_map(tool, kind, X, new, seed)
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, E=E, T=T, place=seconds)
    return E, T, seconds


def by_foldout(tool, extension, work):
    """Coordinates of the new samples, the extension used, and CPU seconds."""
    made = subprocess.run([tool, "extend", work / "x.npy", work / "y.npy", "-o", work / "m", "--extension", extension, "--json",
                           "--threads", "1"], check=True, capture_output=True, text=True)
    before = os.times()
    subprocess.run([tool, "transform", work / "m", work / "new.npy", "-o", work / "placed.npy", "-q", "--threads", "1"],
                   check=True)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return np.load(work / "placed.npy"), json.loads(made.stdout)["placed_by"], seconds


def ranks(X, new):
    """ranks[i, j]: how many training samples are at most as far from new sample i as sample j, itself included."""
    squares = (X ** 2).sum(axis=1)
    order = np.argsort(squares - 2 * new @ X.T, axis=1)
    found = np.empty(order.shape, dtype=np.int32)
    np.put_along_axis(found, order, np.arange(1, len(X) + 1, dtype=np.int32)[None, :], axis=1)
    return found


def measures(y_train, y_new, rank, E, placed):
    accuracy = KNeighborsClassifier(5).fit(E, y_train).score(placed, y_new)
    k, (m, n) = 5, rank.shape
    found = NearestNeighbors(n_neighbors=k).fit(E).kneighbors(placed, return_distance=False)
    penalty = np.maximum(np.take_along_axis(rank, found, axis=1) - k, 0).sum()
    return 100 * accuracy, 1 - 2 * penalty / (m * k * (2 * n - 3 * k - 1))


def cell(arguments, name, kind, X, y, work):
    """extension -> list over splits of (accuracy, trustworthiness, milliseconds); what auto chose."""
    results, chosen = {}, []
    for seed in range(arguments.splits):
        n, m = SETS[name]
        order = np.random.default_rng(seed).permutation(len(X))
        train, new = order[:n], order[n:n + m]
        E, T, seconds = cached_map(arguments.tool, arguments.cache, name, kind, seed, X[train], X[new])
        for file, values in (("x", X[train]), ("new", X[new]), ("y", E.astype(float))):
            np.save(work / f"{file}.npy", values)
        rank = ranks(X[train], X[new])
        judged = lambda placed: measures(y[train], y[new], rank, E, placed)
        if len(T):
            results.setdefault("umap.transform", []).append((*judged(T), 1000 * seconds / m))
        for extension in EXTENSIONS:
            placed, used, seconds = by_foldout(arguments.tool, extension, work)
            results.setdefault(extension, []).append((*judged(placed), 1000 * seconds / m))
            if extension == "auto":
                chosen.append(used)
    return results, chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--cache")
    parser.add_argument("--only", nargs="+", choices=SETS, default=list(SETS))
    arguments = parser.parse_args()
    print("| set | map | " + " | ".join(("umap.transform", *EXTENSIONS)) + " | auto chose |\n" + "|---" * (4 + len(EXTENSIONS)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name in arguments.only:
            X, y = load(name, arguments.tool, work)
            for kind in MAPS:
                results, chosen = cell(arguments, name, kind, X, y, work)
                texts = []
                for how in ("umap.transform", *EXTENSIONS):
                    if how not in results:
                        texts.append("–")
                        continue
                    values = np.array(results[how])
                    error = values[:, 0].std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0
                    texts.append("{:.1f} ± {:.1f} / {:.3f} ({:.2f} ms)".format(values[:, 0].mean(), error, *values[:, 1:].mean(axis=0)))
                print(f"| {name} | {kind} | " + " | ".join(texts) + f" | {', '.join(sorted(set(chosen)))} |", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of the Python package against scikit-learn, on the same data in the same run; PYTHONPATH has the package.

    python_peers.py [n_samples] [--umap]

Fits are timed once, transforms twice, of which the shorter counts, with n_jobs=-1 for both sides. With --umap also umap-learn on the digits, against
foldout.extend of its coordinates.
"""
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.manifold import Isomap, LocallyLinearEmbedding, SpectralEmbedding
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

import foldout


def seconds(call, repeats=2):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def report(what, theirs, ours, unit="s"):
    scale = 1e6 if unit == "µs" else 1
    print(f"{what:<44} scikit-learn {theirs * scale:9.3f} {unit}   foldout {ours * scale:9.3f} {unit}   ratio {theirs / ours:7.1f}",
          flush=True)


def compare_fits(n):
    X = foldout.datasets.make_swiss_roll(n).data
    pairs = [("LLE", LocallyLinearEmbedding(n_neighbors=10, n_jobs=-1), foldout.LLE(n_jobs=-1)),
             ("SpectralEmbedding", SpectralEmbedding(affinity="nearest_neighbors", n_neighbors=10, n_jobs=-1),
              foldout.LaplacianEigenmaps(n_jobs=-1)),
             ("Isomap", Isomap(n_neighbors=10, n_jobs=-1), foldout.Isomap(n_jobs=-1))]
    for name, theirs, ours in pairs:
        report(f"fit {name}, {n} samples", seconds(lambda: theirs.fit(X), 1), seconds(lambda: ours.fit(X), 1))


def compare_transforms(n):
    X = foldout.datasets.make_swiss_roll(2000 + n).data
    train, new = X[:2000], X[2000:]
    pairs = [("LLE", LocallyLinearEmbedding(n_neighbors=10, n_jobs=-1), foldout.LLE(n_jobs=-1)),
             ("Isomap", Isomap(n_neighbors=10, n_jobs=-1), foldout.Isomap(n_jobs=-1))]
    for name, theirs, ours in pairs:
        theirs.fit(train)
        ours.fit(train)
        report(f"transform {name}, 2000 samples, {n} new", seconds(lambda: theirs.transform(new)),
               seconds(lambda: ours.transform(new)))
    theirs, ours = PCA(2).fit(train), foldout.PCA().fit(train)
    one = new[:1]
    report("transform PCA, one row", min(seconds(lambda: theirs.transform(one), 2000) for _ in range(3)),
           min(seconds(lambda: ours.transform(one), 2000) for _ in range(3)), "µs")


def compare_umap():
    import umap

    X, y = load_digits(return_X_y=True)
    rows = []
    for split in range(5):
        train, new, of_train, of_new = train_test_split(X, y, test_size=0.3, random_state=split, stratify=y)
        fitted = umap.UMAP(random_state=split).fit(train)
        fitted.transform(new[:10])  # compiles
        start = time.perf_counter()
        theirs = fitted.transform(new)
        middle = time.perf_counter()
        map_ = foldout.extend(train, fitted.embedding_)
        fitted_at = time.perf_counter()
        ours = map_.transform(new)
        end = time.perf_counter()
        nn = KNeighborsClassifier(5).fit(fitted.embedding_, of_train)
        rows.append([middle - start, end - fitted_at, fitted_at - middle, nn.score(theirs, of_new), nn.score(ours, of_new),
                     foldout.metrics.trustworthiness(new, theirs), foldout.metrics.trustworthiness(new, ours)])
    names = ("umap.transform s", "extend(...).transform s", "extend s", "5-NN umap", "5-NN foldout", "trustworthiness umap",
             "trustworthiness foldout")
    for name, value in zip(names, np.mean(rows, axis=0)):
        print(f"{name:<26} {value:.4f}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or [10000]
    compare_transforms(sizes[0])
    compare_fits(sizes[0])
    if "--umap" in sys.argv:
        compare_umap()

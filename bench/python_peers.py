#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of the Python package against scikit-learn, on the same data in the same run; PYTHONPATH has the package.

    python_peers.py [n_samples] [--umap]

Fits are timed once, transforms twice, of which the shorter counts, with n_jobs=-1 for both sides. With --umap also
umap-learn, where it is installed, on the digits: against foldout.extend of its coordinates. The exit status is 1 if
foldout is not faster by the factors that are printed as "at least".
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

missed = []


def seconds(call, repeats=1):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def require(holds, what):
    if not holds:
        missed.append(what)


def report(what, theirs, ours, least, peer="scikit-learn"):
    print(f"{what:<42} {peer} {theirs:10.6f} s   foldout {ours:10.6f} s   ratio {theirs / ours:7.1f}, at least {least}", flush=True)
    require(theirs / ours >= least, what)


def compare_manifolds(n):
    X = foldout.datasets.make_swiss_roll(2 * n).data
    train, new = X[:n], X[n:]
    pairs = [("LLE", LocallyLinearEmbedding(n_neighbors=10, n_jobs=-1), foldout.LLE(n_jobs=-1)),
             ("SpectralEmbedding", SpectralEmbedding(affinity="nearest_neighbors", n_neighbors=10, n_jobs=-1),
              foldout.LaplacianEigenmaps(n_jobs=-1)),
             ("Isomap", Isomap(n_neighbors=10, n_jobs=-1), foldout.Isomap(n_jobs=-1))]
    for name, theirs, ours in pairs:
        report(f"fit {name}, {n} samples", seconds(lambda: theirs.fit(train)), seconds(lambda: ours.fit(train)), 3)
        if hasattr(theirs, "transform"):
            report(f"transform {name}, {n} samples, {n} new", seconds(lambda: theirs.transform(new), 2),
                   seconds(lambda: ours.transform(new), 2), 10)


def compare_one_row():
    X = foldout.datasets.make_swiss_roll(2000).data
    theirs, ours = PCA(2).fit(X), foldout.PCA().fit(X)
    report("transform PCA, one row", seconds(lambda: theirs.transform(X[:1]), 5000), seconds(lambda: ours.transform(X[:1]), 5000),
           0.5)


def umap_split(umap, X, y, split):
    train, new, of_train, of_new = train_test_split(X, y, test_size=0.3, random_state=split, stratify=y)
    fitted = umap.UMAP(random_state=split).fit(train)
    fitted.transform(new[:10])  # compiles
    extension = foldout.Extension()
    placed = []
    theirs = seconds(lambda: placed.append(fitted.transform(new)))
    fit = seconds(lambda: extension.fit(train, fitted.embedding_))
    ours = seconds(lambda: placed.append(extension.transform(new)))
    nn = KNeighborsClassifier(5).fit(fitted.embedding_, of_train)
    return [theirs, ours, fit, *(nn.score(Y, of_new) for Y in placed),
            *(foldout.metrics.trustworthiness(new, Y) for Y in placed)]


def compare_umap():
    try:
        import umap
    except ImportError:
        print("umap-learn is not installed: not compared")
        return
    X, y = load_digits(return_X_y=True)
    theirs, ours, fit, *scores = np.mean([umap_split(umap, X, y, split) for split in range(5)], axis=0)
    report("transform of umap's digits, 540 new", theirs, ours, 10, "umap-learn")
    print(f"foldout.extend itself: {fit:.2f} s")
    print("5-NN accuracy: umap {:.4f}, foldout {:.4f}; trustworthiness: umap {:.4f}, foldout {:.4f}".format(*scores))
    require(scores[1] >= scores[0] - 0.02, "accuracy of umap's digits")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sizes = [int(word) for word in sys.argv[1:] if word.isdigit()] or [10000]
    compare_one_row()
    if "--umap" in sys.argv:
        compare_umap()
    compare_manifolds(sizes[0])
    sys.exit(f"not reached: {', '.join(missed)}" if missed else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""New digits on a t-SNE map: digits_tsne.py TOOL [SPLITS]

t-SNE has no map for new samples. Embeds 70 % of scikit-learn's 1797 digits in two dimensions by t-SNE, lets foldout learn the
map (`extend --extension auto`), places the other 30 % and labels each by its nearest neighbour on the map. For comparison:
the nearest neighbour among the 64 pixels. Prints one line per split and the means.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE
from sklearn.neighbors import KNeighborsClassifier


def run(*arguments):
    done = subprocess.run([tool, *map(str, arguments), "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def one_split(X, y, seed, work):
    order = np.random.default_rng(seed).permutation(len(X))
    train, new = np.split(order, [int(0.7 * len(X))])
    np.save(work / "x.npy", X[train])
    np.save(work / "tsne.npy", TSNE(random_state=seed).fit_transform(X[train]))
    np.save(work / "new.npy", X[new])
    np.savetxt(work / "y.txt", y[train], fmt="%d")
    np.savetxt(work / "true.txt", y[new], fmt="%d")
    made = run("extend", work / "x.npy", work / "tsne.npy", "-o", work / "m", "--extension", "auto", "--labels", work / "y.txt")
    found = run("classify", work / "m", work / "new.npy", "-o", work / "found.txt", "--truth", work / "true.txt")
    pixels = KNeighborsClassifier(1).fit(X[train], y[train]).score(X[new], y[new])
    return made["placed_by"], found["accuracy"], pixels


if __name__ == "__main__":
    tool = sys.argv[1]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(int(sys.argv[2]) if len(sys.argv) > 2 else 5):
            results.append(one_split(*load_digits(return_X_y=True), seed, pathlib.Path(folder)))
            print("split {}: placed by {}, 1-NN on the map {:.4f}, in the pixels {:.4f}".format(seed, *results[-1]), flush=True)
    print("mean: on the map {:.4f}, in the pixels {:.4f}".format(*(np.mean([r[i] for r in results]) for i in (1, 2))))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Agreement with scikit-learn and scipy.

    agreement.py PATH_TO_FOLDOUT [--claims]

Runs the command-line tool and the peer on the same samples and compares the coordinates by the Procrustes disparity.
Exit status 77 says that the peers are not installed. --claims adds seeds and the perturbation check.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import scipy.linalg
    from scipy.spatial import procrustes as scipy_procrustes
    from scipy.spatial.distance import cdist
    from sklearn.datasets import load_digits
    from sklearn.decomposition import PCA, KernelPCA
    from sklearn.manifold import Isomap, LocallyLinearEmbedding, trustworthiness
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.neighbors import kneighbors_graph
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.svm import SVC
except ImportError as error:
    print(f"skipped: {error} (install python3-sklearn to compare with scikit-learn and scipy)")
    sys.exit(77)

failures = []
rows = []


def check(name, value, bound):
    rows.append((name, value, bound))
    ok = value <= bound
    print(f"{'ok  ' if ok else 'FAIL'} {name:<58} {value:.3g} (at most {bound:g})")
    if not ok:
        failures.append(name)


def disparity(a, b):
    return scipy_procrustes(a, b)[2]


class Tool:
    def __init__(self, path, folder):
        self.path, self.folder = path, pathlib.Path(folder)

    def run(self, *arguments):
        return subprocess.run([self.path, *map(str, arguments)], check=True, capture_output=True, text=True).stdout

    def data(self, name, n, seed):
        file = self.folder / "data.npy"
        self.run("data", name, "-n", n, "-o", file, "--seed", seed)
        return np.load(file)

    def embed(self, X, method, *more):
        data, map_ = self.folder / "x.npy", self.folder / "y.npy"
        np.save(data, X)
        self.run("fit", data, "-o", self.folder / "model", "--method", method, "--embedding", map_, *more)
        return np.load(map_)

    def transform(self, X):
        data, placed = self.folder / "new.npy", self.folder / "placed.npy"
        np.save(data, X)
        self.run("transform", self.folder / "model", data, "-o", placed)
        return np.load(placed)

    def score(self, metric, *arrays, k=None):
        files = []
        for i, array in enumerate(arrays):
            files.append(self.folder / f"s{i}.npy")
            np.save(files[-1], array)
        extra = [] if k is None else ["--n-neighbors", k]
        return json.loads(self.run("score", metric, *files, *extra))["value"]


def compare_embeddings(tool, seeds):
    # Grey levels are whole numbers, so many distances tie at the border of a neighbourhood, and scikit-learn's own
    # result moves by 1e-2 under a perturbation of 1e-12. A millionth of a grey level settles every tie for both.
    digits = load_digits().data[:1200]
    digits = digits + 1e-6 * np.random.RandomState(0).randn(*digits.shape)
    for seed in seeds:
        sets = [(name, tool.data(name, 2000, seed)) for name in ("swiss_roll", "swiss_hole", "s_curve")]
        if seed == seeds[0]:
            sets.append(("digits", digits))
        for name, X in sets:
            peers = {
                "lle": LocallyLinearEmbedding(n_neighbors=10, n_components=2, eigen_solver="dense"),
                "isomap": Isomap(n_neighbors=10, n_components=2),
            }
            if name != "digits":
                peers["ltsa:include_self=false"] = LocallyLinearEmbedding(
                    n_neighbors=10, n_components=2, method="ltsa", eigen_solver="dense")
            for method, peer in peers.items():
                ours, theirs = tool.embed(X, method), peer.fit_transform(X)
                check(f"{method} on {name}, seed {seed}", disparity(ours, theirs), 1e-6)
                if method == "isomap":  # its extension too, on samples that were not there
                    new = X[:50] + 0.01 * np.random.RandomState(0).randn(50, X.shape[1])
                    # Both frames, old and new samples together, so that the sign is fixed by the old.
                    ours = np.vstack([ours, tool.transform(new)])
                    theirs = np.vstack([theirs, peer.transform(new)])
                    check(f"isomap placing new samples on {name}, seed {seed}", disparity(ours, theirs), 1e-6)


def subspace_distance(A, B):
    """The sine of the largest angle between two column spaces."""
    qa, qb = np.linalg.qr(A)[0], np.linalg.qr(B)[0]
    return np.linalg.norm(qa - qb @ (qb.T @ qa), 2)


def compare_laplacian(tool):
    X = tool.data("swiss_roll", 600, 3)
    W = kneighbors_graph(X, 10, mode="distance").toarray()
    W = np.maximum(W, W.T)
    edges = W > 0
    width = (W[edges] ** 2).mean()
    W = np.where(edges, np.exp(-W**2 / width), 0)
    D = np.diag(W.sum(1))
    values, vectors = scipy.linalg.eigh(D - W, D)
    ours = tool.embed(X, "laplacian_eigenmaps:n_components=6")
    signs = np.sign((ours * (D @ vectors[:, 1:7])).sum(0))
    check("laplacian_eigenmaps, largest difference to scipy's eigh", abs(ours * signs - vectors[:, 1:7]).max(), 1e-8)
    check("laplacian_eigenmaps, subspace", subspace_distance(ours, vectors[:, 1:7]), 1e-8)


def compare_metrics(tool):
    """isomap in every metric, from samples and from scipy's distances; kpca of a kernel matrix."""
    noise = np.random.RandomState(0)
    digits = load_digits().data[:700] + 1e-6 * noise.randn(700, 64)
    X, new = digits[:600], digits[600:]
    peer = Isomap(n_neighbors=12, n_components=3, metric="precomputed")
    for name in ("manhattan", "chebyshev", "correlation", "cosine", "euclidean"):
        measure = "cityblock" if name == "manhattan" else name
        D, rows = cdist(X, X, measure), cdist(new, X, measure)
        D = (D + D.T) / 2
        np.fill_diagonal(D, 0)
        expected = np.vstack([peer.fit_transform(D), peer.transform(rows)])
        spec = "isomap:n_components=3,n_neighbors=12,metric="
        ours = np.vstack([tool.embed(X, spec + name), tool.transform(new)])
        given = np.vstack([tool.embed(D, spec + "precomputed"), tool.transform(rows)])
        check(f"isomap, metric {name}, old and new samples", disparity(ours, expected), 1e-6)
        check(f"isomap, precomputed {name}, old and new samples", disparity(given, expected), 1e-6)
    peer = KernelPCA(n_components=3, kernel="precomputed")
    expected = np.vstack([peer.fit_transform(X @ X.T), peer.transform(new @ X.T)])
    ours = np.vstack([tool.embed(X @ X.T, "kpca:n_components=3,kernel=precomputed"), tool.transform(new @ X.T)])
    check("kpca of a kernel matrix, old and new samples", disparity(ours, expected), 1e-10)


def compare_steps(tool):
    """pca by a fraction of the variance, and minmax."""
    X = load_digits().data
    for fraction in (0.3, 0.8, 0.95, 0.999):
        ours = tool.embed(X[:600], f"pca:n_components={fraction}").shape[1]
        theirs = PCA(n_components=fraction).fit(X[:600]).n_components_
        check(f"pca, components that explain more than {fraction}: difference", abs(ours - theirs), 0)
    scaler = MinMaxScaler((-1, 2)).fit(X[:600])
    tool.embed(scaler.transform(X[:600]), "pca:n_components=5")
    expected = tool.transform(scaler.transform(X[600:]))
    tool.embed(X[:600], "pca:n_components=5", "--preprocess", "minmax:low=-1,high=2")
    check("minmax, coordinates of new samples: largest difference", abs(tool.transform(X[600:]) - expected).max(), 1e-10)


def compare_scores(tool):
    X = tool.data("s_curve", 700, 1)
    Y = tool.embed(X, "pca")
    for k in (5, 12):
        check(f"trustworthiness, k = {k}", abs(tool.score("trustworthiness", X, Y, k=k) - trustworthiness(X, Y, n_neighbors=k)),
              1e-12)
        check(f"continuity, k = {k}", abs(tool.score("continuity", X, Y, k=k) - trustworthiness(Y, X, n_neighbors=k)), 1e-12)
    noisy = Y @ np.array([[0.0, 2.0], [-2.0, 0.0]]) + 0.3 * np.random.RandomState(0).randn(*Y.shape) + 5
    check("procrustes", abs(tool.score("procrustes", noisy, Y) - disparity(Y, noisy)), 1e-12)


def compare_svm(tool):
    """Ten digits in 12 coordinates of pca: the labels of scikit-learn's SVC, and its choice over the same grid."""
    digits = load_digits()
    X, y = digits.data[:1400], digits.target[:1400]
    for name, array in (("x", X[:500]), ("y", y[:500]), ("new", X[500:])):
        np.save(tool.folder / f"{name}.npy", array)

    def labels(classifier):
        said = json.loads(tool.run("fit", tool.folder / "x.npy", "--labels", tool.folder / "y.npy", "-o", tool.folder / "m",
                                   "--method", "pca:n_components=12", "--embedding", tool.folder / "a.npy",
                                   "--classifier", classifier, "--json"))
        tool.run("classify", tool.folder / "m", tool.folder / "new.npy", "-o", tool.folder / "l.npy")
        tool.run("transform", tool.folder / "m", tool.folder / "new.npy", "-o", tool.folder / "b.npy")
        return np.load(tool.folder / "l.npy"), said["figures"]

    for cost, width in ((0.5, 2000), (4, 900), (100, 300)):
        ours, _ = labels(f"svm:cost={cost},width={width}")
        train, new = np.load(tool.folder / "a.npy"), np.load(tool.folder / "b.npy")
        theirs = SVC(C=cost, gamma=1 / width).fit(train, y[:500]).predict(new)
        check(f"svm, C = {cost}, width = {width}: labels of 900 that differ from SVC's", (ours != theirs).sum(), 0)
    ours, figures = labels("svm")
    spread = 2 * ((train - train.mean(0)) ** 2).sum() / (len(train) - 1)
    grid = {"C": 2.0 ** np.arange(-2, 11, 2), "gamma": 1 / (spread * 2.0 ** np.arange(-10, 5, 2))}
    # Neighbouring digits are by one writer, so folds that are not shuffled are harder than ours.
    search = GridSearchCV(SVC(), grid, cv=StratifiedKFold(5, shuffle=True, random_state=0))
    search.fit(train, y[:500])
    check("svm, accuracy of the cross-validation: difference to GridSearchCV", abs(figures["svm_accuracy"] - search.best_score_),
          0.015)
    check("svm, recognition of 900 new samples: what GridSearchCV has more",
          (search.predict(new) == y[500:]).mean() - (ours == y[500:]).mean(), 0.01)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("foldout")
    parser.add_argument("--claims", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(arguments.foldout, folder)
        compare_scores(tool)
        compare_laplacian(tool)
        compare_metrics(tool)
        compare_steps(tool)
        compare_svm(tool)
        compare_embeddings(tool, range(5) if arguments.claims else [0])
    if arguments.json:
        arguments.json.write_text(json.dumps(
            [{"claim": n, "value": float(v), "bound": b, "holds": bool(v <= b)} for n, v, b in rows]))
    print(f"{len(rows) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

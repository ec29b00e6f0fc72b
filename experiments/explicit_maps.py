#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The experiments on explicit maps: the tables of Fu, Liu and Huang (2007) and of Qiao et al. (2013).

    explicit_maps.py PATH_TO_FOLDOUT [--json FILE] [--only NAME] [--seeds N]

common.py states where the data are read from; experiments without their data are skipped.
"""
import json

from common import claim, load, np, recognition, run_experiments

PARTITIONS = ((1, 3), (4, 6), (7, 9), (1, 4), (5, 8), (1, 5), (6, 10))
PAPER = {"lda": (86.07, 87.14, 90.36, 90.83, 90.00, 94.00, 95.00), "lpp": (86.43, 87.50, 88.57, 91.25, 92.92, 93.00, 96.50),
         "lsda": (89.29, 88.57, 91.43, 95.00, 94.58, 95.00, 96.00), "cea": (91.07, 89.29, 92.14, 95.83, 95.42, 96.50, 98.00)}
PCA_ROW = ((76.79, 63), (76.79, 117), (76.43, 50), (85.83, 103), (80.00, 64), (87.50, 49), (84.00, 133))
FACES = ("--preprocess", "unit_norm", "--preprocess", "center", "--preprocess", "unit_norm")


def partition(y, first, last):
    """Training images first … last of each person."""
    position = np.array([np.sum(y[:i] == y[i]) + 1 for i in range(len(y))])
    train = (position >= first) & (position <= last)
    return np.where(train)[0], np.where(~train)[0]


def embed(tool, X, y, train, new, method, steps=()):
    labels = tool.file("labels.npy", y[train])
    Z, _ = tool.fit(X[train], method, None, "--labels", labels, *steps)
    return Z, tool.place(X[new])[0]


def best(Z, placed, y, train, new, largest, cosine=False):
    def prepared(A):
        return A / np.linalg.norm(A, axis=1, keepdims=True) if cosine else A
    rates = [100 * recognition(prepared(Z[:, :d]), y[train], prepared(placed[:, :d]), y[new])
             for d in range(1, min(largest, Z.shape[1]) + 1)]
    top = int(np.argmax(rates))
    return rates[top], top + 1, rates


def table_2(tool, seeds):
    """ORL, seven partitions: recognition at the best dimension up to 140 (chosen on the test samples, as in the paper)."""
    print("\nFu, Liu and Huang (2007), table 2 (best dimension, chosen on the test samples)")
    X, y = load("orl")
    found = {name: [] for name in ("pca", "lda", "lpp", "lsda", "cea")}
    at39, pca = [], []
    for first, last in PARTITIONS:
        train, new = partition(y, first, last)
        rank = min(140, len(train) - 1)
        Z, placed = embed(tool, X, y, train, new, f"pca:n_components={len(train) - 1}")
        rate, d, _ = best(Z, placed, y, train, new, 140)
        found["pca"].append(rate)
        pca.append((round(rate, 2), d))
        for name, method in (("lda", "lda:n_components=39"), ("lpp", f"lpp:supervised=true,weights=binary,n_components={rank}"),
                             ("lsda", f"lsda:n_components={rank}")):
            found[name].append(best(*embed(tool, X, y, train, new, method), y, train, new, 140)[0])
        Z, placed = embed(tool, X, y, train, new, f"cea:n_components={rank}", FACES)
        rate, _, curve = best(Z, placed, y, train, new, 140, cosine=True)
        found["cea"].append(rate)
        at39.append(curve[38])
    for name, rates in found.items():
        print(f"  {name:<5}" + " ".join(f"{r:6.2f}" for r in rates) + f"  mean {np.mean(rates):.2f}"
              + (f"  paper {np.mean(PAPER[name]):.2f}" if name in PAPER else ""))
    print(f"  cea at d = 39: " + " ".join(f"{r:.2f}" for r in at39) + f"  mean {np.mean(at39):.2f}")
    claim("Fu, Liu and Huang (2007), table 2, PCA row: cells that differ (accuracy and dimension)",
          sum(a != b for a, b in zip(pca, PCA_ROW)), 0)
    claim("Fu, Liu and Huang (2007): cea at d = 39, unit_norm center unit_norm, affinity: mean of 7 partitions", np.mean(at39), 92.8, True)


def gain(tool, seeds):
    """Every test image is multiplied by its own constant: the labels predicted by cea must not change."""
    X, y = load("orl")
    train, new = partition(y, 1, 5)
    gains = np.random.RandomState(0).uniform(0.3, 1.7, len(new))
    tool.fit(X[train], "cea:n_components=39", None, "--labels", tool.file("labels.npy", y[train]), *FACES)
    given = []
    for images in (X[new], X[new] * gains[:, None]):
        tool.run("classify", tool.folder / "model", tool.file("new.npy", images), "-o", tool.folder / "l.npy",
                 "--classifier", "affinity")
        given.append(np.load(tool.folder / "l.npy"))
    claim("cea: labels changed by gains of 0.3 … 1.7", (given[0] != given[1]).sum(), 0)


def standardised(T):
    return (T - T.mean(0)) / T.std(0)


def generated(tool, name, n, seed):
    tool.run("data", name, "-n", n, "-o", tool.folder / "g.npy", "--truth", tool.folder / "t.npy", "--seed", seed)
    X, T = np.load(tool.folder / "g.npy"), np.load(tool.folder / "t.npy")
    return X, T[:, :2]


def table_4(tool, seeds):
    """Swiss roll, hole, Gaussian: procrustes of snppe and nppe against the standardised truth."""
    print("\nQiao et al. (2013), table IV: median procrustes against the truth (failed: > 0.01)")
    for data in ("swiss_roll", "swiss_hole", "gaussian"):
        for method, bound in (("snppe", 0.0015), ("nppe", 0.002 if data == "gaussian" else 0.0015),
                              ("snppe:preserve=hlle", 0.0006), ("snppe:preserve=ltsa", 0.0006),
                              ("npe", None)):
            values = []
            for seed in range(seeds):
                X, truth = generated(tool, data, 1000, seed)
                Y, _ = tool.fit(X, method)
                values.append(tool.score("procrustes", Y, standardised(truth)))
            median, failed = np.median(values), int(np.sum(np.array(values) > 0.01))
            print(f"  {data:<11} {method:<22} {median:.5f}  failed {failed} of {seeds}")
            if bound:
                claim(f"{data}, {method}: median procrustes of {seeds} seeds", median, bound)


def out_of_range(tool, seeds):
    """Table V: trained on the inner two thirds of the angle, placed in the outer third."""
    print("\nQiao et al. (2013), table V: out of range")
    for method in ("snppe", "nppe"):
        values = []
        for seed in range(seeds):
            tool.run("data", "swiss_roll", "-n", 3000, "-o", tool.folder / "g.npy", "--truth", tool.folder / "t.npy", "--seed", seed)
            X, T = np.load(tool.folder / "g.npy"), np.load(tool.folder / "t.npy")
            inner = T[:, 2] <= 1.5 * np.pi * (1 + 2 * 2 / 3)
            train, new = np.where(inner)[0], np.where(~inner)[0]
            tool.fit(X[train], f"{method}:n_neighbors=20")
            placed, _ = tool.place(X[new])
            truth = (T[new, :2] - T[train, :2].mean(0)) / T[train, :2].std(0)
            values.append(tool.score("procrustes", placed, truth))
        print(f"  {method}: median {np.median(values):.5f}")
        claim(f"out of range, {method}: median procrustes of {seeds} seeds", np.median(values), 0.0005)


def frey(tool, seeds):
    """Frey faces: how well new samples preserve their reconstruction weights, snppe against npe."""
    print("\nFrey faces: ‖y − Σ w y‖² of 400 new samples, unit-variance coordinates")
    X, _ = load("frey")
    order = np.random.RandomState(0).permutation(len(X))
    train, new = order[:1500], order[1500:1900]
    T, N = X[train] / 255, X[new] / 255
    gaps = (N ** 2).sum(1)[:, None] + (T ** 2).sum(1)[None] - 2 * N @ T.T
    near = np.argsort(gaps, axis=1)[:, :15]
    W = []
    for x, j in zip(N, near):
        G = (T[j] - x) @ (T[j] - x).T
        w = np.linalg.solve(G + 1e-3 * np.trace(G) * np.eye(15), np.ones(15))
        W.append(w / w.sum())
    errors = {}
    for method in ("npe:n_neighbors=15,ridge=0", "npe:n_neighbors=15", "snppe:n_neighbors=15", "snppe:n_neighbors=15,ridge=0"):
        Z, report = tool.fit(T, method)
        placed, _ = tool.place(N)
        errors[method] = np.mean([((p - w @ Z[j]) ** 2).sum() for p, w, j in zip(placed, W, near)])
        print(f"  {method}: {errors[method]:.5f}  {report['figures'].get('ridge', '')}")
    claim("frey: error of snppe over that of npe", errors["snppe:n_neighbors=15"] / errors["npe:n_neighbors=15,ridge=0"], 1)


def olpp_ridge(tool, seeds):
    """ORL, seven partitions, supervised sequential olpp in 39 coordinates: what lpp's ridge of 0.1 would cost."""
    X, y = load("orl")
    means = []
    for ridge in ("1e-6", "0.1"):
        method = f"olpp:algorithm=sequential,supervised=true,weights=binary,n_components=39,ridge={ridge}"
        means.append(np.mean([100 * recognition(Z, y[train], placed, y[new])
                              for train, new in (partition(y, *images) for images in PARTITIONS)
                              for Z, placed in [embed(tool, X, y, train, new, method)]]))
    print(f"\nsequential olpp, supervised: {means[0]:.2f} with its ridge, {means[1]:.2f} with 0.1")
    claim("sequential olpp, supervised: recognition, mean of 7 partitions", means[0], 92, True)
    claim("sequential olpp, supervised: points lost with a ridge of 0.1", means[0] - means[1], 2, True)


CLASSIFIERS = ("nn", "affinity", "svm", "svm:metric=cosine", "sparse")


def labelled(tool, new, truth, classifier):
    out = tool.run("classify", tool.folder / "model", tool.file("new.npy", new), "-o", tool.folder / "l.npy", "--classifier",
                   classifier, "--truth", tool.file("truth.npy", truth), "--json")
    return 100 * json.loads(out)["accuracy"]


def classifiers(tool, seeds):
    """Recognition by the classifiers: ORL in 39 coordinates, mean of seven partitions; USPS digits in 30 of pca."""
    print("\nclassifiers on ORL, 39 coordinates: mean of seven partitions")
    X, y = load("orl")
    for method, steps, bound in (("pca:n_components=39", (), 82.5), ("lda:n_components=39", (), 91), ("cea", FACES, 88)):
        found = {name: [] for name in CLASSIFIERS}
        for first, last in PARTITIONS:
            train, new = partition(y, first, last)
            tool.fit(X[train], method, None, "--labels", tool.file("labels.npy", y[train]), *steps)
            for name in CLASSIFIERS:
                found[name].append(labelled(tool, X[new], y[new], name))
        print(f"  {method}: " + ", ".join(f"{name} {np.mean(rates):.2f}" for name, rates in found.items()))
        claim(f"{method}: recognition by svm, mean of 7 partitions", np.mean(found["svm"]), bound, True)
    print("USPS, 30 coordinates of pca, 2000 new samples")
    X, y = load("usps")
    order = np.random.default_rng(0).permutation(len(X))
    new = order[-2000:]
    for n in (1000, 2000, 4000, 7000):
        train = order[:n]
        _, report = tool.fit(X[train], "pca:n_components=30", None, "--labels", tool.file("labels.npy", y[train]),
                             "--classifier", "svm")
        rates = [labelled(tool, X[new], y[new], name) for name in ("nn", "svm")]
        print(f"  {n}: nn {rates[0]:.2f}, svm {rates[1]:.2f} in {report['seconds']['svm']:.1f} s")
        claim(f"usps, {n} training samples: points gained by svm over nn", rates[1] - rates[0], 0.3, True)


if __name__ == "__main__":
    run_experiments(__doc__, (table_4, out_of_range, table_2, gain, frey, classifiers, olpp_ridge), "seeds", 20,
                    need_data=(table_2, gain, frey, classifiers, olpp_ridge))

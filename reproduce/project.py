# SPDX-License-Identifier: Apache-2.0
"""The claims of foldout itself: figures that its documentation states, each with its bound. `make claims` runs these."""
import json
import subprocess
import tempfile

import numpy as np
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

import foldout

from .cea import FACES, PARTITIONS, partition
from .data import load, tool
from .engine import experiment
from .measure import cpu_seconds, recognition, standardised
from .statistics import Stat, gap


def unroll(method, seed):
    roll = foldout.datasets.make_swiss_roll(2000, random_state=seed)
    made = {"ltsa": foldout.LTSA, "hessian_lle": foldout.HessianLLE}[method](n_neighbors=12).fit(roll.data)
    return {"procrustes": foldout.metrics.procrustes(made.embedding_, standardised(roll.truth[:, :2]))}


@experiment("project_unrolling", "unrolling 2000 samples of a swiss roll")
def unrolling(run):
    for method in ("ltsa", "hessian_lle"):
        cells = run.cells(unroll, run.seeds(10), method=method)
        run.bound(f"{method} unrolls 2000 samples (median procrustes)", np.median(cells.values("procrustes")), 0.002)


PLACING = {"LaplacianEigenmaps": 0.08, "LLE": 0.09, "HessianLLE": 0.02, "LTSA": 0.02, "Isomap": 0.03, "LandmarkIsomap": 0.03,
           "DiffusionMaps": 0.06}


def place_roll(method, seed):
    """1500 training samples, 500 new ones, default keys."""
    X = foldout.datasets.make_swiss_roll(2000, random_state=seed).data
    extension = "lle" if method in ("LaplacianEigenmaps", "DiffusionMaps") else None
    model = getattr(foldout, method)(extension=extension).fit(X[:1500])
    batch = getattr(foldout, method)().fit(X).embedding_
    return {"placement": foldout.metrics.placement(model.embedding_, model.transform(X[1500:]), batch[:1500], batch[1500:])}


@experiment("project_placing", "placement error on a swiss roll, all methods")
def placing(run):
    for method, bound in PLACING.items():
        run.bound(f"{method}: placement error of 500 new samples",
                  run.cells(place_roll, [0], method=method).stat("placement").mean, bound)


# --- maps of other programs

def digits(seed):
    """t-SNE of 70 % of scikit-learn's digits; the others are placed by foldout and labelled by their neighbour on the map."""
    from sklearn.datasets import load_digits
    from sklearn.manifold import TSNE
    X, y = load_digits(return_X_y=True)
    train, new = np.split(np.random.default_rng(seed).permutation(len(X)), [int(0.7 * len(X))])
    Y = np.asarray(TSNE(random_state=seed).fit_transform(X[train]), dtype=float)
    with tempfile.TemporaryDirectory() as work:  # the tool chooses by labels too
        return digits_by_tool(X, y, train, new, Y, work)


def digits_by_tool(X, y, train, new, Y, work):
    for name, values in (("x", X[train]), ("y", Y), ("new", X[new]), ("labels", y[train]), ("truth", y[new])):
        np.save(f"{work}/{name}.npy", values)
    made = run_tool("extend", f"{work}/x.npy", f"{work}/y.npy", "-o", f"{work}/m", "--extension", "auto", "--labels",
                    f"{work}/labels.npy", "--json")
    found = run_tool("classify", f"{work}/m", f"{work}/new.npy", "-o", f"{work}/f.txt", "--truth", f"{work}/truth.npy",
                     "--json")
    return {"map": 100 * found["accuracy"], "pixels": recognition(X[train], y[train], X[new], y[new]),
            "placed_by": made["placed_by"]}


def run_tool(*arguments):
    done = subprocess.run([tool(), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout) if "--json" in arguments else done.stdout


@experiment("project_digits_tsne", "new digits on a t-SNE map", "the tool")
def digits_tsne(run):
    cells = run.cells(digits, run.seeds(5, quick=1))
    run.table("Per cent of new digits next to one of their class", ["on the map", "in the pixels"],
              {"digits": [cells.stat("map"), cells.stat("pixels")]}, key="project_digits_tsne")
    run.bound("digits on a t-SNE map: per cent of new ones next to one of their class", cells.stat("map").mean, 98, True)


CLUSTERED = {"usps": (4000, 1500), "orl": (200, 200), "yaleb": (1207, 1207), "rendered_50x200_24": (8000, 2000)}
CLUSTERED_EXTENSIONS = ("mode", "lvm", "lle", "rbf", "auto")


def cluster_map(data, kind, seed):
    """A map of training samples; accuracy of 5 neighbours on it, trustworthiness among them, CPU time."""
    X, y = load(data)
    n, m = CLUSTERED.get(data, (len(X) // 2, len(X) // 2))
    order = np.random.default_rng(seed).permutation(len(X))
    train, new = order[:n], order[n:n + m]
    E, placed = other_map(kind, X[train], X[new], seed)
    for extension in CLUSTERED_EXTENSIONS:
        model = foldout.extend(X[train], E, extension)
        seconds, Y = cpu_seconds(lambda: model.transform(X[new]))
        placed[extension] = Y, seconds
    found = {}
    for name, (Y, seconds) in placed.items():
        accuracy = 100 * KNeighborsClassifier(5).fit(E, y[train]).score(Y, y[new])
        found[name] = {"accuracy": accuracy, "trust": trust(X[train], X[new], E, Y), "ms": 1000 * seconds / len(new)}
    return found


def other_map(kind, X, new, seed):
    """Coordinates, and those of new samples where the program places them itself."""
    if kind == "tsne2":
        from sklearn.manifold import TSNE
        made = TSNE(random_state=seed, init="pca", learning_rate="auto", perplexity=min(30, len(X) // 4), n_jobs=1)
        return np.asarray(made.fit_transform(X), dtype=float), {}
    if not kind.startswith("umap"):
        made = {"laplacian_eigenmaps10": foldout.LaplacianEigenmaps, "ltsa10": foldout.LTSA}[kind]
        return made(n_components=10, n_neighbors=12).fit(X).embedding_, {}
    import umap
    fitted = umap.UMAP(n_components=int(kind[4:]), random_state=seed).fit(X)
    fitted.transform(new[:20])  # compiles
    seconds, Y = cpu_seconds(lambda: fitted.transform(new))
    return np.asarray(fitted.embedding_, dtype=float), {"umap.transform": (Y, seconds)}


def trust(X, new, E, placed, k=5):
    """Trustworthiness of the training neighbours of new samples."""
    found = NearestNeighbors(n_neighbors=k).fit(E).kneighbors(placed, return_distance=False)
    order = np.argsort((X ** 2).sum(axis=1) - 2 * new @ X.T, axis=1)
    ranks = np.empty(order.shape, dtype=np.int32)
    np.put_along_axis(ranks, order, np.arange(1, len(X) + 1, dtype=np.int32)[None, :], axis=1)
    penalty = np.maximum(np.take_along_axis(ranks, found, axis=1) - k, 0).sum()
    return 1 - 2 * penalty / (len(new) * k * (2 * len(X) - 3 * k - 1))


@experiment("project_clustered_maps", "new samples on maps of t-SNE, UMAP and others", "orl, yaleb, usps; umap for its maps")
def clustered_maps(run):
    try:
        import umap  # noqa: F401
        kinds = ("tsne2", "umap2", "umap10", "laplacian_eigenmaps10", "ltsa10")
    except ImportError:
        kinds = ("tsne2", "laplacian_eigenmaps10", "ltsa10")
        run.note("umap is not installed: without its maps.")
    sets = run.sets("orl", "yaleb", "usps")
    if not (run.quick or run.stand_in or run.options.set):
        sets.append("rendered_50x200_24")
    behind = []
    for kind in kinds:
        cells = {n: run.cells(cluster_map, run.seeds(5, quick=1), data=n, kind=kind) for n in sets}
        names = [*(["umap.transform"] if kind.startswith("umap") else []), *CLUSTERED_EXTENSIONS]
        for measure, title, digits in (("accuracy", "accuracy of 5 neighbours (%)", 1), ("trust", "trustworthiness", 3),
                                       ("ms", "CPU milliseconds per sample", 2)):
            run.table(f"{kind}: {title}", names, {n: [c.stat(m, measure) for m in names] for n, c in cells.items()}, digits,
                      key=f"project_clustered_maps.{kind}" + ("" if measure == "accuracy" else f"_{measure}"))
        for n, c in cells.items():
            if not c.results():
                continue
            means = {m: c.stat(m, "accuracy").mean for m in CLUSTERED_EXTENSIONS}
            behind.append(max(means.values()) - means["auto"])
            if kind[:4] in ("umap", "tsne"):
                run.bound(f"{n}, {kind}: mode above lvm, points", means["mode"] - means["lvm"], 0, True)
            if kind.startswith("umap"):
                claims_against_umap(run, n, kind, c)
    if behind:
        run.bound("auto within a point of the best extension: per cent of maps", 100 * np.mean(np.array(behind) <= 1), 80, True)


def claims_against_umap(run, name, kind, cells):
    """Mode against umap.transform on a map of UMAP."""
    ours, theirs = (lambda measure, m=m: cells.values(m, measure) for m in ("mode", "umap.transform"))
    gained = gap(ours("accuracy"), theirs("accuracy"))
    run.bound(f"{name}, {kind}: accuracy of mode above umap.transform, points and two standard errors",
              gained.mean + 2 * gained.error, 0, True)
    if kind == "umap2":
        run.bound(f"{name}, {kind}: trustworthiness of mode above umap.transform",
                  gap(ours("trust"), theirs("trust")).mean, -.01, True)
    run.bound(f"{name}, {kind}: umap.transform takes so many times longer than mode",
              theirs("ms").mean() / ours("ms").mean(), 10, True)


# --- default extensions

GRAPHS, DIMENSIONS = ("full", "knn", "ball", "mutual"), (2, 10, 40)
METHODS = ("lle", "ltsa", "hessian_lle", "isomap", "isomap:graph=ball", "landmark_isomap", "mds", "kpca", "diffusion_maps",
           "diffusion_maps:graph=full", "diffusion_maps:graph=ball", "diffusion_maps:graph=mutual")


def compare_default(data, method, extensions, seed):
    """One split of `foldout compare` for the default extension and others: placement error and accuracy."""
    with tempfile.TemporaryDirectory() as work:
        if data == "swiss_roll":
            X, y = foldout.datasets.make_swiss_roll(1000).data, None
        else:
            X, y = load(data)
            some = np.random.default_rng(0).permutation(len(X))[:1000] if len(X) > 1500 else np.arange(len(X))
            X, y = X[some], y[some]
            np.save(f"{work}/y.npy", y)
        np.save(f"{work}/x.npy", X)
        common = ["compare", f"{work}/x.npy", "--method", method, "--repeats", 1, "--seed", seed, "--threads", 1, "--json",
                  "-q"]
        common += ["--labels", f"{work}/y.npy"] if y is not None else []
        given = [argument for e in extensions for argument in ("--extension", e)]
        found = {}
        for names, options in ((("default",), []), (extensions, given)):
            for name, row in zip(names, run_tool(*common, *options)["rows"]):
                if "refused" not in row:
                    found[name] = {"placement": row["placement"]["mean"],
                                   **({"accuracy": 100 * row["accuracy"]["mean"]} if "accuracy" in row else {})}
    return found


def judge(cells):
    """Placement error of the default and of the best; whether it is too large; points of accuracy missing."""
    names = [n for n in cells.results()[0] if n != "default"]
    own = cells.stat("default", "placement")
    best = min((cells.stat(n, "placement") for n in names), key=lambda s: s.mean)
    worse = own.mean > max(1.3 * best.mean, best.mean + 0.03) and own.mean - best.mean > 2 * np.hypot(own.error, best.error)
    missing = 0
    if "accuracy" in cells.results()[0]["default"]:
        missing = max(cells.stat(n, "accuracy").mean for n in names) - cells.stat("default", "accuracy").mean
    return own, best, worse, missing


def default_sets(run):
    return [*run.sets("orl", "yale", "usps", stand_in="rendered_20x20_24"),
            *([] if run.quick else ["rendered_20x20_24", "swiss_roll"])]


@experiment("project_default_extensions", "the extension that laplacian_eigenmaps gets without a request",
            "orl, yale, usps; the tool")
def default_extensions(run):
    extensions = ("nystrom:fallback=none", "lle", "rbf")
    graphs = GRAPHS[:2] if run.quick else GRAPHS
    found = {(n, g, d): run.cells(compare_default, run.seeds(5), data=n,
                                  method=f"laplacian_eigenmaps:graph={g},n_components={d}", extensions=extensions)
             for n in default_sets(run) for g in graphs for d in (DIMENSIONS[:2] if run.quick else DIMENSIONS)}
    found = {key: c for key, c in found.items() if c.results()}
    run.table("Placement error", ["default", "formula alone", "lle", "rbf"],
              {f"{n}, {g}, d = {d}": [c.stat(e, "placement") for e in ("default", *extensions)] for (n, g, d),
               c in found.items()}, 3,
              key="project_default_extensions")
    judged = [judge(c) for c in found.values()]
    run.bound("laplacian_eigenmaps: cells in which the default places as well as the best",
              1 - np.mean([j[2] for j in judged]), 0.9, True)
    run.bound("laplacian_eigenmaps: largest placement error of the default above the best",
              max(j[0].mean - j[1].mean for j in judged), 0.2)
    run.bound("laplacian_eigenmaps: most points of accuracy below the best", max(j[3] for j in judged), 5)


@experiment("project_default_others", "the extensions that the other methods get without a request",
            "orl, yale, usps; the tool")
def default_others(run):
    methods = METHODS[:2] if run.quick else METHODS
    found = {(n, m, d): run.cells(compare_default, run.seeds(2), data=n,
                                  method=f"{m}{',' if ':' in m else ':'}n_components={d}", extensions=("lle", "rbf"))
             for n in default_sets(run) for m in methods for d in (DIMENSIONS[:1] if run.quick else DIMENSIONS)}
    refused = [key for key, c in found.items() if not c.results()]
    run.errors = []  # a method refuses more coordinates than it can have
    if refused:
        run.note("refused: " + ", ".join(f"{n} {m} d = {d}" for n, m, d in refused))
    for (n, m, d), c in found.items():
        if c.results():
            own, best, _, _ = judge(c)
            run.bound(f"{n}, {m}, d = {d}: placement error of the default above the best", own.mean - best.mean, 0.1)


# --- recognition and confidence

CLASSIFIERS = ("nn", "affinity", "svm", "svm:metric=cosine", "sparse")
MAPS = {"pca": (lambda d: foldout.PCA(n_components=d), None, 82.5), "lda": (lambda d: foldout.LDA(n_components=d), None, 91),
        "cea": (lambda d: foldout.CEA(n_components=d), FACES, 88)}


def classify(data, method, classifier, first, last, seed):
    X, y = load(data)
    train, new = partition(y, first, last)
    make, steps, _ = MAPS[method]
    model = make(len(np.unique(y)) - 1).set_params(preprocess=steps, classifier=classifier).fit(X[train], y[train])
    return {"rate": 100 * model.score(X[new], y[new])}


@experiment("project_classifiers", "classifiers on maps of faces", "orl")
def classifiers(run):
    name = run.sets("orl")[0]
    partitions = PARTITIONS[:1] if run.quick else PARTITIONS
    found = {(m, c): [run.cells(classify, [0], data=name, method=m, classifier=c, first=a, last=b) for a, b in partitions]
             for m in MAPS for c in CLASSIFIERS}
    rates = {key: Stat.of(np.concatenate([c.values("rate") for c in cells])) for key, cells in found.items()}
    run.table("Per cent recognised, one coordinate less than classes, mean of the partitions", CLASSIFIERS,
              {m: [rates[m, c] for c in CLASSIFIERS] for m in MAPS}, 1, key="project_classifiers")
    if name == "orl" and not run.quick:
        for m, (_, _, bound) in MAPS.items():
            run.bound(f"{m}: recognition by svm, mean of 7 partitions", rates[m, "svm"].mean, bound, True)


def classify_digits(data, n, seed):
    X, y = load(data)
    order = np.random.default_rng(seed).permutation(len(X))
    new, train = order[-2000:], order[:n]
    return {c: 100 * foldout.PCA(n_components=30, classifier=c).fit(X[train], y[train]).score(X[new], y[new])
            for c in ("nn", "svm")}


@experiment("project_digits_svm", "support vector machines on maps of digits", "usps")
def digits_svm(run):
    name = run.sets("usps", stand_in="rendered_20x150_24")[0]
    sizes = (500,) if run.quick else (1000, 2000, 4000, 7000)
    found = {n: run.cells(classify_digits, [0], data=name, n=n) for n in sizes}
    run.table("Per cent recognised in 30 coordinates of pca", ["nn", "svm"],
              {str(n): [c.stat("nn"), c.stat("svm")] for n, c in found.items()}, 1, key="project_digits_svm")
    for n, c in found.items():
        run.bound(f"{n} training samples: points gained by svm over nn", c.stat("svm").mean - c.stat("nn").mean, 0.3, True)


def olpp(data, ridge, first, last, seed):
    X, y = load(data)
    train, new = partition(y, first, last)
    model = foldout.OLPP(algorithm="sequential", supervised=True, weights="binary", n_components=len(np.unique(y)) - 1,
                         ridge=ridge).fit(X[train], y[train])
    return {"rate": recognition(model.embedding_, y[train], model.transform(X[new]), y[new])}


@experiment("project_olpp_ridge", "the ridge of sequential olpp", "orl")
def olpp_ridge(run):
    name = run.sets("orl")[0]
    partitions = PARTITIONS[:1] if run.quick else PARTITIONS
    found = {r: [run.cells(olpp, [0], data=name, ridge=r, first=a, last=b) for a, b in partitions] for r in (1e-6, 0.1)}
    rates = {r: Stat.of(np.concatenate([c.values("rate") for c in cells])) for r, cells in found.items()}
    run.table("Sequential olpp, supervised: per cent recognised", ["1e-6", "0.1"], {"ridge": list(rates.values())},
              key="project_olpp_ridge")
    if name == "orl" and not run.quick:
        run.bound("sequential olpp, supervised: recognition, mean of 7 partitions", rates[1e-6].mean, 92, True)
        run.bound("sequential olpp, supervised: points lost with a ridge of 0.1", rates[1e-6].mean - rates[0.1].mean, 2, True)


def auc(low, high):
    """How often a value of `high` exceeds one of `low`, ties counting half."""
    low = np.sort(low)
    return (np.searchsorted(low, high, "left") + np.searchsorted(low, high, "right")).mean() / (2 * len(low))


def confide(data, method, extension, preprocess, seed):
    """Trained on all classes but the last: confidence of held-out samples against that class, noise and inverted images."""
    X, y = load(data)
    last = np.unique(y)[-1]
    random = np.random.RandomState(seed)
    known = random.permutation(np.where(y != last)[0])
    n = min(2000, int(0.7 * len(known)))
    train, held = known[:n], known[n:n + 800]
    others = {"new class": X[y == last], "noise": random.randint(0, 256, (300, X.shape[1])) * X.max() / 255,
              "inverted": X.max() - X[held[:300]]}
    model = {"le": foldout.LaplacianEigenmaps, "pca": foldout.PCA}[method](n_components=10, extension=extension,
                                                                           preprocess=preprocess).fit(X[train])
    inside = model.confidence(X[held])
    return {name: auc(model.confidence(np.asarray(Z, dtype=float)), inside) for name, Z in others.items()}


@experiment("project_confidence", "confidence of samples off the manifold", "usps")
def confidence(run):
    name = run.sets("usps")[0]
    cases = [(m, e, p) for p in (None, "unit_norm") for m, e in (("le", None), ("le", "sparse"), ("pca", None))]
    found = {case: run.cells(confide, [0], data=name, method=case[0], extension=case[1], preprocess=case[2])
             for case in (cases[:1] if run.quick else cases)}
    text = lambda case: " ".join(filter(None, case))
    run.table("AUC of held-out samples against others", ["new class", "noise", "inverted"],
              {text(c): [v.stat(o) for o in ("new class", "noise", "inverted")] for c, v in found.items()}, 3,
              key="project_confidence")
    for case, cells in found.items():
        for other, bound in (("new class", 0.7), ("noise", 0.95), ("inverted", 0.95)):
            if not (case == ("pca", None, "unit_norm")
                    and other == "new class"):  # 1000 reference samples are too few to distinguish them
                run.bound(f"{name}, {text(case)}: AUC against {other}", cells.stat(other).mean, bound, True)


# --- scale

def curved(n, seed):
    """Samples on a 5-dimensional manifold in 100 dimensions, with noise."""
    random = np.random.RandomState(seed)
    H = np.tanh(random.randn(n, 5) @ random.randn(5, 64) / 2)
    return H @ random.randn(64, 100) / 8 + .05 * random.randn(n, 100)


def learn_many(n, seed):
    """Seconds to learn 1000 atoms in 15 iterations."""
    X = curved(n, seed)
    model = foldout.LandmarkEmbedding(method="lle:n_neighbors=12",
                                      dictionary="lcdl:n_atoms=1000,coding_tau=8,locality=0.1,max_iterations=15").fit(X)
    return {"seconds": dict(model.report_["seconds"])["dictionary"]}


@experiment("project_scale", "learning a dictionary from 100 000 samples")
def scale(run):
    sizes = (6250, 12500) if run.quick else (12500, 25000, 50000, 100000)
    found = {n: run.cells(learn_many, [0], alone=True, n=n) for n in sizes}
    seconds = {n: c.stat("seconds").mean for n, c in found.items()}
    run.table("Seconds to learn 1000 atoms, one thread", sizes, {"lcdl": list(seconds.values())})
    first, last = sizes[0], sizes[-1]
    run.bound(f"lcdl, {last} × 100, 1000 atoms: seconds", seconds[last], 120)
    run.bound(f"the same relative to {last // first} times those of {first} samples",
              seconds[last] * first / (last * seconds[first]), 1.3)

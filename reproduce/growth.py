# SPDX-License-Identifier: Apache-2.0
"""How time and memory grow with the number of samples and of features: the tool's fits, one thread, and the exponents of power
laws fitted to them. Part of `project`; docs/performance.md quotes the tables."""
import sys
import tempfile

import numpy as np

from . import svg
from .data import tool
from .engine import experiment
from .programs import beside, output_of

DECADES = (10000, 31623, 100000, 316228, 1000000)
FEW = (500, 1118, 2500, 5590, 12500)  # for methods that need n² numbers
MANY_FEATURES = (1000, 3162, 10000, 31623, 100000)
FEATURES = (16, 64, 256, 1024)

# name -> data, method, dictionary, numbers of samples, orders of growth that theory allows: of time, of memory. A k-d tree takes
# n log n; the exact factor of a planar graph in nested order n^1.5 and n log n numbers (A. George, SIAM J. Numer. Anal. 10, 1973).
FITS = {
    "laplacian_eigenmaps": ("swiss_roll", "laplacian_eigenmaps", None, DECADES, "n^1.5", "n log n"),
    "laplacian_eigenmaps, multigrid": ("swiss_roll", "laplacian_eigenmaps:solver=multigrid", None, DECADES, "n log n", "n"),
    "diffusion_maps": ("swiss_roll", "diffusion_maps", None, DECADES, "n^1.5", "n log n"),
    "lle": ("swiss_roll", "lle", None, DECADES, "n^1.5", "n log n"),
    "ltsa": ("swiss_roll", "ltsa", None, DECADES, "n^1.5", "n log n"),
    "hessian_lle": ("swiss_roll", "hessian_lle", None, DECADES, "n^1.5", "n log n"),
    "landmark_isomap, 100 landmarks": ("swiss_roll", "landmark_isomap:n_landmarks=100", None, DECADES, "n log n", "n"),
    "pca": ("swiss_roll", "pca", None, DECADES, "n", "n"),
    "lpp": ("swiss_roll", "lpp", None, DECADES, "n log n", "n"),
    "npe": ("swiss_roll", "npe", None, DECADES, "n log n", "n"),
    "snppe": ("swiss_roll", "snppe", None, DECADES, "n log n", "n"),
    "lle of 500 atoms of lcdl": ("swiss_roll", "lle", "lcdl:n_atoms=500,coding_tau=4,locality=0.1", DECADES, "n", "n"),
    "laplacian_eigenmaps, 50 features": ("mixture", "laplacian_eigenmaps", None, MANY_FEATURES, "n^2", "n"),
    "isomap": ("swiss_roll", "isomap", None, FEW, "n^2 log n", "n^2"),
    "mds of precomputed distances": ("distances", "mds:metric=precomputed", None, FEW, "n^2", "n^2"),
    "kpca": ("swiss_roll", "kpca", None, FEW, "n^2", "n^2"),
    "laplacian_eigenmaps, full graph": ("swiss_roll", "laplacian_eigenmaps:graph=full", None, FEW, "n^2", "n^2"),
}

MEASURE = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
           "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime, used.ru_maxrss)")


def samples(kind, n, d, seed):
    random = np.random.RandomState(seed)
    if kind == "swiss_roll":
        angle, height = 1.5 * np.pi * (1 + 2 * random.rand(n)), 21 * random.rand(n)
        return np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)])
    if kind == "distances":
        P = random.rand(n, 2)
        return np.sqrt(((P[:, None] - P[None]) ** 2).sum(2))
    return 4 * random.rand(10, d)[random.randint(10, size=n)] + random.randn(n, d)  # ten clusters


def measure(kind, method, dictionary, n, d, seed):
    """CPU seconds and megabytes of a fit, without those of a fit to 60 samples."""
    def fit(count):
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/x.npy", samples(kind, count, d, seed))
            more = ["--dictionary", dictionary.replace("n_atoms=500", f"n_atoms={min(500, count // 2)}")] if dictionary else []
            return np.array(output_of(sys.executable, "-c", MEASURE, tool(), "fit", f"{folder}/x.npy", "-o", f"{folder}/m",
                                      "--method", method.replace("n_landmarks=100", f"n_landmarks={min(100, count // 2)}"),
                                      "--threads", 1, "-q", *more).split(), dtype=float)
    seconds, kilobytes = fit(n) - fit(60)
    return {"seconds": float(max(seconds, 1e-3)), "megabytes": float(max(kilobytes / 1000, 0.1))}


def theory(order, sizes):
    """The exponent that an order of growth such as n log n has between these sizes."""
    power, _, log = order.partition(" ")
    power = float(power.partition("^")[2] or 1)
    middle = np.sqrt(sizes[0] * sizes[-1])
    return power + (1 / np.log(middle) if log else 0)


def exponent(sizes, values, least):
    """Of the power law through the values above `least`; None for fewer than three."""
    x, y = (np.array(v, dtype=float) for v in (sizes, values))
    kept = y >= least
    return float(np.polyfit(np.log(x[kept]), np.log(y[kept]), 1)[0]) if kept.sum() >= 3 else None


@experiment("project_growth", "growth of time and memory with the number of samples and features", "the tool")
def growth(run):
    if beside("foldout") is None:
        run.claim("growth of time and memory", None, "the tool is not built")
        return
    rows, series, most = {}, {"seconds": {}, "megabytes": {}}, {}
    fits = dict(list(FITS.items())[:2]) if run.quick else FITS
    for name, (kind, method, dictionary, sizes, time, memory) in fits.items():
        sizes = sizes[:3] if run.quick else sizes
        cells = [run.cells(measure, [0], alone=True, kind=kind, method=method, dictionary=dictionary, n=n, d=50) for n in sizes]
        if not all(c.results() for c in cells):
            continue
        found = {key: [c.results()[0][key] for c in cells] for key in series}
        exponents = exponent(sizes, found["seconds"], 0.02), exponent(sizes, found["megabytes"], 4)
        most[name] = [(e, theory(order, sizes)) for e, order in zip(exponents, (time, memory))]
        rows[name] = [f"{sizes[0]} … {sizes[-1]}", found["seconds"][-1], exponents[0], time, found["megabytes"][-1],
                      exponents[1], memory]
        for key, panel in series.items():
            panel[name] = (sizes, found[key])
    run.table("One thread: CPU seconds and megabytes of the largest fit, and exponents", ["samples", "seconds", "exponent",
              "theory", "megabytes", "exponent of memory", "theory of memory"], rows, 2, key="project_growth")
    features(run)
    run.note("A fit to 60 samples is subtracted, as it measures the start of the program. Values below 0.02 s and 4 MB are left "
             "out. Memory includes the samples and the model.")
    for which, index in (("time", 0), ("memory", 1)):
        above = [f"{name} {values[index][0]:.2f}" for name, values in most.items()
                 if values[index][0] is not None and values[index][0] > values[index][1] + 0.15]
        known = any(values[index][0] is not None for values in most.values())
        run.claim(f"The exponent of {which} is at most that of theory and 0.15", not above if known else None,
                  "; ".join(above) or ("all" if known else "too few figures above the limits"))
    for key, label in (("seconds", "CPU seconds"), ("megabytes", "MB")):
        names = list(series[key])
        panels = [svg.curves_panel(f"{label}, {part + 1}", {n: series[key][n] for n in names[part::3]}, "samples", label,
                                   log_x=True, log_y=True) for part in range(3) if names[part::3]]
        if panels:
            run.figure(key, svg.figure(panels))


def features(run):
    """Growth with the number of features, of 4000 samples."""
    sizes = FEATURES[:2] if run.quick else FEATURES
    methods = {"laplacian_eigenmaps": "D", "lle": "D", "kpca": "D", "pca": "D^2", "lpp": "D^2", "snppe": "D^2"}
    rows = {}
    for method, order in (list(methods.items())[:1] if run.quick else methods.items()):
        cells = [run.cells(measure, [0], alone=True, kind="mixture", method=method, dictionary=None, n=4000, d=d) for d in sizes]
        seconds = [c.results()[0]["seconds"] for c in cells if c.results()]
        rows[method] = [*seconds, exponent(sizes, seconds, 0.02) if len(seconds) == len(sizes) else None, order]
    run.table("4000 samples in ten clusters: CPU seconds by the number of features", [*sizes, "exponent", "theory"], rows, 2,
              key="project_growth.features")

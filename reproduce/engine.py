# SPDX-License-Identifier: Apache-2.0
"""Experiments and their cells.

An experiment is a function of a Run. It asks for cells: a function of a module, called with settings and a seed, that
returns numbers. Cells are computed together, by all cores, when the first result is used, and kept in DIR/cells under the
hash of their code, settings and data; a run that is started again continues. Then the experiment makes tables and figures and
states claims.
"""
import datetime
import functools
import hashlib
import importlib
import json
import multiprocessing
import os
import pathlib
import sys
import time
import traceback
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np

import foldout

from . import data
from .sources import source
from .statistics import Stat

QUICK_SAMPLES = 1000  # the largest data set of a quick run
EXPERIMENTS = {}
PAPERS = {"sparse": "Raducanu and Dornaika (2013)", "cea": "Fu, Liu and Huang (2007)", "nppe": "Qiao et al. (2013)",
          "elm": "Mendoza Quispe et al. (2016)", "lcdl": "Zhou and Barner (2013)", "project": "foldout"}


def experiment(name, title, needs=""):
    """Registers an experiment; `needs` says what it needs besides the package."""
    def register(function):
        EXPERIMENTS[name] = {"name": name, "title": title, "needs": needs, "function": function,
                             "paper": name.partition("_")[0]}
        return function
    return register


def load_all():
    for module in ("sparse", "sparse_placing", "cea", "nppe", "elm", "lcdl", "searches", "project", "programs", "growth"):
        importlib.import_module(f"{__package__}.{module}")
    return EXPERIMENTS


def plain(value):
    """A result as JSON has it."""
    if isinstance(value, dict):
        return {str(key): plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


class Cell:
    """One call of a function, and its result when it is there."""

    def __init__(self, function, settings, folder, alone):
        self.function, self.settings, self.folder, self.alone = function, settings, folder, alone
        self.result = self.error = None
        self.hash = self.digest()

    def digest(self):
        names = [self.settings["data"]] if "data" in self.settings else []
        parts = [source(self.function.__module__, self.function.__name__), foldout.__version__, self.settings,
                 [data.fingerprint(name, self.folder) for name in names]]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]

    def describe(self):
        return f"{self.function.__name__}({', '.join(f'{k}={v}' for k, v in self.settings.items())})"


def compute(module, function, settings, folder):
    """In a worker: the result of a cell and its seconds."""
    began = time.time()
    data.FOLDER = folder
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", foldout.FitWarning)
        result = getattr(importlib.import_module(module), function)(**settings)
    return plain(result), time.time() - began


@functools.lru_cache(maxsize=1)
def workers(jobs):
    """Processes that serve all experiments of a run."""
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))


class Cells:
    """The cells of one setting, one per seed."""

    def __init__(self, run, cells):
        self.run, self.cells = run, cells

    def results(self):
        self.run.compute_pending()
        return [cell.result for cell in self.cells if cell.result is not None]

    def values(self, *keys):
        """An array with one row per seed: results[seed][key][key]…"""
        found = []
        for result in self.results():
            for key in keys:
                result = result[key]
            found.append(result)
        return np.array(found, dtype=float)

    def stat(self, *keys):
        return Stat.of(self.values(*keys))

    def error(self):
        self.run.compute_pending()
        return next((cell.error for cell in self.cells if cell.error), None)


class Run:
    """One experiment with its options: what it asks for, and what it says."""

    def __init__(self, entry, options):
        self.entry, self.options = entry, options
        self.pending, self.known = [], {}
        self.tables, self.claims, self.notes, self.figures, self.sets_used, self.errors = [], [], [], [], [], []
        self.stand_in = False
        self.began = time.time()
        self.previous = 0

    quick = property(lambda self: self.options.quick)

    # --- what it asks for

    def seeds(self, n, quick=2):
        return range(min(n, quick) if self.quick else n)

    def sets(self, *names, stand_in="rendered_20x10_24", labels=True):
        """The data sets of a protocol: the given ones that exist, or that of --set, or rendered faces in their place."""
        folder = self.options.data
        chosen = [self.options.set] if self.options.set else [name for name in names if data.exists(name, folder)]
        if self.options.set and labels and not data.has_labels(self.options.set, folder):
            raise ValueError(f"{self.options.set} has no labels: {self.options.set}_y.npy")
        if self.quick and not self.options.set:
            chosen = [name for name in chosen if data.n_samples(name, folder) <= QUICK_SAMPLES][:1]
        elif not self.options.set:
            for name in names:
                if name not in chosen:
                    self.note(f"{name}: not in the data folder")
        if not chosen:
            self.stand_in = True
            chosen = [stand_in]
            self.note("The data of the paper are missing, or too large for a quick run: rendered faces stand in.")
        self.sets_used += [name for name in chosen if name not in self.sets_used]
        return chosen

    def load(self, name):
        """The samples of a set, for figures."""
        data.FOLDER = self.options.data
        return data.load(name)

    def cells(self, function, seeds, alone=False, **settings):
        """The function with these settings and each seed. `alone`: it measures time, so nothing else may run."""
        found = []
        for seed in seeds:
            cell = Cell(function, {**settings, "seed": seed}, self.options.data, alone)
            cell = self.known.setdefault(cell.hash, cell)
            if cell.result is None and cell not in self.pending:
                self.pending.append(cell)
            found.append(cell)
        return Cells(self, found)

    # --- computing

    def path(self, cell):
        return self.options.output / "cells" / f"{cell.hash}.json"

    def compute_pending(self):
        pending, self.pending = self.pending, []
        for cell in pending:
            if self.path(cell).exists() and not self.options.again:
                cell.result = json.loads(self.path(cell).read_text())["result"]
        missing = [cell for cell in pending if cell.result is None and cell.error is None]
        self.previous += len(pending) - len(missing)
        together = [cell for cell in missing if not cell.alone]
        progress = Progress(self.entry["name"], len(missing), self.options.silent)
        self.compute_with(self.options.jobs, together, progress)
        self.compute_with(1, [cell for cell in missing if cell.alone], progress)
        progress.end()

    def compute_with(self, jobs, cells, progress):
        if jobs == 1 or len(cells) == 1:
            for cell in cells:
                self.finish(cell, lambda call=self.call(cell): compute(*call), progress)
            return
        if not cells:
            return
        waiting = {workers(jobs).submit(compute, *self.call(cell)): cell for cell in cells}
        try:
            for future in as_completed(waiting):
                self.finish(waiting[future], future.result, progress)
        except KeyboardInterrupt:
            workers(jobs).shutdown(wait=False, cancel_futures=True)
            raise

    def call(self, cell):
        return cell.function.__module__, cell.function.__name__, cell.settings, self.options.data

    def finish(self, cell, result, progress):
        try:
            cell.result, seconds = result()
            write(self.path(cell),
                  json.dumps({"function": cell.function.__name__, "settings": cell.settings, "seconds": seconds,
                                               "version": foldout.__version__, "date": today(), "result": cell.result}))
        except Exception as error:  # pylint: disable=broad-except  (one cell must not end the others)
            cell.error = f"{type(error).__name__}: {error}".splitlines()[0]
            self.errors.append(f"{cell.describe()}: {cell.error}")
            if self.options.trace:
                traceback.print_exc()
        progress.step()

    # --- what it says

    def note(self, text):
        """A departure from the paper, or what a reader of the tables has to know."""
        if text not in self.notes:
            self.notes.append(text)

    def table(self, title, columns, rows, digits=2, theirs="paper", key=None):
        """rows: name -> one Stat, number or text per column; a pair is ours and the paper's."""
        lines = [{"name": name, "cells": [entry(value) for value in values]} for name, values in rows.items()]
        self.tables.append({"title": title, "columns": list(columns), "digits": digits, "theirs": theirs, "rows": lines,
                            "key": key or f"{self.entry['name']}.{len(self.tables) + 1}"})

    def claim(self, text, holds, why="", own=False, search=None):
        """A claim of the paper. holds: True, False, or None if it cannot be tested; why: the evidence, or the reason.
        own: not of the paper but of foldout, as are those that say so. search: the experiment that looks for settings in
        which the claim would hold."""
        own = own or self.entry["paper"] == "project" or "(not in the paper)" in text or "(implied)" in text
        if self.stand_in and holds is not None:
            why = f"data of the paper missing; on rendered faces it {'holds' if holds else 'does not hold'}: {why}"
            holds = None
        elif search and holds is not None and not holds:
            why += f"; other settings: `{search}`"
        verdict = {True: "holds", False: "does not hold", None: "cannot be tested"}[None if holds is None else bool(holds)]
        self.claims.append({"claim": text, "verdict": verdict, "why": why, "own": own})

    def bound(self, text, value, bound, larger_is_better=False):
        """A claim of the project: a figure and its bound."""
        holds = value >= bound if larger_is_better else value <= bound
        self.claim(text, bool(holds), f"{float(value):.4g} ({'≥' if larger_is_better else '≤'} {bound:g})", own=True)

    def figure(self, name, svg):
        file = f"{self.entry['name']}{'_' if name else ''}{name}.svg"
        write(self.options.output / file, svg)
        self.figures.append(file)

    def outcome(self):
        entry = self.entry
        return {"name": entry["name"], "title": entry["title"], "paper": PAPERS[entry["paper"]], "date": today(),
                "version": foldout.__version__, "quick": self.quick, "sets": self.sets_used,
                "seconds": round(time.time() - self.began, 1), "kept_cells": self.previous, "tables": self.tables,
                "claims": self.claims, "notes": self.notes, "figures": self.figures, "errors": self.errors,
                "cells": [{"function": c.function.__name__, "settings": c.settings, "file": f"cells/{c.hash}.json"}
                          for c in self.known.values()]}


def entry(value):
    """A table entry as JSON: ours with spread and number of runs, and the paper's if it is known."""
    ours, theirs = value if isinstance(value, tuple) and not isinstance(value, Stat) else (value, None)
    if isinstance(ours, Stat):
        ours = {"mean": ours.mean, "sd": ours.sd, "n": ours.n}
    elif isinstance(ours, (int, float, np.generic)):
        ours = {"mean": float(ours), "sd": None, "n": 1}
    else:
        ours = {"text": "–" if ours is None else str(ours)}
    return {**ours, "paper": theirs}


def today():
    return datetime.date.today().isoformat()


def write(path, text):
    """The whole file or none of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_text(text)
    temporary.replace(path)


class Progress:
    """One line on stderr: cells done, and the time that is left at this rate."""

    def __init__(self, name, total, silent):
        self.name, self.total, self.done, self.began = name, total, 0, time.time()
        self.shown = not silent and total > 0
        self.line = sys.stderr.isatty()

    def step(self):
        self.done += 1
        if not self.shown:
            return
        left = (time.time() - self.began) / self.done * (self.total - self.done)
        text = f"{self.name}: {self.done}/{self.total} cells, {left:.0f} s left"
        if self.line:
            sys.stderr.write(f"\r{text:<78}")
        elif self.done in (1, self.total) or self.done % max(1, self.total // 5) == 0:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def end(self):
        if self.shown and self.line:
            sys.stderr.write("\r" + " " * 78 + "\r")


def run_experiment(entry, options):
    """The outcome of an experiment; one that fails says so and does not end the others."""
    run = Run(entry, options)
    try:
        entry["function"](run)
    except Exception as error:  # pylint: disable=broad-except
        run.errors.append(f"{type(error).__name__}: {error}")
        if options.trace:
            traceback.print_exc()
    return run.outcome()


def selected(names):
    """Experiments by name, or by the part of the name before the underscore; all of them without names."""
    experiments = load_all()
    if not names:
        return list(experiments.values())
    chosen = []
    for name in names:
        found = [e for e in experiments.values() if name in (e["name"], e["paper"])]
        if not found:
            import difflib
            near = difflib.get_close_matches(name, [*experiments, *PAPERS], 1)
            raise SystemExit(f"reproduce: there is no experiment {name}" + (f"; did you mean {near[0]}?" if near
                                                                            else "; see --list"))
        chosen += [e for e in found if e not in chosen]
    return chosen


def default_data():
    return pathlib.Path(os.environ.get("FOLDOUT_DATA",
                                       pathlib.Path(__file__).resolve().parent.parent.parent / "shared" / "data"))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the parts of the Python package that follow from the tables of the library.

    generate.py FOLDER_OF_THE_PACKAGE

The folder has the compiled module _core. _estimators.py gets a class for every method, datasets.py a function for every
synthetic data set and metrics.py one for every metric: signatures, defaults, constraints and docstrings are those of the
keys. A component that is added to a table needs no line here.
"""
import importlib.util
import keyword
import math
import pathlib
import sys
import textwrap

HEADER = '# SPDX-License-Identifier: Apache-2.0\n# Written by python/generate.py from the tables of the library.\n'
# Names that a rule cannot find: long forms, and words of up to five letters that are not abbreviations.
CLASS_NAMES = {"kpca": "KernelPCA"}
SHORT_WORDS = {"maps", "map"}
COMMON = [
    ("preprocess", "Steps | None", "None",
     'Preprocessing steps, applied in order: specs such as ``"standardize"`` or ``"pca:n_components=50"``.'),
    ("extension", "Spec | None", "None",
     'How new samples are placed: a spec such as ``"sparse"``, ``"rbf:n_centers=200"`` or ``"auto"``, or a dict with the '
     "name and the keys. None: {natural}."),
    ("classifier", "Spec | None", "None",
     'Classifier of ``predict``: nn, affinity, svm or sparse, with their keys. {predict}'),
    ("random_state", "RandomState", "None",
     "Seed of all random choices. None is seed 0: the same data always give the same result."),
    ("n_jobs", "int | None", "None",
     "Number of threads: None is 1, -1 all cores. Results do not depend on it."),
    ("verbose", "Verbose", "False",
     "True shows a progress bar; a function is called with the phase and the fraction that is done."),
]

# The annotations of COMMON in words, for the docstrings.
IN_WORDS = {"Steps | None": "str, dict, list or None", "Spec | None": "str, dict or None", "int | None": "int or None",
            "RandomState": "int, RandomState or None", "Verbose": "bool or callable"}


def class_name(name):
    if name in CLASS_NAMES:
        return CLASS_NAMES[name]
    words = name.split("_")
    return "".join(word.upper() if len(word) <= 5 and word not in SHORT_WORDS else word.capitalize() for word in words)


def annotation(key):
    kind = key["type"]
    if kind == "choice":
        return "str"
    parts = []
    if "integer" in kind:
        parts.append("int")
    if "number" in kind or "fraction" in kind:
        parts.append("float")
    if kind == "boolean":
        parts.append("bool")
    if kind == "text" or kind.endswith(("auto", "all")):
        parts.append("str")
    if kind.endswith("none"):
        parts.append("None")
    return " | ".join(parts)


def default(key):
    text, kind = key["default"], key["type"]
    if kind == "boolean":
        return text.capitalize()
    if kind.endswith("none") and text == "none":
        return "None"
    try:
        value = float(text)
    except ValueError:
        return f'"{text}"'
    return repr(int(value)) if value == int(value) and "integer" in kind else repr(value)


def limit(value):
    return "None" if math.isinf(value) else repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def constraint(key):
    kind = key["type"]
    if kind == "choice":
        return "[StrOptions({" + ", ".join(f'"{word}"' for word in key["choices"]) + "})]"
    if kind == "boolean":
        return '["boolean"]'
    if kind == "text":
        return "[str]"
    parts = []
    low, high = limit(key["min"]), limit(key["max"])
    closed = "right" if key["min_excluded"] else "left"
    if high != "None" and not key["min_excluded"]:
        closed = "both"
    if high == "None" and key["min_excluded"]:
        closed = "neither"
    if "integer" in kind:
        parts.append(f'Interval(Integral, {low}, {high}, closed="{closed}")')
    if "number" in kind:
        parts.append(f'Interval(Real, {low}, {high}, closed="{closed}")')
    if "fraction" in kind:
        parts.append('Interval(Real, 0, 1, closed="neither")')
    if kind.endswith(("auto", "all")):
        parts.append(f'StrOptions({{"{kind.split()[-1]}"}})')
    if kind.endswith("none"):
        parts.append("None")
    return "[" + ", ".join(parts) + "]"


def wrapped(text, indent):
    return textwrap.fill(text, 110, initial_indent=indent, subsequent_indent=indent)


def capital(text):
    return text[:1].upper() + text[1:] if text[:1].isascii() else text  # β stays β


def parameter_text(name, kind, value, meaning, indent):
    return f"{indent}{name} : {kind}, default={value}\n" + wrapped(meaning, indent + "    ")


def key_text(key, indent):
    meaning = capital(key["meaning"]).rstrip(".")
    allowed = f"; {key['range']}" if key["range"] and key["type"] != "boolean" else ""
    symbol = f" (the paper's {key['symbol']})" if key["symbol"] else ""
    return parameter_text(key["name"], key["type"], default(key), f"{meaning}{symbol}{allowed}.", indent)


def needs_labels(core, np, name):
    """Whether a fit without labels is refused because of them."""
    X = np.random.RandomState(0).uniform(size=(60, 4))
    spec = {"preprocess": [], "method": (name, []), "extension": ("", []), "dictionary": ("", []), "classifier": ("", []),
            "seed": None}
    try:
        core.fit(X, [], [], spec)
    except core.MissingLabels:
        return True
    return False


ATTRIBUTES = """\
    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        Coordinates of the training samples.
    eigenvalues_ : ndarray
        Eigenvalues of the problem that was solved; may be empty.
    report_ : dict
        What was done: seconds, figures, facts, and notes of all repairs and fallbacks.
    n_features_in_ : int
        Number of features of the training samples.
    feature_names_in_ : ndarray of str
        Names of the features, if the training samples have them."""


def estimator(component, labels):
    name, cls = component["name"], class_name(component["name"])
    keys = [key for key in component["keys"] if key["name"] != "seed"]
    words = {"natural": "the default of the method" if component["kind"] == "embedding" else "the map of the method",
             "predict": "None: nn, the nearest training sample." if labels else "None: there is no ``predict``."}
    common = [(n, kind, value, text.format(**words) if n in ("extension", "classifier") else text)
              for n, kind, value, text in COMMON]
    parameters = [(k["name"], annotation(k), default(k)) for k in keys] + [row[:3] for row in common]
    fit = ".fit_transform(data.data, data.truth[:, 0] > 60)" if labels else ".fit_transform(data.data)"
    lines = [f"class {cls}(Estimator):", f'    """{capital(component["summary"]).rstrip(".")}.', ""]
    if component["reference"]:
        lines += [wrapped(component["reference"].rstrip(".") + ".", "    "), ""]
    lines += ["    Parameters", "    ----------"]
    lines += [key_text(k, "    ") for k in keys]
    lines += [parameter_text(n, IN_WORDS[kind], value, text, "    ") for n, kind, value, text in common]
    lines += ["", ATTRIBUTES, "", "    Examples", "    --------", "    >>> import foldout",
              "    >>> data = foldout.datasets.make_swiss_roll(300)",
              f"    >>> foldout.{cls}(){fit}.shape",
              f"    (300, {1 if labels and default(keys[0]) == chr(34) + 'auto' + chr(34) else 2})", '    """', "",
              f'    _method = "{name}"', f"    _needs_labels = {labels}", "    _parameter_constraints: ClassVar[Constraints] = {"]
    lines += [f'        "{k["name"]}": {constraint(k)},' for k in keys]
    lines += ["        **COMMON_CONSTRAINTS,", "    }", "", "    def __init__(", "        self,", "        *,"]
    lines += [f"        {n}: {kind} = {value}," for n, kind, value in parameters] + ["    ) -> None:"]
    lines += [f"        self.{n} = {n}" for n, _, _ in parameters]
    return cls, "\n".join(lines) + "\n"


def write_estimators(core, np, folder):
    methods = [c for c in core.components() if c["kind"] in ("embedding", "map")]
    classes = [estimator(c, needs_labels(core, np, c["name"])) for c in methods]
    names = ", ".join(f'"{cls}"' for cls, _ in classes)
    imports = ["from __future__ import annotations\n", "from numbers import Integral, Real", "from typing import ClassVar\n",
               "from sklearn.utils._param_validation import Interval, StrOptions\n",
               "from ._base import Constraints, RandomState, Spec, Steps, Verbose", "from ._estimator import COMMON_CONSTRAINTS, Estimator\n"]
    text = HEADER + '"""A scikit-learn estimator for every method."""\n' + "\n".join(imports)
    text += f"\n__all__ = [{textwrap.fill(names, 116, subsequent_indent='           ')}]\n\n\n"
    (folder / "_estimators.py").write_text(text + "\n\n".join(body for _, body in classes))


def write_datasets(core, folder):
    sets = [c for c in core.components() if c["kind"] == "data"]
    text = HEADER + '"""Synthetic data whose true coordinates are known."""\nfrom __future__ import annotations\n\n'
    text += "from ._base import RandomState\nfrom ._synthetic import Synthetic, make_synthetic\n\n"
    text += "__all__ = [" + textwrap.fill(", ".join(f'"make_{c["name"]}"' for c in sets), 116, subsequent_indent=" " * 11) + "]\n"
    for c in sets:
        arguments = "".join(f"    {k['name']}: {annotation(k)} = {default(k)},\n" for k in c["keys"])
        given = ", ".join(f'"{k["name"]}": {k["name"]}' for k in c["keys"])
        documented = "\n".join(key_text(k, "    ") for k in c["keys"])
        text += f'''

def make_{c["name"]}(
    n_samples: int = 1000,
    *,
{arguments}    random_state: RandomState = None,
) -> Synthetic:
    """{capital(c["summary"]).rstrip(".")}.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of samples.
{documented}
    random_state : int, RandomState or None, default=None
        Seed; None is seed 0.

    Returns
    -------
    Synthetic
        data, target (labels, or None), truth (the true coordinates) and truth_names (of its columns).
    """
    return make_synthetic("{c["name"]}", n_samples, {{{given}}}, random_state)
'''
    (folder / "datasets.py").write_text(text)


def write_metrics(core, folder):
    text = HEADER + '"""Metrics of samples, coordinates and labels."""\nfrom __future__ import annotations\n\n'
    text += "from ._base import Array\nfrom ._scoring import score_labels, score_matrices\n\n"
    table = core.metrics()
    text += "__all__ = [" + textwrap.fill(", ".join(f'"{m["name"]}"' for m in table), 116, subsequent_indent=" " * 11) + "]\n"
    for m in table:
        names = [name.lower() for name in m["inputs"]]
        names = [name + "_" if keyword.iskeyword(name) else name for name in names]
        arguments = ", ".join(f"{name}: Array" for name in names)
        if m["of_labels"]:
            call, extra = f'score_labels("{m["name"]}", {", ".join(names)})', ""
        else:
            extra = f", *, n_neighbors: int = {m['n_neighbors']}, n_jobs: int | None = None" if m["uses_neighbors"] else ""
            rest = ", n_jobs, n_neighbors=n_neighbors" if m["uses_neighbors"] else ""
            call = f'score_matrices("{m["name"]}", [{", ".join(names)}]{rest})'
        summary = wrapped(f'"""{capital(m["summary"])}."""', "    ")
        text += f'\n\ndef {m["name"]}({arguments}{extra}) -> float:\n{summary}\n    return {call}\n'
    (folder / "metrics.py").write_text(text)


def main():
    folder = pathlib.Path(sys.argv[1])
    built = next(folder.glob("_core*.so"))
    loader = importlib.util.spec_from_file_location("_core", built)
    core = importlib.util.module_from_spec(loader)
    loader.loader.exec_module(core)
    try:
        import numpy as np
    except ImportError:
        sys.exit("generate.py needs numpy (Debian: python3-numpy)")
    write_estimators(core, np, folder)
    write_datasets(core, folder)
    write_metrics(core, folder)


if __name__ == "__main__":
    main()

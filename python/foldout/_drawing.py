# SPDX-License-Identifier: Apache-2.0
"""Pictures of a map: a small static one for notebooks, and plot() with matplotlib."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import Array, FittedModel

# A page of a notebook stays small: of more samples every k-th is drawn.
MOST_POINTS = 2000


def drawing(estimator: FittedModel) -> Optional[str]:
    """The first two coordinates of the training samples as SVG; None before the fit, or of a single coordinate."""
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return None
    Y, known = estimator.embedding_, estimator._fitted().labels
    if Y.shape[1] < 2:
        return None
    shown = slice(None, None, max(1, -(-len(Y) // MOST_POINTS)))
    names = [] if known is None else [known[0][index] for index in known[1][shown]]
    title = f"{type(estimator).__name__}, {len(Y)} samples"
    return _core.scatter_svg(np.ascontiguousarray(Y[shown, :2]), names, title)


def plot(of: Any, labels: Array = None, *, new: Array = None, ax: Any = None) -> Any:
    """Draws a map with matplotlib.

    Parameters
    ----------
    of : fitted estimator, Model, or array-like of shape (n_samples, n_components)
        Whose first two coordinates are drawn.
    labels : array-like of shape (n_samples,), default=None
        Labels (text, integers) or values (floating point) that colour the samples.
    new : array-like, default=None
        New samples, placed by the estimator and drawn as diamonds; coordinates, if ``of`` is an array.
    ax : matplotlib axes, default=None
        Where to draw. None: the current axes.

    Returns
    -------
    matplotlib axes
    """
    import matplotlib.pyplot as plt

    ax = plt.gca() if ax is None else ax
    Y = of.embedding_ if isinstance(of, FittedModel) else np.asarray(of, dtype=float)
    if labels is None:
        ax.scatter(Y[:, 0], Y[:, 1], s=8)
    elif np.asarray(labels).dtype.kind == "f":
        ax.figure.colorbar(ax.scatter(Y[:, 0], Y[:, 1], c=labels, s=8), ax=ax)
    else:
        for label in np.unique(labels):
            chosen = np.asarray(labels) == label
            ax.scatter(Y[chosen, 0], Y[chosen, 1], s=8, label=str(label))
        ax.legend()
    if new is not None:
        placed = of._placed(new) if isinstance(of, FittedModel) else np.asarray(new, dtype=float)
        ax.scatter(placed[:, 0], placed[:, 1], s=20, marker="D", facecolors="none", edgecolors="black")
    return ax

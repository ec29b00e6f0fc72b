# SPDX-License-Identifier: Apache-2.0
"""Out-of-sample extension of coordinates that any other program computed."""
from __future__ import annotations

from typing import Any, ClassVar, Optional, TypeVar

import numpy as np

from . import _core
from ._base import Array, Constraints, RandomState, Spec, Steps, Verbose
from ._estimator import COMMON_CONSTRAINTS, Fit
from ._progress import progress
from ._validation import samples

Self = TypeVar("Self", bound="Extension")


class Extension(Fit):
    """Places new samples in coordinates computed elsewhere: by UMAP, by t-SNE, in a spreadsheet.

    Parameters
    ----------
    extension : str or dict, default="auto"
        The extension, such as ``"sparse"`` or ``"rbf:n_centers=200"``; auto chooses the one that places held-out samples
        best.
    preprocess : str, dict or list, default=None
        Preprocessing steps, applied in order.
    random_state : int, RandomState or None, default=None
        Seed of all random choices. None is seed 0.
    n_jobs : int or None, default=None
        Number of threads: None is 1, -1 all cores. Results do not depend on it.
    verbose : bool or callable, default=False
        True shows a progress bar; a function is called with the phase and the fraction that is done.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The given coordinates.
    report_ : dict
        What was done: seconds, figures, facts, and notes of all repairs and fallbacks.
    n_features_in_ : int
        Number of features of the training samples.

    Examples
    --------
    >>> import foldout
    >>> roll = foldout.datasets.make_swiss_roll(400)
    >>> extension = foldout.Extension(extension="rbf").fit(roll.data, roll.truth[:, :2])
    >>> extension.transform(roll.data[:3]).shape
    (3, 2)
    """

    classifier = None
    _parameter_constraints: ClassVar[Constraints] = {
        "extension": [str, dict],
        **{name: rule for name, rule in COMMON_CONSTRAINTS.items() if name not in ("extension", "classifier")},
    }

    def __init__(
        self,
        *,
        extension: Spec = "auto",
        preprocess: Optional[Steps] = None,
        random_state: RandomState = None,
        n_jobs: Optional[int] = None,
        verbose: Verbose = False,
    ) -> None:
        self.extension = extension
        self.preprocess = preprocess
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _requires_y(self) -> bool:
        return True

    def fit(self: Self, X: Array, y: Array) -> Self:
        """Fits the map.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples, n_components)
            Their coordinates; of shape (n_samples,): one coordinate.

        Returns
        -------
        self
        """
        self._check_parameters()
        X, y = samples(self, X, y=y, reset=True, ensure_min_samples=2, multi_output=True, y_numeric=True)
        Y = np.ascontiguousarray(y, dtype=np.float64)
        Y = Y.reshape(-1, 1) if Y.ndim == 1 else Y
        with progress(self.verbose) as shown:
            model = _core.extend(X, Y, [], self._names(), self._spec(len(X)), self._threads(), shown)
        self._keep(model, None)
        return self


def extend(X: Array, Y: Array, extension: Spec = "auto", **parameters: Any) -> Extension:
    """An out-of-sample map for coordinates Y of samples X that any program computed.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    Y : array-like of shape (n_samples, n_components)
        Their coordinates.
    extension : str or dict, default="auto"
        The extension; see ``foldout.Extension``.
    **parameters
        Further parameters of ``foldout.Extension``.

    Returns
    -------
    Extension
        Fitted.
    """
    return Extension(extension=extension, **parameters).fit(X, Y)

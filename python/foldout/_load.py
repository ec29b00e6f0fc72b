# SPDX-License-Identifier: Apache-2.0
"""Models from files: estimators where there is a class, else a model with the same methods."""
from __future__ import annotations

import os
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from . import _core, _estimators
from ._base import Array, FittedModel, Matrix, Path, Verbose, require_file
from ._estimator import Estimator, Fit
from ._external import Extension
from ._landmarks import LandmarkEmbedding
from ._spec import parsed

CLASSES: dict[str, type[Estimator]] = {
    getattr(_estimators, name)._method: getattr(_estimators, name) for name in _estimators.__all__
}


class Model(FittedModel):
    """A fitted model of any kind, as the command line or ``save`` wrote it.

    Parameters
    ----------
    path : str or path-like
        The model file.
    n_jobs : int or None, default=None
        Number of threads: None is 1, -1 all cores. Results do not depend on it.
    verbose : bool or callable, default=False
        True shows a progress bar; a function is called with the phase and the fraction that is done.

    Examples
    --------
    >>> import foldout, os, tempfile
    >>> roll = foldout.datasets.make_swiss_roll(300)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "roll.model")
    ...     foldout.LLE().fit(roll.data).save(path)
    ...     foldout.Model(path).transform(roll.data[:3]).shape
    (3, 2)
    """

    def __init__(self, path: Path, *, n_jobs: Optional[int] = None, verbose: Verbose = False) -> None:
        require_file(os.fspath(path))
        self.model_ = _core.load(os.fspath(path))
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _checked(self, X: Array) -> Matrix:
        return check_array(X, dtype=np.float64, order="C")  # type: ignore[no-any-return]

    def _fitted(self) -> _core.Model:
        return self.model_

    def transform(self, X: Array) -> Matrix:
        """Coordinates of new samples."""
        return self._placed(X)

    def predict(self, X: Array, classifier: str = "") -> NDArray[Any]:
        """Labels of new samples, by the model's classifier or by another one."""
        return self._labelled(X, classifier)

    @property
    def n_features_in_(self) -> int:
        return self.model_.n_features

    @property
    def spec_(self) -> dict[str, Any]:
        """The components of the model, as the command line writes them."""
        return self.model_.spec


def load(path: Path) -> Union[Fit, Model]:
    """Loads a model file, written by ``save`` or by the command line.

    Parameters
    ----------
    path : str or path-like
        The model file.

    Returns
    -------
    estimator or Model
        An estimator of the method's class, or a ``foldout.Model`` with the same methods if there is no such class.
    """
    loaded = Model(path)
    model = loaded.model_
    spec = model.spec
    name, keys = parsed(spec["method"])
    seed = keys.pop("seed", None)
    common: dict[str, Any] = {"preprocess": spec["preprocess"] or None, "extension": spec["extension"] or None}
    if spec["dictionary"]:
        estimator: Fit = LandmarkEmbedding(method=spec["method"], dictionary=spec["dictionary"],
                                           classifier=spec["classifier"] or None, **common)
    elif not name:
        estimator = Extension(**common)
    elif name in CLASSES:
        estimator = CLASSES[name](classifier=spec["classifier"] or None, random_state=seed or None, **common, **keys)
    else:
        return loaded
    estimator.model_ = model
    estimator.n_features_in_ = model.n_features
    if model.feature_names:
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
    return estimator

# SPDX-License-Identifier: Apache-2.0
"""What estimators and loaded models share: a fitted model of the library, and what can be done with it."""
from __future__ import annotations

import errno
import os
import warnings
from typing import Any, Optional, Union

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._progress import Verbose, progress
from ._spec import FitWarning, Spec, Steps
from ._validation import blocks, label_text

__all__ = ["Array", "Constraints", "FitWarning", "FittedModel", "Matrix", "RandomState", "Spec", "Steps", "Verbose"]

Array = Any  # whatever numpy.asarray takes
Matrix = NDArray[np.float64]
Constraints = dict[str, list[Any]]
RandomState = Union[int, np.random.RandomState, None]
Path = Union[str, "os.PathLike[str]"]


def seed_of(random_state: RandomState) -> Optional[int]:
    """The seed of the library; ``None``: its default, 0."""
    if random_state is None:
        return None
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def require_file(path: str) -> None:
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def warn_of(notes: list[tuple[str, str]], stacklevel: int) -> None:
    """A warning for every repair and fallback of a report."""
    for code, text in notes:
        warnings.warn(f"{code}: {text}", FitWarning, stacklevel=stacklevel + 1)


class FittedModel:
    """The methods of everything that has a fitted model. Subclasses check the samples."""

    model_: _core.Model
    n_jobs: Optional[int]
    verbose: Verbose

    def _checked(self, X: Array) -> Matrix:
        raise NotImplementedError

    def _fitted(self) -> _core.Model:
        check_is_fitted(self, "model_")
        return self.model_

    def _threads(self) -> int:
        return int(effective_n_jobs(self.n_jobs))

    def _apply(self, X: Array, verb: str, *arguments: Any) -> list[Any]:
        """What a function of the model returns for each block of X."""
        call = getattr(self._fitted(), verb)
        with progress(self.verbose) as shown:
            return [call(self._checked(block), *arguments, self._threads(), shown) for block in blocks(X)]

    def _noted(self, X: Array, verb: str, *arguments: Any) -> list[Any]:
        """The same for functions that also return notes, which become warnings."""
        parts = self._apply(X, verb, *arguments)
        for _, notes in parts:
            warn_of(notes, stacklevel=5)
        return [part for part, _ in parts]

    def _placed(self, X: Array) -> Matrix:
        parts: list[Matrix] = self._noted(X, "transform")
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _labelled(self, X: Array, classifier: str = "") -> NDArray[Any]:
        classes = self.classes_
        by_text = {label_text(label): label for label in classes}
        texts = [text for part in self._noted(X, "classify", classifier) for text in part]
        return np.array([by_text[text] for text in texts], dtype=classes.dtype)

    def confidence(self, X: Array) -> Matrix:
        """How well the training samples explain new ones: near 1 as well as each other, near 0 unlike any of them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.concatenate([confidence for confidence, _ in self._apply(X, "explain")])

    def residuals(self, X: Array) -> Matrix:
        """Distances of new samples from their reconstruction by the nearest training samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.concatenate([residuals for _, residuals in self._apply(X, "explain")])

    def codes(self, X: Array) -> Any:
        """Weights of the training samples or atoms that each new sample is reconstructed from; rows sum to one.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_samples, n_anchors)
        """
        parts = [csr_matrix(part[:3], shape=part[3]) for part in self._apply(X, "codes")]
        return parts[0] if len(parts) == 1 else vstack(parts, format="csr")

    def save(self, path: Path) -> None:
        """Writes a model file, which ``foldout.load`` and the command line read.

        Parameters
        ----------
        path : str or path-like
            The file to write; it appears whole or not at all.
        """
        model = self._fitted()
        require_file(os.path.dirname(os.path.abspath(os.fspath(path))))
        model.save(os.fspath(path))

    @property
    def embedding_(self) -> Matrix:
        """Coordinates of the training samples, read-only."""
        return self._fitted().coordinates

    @property
    def eigenvalues_(self) -> Matrix:
        return self._fitted().eigenvalues

    @property
    def report_(self) -> dict[str, Any]:
        return self._fitted().report

    @property
    def placed_by_(self) -> str:
        """The map of new samples: "own", or the name of an extension."""
        return self._fitted().placed_by

    @property
    def promise_(self) -> str:
        """What ``transform`` returns for the training samples: their coordinates exactly, approximately, or not promised."""
        return self._fitted().promise

    @property
    def classes_(self) -> NDArray[Any]:
        """The distinct labels of the training samples."""
        stored = self.__dict__.get("_classes")
        if stored is not None:
            return stored  # type: ignore[no-any-return]
        known = self._fitted().labels
        if known is None:
            raise AttributeError("the model was fitted without labels")
        names, _, integers = known
        return np.array([int(name) for name in names] if integers else names)

    @property
    def _n_features_out(self) -> int:
        return self._fitted().n_components

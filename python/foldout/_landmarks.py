# SPDX-License-Identifier: Apache-2.0
"""Embedding through the atoms of a dictionary, from samples in memory or in batches."""
from __future__ import annotations

import os
import tempfile
from typing import Any, ClassVar, Optional, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import Array, Constraints, Matrix, RandomState, Spec, Steps, Verbose
from ._estimator import COMMON_CONSTRAINTS, Fit
from ._progress import progress
from ._spec import Given, given, has_key
from ._validation import labels, samples

Self = TypeVar("Self", bound="LandmarkEmbedding")

# What partial_fit takes where the dictionary leaves it open: batches need a number of atoms.
ATOMS_OF_BATCHES = 500
BATCH_SIZE = 1000


class Spool:
    """Batches of samples in a temporary .npy file, which is deleted with the object."""

    HEADER = 128

    def __init__(self, n_features: int) -> None:
        handle, self.path = tempfile.mkstemp(suffix=".npy")
        self.file = os.fdopen(handle, "wb")
        self.file.write(bytes(self.HEADER))
        self.n_features, self.n_samples = n_features, 0
        self.labels: list[str] = []
        self.classes: Any = None

    def append(self, X: Matrix, classes: Any, texts: list[str]) -> None:
        X.tofile(self.file)
        self.n_samples += len(X)
        self.labels += texts
        if classes is not None:
            self.classes = classes if self.classes is None else np.union1d(self.classes, classes)

    def finish(self) -> str:
        """The path of a complete file; more batches may follow."""
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({self.n_samples}, {self.n_features}), }}"
        end = self.file.tell()
        self.file.seek(0)
        self.file.write(b"\x93NUMPY\x01\x00" + (self.HEADER - 10).to_bytes(2, "little"))
        self.file.write(header.ljust(self.HEADER - 11).encode() + b"\n")
        self.file.seek(end)
        self.file.flush()
        return self.path

    def __del__(self) -> None:
        self.file.close()
        os.unlink(self.path)


class LandmarkEmbedding(Fit):
    """Embeds the atoms of a dictionary and places all samples by their codes over these landmarks.

    Parameters
    ----------
    method : str or dict, default="lle"
        The method that embeds the atoms, with its keys: ``"laplacian_eigenmaps:n_components=3"``.
    dictionary : str or dict, default="lcdl"
        How atoms are learned: lcdl, ksvd, lcc, llc, kmeans or random, with their keys: ``"lcdl:n_atoms=500"``.
    preprocess : str, dict or list, default=None
        Preprocessing steps, applied in order.
    extension : str or dict, default=None
        How samples are placed over the atoms. None: by their codes.
    classifier : str or dict, default=None
        Classifier of ``predict``. None: there is no ``predict``.
    random_state : int, RandomState or None, default=None
        Seed of all random choices. None is seed 0.
    n_jobs : int or None, default=None
        Number of threads: None is 1, -1 all cores. Results do not depend on it.
    verbose : bool or callable, default=False
        True shows a progress bar; a function is called with the phase and the fraction that is done.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        Coordinates of the training samples; after ``partial_fit`` those of the samples drawn to start with.
    n_atoms_ : int
        Number of landmarks.
    report_ : dict
        What was done: seconds, figures, facts, and notes of all repairs and fallbacks.
    n_features_in_ : int
        Number of features of the training samples.

    Examples
    --------
    >>> import foldout
    >>> roll = foldout.datasets.make_swiss_roll(2000)
    >>> landmarks = foldout.LandmarkEmbedding(method="lle", dictionary="kmeans:n_atoms=200").fit(roll.data)
    >>> landmarks.n_atoms_, landmarks.transform(roll.data[:3]).shape
    (200, (3, 2))
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "method": [str, dict], "dictionary": [str, dict], **COMMON_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        method: Spec = "lle",
        dictionary: Spec = "lcdl",
        preprocess: Optional[Steps] = None,
        extension: Optional[Spec] = None,
        classifier: Optional[Spec] = None,
        random_state: RandomState = None,
        n_jobs: Optional[int] = None,
        verbose: Verbose = False,
    ) -> None:
        self.method = method
        self.dictionary = dictionary
        self.preprocess = preprocess
        self.extension = extension
        self.classifier = classifier
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _method_spec(self) -> Given:
        return given(self.method)

    def _dictionary_spec(self) -> Given:
        return given(self.dictionary)

    def _batched_spec(self) -> dict[str, Any]:
        """The spec with the keys that batches need."""
        spec = self._spec(self._spool.n_samples)
        text, keys = spec["dictionary"]
        needed = {"n_atoms": ATOMS_OF_BATCHES, "batch_size": BATCH_SIZE}
        added = [(key, str(value)) for key, value in needed.items() if not has_key((text, keys), key)]
        spec["dictionary"] = (text, keys + added)
        return spec

    def _checked_fit(self, X: Array, y: Array, reset: bool, least: int) -> tuple[Matrix, Any, list[str]]:
        if y is None or not self._uses_labels():
            return samples(self, X, reset=reset, ensure_min_samples=least), None, []
        X, y = samples(self, X, y=y, reset=reset, ensure_min_samples=least)
        return X, *labels(y)

    def fit(self: Self, X: Array, y: Array = None) -> Self:
        """Learns the atoms, embeds them, and places the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,), default=None
            Labels, for ``classifier``; ignored otherwise.

        Returns
        -------
        self
        """
        self._check_parameters()
        X, classes, texts = self._checked_fit(X, y, True, 2)
        self.__dict__.pop("_spool", None)
        with progress(self.verbose) as shown:
            model = _core.fit(X, texts, self._names(), self._spec(len(X)), self._threads(), shown)
        self._keep(model, classes)
        return self

    def partial_fit(self: Self, X: Array, y: Array = None) -> Self:
        """Adds a batch of samples. Memory is bounded by a batch, the atoms and 20 samples for each atom.

        Batches are kept in a temporary file. The model is fitted to all of them when it is first used, by ``transform`` for
        example, and again after further batches. Only the dictionary lcdl learns from batches; where its keys n_atoms and
        batch_size are not given they are 500 and 1000.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            A batch of training samples.
        y : array-like of shape (n_samples,), default=None
            Labels, for ``classifier``; ignored otherwise.

        Returns
        -------
        self
        """
        self._check_parameters()
        starts = "_spool" not in self.__dict__
        X, classes, texts = self._checked_fit(X, y, starts, 1)
        if starts:
            self._spool = Spool(X.shape[1])
        self._spool.append(X, classes, texts)
        self.__dict__.pop("model_", None)
        return self

    def _fitted(self) -> _core.Model:
        if "model_" not in self.__dict__ and "_spool" in self.__dict__:
            path, spec = self._spool.finish(), self._batched_spec()
            with progress(self.verbose) as shown:
                model = _core.fit_file(path, self._spool.labels, spec, self._threads(), shown)
            self._keep(model, self._spool.classes)
        check_is_fitted(self)
        return self.model_

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in self.__dict__ or "_spool" in self.__dict__

    def __getstate__(self) -> dict[str, Any]:
        """A copy has the fitted model and not the batches; it cannot be given further ones."""
        if "_spool" in self.__dict__:
            self._fitted()
        return {name: value for name, value in self.__dict__.items() if name != "_spool"}

    @property
    def n_atoms_(self) -> int:
        return self._fitted().n_atoms

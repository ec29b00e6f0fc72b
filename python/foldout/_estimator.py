# SPDX-License-Identifier: Apache-2.0
"""The base of all estimators."""
from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import estimator_html_repr
from sklearn.utils._param_validation import validate_parameter_constraints
from sklearn.utils.metaestimators import available_if

from . import _core
from ._base import Array, Constraints, FittedModel, Matrix, RandomState, Spec, Steps, seed_of, warn_of
from ._drawing import drawing
from ._progress import progress
from ._spec import Given, given, given_steps, text_of, with_fewer_neighbors
from ._validation import labels, samples

Self = TypeVar("Self", bound="Fit")


class Fit(ClassNamePrefixFeaturesOutMixin, TransformerMixin, FittedModel, BaseEstimator):
    """Fits a model of the library and places new samples with it."""

    _needs_labels: ClassVar[bool] = False
    _parameter_constraints: ClassVar[Constraints] = {}
    preprocess: Optional[Steps]
    extension: Optional[Spec]
    classifier: Optional[Spec]
    random_state: RandomState

    def _method_spec(self) -> Given:
        return "", []

    def _dictionary_spec(self) -> Given:
        return "", []

    def _spec(self, n_samples: int) -> dict[str, Any]:
        method = with_fewer_neighbors(self._method_spec(), n_samples)
        return {"preprocess": given_steps(self.preprocess), "method": method, "extension": given(self.extension),
                "dictionary": self._dictionary_spec(), "classifier": given(self.classifier),
                "seed": seed_of(self.random_state)}

    def _uses_labels(self) -> bool:
        return self._needs_labels or self.classifier is not None or getattr(self, "supervised", False)

    def _check_parameters(self) -> None:
        validate_parameter_constraints(self._parameter_constraints, self.get_params(deep=False), type(self).__name__)

    def _checked(self, X: Array) -> Matrix:
        return samples(self, X, reset=False)  # type: ignore[no-any-return]

    def _names(self) -> list[str]:
        return list(getattr(self, "feature_names_in_", []))

    def _keep(self: Self, model: _core.Model, classes: Optional[NDArray[Any]]) -> Self:
        """Takes over a new fit and warns of its repairs."""
        self.model_ = model
        self._classes = classes
        warn_of(model.report["notes"], stacklevel=3)
        return self

    def transform(self, X: Array) -> Any:
        """Coordinates of new samples. A sample's coordinates do not depend on the rest of the batch, bit for bit.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self._placed(X)

    def fit_transform(self, X: Array, y: Array = None) -> Any:
        """``fit(X, y)`` and the coordinates of the same samples, as ``transform(X)`` returns them.

        Where the promise of the map is exact, these are ``embedding_``; otherwise ``embedding_`` may differ.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like, default=None
            As in ``fit``.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        self.fit(X, y)
        return self.embedding_.copy() if self._returns_embedding() else self._placed(X)

    def _returns_embedding(self) -> bool:
        return self.promise_ == "exact" and len(self.embedding_) == self.model_.n_samples

    @available_if(lambda self: self._uses_labels())
    def predict(self, X: Array) -> NDArray[Any]:
        """Labels of new samples, by the training samples and the classifier.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._labelled(X)

    @available_if(lambda self: self._uses_labels())
    def score(self, X: Array, y: Array) -> float:
        """The fraction of samples whose label ``predict`` finds.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New samples.
        y : array-like of shape (n_samples,)
            Their true labels.

        Returns
        -------
        float
        """
        return float(np.mean(self.predict(X) == np.asarray(y)))

    def _repr_html_(self) -> str:
        """The map, after the fit; before it, the diagram of scikit-learn."""
        return drawing(self) or str(estimator_html_repr(self))

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _requires_y(self) -> bool:
        return self._needs_labels

    def _is_pairwise(self) -> bool:
        return "precomputed" in (getattr(self, "metric", None), getattr(self, "kernel", None))

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"requires_y": self._requires_y(), "pairwise": self._is_pairwise(), "preserves_dtype": [np.float64]}

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._requires_y()
        tags.input_tags.pairwise = self._is_pairwise()
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


class Estimator(Fit):
    """A method of the library; the subclasses are written by python/generate.py."""

    _method: ClassVar[str] = ""

    def _method_spec(self) -> Given:
        """The keys that differ from their defaults, as a user of the command line would give them."""
        keys = [name for name in self._parameter_constraints if name not in COMMON_CONSTRAINTS]
        defaults = type(self)()
        changed = [key for key in keys if getattr(self, key) != getattr(defaults, key)]
        return self._method, [(key, text_of(getattr(self, key))) for key in changed]

    def fit(self: Self, X: Array, y: Array = None) -> Self:
        """Fits the method and the map for new samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples; C-ordered float64 is not copied.
        y : array-like of shape (n_samples,), default=None
            Labels, for methods that use them and for ``classifier``; ignored otherwise.

        Returns
        -------
        self
        """
        self._check_parameters()
        classes: Optional[NDArray[Any]] = None
        texts: list[str] = []
        if self._needs_labels or (y is not None and self._uses_labels()):
            X, y = samples(self, X, y=y, reset=True, ensure_min_samples=2)
            classes, texts = labels(y)
        else:
            X = samples(self, X, reset=True, ensure_min_samples=2)
        with progress(self.verbose) as shown:
            model = _core.fit(X, texts, self._names(), self._spec(len(X)), self._threads(), shown)
        return self._keep(model, classes)


COMMON_CONSTRAINTS: Constraints = {
    "preprocess": [str, dict, list, tuple, None], "extension": [str, dict, None], "classifier": [str, dict, None],
    "random_state": ["random_state"], "n_jobs": [Integral, None], "verbose": ["verbose", callable],
}

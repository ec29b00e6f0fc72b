# SPDX-License-Identifier: Apache-2.0
"""Checks of samples and labels, for scikit-learn 1.2 to 1.5 and for 1.6 and later."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

try:  # scikit-learn 1.6 and later
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        return estimator._validate_data(X, **options)


# A block of rows that is converted at once when samples are neither float64 nor in C order.
BLOCK_BYTES = 1 << 26


def samples(estimator: Any, X: Any, *, reset: bool, **options: Any) -> Any:
    """X as C-ordered float64, without a copy if it is that already; names and number of features are checked."""
    if issparse(X):
        raise TypeError(
            f"{type(estimator).__name__} does not support sparse input: X is a sparse matrix of shape {X.shape}. Convert it "
            "with X.toarray(), or reduce it first, for example with sklearn.decomposition.TruncatedSVD"
        )
    return validate_data(estimator, X, reset=reset, dtype=np.float64, order="C", **options)


def blocks(X: Any) -> list[Any]:
    """X in parts whose conversion needs little memory; as it is where nothing has to be converted."""
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.nbytes <= BLOCK_BYTES:
        return [X]
    if X.dtype == np.float64 and X.flags.c_contiguous:
        return [X]
    rows = max(1, BLOCK_BYTES // (8 * X.shape[1]))
    return [X[start : start + rows] for start in range(0, X.shape[0], rows)]


def label_text(label: Any) -> str:
    """A label as the library stores it: whole numbers as integers."""
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def labels(y: Any) -> tuple[NDArray[Any], list[str]]:
    """The distinct labels, and the text of each sample's."""
    y = column_or_1d(y, warn=True)
    check_classification_targets(y)
    classes = np.unique(y)
    return classes, [label_text(label) for label in y]

# SPDX-License-Identifier: Apache-2.0
"""Calls of the metrics of the library."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_array
from sklearn.utils.validation import column_or_1d

from . import _core
from ._validation import label_text


def score_matrices(name: str, inputs: list[Any], n_jobs: Optional[int] = None, **options: int) -> float:
    matrices = [check_array(values, dtype=np.float64, order="C", ensure_2d=False) for values in inputs]
    columns = [values.reshape(-1, 1) if values.ndim == 1 else values for values in matrices]
    return _core.score_matrices(name, columns, n_threads=effective_n_jobs(n_jobs), **options)


def score_labels(name: str, predicted: Any, truth: Any) -> float:
    texts = [[label_text(label) for label in column_or_1d(values)] for values in (predicted, truth)]
    return _core.score_labels(name, *texts)

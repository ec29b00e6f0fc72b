# SPDX-License-Identifier: Apache-2.0
"""Calls of the synthetic data sets of the library."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._base import Matrix, RandomState, seed_of
from ._spec import text_of


class Synthetic(NamedTuple):
    """Samples whose true coordinates are known."""

    data: Matrix
    target: Optional[NDArray[Any]]
    truth: Matrix
    truth_names: list[str]


def make_synthetic(name: str, n_samples: int, keys: dict[str, Any], random_state: RandomState) -> Synthetic:
    spec = ",".join(f"{key}={text_of(value)}" for key, value in keys.items())
    X, truth, names, labels = _core.synthetic(f"{name}:{spec}" if spec else name, n_samples, seed_of(random_state) or 0, 1)
    return Synthetic(X, None if labels is None else np.array(labels), truth, names)

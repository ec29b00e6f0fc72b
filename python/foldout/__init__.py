# SPDX-License-Identifier: Apache-2.0
"""Manifold learning with an out-of-sample extension for every embedding, as scikit-learn estimators.

>>> import foldout
>>> roll = foldout.datasets.make_swiss_roll(1000)
>>> lle = foldout.LLE(n_neighbors=12, extension="sparse").fit(roll.data)
>>> lle.transform(roll.data[:5]).shape
(5, 2)
"""
from . import _core, _estimators, datasets, metrics
from ._base import FitWarning
from ._core import FileError, InvalidArgument, MissingLabels, NumericalError
from ._drawing import plot
from ._estimators import *  # noqa: F403
from ._external import Extension, extend
from ._landmarks import LandmarkEmbedding
from ._load import Model, load

__version__: str = _core.__version__
__all__ = ["Extension", "FileError", "FitWarning", "InvalidArgument", "LandmarkEmbedding", "MissingLabels", "Model",
           "NumericalError", "datasets", "extend", "load", "metrics", "plot"]
__all__ += _estimators.__all__

# SPDX-License-Identifier: Apache-2.0
"""Fits, loads and copies give back their memory."""
import os
import resource
import tempfile
import unittest
import warnings

import numpy as np
from sklearn.base import clone

import foldout
from foldout import _estimators

X = np.random.RandomState(0).uniform(size=(60, 30))
Y = np.arange(60) % 2
REPEATS = int(os.environ.get("FOLDOUT_LEAK_REPEATS", "9"))
ESTIMATORS = [getattr(foldout, name)(n_components=1) for name in _estimators.__all__]
ESTIMATORS += [foldout.Extension(extension="rbf"), foldout.LandmarkEmbedding(dictionary="kmeans:n_atoms=20")]


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@unittest.skipUnless(os.path.exists("/proc/self/statm"), "there is no /proc")
class Memory(unittest.TestCase):
    def test_repeated_fits_loads_and_transforms_keep_memory_flat(self):
        """FOLDOUT_LEAK_REPEATS=1000 repeats each class a thousand times."""
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", foldout.FitWarning)
            path = os.path.join(folder, "a.model")

            def use(estimator, times):
                for _ in range(times):
                    fitted = clone(estimator).fit(X, Y)
                    fitted.transform(X), fitted.report_, fitted.embedding_
                    fitted.save(path)
                    foldout.load(path).confidence(X)

            for estimator in ESTIMATORS:
                use(estimator, max(3, REPEATS // 10))
                before = resident()
                use(estimator, REPEATS)
                with self.subTest(cls=type(estimator).__name__):  # less than a leak of the samples alone would be
                    self.assertLess(resident() - before, 200_000 + X.nbytes * REPEATS / 4)


if __name__ == "__main__":
    unittest.main()

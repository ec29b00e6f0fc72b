# SPDX-License-Identifier: Apache-2.0
"""Fits, loads and copies give back their memory."""
import os
import resource
import tempfile
import unittest
import warnings

import numpy as np

import foldout
from foldout import _estimators

X = np.random.RandomState(0).uniform(size=(60, 30))
Y = np.arange(60) % 2
REPEATS = int(os.environ.get("FOLDOUT_LEAK_REPEATS", "60"))


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

            def use(cls):
                estimator = cls(n_components=1).fit(X, Y)
                estimator.transform(X), estimator.report_, estimator.embedding_
                estimator.save(path)
                foldout.load(path).confidence(X)

            for name in _estimators.__all__:
                cls = getattr(foldout, name)
                for _ in range(REPEATS // 3):
                    use(cls)
                before = resident()
                for _ in range(REPEATS):
                    use(cls)
                with self.subTest(cls=name):  # half of what a leak of the samples alone would be
                    self.assertLess(resident() - before, X.nbytes * REPEATS / 2)


if __name__ == "__main__":
    unittest.main()

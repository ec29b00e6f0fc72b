# SPDX-License-Identifier: Apache-2.0
"""The estimators in the tools of scikit-learn. Every warning is an error here (see run.py)."""
import copy
import os
import pickle
import subprocess
import sys
import unittest

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import foldout

ROLL = foldout.datasets.make_swiss_roll(600)
X, OUTER = ROLL.data, ROLL.truth[:, 0] > 60


def fit_one(n_neighbors):
    return foldout.LLE(n_neighbors=n_neighbors).fit(X)


class Tools(unittest.TestCase):
    def test_pipelines_and_cross_validation(self):
        pipeline = make_pipeline(StandardScaler(), foldout.LLE(n_components=3), LogisticRegression())
        self.assertGreater(cross_val_score(pipeline, X, OUTER, cv=3).mean(), 0.8)
        self.assertGreater(cross_val_score(foldout.LLE(classifier="nn"), X, OUTER, cv=3).mean(), 0.8)

    def test_a_grid_search_over_neighbours_and_extensions(self):
        pipeline = make_pipeline(foldout.LLE(), KNeighborsClassifier(n_neighbors=1))
        grid = GridSearchCV(pipeline, {"lle__n_neighbors": [8, 12], "lle__extension": [None, "rbf", {"name": "lvm"}]}, cv=3,
                            n_jobs=2)
        grid.fit(X, OUTER)
        self.assertGreater(grid.best_score_, 0.8)
        self.assertEqual(len(grid.cv_results_["params"]), 6)

    def test_clone_has_the_parameters_and_not_the_fit(self):
        lle = foldout.LLE(n_neighbors=7, extension={"name": "rbf"}).fit(X)
        same = clone(lle)
        self.assertEqual(same.get_params(), lle.get_params())
        self.assertFalse(hasattr(same, "embedding_"))

    def test_copies_and_pickles_place_alike_and_hold_no_code(self):
        for estimator in (foldout.LLE().fit(X), foldout.Isomap().fit(X[:200]), foldout.LDA().fit(X, OUTER),
                          foldout.extend(X, ROLL.truth[:, :2], "rbf")):
            for same in (copy.deepcopy(estimator), pickle.loads(pickle.dumps(estimator))):
                np.testing.assert_array_equal(same.transform(X), estimator.transform(X))
                np.testing.assert_array_equal(same.embedding_, estimator.embedding_)
            self.assertIn(b'"format":"foldout"', pickle.dumps(estimator))

    def test_joblib_with_processes_and_threads(self):
        expected = [fit_one(k).embedding_ for k in (8, 9, 10)]
        for backend in ("threading", "multiprocessing", "loky"):
            found = Parallel(n_jobs=2, backend=backend)(delayed(fit_one)(k) for k in (8, 9, 10))
            for one, other in zip(found, expected):
                np.testing.assert_array_equal(one.embedding_, other)

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the sanitizer takes time of its own")
    def test_it_imports_without_a_warning_and_fast(self):
        script = "import time, sklearn.base; t = time.process_time(); import foldout; print(time.process_time() - t)"
        times = [float(subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True,
                                      check=True).stdout) for _ in range(3)]
        self.assertLess(min(times), 0.2)


if __name__ == "__main__":
    unittest.main()
